import { CANDIDATES, templateOf } from '../../examples/templates/candidates';
import { TITLE, violationsOf } from '../../examples/templates/rules';
import { EXAMPLES, readExample } from '../e2e/examples';

/** These do not comply yet. */
const NOT_YET = EXAMPLES.filter((name) => /^(bulk-import|class-access|shop-)/.test(name));

const complying = EXAMPLES.filter((name) => !NOT_YET.includes(name));

test.each(complying)("%s complies with the rules of n8n's template library", (name) => {
	expect(violationsOf(readExample(name))).toEqual([]);
});

// Their notes are those of the examples, unless a candidate has its own.
const submitted = CANDIDATES.filter(({ name }) => !NOT_YET.includes(name));

test.each(submitted)('$name, as it is submitted, does so, too', (candidate) => {
	expect(candidate.title).toMatch(TITLE);
	expect(violationsOf(templateOf(candidate))).toEqual([]);
});
