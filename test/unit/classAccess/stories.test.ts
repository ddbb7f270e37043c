import { MODES, tellStory } from '../../classAccess/modes';
import { TIMES } from '../../property';
import { workflow } from './fixture';

describe.each(Object.entries(MODES))('sales %s', (_, mode) => {
	// The same stories each time. PROPERTY_RUNS tells more of them.
	const tell = () => {
		for (let seed = 0; seed < 20 * TIMES; seed++) {
			const { isRight, text } = tellStory(workflow, mode, seed);
			if (!isRight) throw new Error(`Story ${seed}\n${text}`);
		}
	};
	test(
		'end with the students who have paid, a link for each purchase, and no other',
		tell,
		300_000 * TIMES,
	);
});
