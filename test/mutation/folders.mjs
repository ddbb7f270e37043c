const LOWEST_SCORE = 93;

/** A reporter that fails if the tests notice too few of the changes in a folder. */
class FolderReporter {
	onMutationTestReportReady(_report, { systemUnderTestMetrics: all }) {
		const folders = all.childResults.filter(({ file }) => !file);
		for (const { name, metrics } of folders.length > 0 ? folders : [all]) {
			const { mutationScore, totalValid } = metrics;
			console.log(`${name}: ${mutationScore.toFixed(1)}% of ${totalValid} changes were noticed`);
			if (mutationScore < LOWEST_SCORE) process.exitCode = 1;
		}
	}
}

export const strykerPlugins = [
	{ kind: 'Reporter', name: 'folders', injectableClass: FolderReporter },
];
