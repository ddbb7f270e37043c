import { measureWay, type Measure } from './measure';
import { publishWay, type BenchN8n } from './n8n';
import { measureInRounds, type Series, type Subject } from './rounds';
import type { BenchServer } from './serverProcess';
import { makeStudents } from './students';
import { getMany, httpPages } from './ways';
import type { Way } from './workflows';

type Reader = 'getMany' | 'httpPages';

export interface ClassListResults {
	classes: number;
	latencyMs: number;
	readers: Record<Reader, Series<Measure>>;
}

const LATENCY_MS = 100;

/** Lists all classes in every way, and checks that each way brings all of them. */
export async function measureClassList(
	n8n: BenchN8n,
	server: BenchServer,
	{ classes, rounds }: { classes: number; rounds: number },
): Promise<ClassListResults> {
	// One item is enough to make the nodes run, and once.
	const oneItem = makeStudents(1);
	const reader = async (way: Way): Promise<Subject<Measure>> => {
		const published = await publishWay(n8n, way);
		return {
			title: way.title,
			run: async () => {
				const settings = { latencyMs: LATENCY_MS, classes };
				const measure = await measureWay(n8n, server, published, oneItem, settings);
				if (measure.items === classes && measure.record.refused === 0) return measure;
				throw new Error(`${way.title} brought ${measure.items} of ${classes} classes.`);
			},
		};
	};
	const subjects: Record<Reader, Subject<Measure>> = {
		getMany: await reader(getMany),
		httpPages: await reader(httpPages(server.baseUrl)),
	};
	const readers = await measureInRounds(`${classes} classes`, subjects, { rounds, warmUp: true });
	return { classes, latencyMs: LATENCY_MS, readers };
}
