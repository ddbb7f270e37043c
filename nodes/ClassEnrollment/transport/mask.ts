import escapeRegExp from 'lodash/escapeRegExp';

// A shorter text could turn up in a response by chance.
const SHORTEST_SECRET = 8;

/** Returns a function that hides a secret in texts, also in the forms it takes inside JSON and URLs. */
export function createMask(secret: string): (text: string) => string {
	if (secret.length < SHORTEST_SECRET) return (text) => text;
	const inJson = escapeRegExp(secret).replaceAll('/', '\\\\?/');
	const forms = new RegExp(`${inJson}|${escapeRegExp(encodeURIComponent(secret))}`, 'g');
	return (text) => text.replace(forms, '***');
}
