import type { Workflow, WorkflowNode } from '../../test/n8n/workflows';

// The rules of n8n's template library.
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** The number of n8n's color. A note without a number is yellow. */
export const WHITE = 7;
const WORDS_OF_YELLOW = { least: 100, most: 300 };
const WORDS_OF_WHITE = { most: 49 };
/** From this many nodes on, white notes say what each section does. */
const NODES_WITH_SECTIONS = 4;
/** As the editor draws them: a node with its name below it. */
const NODE_SIZE = { width: 160, height: 150 };
/** A title says what is done, to what, and where from or where to. */
export const TITLE =
	/^(Add|Email|End|Import|Let|Record|Remove|Report|Tell),? \S+.* (before|by|for|from|in|of|to|when|who|with) \S+/;
/** The names that n8n gives nodes of the types in the examples, besides those that are the type itself: `If`, `Code`. */
const DEFAULT_NAMES = [
	'AI Agent',
	'Class Enrollment',
	'Convert to File',
	'Edit Fields',
	'Execute Sub-workflow',
	'Extract from File',
	'HTTP Request',
	'Loop Over Items',
	'Manual Trigger',
	'No Operation, do nothing',
	'On form submission',
	'OpenAI Chat Model',
	'Respond to Webhook',
	'Schedule Trigger',
	'Send Email',
	'Send a message and wait for response',
	'Simple Memory',
	'Sticky Note',
	'Stop and Error',
	'When chat message received',
	'When clicking ‘Execute workflow’',
	'When Executed by Another Workflow',
];

interface NoteParameters {
	content: string;
	width: number;
	height: number;
	color?: number;
}

type Box = ReturnType<typeof boxOf>;

/** Whether a node is a sticky note. */
export const isNote = ({ type }: WorkflowNode) => type === STICKY_NOTE;

/** The parameters of a sticky note. */
export const noteOf = ({ parameters }: WorkflowNode) => parameters as NoteParameters;

/** Whether a node is a yellow sticky note. */
export const isYellow = (node: WorkflowNode) => isNote(node) && noteOf(node).color === undefined;

/** The title of a template: the heading of its yellow note. Empty if there is none. */
export function titleOf({ nodes }: Workflow): string {
	const yellow = nodes.find(isYellow);
	return (yellow && /^## (.+)/.exec(noteOf(yellow).content)?.[1]) ?? '';
}

/** What n8n's reviewers would reject in a workflow, in plain words. */
export function violationsOf(workflow: Workflow): string[] {
	const { nodes } = workflow;
	const title = titleOf(workflow);
	const notes = nodes.filter(isNote);
	const others = nodes.filter((node) => !isNote(node));
	return [
		...problemsOfYellow(nodes),
		...problemsOfWhite(notes, others.length),
		...others.filter(hasDefaultName).map(({ name }) => `"${name}" is a default name.`),
		...overlapsOf(nodes),
		...(TITLE.test(title) ? [] : [`The title "${title}" is no sentence.`]),
	];
}

function problemsOfYellow(nodes: WorkflowNode[]): string[] {
	const [yellow, ...more] = nodes.filter(isYellow);
	if (!yellow || more.length > 0)
		return [`There are ${nodes.filter(isYellow).length} yellow notes.`];
	const { content } = noteOf(yellow);
	const words = wordsIn(content);
	const { least, most } = WORDS_OF_YELLOW;
	const [left, top] = yellow.position;
	const isTopLeft = nodes.every(({ position: [x, y] }) => left <= x && top <= y);
	return [
		...(isTopLeft ? [] : ['The yellow note is not at the top left.']),
		...(words >= least && words <= most ? [] : [`The yellow note has ${words} words.`]),
		...(/\n### How it works\n[^]+\n### Setup\n1\. /.test(content)
			? []
			: ['The yellow note does not say "How it works" and "Setup".']),
	];
}

function problemsOfWhite(notes: WorkflowNode[], nodes: number): string[] {
	const white = notes.filter((note) => !isYellow(note));
	const isMissing = nodes >= NODES_WITH_SECTIONS && white.length === 0;
	return [
		...(isMissing ? [`${nodes} nodes have no white notes.`] : []),
		...white.flatMap((note) => {
			const { color, content } = noteOf(note);
			const words = wordsIn(content);
			return [
				...(color === WHITE ? [] : [`"${note.name}" is not white.`]),
				...(words <= WORDS_OF_WHITE.most ? [] : [`"${note.name}" has ${words} words.`]),
			];
		}),
	];
}

/** Also with a number, as n8n names a second one. */
function hasDefaultName({ name, type }: WorkflowNode): boolean {
	const plain = name.replace(/ ?\d+$/, '').toLowerCase();
	const ofType = type.split('.').at(-1)!.toLowerCase();
	const isDefault = DEFAULT_NAMES.some((given) => given.toLowerCase() === plain);
	return isDefault || plain.replaceAll(' ', '') === ofType;
}

/** Which nodes and notes are drawn over one another. */
export function overlapsOf(nodes: WorkflowNode[]): string[] {
	const boxes = nodes.map(boxOf);
	return boxes.flatMap((box, index) =>
		boxes
			.slice(index + 1)
			.filter((other) => overlap(box, other))
			.map((other) => `"${box.name}" and "${other.name}" overlap.`),
	);
}

function boxOf(node: WorkflowNode) {
	const [left, top] = node.position;
	const { width, height } = isNote(node) ? noteOf(node) : NODE_SIZE;
	return { name: node.name, left, top, right: left + width, bottom: top + height };
}

function overlap(a: Box, b: Box): boolean {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

const wordsIn = (text: string) => text.trim().split(/\s+/).length;
