/** Writes a screenshot or a log into a folder. */
export type KeepEvidence = (folder: string) => Promise<void>;
export type Evidence = Set<KeepEvidence>;

/** The name of the global variable that the test environment and the tests share. */
export const EVIDENCE = 'endToEndEvidence';

/**
 * Keeps a screenshot or a log if a test fails.
 * @returns a function that ends this
 */
export function keepOnFailure(keep: KeepEvidence): () => void {
	const evidence = (globalThis as { [EVIDENCE]?: Evidence })[EVIDENCE];
	evidence?.add(keep);
	return () => evidence?.delete(keep);
}
