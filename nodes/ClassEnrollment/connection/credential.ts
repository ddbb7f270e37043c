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
 * Returns a function that reads the credential for each item, since its expressions may depend on the item. n8n makes
 * a query and decrypts it each time, so a credential without expressions is read only once.
 */
export function createCredentialReader(context: IExecuteFunctions): ReadCredential {
	const read = async (itemIndex: number) =>
		toServiceAccess(await context.getCredentials(CREDENTIAL_TYPE, itemIndex));
	let shared: Promise<ServiceAccess | undefined> | undefined;
	return async (itemIndex) => (await (shared ??= readShared(read))) ?? (await read(itemIndex));
}

/** Reads the credential that all items share; undefined if it has expressions, or if n8n does not take the watched index. */
async function readShared(read: ReadCredential): Promise<ServiceAccess | undefined> {
	const { index, isUsed } = watchIndex();
	const reading = read(index);
	const [result] = await Promise.allSettled([reading]);
	const isRejectedByN8n =
		result.status === 'rejected' && !(result.reason instanceof InvalidValueError);
	return isUsed() || isRejectedByN8n ? undefined : await reading;
}

/** Makes an item index that tells whether it was used as a number, as n8n does only to evaluate an expression. */
function watchIndex() {
	let used = false;
	const index = {
		[Symbol.toPrimitive]: () => {
			used = true;
			return 0;
		},
	};
	return { index: index as unknown as number, isUsed: () => used };
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
