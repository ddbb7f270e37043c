import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../.github/workflows');
// A tag can be moved to other code, a commit can't.
const PINNED = /^(\.\/\S+|[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+)$/;

test.each(readdirSync(FOLDER))('%s pins every action by its commit', (file) => {
	const text = readFileSync(join(FOLDER, file), 'utf8');
	const used = [...text.matchAll(/\buses: *(.+)/g)].map(([, action]) => action!);
	expect(used.length).toBeGreaterThan(0);
	expect(used.filter((action) => !PINNED.test(action))).toEqual([]);
});
