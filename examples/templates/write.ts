import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CANDIDATES, templateOf, type Candidate } from './candidates';
import { isYellow, noteOf } from './rules';

const FOLDER = join(__dirname, 'output');

/** The description that is submitted with a template. */
function descriptionOf(candidate: Candidate): string {
	const { title, audience, requirements } = candidate;
	const { content } = noteOf(templateOf(candidate).nodes.find(isYellow)!);
	const [, ...explanation] = content.split('\n');
	return [
		`# ${title}`,
		`### Who it is for\n${audience}`,
		explanation.join('\n').trim(),
		`### Requirements\n${requirements.map((requirement) => `- ${requirement}`).join('\n')}`,
	].join('\n\n');
}

mkdirSync(FOLDER, { recursive: true });
for (const candidate of CANDIDATES) {
	const file = join(FOLDER, candidate.name);
	writeFileSync(`${file}.json`, `${JSON.stringify(templateOf(candidate), undefined, '\t')}\n`);
	writeFileSync(`${file}.md`, `${descriptionOf(candidate)}\n`);
	console.log(`${file}.json, .md`);
}
