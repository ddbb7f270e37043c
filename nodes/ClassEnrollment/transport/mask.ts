// A shorter text could turn up in a response by chance (SECURITY.md).
const MIN_SECRET_LENGTH = 8;

/** Hides a secret in a text. */
export type Mask = (text: string) => string;

/** Creates the mask for a secret, also as it is written in URLs. One that is too short is not hidden. */
export function createMask(secret: string): Mask {
	if (secret.length < MIN_SECRET_LENGTH) return (text) => text;
	const inUrl = encodeURIComponent(secret);
	return (text) => text.replaceAll(secret, '***').replaceAll(inUrl, '***');
}
