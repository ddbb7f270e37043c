const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = ['newestEngine', 'editor', 'trigger', 'queueMode', 'shops'];

/** Starts with the files that take longest, so that no worker is left alone with one of them at the end. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const index = LONGEST.findIndex((name) => path.endsWith(`${name}.test.ts`));
			return index < 0 ? LONGEST.length : index;
		};
		return [...tests].sort((a, b) => rank(a) - rank(b));
	}
};
