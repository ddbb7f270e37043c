import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// n8n's rules for community nodes on n8n Cloud. Its older rules (n8n-nodes-base) are checked by the scanner (scan/).
const communityNodes = n8nCommunityNodesPlugin.configs.recommended;

export default tseslint.config(
	globalIgnores(['**/dist', 'dist-new', '**/node_modules', '.stryker-tmp']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
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
