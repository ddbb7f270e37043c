const tests = process.env.MUTATION_TESTS.split(',');
// What noticed the changes before this one comes first: it often notices the next one, too.
const inOrder = [...new Set([...noticing, ...tests])].filter(isWanted);

for (const way of ['step', 'routing']) {
	const ofWay = inOrder.filter((test) => test.startsWith(way));
	if (ofWay.length === 0) continue;
	globalThis.N8N_WAY = way;
	jest.resetModules();
	const { loadPackage } = require('../workflow/engine');
	beforeAll(async () => await loadPackage());
	describe.each(ofWay)('%s', (test) => void require(`../${test.split(' ')[1]}`));
}
