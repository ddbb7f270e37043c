const { dest, parallel, series, src } = require('gulp');
const { spawn } = require('node:child_process');
const { renameSync, rmSync } = require('node:fs');

/** Builds into a folder of its own, so that the last build stays whole if this one fails. */
const NEW = 'dist-new';
const TSC = [require.resolve('typescript/bin/tsc'), '--noEmitOnError', '--outDir', NEW];

const remove = (folder) => rmSync(folder, { recursive: true, force: true });
const clean = async () => remove(NEW);
const compile = () => spawn(process.execPath, TSC, { stdio: 'inherit' });

/** Copies what the compiler ignores: icons, the nodes' search entries (codex) and output schemas. */
const copyIcons = () => src('icons/*.svg', { encoding: false }).pipe(dest(`${NEW}/icons`));
const copyNodeData = () => src('nodes/**/*.json').pipe(dest(`${NEW}/nodes`));

const replace = async () => {
	remove('dist');
	renameSync(NEW, 'dist');
};

/** The checks that need no test run, side by side. */
const npmRun = (displayName) =>
	Object.assign(() => spawn('npm', ['run', '--silent', displayName], { stdio: 'inherit' }), {
		displayName,
	});

exports.check = parallel(...['lint', 'types', 'scan'].map(npmRun));
exports.default = series(clean, compile, parallel(copyIcons, copyNodeData), replace);
