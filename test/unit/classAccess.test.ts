import fc from 'fast-check';
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
			const [are, should] = story.students(sales);
			const told = [...story.told, ...story.world.service.requests].join('\n');
			if (JSON.stringify(are) !== JSON.stringify(should) || story.linkless(sales).length > 0)
				throw new Error(
					`${JSON.stringify({ are, should, links: story.world.service.links })}\n${told}`,
				);
		}),
	);
});
