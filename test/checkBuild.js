const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '..');
const BUILT = join(ROOT, 'dist');

const findOld = () => ['nodes', 'credentials'].flatMap(filesIn).find((file) => !isBuilt(file));

/** Runs once before the tests, which run the built code: a test of old code proves nothing. */
module.exports = () => {
	const old = findOld();
	if (old) throw new Error(`${old} is newer than what is in dist. Run "npm run build" first.`);
};

const filesIn = (folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));

function isBuilt(file) {
	const source = join(ROOT, file);
	const built = join(BUILT, file.replace(/\.ts$/, '.js'));
	if (!existsSync(built)) return false;
	if (file.endsWith('.ts')) return statSync(source).mtimeMs <= statSync(built).mtimeMs;
	return readFileSync(source).equals(readFileSync(built));
}

// For npm run try, which builds only then.
if (require.main === module && findOld()) process.exitCode = 1;
