import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CONTRACT_FILE, describeContract } from '../contract/describe';

test('saved workflows find everything under the names, types and defaults that they know', () => {
	// If a change is meant, `npm run contract` writes the file: its changed lines belong in the review and the changelog.
	expect(describeContract()).toBe(readFileSync(CONTRACT_FILE, 'utf8'));
});

const NODES = resolve(__dirname, '../../nodes');

test('every operation and every event is listed in the index of its folder', () => {
	const read = (file: string) => readFileSync(join(NODES, file), 'utf8');
	const parts = readdirSync(NODES, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.filter((file) => /^export const \w+: (Operation|TriggerEvent) = /m.test(read(file)));
	expect(parts.length).toBeGreaterThan(0);
	for (const file of parts) {
		expect(read(join(dirname(file), 'index.ts'))).toContain(`from './${basename(file, '.ts')}'`);
	}
});
