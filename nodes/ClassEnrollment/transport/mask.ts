import escapeRegExp from 'lodash/escapeRegExp';

// A shorter text could turn up in a response by chance.
const MIN_SECRET_LENGTH = 8;
const MAYBE_ENCODED = /[\\%&]/;

/** Hides a secret. */
export interface Mask {
	/** Hides it in a text, also in the forms that it takes inside JSON, URLs and HTML. */
	text: (text: string) => string;
	/** Hides it in all strings and keys of a parsed JSON value, which is changed. */
	json: (json: unknown) => unknown;
}

/** Creates the mask for a secret. One that is too short is not hidden. */
export function createMask(secret: string): Mask {
	if (secret.length < MIN_SECRET_LENGTH) return { text: (text) => text, json: (json) => json };
	// Compiled by its first use: most texts need only the second way, which takes no time.
	const forms = new RegExp(Array.from(secret, formsOf).join(''), 'g');
	const text = (text: string) => {
		if (text.length < secret.length) return text;
		return MAYBE_ENCODED.test(text) ? text.replace(forms, '***') : text.replaceAll(secret, '***');
	};
	return { text, json: (json) => maskStrings(json, text) };
}

/** Returns a pattern for the ways to write one character, since each may be encoded in its own way; the plain one is last. */
function formsOf(character: string): string {
	const plain = escapeRegExp(character);
	const units = character.split('').map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
	const bytes = Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`);
	const code = character.codePointAt(0)!;
	const forms = [units.join(''), bytes.join(''), `&#(?:0*${code}|[xX]0*${hex(code, 1)});`];
	if (!/[a-z\d]/i.test(character)) forms.push('&[a-zA-Z]{2,31};', `\\\\${plain}`);
	forms.push(escapeRegExp(JSON.stringify(character).slice(1, -1)), plain);
	// Each once: trying one twice would double the work for every character.
	return `(?:${[...new Set(forms)].join('|')})`;
}

/** Writes a number as a pattern of hexadecimal digits in either case. */
function hex(number: number, digits: number): string {
	const text = number.toString(16).padStart(digits, '0');
	return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Not recursive, because a response may be nested deeply. */
function maskStrings(json: unknown, mask: Mask['text']): unknown {
	const root = { json };
	const open: Array<Record<string, unknown>> = [root];
	for (const node of open) {
		for (const [key, value] of Object.entries(node)) {
			if (typeof value === 'object' && value !== null) open.push(value as typeof node);
			const name = mask(key);
			const shown = typeof value === 'string' ? mask(value) : value;
			if (name !== key) delete node[key];
			if (name !== key || shown !== value) node[name] = shown;
		}
	}
	return root.json;
}
