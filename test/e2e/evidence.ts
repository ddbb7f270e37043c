/** Writes what shows the state of something, such as a screenshot or a log, into a folder. */
export type KeepEvidence = (folder: string) => Promise<void>;
export type Evidence = Set<KeepEvidence>;

/** The name of the global variable by which the test environment and the tests share it. */
export const EVIDENCE = 'endToEndEvidence';

/**
 * From now on, a failing test keeps this.
 * @returns a function that ends it
 */
export function keepOnFailure(keep: KeepEvidence): () => void {
	const evidence = (globalThis as { [EVIDENCE]?: Evidence })[EVIDENCE];
	evidence?.add(keep);
	return () => evidence?.delete(keep);
}
