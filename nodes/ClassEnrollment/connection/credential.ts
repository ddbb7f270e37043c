import type { IAllExecuteFunctions, IExecuteFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import { parseAccessToken } from '../values/accessToken';
import { BASE_URL } from '../values/baseUrl';
import { InvalidValueError } from '../values/invalidValue';
import { textOf } from '../values/text';

/** Reads the credential for an item; throws InvalidValueError if it cannot be used. */
export type ReadCredential = (itemIndex: number) => Promise<ServiceAccess>;

/** Reads the credential for the item of the context, if it has one. */
export async function readCredential(context: IAllExecuteFunctions): Promise<ServiceAccess> {
	return toServiceAccess(await context.getCredentials(CREDENTIAL_TYPE));
}

/**
 * Returns a function that reads the credential for each item, since its expressions may depend on the item. ReadRequest
 * takes n8n a query and a decryption each time, so a credential without expressions is read only once.
 */
export function createCredentialReader(context: IExecuteFunctions): ReadCredential {
	const read = async (itemIndex: number) =>
		toServiceAccess(await context.getCredentials(CREDENTIAL_TYPE, itemIndex));
	let fixed: Promise<ServiceAccess | undefined> | undefined;
	return async (itemIndex) => (await (fixed ??= readWithoutItem(read))) ?? (await read(itemIndex));
}

/**
 * Reads the credential if it has no expression: only to evaluate one, n8n takes the index as a number.
 * @returns undefined if it must be read for each item
 */
async function readWithoutItem(read: ReadCredential): Promise<ServiceAccess | undefined> {
	let isIndexRead = false;
	const index = {
		[Symbol.toPrimitive]: () => {
			isIndexRead = true;
			return 0;
		},
	};
	const reading = read(index as unknown as number);
	const [result] = await Promise.allSettled([reading]);
	// An error of n8n may be about this index: then it is read with real ones.
	const isOfN8n = result.status === 'rejected' && !(result.reason instanceof InvalidValueError);
	return isIndexRead || isOfN8n ? undefined : await reading;
}

function toServiceAccess(credential: ServiceAccess['credential']): ServiceAccess {
	const baseUrl = parseBaseUrl(credential.baseUrl);
	const accessToken = parseAccessToken(credential.accessToken);
	return { baseUrl, accessToken, credential };
}

function parseBaseUrl(value: unknown): string {
	const text = textOf(value);
	if (BASE_URL.test(text) && URL.canParse(text)) return text.replace(/(?<!\/)\/+$/, '');
	const advice =
		"Open the credential 'Class Enrollment API' and enter an address such as https://api.example.com/v1.";
	// Not quoted: it may be the token, entered in the wrong field.
	throw new InvalidValueError('Base URL', 'of the credential is not a valid URL', advice);
}
