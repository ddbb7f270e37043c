import { readFileSync } from 'node:fs';
import { CONTRACT_FILE, describeContract } from '../contract/describe';

test('saved workflows find everything under the names, types and defaults that they know', () => {
	// If a change is meant, `npm run contract` writes the file: its changed lines belong in the review and the changelog.
	expect(describeContract()).toBe(readFileSync(CONTRACT_FILE, 'utf8'));
});
