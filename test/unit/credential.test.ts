import type { IExecuteFunctions } from 'n8n-workflow';
import { readCredentials } from '../../nodes/ClassEnrollment/connection/credential';

const TOKENS = ['token-of-the-first', 'token-of-the-second'];

test('a credential is read for each item where n8n takes nothing but a number for its index', async () => {
	const getCredentials = async (_type: string, index: unknown) => {
		if (typeof index !== 'number') throw new TypeError('The index must be a number');
		return await Promise.resolve({
			baseUrl: 'https://example.com/v1',
			accessToken: TOKENS[index],
		});
	};
	const context = { getCredentials } as unknown as IExecuteFunctions;
	const credentialOf = await readCredentials(context, TOKENS.keys());
	expect([credentialOf(0).accessToken, credentialOf(1).accessToken]).toEqual(TOKENS);
});
