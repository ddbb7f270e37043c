import { isError } from 'lodash';
import type { IAllExecuteFunctions, IExecuteFunctions } from 'n8n-workflow';
import { CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import { parseAccessToken } from '../values/accessToken';
import { BASE_URL } from '../values/baseUrl';
import { InvalidValueError } from '../values/invalidValue';
import { textOf } from '../values/text';

/** Returns the credential of an item; throws InvalidValueError if it cannot be used. */
export type CredentialOf = (itemIndex: number) => ServiceAccess;

type Read = (itemIndex: number) => Promise<ServiceAccess>;
type AccessOrError = ServiceAccess | Error;

/** Reads the credential for the item of the context, if it has one. */
export async function readCredential(context: IAllExecuteFunctions): Promise<ServiceAccess> {
	return toServiceAccess(await context.getCredentials(CREDENTIAL_TYPE));
}

/**
 * Reads the credential for each item, since its expressions may depend on the item. n8n makes a query and decrypts it each
 * time, so a credential without expressions is read only once.
 */
export async function readCredentials(
	context: IExecuteFunctions,
	itemIndexes: Iterable<number>,
): Promise<CredentialOf> {
	const read: Read = async (itemIndex) =>
		toServiceAccess(await context.getCredentials(CREDENTIAL_TYPE, itemIndex));
	const shared = await readShared(read);
	return shared ? () => valueOf(shared) : await readEach(itemIndexes, read);
}

/** Reads the credential for each item. If that fails, it is the error of this item. */
export async function readEach(itemIndexes: Iterable<number>, read: Read): Promise<CredentialOf> {
	const results = new Map<number, AccessOrError>();
	for (const itemIndex of itemIndexes) results.set(itemIndex, await readOrError(read, itemIndex));
	return (itemIndex) => valueOf(results.get(itemIndex)!);
}

/** Reads the credential that all items share; undefined if it may differ from item to item. */
async function readShared(read: Read): Promise<AccessOrError | undefined> {
	let dependsOnItem = false;
	// In the place of an item's index. n8n takes its number only to look up the item, for an expression.
	const spy: unknown = {
		[Symbol.toPrimitive]: () => {
			dependsOnItem = true;
			return 0;
		},
	};
	const result = await readOrError(read, spy as number);
	// n8n may take nothing but a number.
	const isNotTaken = isError(result) && !(result instanceof InvalidValueError);
	return dependsOnItem || isNotTaken ? undefined : result;
}

const readOrError = async (read: Read, itemIndex: number): Promise<AccessOrError> =>
	await read(itemIndex).catch((error: Error) => error);

function valueOf(result: AccessOrError): ServiceAccess {
	if (isError(result)) throw result;
	return result;
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
