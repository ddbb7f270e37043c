import fc from 'fast-check';
import isEqual from 'lodash/isEqual';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { picker, salesOf, Story, type Mode } from '../classAccess/story';
import type { Workflow } from '../n8n/workflows';
import { testProperty } from '../property';

const FILE = join(__dirname, '../../examples/class-access.json');
const workflow = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;

const MODES: Record<string, Mode> = {
	'in order': {},
	repeated: { repeats: true },
	'in disorder': { disorder: true, repeats: true },
	'with crashes': { crashes: true },
	'with failing requests': { failures: ['down', 'lost'] },
	'at the same time': { simultaneous: true, repeats: true },
	'with nights': { nights: true, repeats: true, disorder: true },
	'with crashes and nights': { crashes: true, nights: true, failures: ['down', 'lost'] },
	'with everything': {
		repeats: true,
		disorder: true,
		crashes: true,
		failures: ['down', 'lost'],
		simultaneous: true,
		nights: true,
	},
};

describe.each(Object.entries(MODES))('sales %s', (_, mode) => {
	testProperty(
		'end with the students who have paid, each with a link',
		250,
		fc.property(fc.noShrink(fc.nat()), (seed) => {
			const pick = picker(seed);
			const sales = salesOf(pick);
			const story = new Story(workflow, mode, pick);
			story.carryOut(sales);
			const { links, requests } = story.world.service;
			const [are, should] = story.students(sales);
			const isRefunded = sales.some(({ status }) => status === 'refunded');
			const mayDiffer = mode.crashes || mode.failures || mode.nights || isRefunded;
			const expectedLinks = mayDiffer ? links : story.expectedLinks.links;
			const is = { students: are, linkless: story.linkless(sales), links: links.sort() };
			const shouldBe = { students: should, linkless: [], links: expectedLinks.sort() };
			if (isEqual(is, shouldBe)) return;
			const lines = [{ is }, { shouldBe }, ...sales].map((line) => JSON.stringify(line));
			throw new Error([...lines, ...story.told, ...requests].join('\n'));
		}),
	);
});
