// What n8n gives to the code of a Code node.

export type Json = Record<string, unknown>;

/**
 * A node that ran before, as `$('Its name')` returns it. The name must stand in the call: n8n reads the code to know whose data it
 * needs, and otherwise sends all.
 */
export interface Node {
	isExecuted: boolean;
	first(): { json: Json };
	all(output?: number, run?: number): Array<{ json: Json }>;
}

/** What a node has output in its last run, on its first output. */
export const jsonOf = (node: Node): Json[] => Array.from(node.all(), ({ json }) => json);
