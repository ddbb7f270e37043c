/** A file as text. */
export interface DecodedFile {
	text: string;
	/** Whether it is not in Unicode, so that it was read as Windows-1252, in which Excel for Windows saves a plain CSV file. */
	isWindows1252: boolean;
}

const BYTE_ORDER_MARKS: ReadonlyArray<[mark: number[], encoding: string]> = [
	[[0xef, 0xbb, 0xbf], 'utf-8'],
	[[0xff, 0xfe], 'utf-16le'],
	[[0xfe, 0xff], 'utf-16be'],
];

/** The characters from 0x80 on, where Latin-1 has control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes the bytes of a text file: UTF-8 or UTF-16, with or without a byte order mark, or else Windows-1252. */
export function decode(bytes: Uint8Array): DecodedFile {
	const [encoding, isMarked] = findEncoding(bytes);
	try {
		const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
		return { text, isWindows1252: false };
	} catch {
		const text = new TextDecoder(encoding).decode(bytes);
		// Then what can't be read is a fault of some rows.
		if (isMarked || isMostlyRead(text)) return { text, isWindows1252: false };
		return { text: fromWindows1252(bytes), isWindows1252: true };
	}
}

/** Whether more letters beside those of ASCII were read than not. In Windows-1252, hardly any looks like UTF-8. */
const isMostlyRead = (text: string): boolean =>
	count(text, /\P{ASCII}/gu) > 2 * count(text, /\ufffd/g);

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/** As TextDecoder should: in some versions of Node.js, it reads Latin-1 in its place. */
function fromWindows1252(bytes: Uint8Array): string {
	const characters = Array.from(
		bytes,
		(byte) => WINDOWS_1252[byte - 0x80] ?? String.fromCharCode(byte),
	);
	return characters.join('');
}

function findEncoding(bytes: Uint8Array): [encoding: string, isMarked: boolean] {
	const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, n) => bytes[n] === byte));
	if (marked) return [marked[1], true];
	// The first letter of a header is one of Latin script: in UTF-16, one of its two bytes is 0.
	if (bytes.length % 2 === 0 && bytes[0] !== 0 && bytes[1] === 0) return ['utf-16le', false];
	if (bytes.length % 2 === 0 && bytes[0] === 0 && bytes[1] !== 0) return ['utf-16be', false];
	return ['utf-8', false];
}
