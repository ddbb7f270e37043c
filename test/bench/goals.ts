import type { ClassListResults } from './classList';
import type { EnrollmentResults } from './enrollment';
import type { Measure } from './measure';
import type { MemoryResults } from './memory';
import { whole } from './markdown';
import { median, type Series } from './rounds';
import { STUDENTS_PER_REQUEST } from './ways';

/** Something the node is to reach, and what was measured. */
export interface Goal {
	what: string;
	goal: string;
	measured: string;
	/** Undefined where it could not be measured. */
	isMet?: boolean;
}

export interface Results {
	enrollments: EnrollmentResults[];
	classList: ClassListResults;
	memory: MemoryResults;
}

const TIMES_AS_FAST = 100;
const MOST_MEMORY = 1.15;

/** Compares the results, those of the largest number of students, with what the node is to reach. */
export function checkGoals({ enrollments, classList, memory }: Results): Goal[] {
	const largest = enrollments.reduce((a, b) => (b.size > a.size ? b : a));
	const { size, senders } = largest;
	const students = `${whole(size)} students`;
	const addMany = nodesMs(senders.addMany);
	const byHand = [senders.httpExpressionBatch, senders.httpCodeBatch].map(nodesMs);
	const fasterByHand = Math.min(...byHand.map((ms) => ms ?? Infinity));
	const httpEach = nodesMs(senders.httpEach);
	const timesAsFast = ratio(httpEach, addMany);
	const peak = (series: MemoryResults['holders']['addMany']) =>
		median(series.results.map(({ endMb }) => endMb));
	const requests = senders.addMany.results.map(({ record }) => record.requests);
	const dueRequests = Math.ceil(size / STUDENTS_PER_REQUEST);

	return [
		{
			what: `Add Many, ${students}, against HTTP Request per student`,
			goal: `at least ${TIMES_AS_FAST} times as fast`,
			measured: timesAsFast === undefined ? '—' : `${timesAsFast.toFixed(1)} times`,
			isMet: timesAsFast === undefined ? undefined : timesAsFast >= TIMES_AS_FAST,
		},
		atMost(`Add Many, ${students}, against the faster batch by hand`, 1, addMany, fasterByHand),
		atMost(
			`Add to Class, ${students}, against HTTP Request per student`,
			1,
			nodesMs(senders.addToClass),
			httpEach,
		),
		atMost(
			`Return All, ${whole(classList.classes)} classes, against HTTP Request's pagination`,
			0.2,
			nodesMs(classList.readers.getMany),
			nodesMs(classList.readers.httpPages),
		),
		{
			what: `Requests of Add Many for ${students} in one class`,
			goal: `exactly ${dueRequests}`,
			measured: [...new Set(requests)].join(', '),
			isMet: requests.every((count) => count === dueRequests),
		},
		atMost(
			`Peak memory of n8n, Add Many of ${whole(memory.size)} students, over the same workflow without the node`,
			MOST_MEMORY,
			peak(memory.holders.addMany),
			peak(memory.holders.nothing),
		),
	];
}

function nodesMs({ results }: Series<Measure>): number | undefined {
	return median(results.map((result) => result.nodesMs));
}

function ratio(value?: number, base?: number): number | undefined {
	return value === undefined || base === undefined ? undefined : value / base;
}

function atMost(what: string, most: number, value?: number, base?: number): Goal {
	const measured = ratio(value, base);
	return {
		what,
		goal: `at most ${most.toFixed(2)} of it`,
		measured: measured === undefined ? '—' : measured.toFixed(2),
		isMet: measured === undefined ? undefined : measured <= most,
	};
}
