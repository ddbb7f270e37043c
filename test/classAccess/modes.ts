import isEqual from 'lodash/isEqual';

import type { Workflow } from '../n8n/workflows';
import { picker, salesOf, Story, type Mode } from './story';

/** What may happen in the stories. */
export const MODES: Record<string, Mode> = {
	'in order': {},
	repeated: { repeats: true },
	'in disorder': { disorder: true, repeats: true },
	'with crashes': { crashes: true },
	'with failing requests': { failures: ['down', 'lost'] },
	'at the same time': { simultaneous: true, repeats: true },
	'at the same time, with failing requests': { simultaneous: true, failures: ['down', 'lost'] },
	'with nights': { nights: true, repeats: true, disorder: true },
	'with crashes and nights': { crashes: true, nights: true, failures: ['down', 'lost'] },
	"with an owner's hands": { hands: true, nights: true },
	'with corrections': { corrections: true, hands: true, crashes: true, failures: ['down', 'lost'] },
	'in instalments': { instalments: true, repeats: true, nights: true },
	'on a slow platform': { slow: true, simultaneous: true, repeats: true },
	'with days off': { off: true, crashes: true, simultaneous: true },
	'with everything': {
		repeats: true,
		disorder: true,
		crashes: true,
		failures: ['down', 'lost'],
		simultaneous: true,
		nights: true,
	},
};

/** Tells the story of a seed, and whether it ends as the model says. */
export function tellStory(workflow: Workflow, mode: Mode, seed: number) {
	const pick = picker(seed);
	const sales = salesOf(pick, mode);
	const story = new Story(workflow, mode, pick);
	story.carryOut(sales);
	const { links, requests } = story.world.service;
	const [are, should] = story.students(sales);
	const isRefunded = sales.some(({ status }) => status === 'refunded');
	const { crashes, failures, nights, slow, hands } = mode;
	const mayDiffer = crashes || failures || nights || slow || hands || isRefunded;
	const expectedLinks = mayDiffer ? links : story.expectedLinks.links;
	const unexplained = story.unexplainedLinks(sales);
	const is = { students: are, linkless: story.linkless(sales), unexplained, links: links.sort() };
	const shouldBe = { students: should, linkless: [], unexplained: 0, links: expectedLinks.sort() };
	const lines = [{ is }, { shouldBe }, ...sales].map((line) => JSON.stringify(line));
	const text = [...lines, ...story.told, ...requests].join('\n');
	return { isRight: isEqual(is, shouldBe), text };
}
