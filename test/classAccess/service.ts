/** How the next requests end: `lost` is done, but its answer does not arrive. `busy` is not done, for certain. */
export type Outcome = 'done' | 'down' | 'lost' | 'busy' | 'rejected' | 'forbidden';

export interface Failure {
	error: string;
	outcome?: string;
	status?: number;
}

const DOWN = { error: 'The service failed (status 503)', outcome: 'unknown', status: 503 };
const BUSY = { error: 'Too many requests (status 429)', outcome: 'notProcessed', status: 429 };
const LOST = { error: 'No response', outcome: 'unknown' };
const reject = (status: number, text: string): Failure => ({
	error: `Rejected by the service (status ${status}): ${text}`,
	outcome: 'rejected',
	status,
});

/** A learning platform: who is in which class, until when, and which magic links it sent. */
export class Service {
	/** By email and class, the end, or null without one. */
	readonly students = new Map<string, string | null>();
	readonly links: string[] = [];
	/** How many answers about a link were lost. */
	lostLinks = 0;
	readonly requests: string[] = [];
	outcome: () => Outcome = () => 'done';
	/** How long an answer takes, in milliseconds. */
	latency: () => number = () => 0;
	/** What it lists, if not its classes. */
	listed?: string[];

	constructor(readonly classes: string[]) {}

	/** Returns the failure, or undefined. */
	request(operation: string, email: string, classId = '', expiresAt = ''): Failure | undefined {
		this.requests.push(`${operation} ${email} ${classId}`.trim());
		const outcome = this.outcome();
		if (outcome === 'down') return DOWN;
		if (outcome === 'busy') return BUSY;
		if (outcome === 'rejected') return reject(400, 'Blocked');
		if (outcome === 'forbidden') return reject(403, 'Forbidden');
		const key = `${email} ${classId}`;
		if (classId && !this.classes.includes(classId)) return reject(404, 'Not found');
		if (operation === 'removeFromClass' && !this.students.has(key))
			return reject(422, 'The student is not in the class');
		if (operation === 'addToClass') this.students.set(key, expiresAt || null);
		if (operation === 'removeFromClass') this.students.delete(key);
		if (operation === 'sendMagicLink') this.links.push(email);
		if (operation === 'sendMagicLink' && outcome === 'lost') this.lostLinks++;
		return outcome === 'lost' ? LOST : undefined;
	}
}
