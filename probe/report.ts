import type { Mask } from './mask';
import type { Question, Sight } from './question';

/** A question, and what was seen; nothing if it was not asked. */
export interface Finding {
	question: Question;
	sight?: Sight;
}

export interface Result {
	findings: Finding[];
	requests: number;
	/** Why the probe ended before its end. */
	interruption?: string;
	/** What is left to do by hand. */
	left?: string;
}

/** Writes the report, without the token and addresses. */
export function writeReport(result: Result, version: string, mask: Mask): string {
	const { findings, requests, interruption, left } = result;
	const lines = [
		'# What was seen of a service',
		'',
		`Package ${version}, ${new Date().toISOString().slice(0, 10)}, ${requests} responses.`,
		...(interruption ? [`The probe ended early: ${interruption}.`] : []),
		left ?? 'The class is empty, as it was.',
		'',
		'| Question | Seen | The code assumes | |',
		'| --- | --- | --- | --- |',
		...findings.map(toRow),
		'',
	];
	return mask(lines.join('\n'));
}

function toRow({ question: { title, assumption, file }, sight }: Finding): string {
	const cells = [
		title,
		sight?.seen ?? 'not asked',
		`${assumption} (\`${file}\`)`,
		verdictOf(sight),
	];
	return `| ${cells.map(toCell).join(' | ')} |`;
}

/** Whether an assumption held. */
function verdictOf(sight?: Sight): string {
	if (sight?.isHeld === undefined) return 'not seen';
	return sight.isHeld ? 'held' : '**not held**';
}

const toCell = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
