const sortBy = require('lodash/sortBy');

const tests = process.env.MUTATION_TESTS.split(',');
const wanted = tests.filter(isWanted);
const isFirstRun = process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;
// What noticed the change before this one comes first, then what is about the changed code.
const inOrder = isFirstRun ? tests : sortBy(wanted, (test) => -rankOf(test));

for (const way of ['step', 'routing']) {
	const ofWay = inOrder.filter((test) => test.startsWith(way));
	if (ofWay.length === 0) continue;
	globalThis.N8N_WAY = way;
	jest.resetModules();
	const { loadPackage } = require('../workflow/engine');
	beforeAll(async () => await loadPackage());
	describe.each(ofWay)('%s', (test) => void require(`../${test.split(' ')[1]}`));
}
