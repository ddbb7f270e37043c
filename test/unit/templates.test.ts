import { violationsOf } from '../../examples/templates/rules';
import { EXAMPLES, readExample } from '../e2e/examples';

/** These do not comply yet. */
const NOT_YET = EXAMPLES.filter((name) => /^(bulk-import|class-access|lost-link|shop-)/.test(name));

const complying = EXAMPLES.filter((name) => !NOT_YET.includes(name));

test.each(complying)("%s complies with the rules of n8n's template library", (name) => {
	expect(violationsOf(readExample(name))).toEqual([]);
});
