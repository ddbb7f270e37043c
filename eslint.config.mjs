import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// n8n's rules for community nodes on n8n Cloud. Its older rules (n8n-nodes-base) are checked by the scanner (scan/).
const communityNodes = n8nCommunityNodesPlugin.configs.recommended;

export default tseslint.config(
	globalIgnores(['**/dist', 'dist-new', '**/node_modules', '.stryker-tmp']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: {
			parserOptions: { project: 'test/tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			'@typescript-eslint/promise-function-async': 'error',
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			// Many interfaces want a promise from what need not wait, and no function uses `this` without declaring it.
			'@typescript-eslint/require-await': 'off',
			'@typescript-eslint/unbound-method': 'off',
			// The values in JSON are of any type.
			'@typescript-eslint/no-base-to-string': 'off',
		},
	},
	{
		// Jest's matchers, such as expect.any(String), are of the type any.
		files: ['**/*.test.ts', 'test/**/*.ts'],
		rules: {
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	{
		// They run without a build, so they have no types.
		files: ['**/*.{js,mjs,cjs}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: globals.node },
	},
	{ files: ['**/*.{js,cjs}'], languageOptions: { sourceType: 'commonjs' } },
	{ files: ['**/*.test.js'], languageOptions: { globals: globals.jest } },
	{ files: ['nodes/**/*.ts', 'credentials/**/*.ts'], extends: [communityNodes] },
	{
		files: ['package.json'],
		extends: [communityNodes],
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
);
