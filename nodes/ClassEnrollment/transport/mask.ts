export type Mask = (text: string) => string;

/** Creates the mask for a secret, also as it is written in URLs. */
export function createMask(secret: string): Mask {
	const inUrl = encodeURIComponent(secret);
	return (text) => text.replaceAll(secret, '***').replaceAll(inUrl, '***');
}
