import escape from 'lodash/escape';
import { parseJson } from '../values/json';

// A shorter text could turn up in a response by chance (SECURITY.md).
const MIN_SECRET_LENGTH = 8;
const HALF_CHARACTER = /\p{Cs}/u;

/** Hides a secret. */
export type Mask = ReturnType<typeof createMask>;

/** Creates the mask for a secret. One that is too short is not hidden. */
export function createMask(secret: string) {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = HALF_CHARACTER.test(secret) ? secret : encodeURIComponent(secret);
	const inUrlLowerCase = inUrl.replace(/%../g, (code) => code.toLowerCase());
	const inPhp = inJson.replaceAll('/', '\\/');
	const forms = [secret, inJson, inPhp, inUrl, inUrlLowerCase, escape(secret)];
	const hidden = secret.length < MIN_SECRET_LENGTH ? [] : [...new Set(forms)];
	const hide = (text: string) => hidden.reduce((all, form) => all.replaceAll(form, '***'), text);
	/** Hides it in JSON, written anew, since any character may be escaped, and a text may be JSON itself. */
	const hideInJson = (text: string) => {
		if (!text.includes('\\')) return text;
		const revive = (_: string, value: unknown) => (typeof value === 'string' ? hide(value) : value);
		try {
			return JSON.stringify(JSON.parse(text, revive));
		} catch {
			return text;
		}
	};
	return {
		/** Hides it in a text, also as it is written in JSON, URLs and HTML. */
		text: hide,
		/** Hides it in a body, and reads that as JSON; undefined if it is not JSON. */
		body: (body: string) => {
			const text = hide(hideInJson(body));
			return { text, json: parseJson(text) };
		},
	};
}
