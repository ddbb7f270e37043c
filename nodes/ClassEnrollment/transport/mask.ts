import { escapeRegExp, uniq } from 'lodash';

/** Replaces a secret in texts by `***`. */
export interface Mask {
	/** In what the user reads. */
	inMessage: (text: string) => string;
	/** In a text of the service's data, such as an ID, which may contain the letters of a secret by chance. */
	inData: (text: string) => string;
}

/** A shorter secret may be a part of an ordinary word. */
const LEAST_IN_MESSAGE = 8;
/** A shorter secret may be a part of an ID. */
const LEAST_IN_DATA = 32;

/** Creates the mask for a secret, also as it is written in URLs. A short one is masked only where it stands by itself. */
export function createMask(secret: string): Mask {
	const inUrl = encodeURIComponent(secret);
	const inLowerCase = inUrl.replace(/%../g, (escape) => escape.toLowerCase());
	const forms = uniq([secret, inUrl, inLowerCase]).map(escapeRegExp).join('|');
	// A letter after an apostrophe is part of a word, as in "isn't".
	const asWord = `(?<![\\p{L}\\p{N}]['’]?)(${forms})(?![\\p{L}\\p{N}])`;
	const asText = `(?<=^(Bearer )?)(${forms})$`;
	return {
		inMessage: replacing(secret.length < LEAST_IN_MESSAGE ? asWord : forms),
		inData: replacing(secret.length < LEAST_IN_DATA ? asText : forms),
	};
}

function replacing(pattern: string) {
	const everywhere = new RegExp(pattern, 'gu');
	return (text: string) => text.replace(everywhere, '***');
}
