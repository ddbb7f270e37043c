import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../service/service';
import { type RunOptions, type RunResult, runNode } from './engine';

/** A class to put students into. */
export const PYTHON = { id: 'c0ffee00-0000-4000-8000-000000000001', name: 'Python' };
export const RUST = { id: 'c0ffee00-0000-4000-8000-000000000002', name: 'Rust' };

/** The parameter with which each item has a student of its own. */
export const EMAIL_OF_ITEM = { email: '={{ $json.email }}' };

export const emailOf = (n: number) => `student-${n}@example.com`;

/** Input items, a student each. */
export const rows = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ email: emailOf(n) }));

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

/** Parameters with which every student operation succeeds for `student@example.com`. */
export const VALID: Record<string, INodeParameters> = {
	addToClass: { classId: byId(PYTHON.id), email: 'student@example.com' },
	addToClasses: { classIds: [PYTHON.id, RUST.id], email: 'student@example.com' },
	addManyToClass: { classId: byId(PYTHON.id) },
	removeFromClass: { classId: byId(PYTHON.id), email: 'student@example.com' },
	removeFromClasses: { classIds: [PYTHON.id, RUST.id], email: 'student@example.com' },
	sendMagicLink: { email: 'student@example.com' },
};

export interface Fixture {
	service: Service;
	/** Runs an operation with its valid parameters, changed by `parameters`. */
	student: (
		operation: string,
		parameters?: INodeParameters,
		options?: Partial<RunOptions>,
	) => Promise<RunResult>;
	classes: (parameters?: INodeParameters, options?: Partial<RunOptions>) => Promise<RunResult>;
	/** Lets a test break the service's contract, which otherwise fails it. */
	allowViolations: () => void;
}

/** Gives every test of a file a service with two classes, in which `student@example.com` is enrolled. */
export function useService(): Fixture {
	const { fixture, open, close } = createFixture();
	beforeEach(open);
	afterEach(close);
	return fixture;
}

/** Runs a case with a service of its own, for tests that run many cases. */
export async function withService(runCase: (fixture: Fixture) => Promise<void>): Promise<void> {
	const { fixture, open, close } = createFixture();
	await open();
	try {
		await runCase(fixture);
	} finally {
		await fixture.service.close();
	}
	await close();
}

function createFixture() {
	let violationsAllowed = false;
	const fixture = {
		student: async (operation, parameters = {}, options = {}) =>
			await runNode({
				credential: fixture.service,
				items: [{ email: 'student@example.com' }],
				parameters: { resource: 'student', operation, ...VALID[operation], ...parameters },
				...options,
			}),
		classes: async (parameters = {}, options = {}) =>
			await runNode({
				credential: fixture.service,
				parameters: { resource: 'class', operation: 'getAll', ...parameters },
				...options,
			}),
		allowViolations: () => {
			violationsAllowed = true;
		},
	} as Fixture;

	const open = async () => {
		violationsAllowed = false;
		fixture.service = await startService();
		fixture.service.classes.addClass(PYTHON);
		fixture.service.classes.addClass(RUST);
		fixture.service.classes.enroll([PYTHON.id, RUST.id], [{ email: 'student@example.com' }]);
	};
	const close = async () => {
		await fixture.service.close();
		if (!violationsAllowed) expect(fixture.service.violations).toEqual([]);
	};
	return { fixture, open, close };
}

/** The JSON of items. */
export const jsonOf = (items: RunResult['items']) => items.map(({ json }) => json);

/** The index of the input item to which an output item is linked. */
export const linkOf = ({ pairedItem }: RunResult['items'][number]) =>
	(pairedItem as { item: number }).item;

/** Waits until the service has received that many requests. */
export async function requestsReceived({ requests }: Service, count: number): Promise<void> {
	while (requests.length < count) await sleep(20);
}
