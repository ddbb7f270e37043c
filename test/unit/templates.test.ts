import { CANDIDATES, templateOf } from '../../examples/templates/candidates';
import { TITLE, violationsOf } from '../../examples/templates/rules';
import { EXAMPLES, readExample } from '../e2e/examples';

test.each(EXAMPLES)("%s complies with the rules of n8n's template library", (name) => {
	expect(violationsOf(readExample(name))).toEqual([]);
});

// Their notes are those of the examples, unless a candidate has its own.
test.each(CANDIDATES)('$name, as it is submitted, does so, too', (candidate) => {
	expect(candidate.title).toMatch(TITLE);
	expect(violationsOf(templateOf(candidate))).toEqual([]);
});
