import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OTHER_TESTS, PARTS, ROUTING } from '../mutation/parts';

const ROOT = join(__dirname, '../..');

test('every test file has its place in mutation testing', () => {
	const files = ['simulation', 'unit', 'workflow'].flatMap((folder) =>
		readdirSync(join(ROOT, 'test', folder))
			.filter((file) => file.endsWith('.test.ts'))
			.map((file) => `${folder}/${file.replace('.test.ts', '')}`),
	);
	expect([...new Set([...Object.values(PARTS).flat(), ...OTHER_TESTS])].sort()).toEqual(
		files.sort(),
	);
});

test('and so has every folder of the node', () => {
	const folders = readdirSync(join(ROOT, 'nodes/ClassEnrollment'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
		.map(({ name }) => name);
	expect(Object.keys(PARTS).sort()).toEqual([...folders, ROUTING].sort());
});
