const { loadPackage } = require('../workflow/engine');

// What noticed the changes before this one comes first: it often notices the next one, too.
const tests = process.env.MUTATION_TESTS.split(' ');
const inOrder = [...new Set([...noticing, ...tests])].filter((test) => tests.includes(test));

beforeAll(async () => await loadPackage());

describe.each(inOrder)('%s', (file) => void require(`../${file}.test.ts`));
