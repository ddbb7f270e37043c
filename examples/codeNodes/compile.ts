import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const EXAMPLES = join(__dirname, '..');
const bannerOf = (module: string) =>
	`// Made of examples/${module}.ts (npm run shops), where it is explained and tested. Change it there.`;

/**
 * A module as the text of a Code node: readable, and with the DateTime that n8n gives it.
 * @param module its path in `examples`, without `.ts`. What it exports as `output` is what the node outputs.
 * @param contents code in its place, which imports it
 */
export function compile(
	module: string,
	contents = `export { output } from './${module}';`,
): string {
	const folder = mkdtempSync(join(tmpdir(), 'code-node-'));
	const luxon = join(folder, 'luxon.js');
	writeFileSync(luxon, 'const Luxon = DateTime;\nexport { Luxon as DateTime };\n');
	const { outputFiles } = buildSync({
		stdin: { contents, loader: 'ts', resolveDir: EXAMPLES, sourcefile: 'codeNode.ts' },
		alias: { luxon },
		bundle: true,
		write: false,
		format: 'esm',
		target: 'es2022',
		platform: 'neutral',
		charset: 'utf8',
		legalComments: 'none',
	});
	rmSync(folder, { recursive: true });
	const code = outputFiles[0]!.text
		.replace(/^\/\/ .*\.(ts|js)\n/gm, '\n')
		.replace(/export \{\n\s*output\n\};\s*$/, 'return output;')
		.replace(/^ {2,}/gm, (blanks) => '\t'.repeat(blanks.length / 2))
		.replaceAll('/* @__PURE__ */ ', '')
		.replaceAll('void 0', 'undefined')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
	return `${bannerOf(module)}\n${code}`;
}
