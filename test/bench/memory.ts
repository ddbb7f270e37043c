import { callWay, publishWay, startBenchN8n, type Preparation } from './n8n';
import { peakMemoryMb } from './procfs';
import { measureInRounds, type Series, type Subject } from './rounds';
import type { BenchServer } from './serverProcess';
import { makeStudents } from './students';
import { addMany, httpExpressionBatch, noOperation, nothing } from './ways';
import type { Way } from './workflows';

type Holder = 'nothing' | 'noOperation' | 'addMany' | 'httpExpressionBatch';

/** The most memory that n8n had in use at a time; undefined where the system does not tell. */
export interface PeakMemory {
	/** When it had started and done nothing yet. */
	startedMb?: number;
	endMb?: number;
}

export interface MemoryResults {
	size: number;
	holders: Record<Holder, Series<PeakMemory>>;
}

/** Runs every way once in an n8n of its own, and asks the system for its peak memory. */
export async function measureMemory(
	preparation: Preparation,
	server: BenchServer,
	{ size, rounds }: { size: number; rounds: number },
): Promise<MemoryResults> {
	const students = makeStudents(size);
	const holder = (way: Way): Subject<PeakMemory> => ({
		title: way.title,
		run: async () => {
			const n8n = await startBenchN8n(preparation, server);
			const { pid } = n8n.server;
			const published = await publishWay(n8n, way);
			await server.reset({ latencyMs: 0, classes: 0 });
			const startedMb = await peakMemoryMb(pid);
			await callWay(n8n, published, students);
			const endMb = await peakMemoryMb(pid);
			await n8n.stop();
			return { startedMb, endMb };
		},
	});
	const subjects: Record<Holder, Subject<PeakMemory>> = {
		nothing: holder(nothing),
		noOperation: holder(noOperation),
		addMany: holder(addMany),
		httpExpressionBatch: holder(httpExpressionBatch(server.baseUrl)),
	};
	const holders = await measureInRounds('Memory', subjects, { rounds, warmUp: false });
	return { size, holders };
}
