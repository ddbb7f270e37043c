import { measureBareClient } from './bareClient';
import { measureWay, type Measure } from './measure';
import { publishWay, type BenchN8n } from './n8n';
import { measureInRounds, type Series, type Subject } from './rounds';
import type { BenchServer } from './serverProcess';
import { makeStudents } from './students';
import {
	addMany,
	addToClass,
	httpCodeBatch,
	httpEach,
	httpExpressionBatch,
	STUDENTS_PER_REQUEST,
} from './ways';
import type { Way } from './workflows';

type Sender =
	| 'addMany'
	| 'httpExpressionBatch'
	| 'httpCodeBatch'
	| 'bareBatch'
	| 'addToClass'
	| 'httpEach'
	| 'bareEach';

export interface EnrollmentResults {
	size: number;
	senders: Record<Sender, Series<Measure>>;
}

interface EnrollmentOptions {
	size: number;
	rounds: number;
	latencyMs: number;
}

/** Enrolls the same students in every way, and checks that each way enrolled all of them. */
export async function measureEnrollment(
	n8n: BenchN8n,
	server: BenchServer,
	{ size, rounds, latencyMs }: EnrollmentOptions,
): Promise<EnrollmentResults> {
	const students = makeStudents(size);
	const settings = { latencyMs, classes: 0 };

	const checked = (title: string, run: () => Promise<Measure>): Subject<Measure> => ({
		title,
		run: async () => {
			const measure = await run();
			const { students: enrolled, refused } = measure.record;
			if (enrolled === size && refused === 0) return measure;
			throw new Error(
				`${title} enrolled ${enrolled} of ${size} students, ${refused} were refused.`,
			);
		},
	});
	const inN8n = async (way: Way) => {
		const published = await publishWay(n8n, { ...way, key: `${way.key}-${size}` });
		return checked(
			way.title,
			async () => await measureWay(n8n, server, published, students, settings),
		);
	};
	const bare = (title: string, perRequest: number) =>
		checked(title, async () => await measureBareClient(server, students, perRequest, settings));

	const subjects: Record<Sender, Subject<Measure>> = {
		addMany: await inN8n(addMany),
		httpExpressionBatch: await inN8n(httpExpressionBatch(server.baseUrl)),
		httpCodeBatch: await inN8n(httpCodeBatch(server.baseUrl)),
		bareBatch: bare('Bare client, batches', STUDENTS_PER_REQUEST),
		addToClass: await inN8n(addToClass),
		httpEach: await inN8n(httpEach(server.baseUrl)),
		bareEach: bare('Bare client, one per student', 1),
	};
	const label = `${size} students`;
	return { size, senders: await measureInRounds(label, subjects, { rounds, warmUp: true }) };
}
