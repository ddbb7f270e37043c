/* global isWanted, noticing -- from environment.js */
const sortBy = require('lodash/sortBy');

// All tests in one file, so that n8n is loaded only once for each change.
const wanted = process.env.MUTATION_TESTS.split(',').filter(isWanted);
const tests = sortBy(wanted, (test) => test !== noticing);

for (const way of ['step', 'routing']) {
	const ofWay = tests.filter((test) => test.startsWith(way));
	if (ofWay.length === 0) continue;
	globalThis.N8N_WAY = way;
	jest.resetModules();
	const { loadPackage } = require('../workflow/engine');
	beforeAll(async () => await loadPackage());
	describe.each(ofWay)('%s', (test) => void require(`../${test.split(' ')[1]}`));
}
