import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BANNER =
	'// Made of examples/classAccess/*.ts (npm run shops), where it is explained and tested. Change it there.';

/** The module as the text of a Code node: readable, and with the DateTime that n8n gives it. */
export function compile(): string {
	const folder = mkdtempSync(join(tmpdir(), 'class-access-'));
	const luxon = join(folder, 'luxon.js');
	writeFileSync(luxon, 'const Luxon = DateTime;\nexport { Luxon as DateTime };\n');
	const { outputFiles } = buildSync({
		entryPoints: [join(__dirname, 'n8n.ts')],
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
	return `${BANNER}\n${code}`;
}
