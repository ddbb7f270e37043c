/** A profile as V8 writes it: a tree of calls, and which of them ran at which time, in microseconds. */
export interface CpuProfile {
	nodes: ProfileNode[];
	startTime: number;
	samples: number[];
	timeDeltas: number[];
}

interface ProfileNode {
	id: number;
	callFrame: { functionName: string; url: string; lineNumber: number };
	children?: number[];
}

export interface Share {
	name: string;
	ms: number;
}

/**
 * A function counts for the first group that its file fits; one that fits none, such as a library's, counts for the
 * group of its caller.
 */
const GROUPS: Array<{ name: string; file: RegExp }> = [
	{ name: "the node's own code", file: /n8n-nodes-class-enrollment/ },
	{
		name: 'expressions',
		file: /expression|isolated-vm|workflow-data-proxy|tournament/i,
	},
	{
		name: 'HTTP helper',
		file: /backend-network|request-helpers|axios|follow-redirects|form-data|node:(_http|net|internal\/(net|stream_base_commons|http|url))/,
	},
	{ name: 'credentials', file: /credential/i },
	{ name: 'database and saved data', file: /typeorm|sqlite|flatted|db\/dist/ },
	{ name: 'parameters and items in n8n', file: /n8n-core|n8n-workflow/ },
	{ name: 'other nodes', file: /n8n-nodes-base/ },
];
const REST = 'the rest of n8n';

/** Tells how much time between two points went where, the most first. */
export function readProfile(
	profile: CpuProfile,
	from: number,
	to: number,
): { groups: Share[]; functions: Share[] } {
	const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
	const parents = new Map(
		profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
	);
	const groupOf = (id: number): string => {
		for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
			const { functionName, url } = nodes.get(at)!.callFrame;
			if (/^\((idle|program|garbage collector)\)$/.test(functionName)) return functionName;
			const group = GROUPS.find(({ file }) => file.test(url));
			if (group) return group.name;
		}
		return REST;
	};

	const groups = new Map<string, number>();
	const functions = new Map<string, number>();
	let time = profile.startTime;
	profile.samples.forEach((id, index) => {
		const microseconds = profile.timeDeltas[index] ?? 0;
		time += microseconds;
		if (time < from || time > to) return;
		const group = groupOf(id);
		add(groups, group, microseconds / 1000);
		add(functions, `${group}: ${nameOf(nodes.get(id)!)}`, microseconds / 1000);
	});
	return { groups: descending(groups), functions: descending(functions) };
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
	const file = url.split('/').slice(-2).join('/');
	return `\`${functionName || '(anonymous)'}\`${file && ` ${file}:${lineNumber + 1}`}`;
}

function add(shares: Map<string, number>, name: string, ms: number): void {
	shares.set(name, (shares.get(name) ?? 0) + ms);
}

function descending(shares: Map<string, number>): Share[] {
	return [...shares].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
