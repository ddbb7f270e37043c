import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CREDENTIAL_TYPE, type N8nContext, type ServiceAccess } from '../transport/http';
import { InvalidValueError, quote } from '../values/invalidValue';

/**
 * Reads the node's credential.
 * @throws InvalidValueError where its Base URL cannot be used
 */
export async function readCredential(context: N8nContext): Promise<ServiceAccess> {
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	return {
		baseUrl: parseBaseUrl(credential.baseUrl),
		accessToken: String(credential.accessToken).trim(),
		credential,
	};
}

function parseBaseUrl(value: unknown): string {
	const text = String(value ?? '').trim();
	// A user name in the address would go out in place of the access token.
	if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) || !URL.canParse(text)) {
		throw new InvalidValueError(
			'Base URL',
			`of the credential is not a valid URL${/[?@]/.test(text) ? '' : `: ${quote(text)}`}`,
			"Open the credential 'Class Enrollment API' and enter an address such as https://api.example.com/v1.",
		);
	}
	return text.replace(/\/+$/, '');
}
