/** A piece between commas, of any keyboard: in quotes, as a spreadsheet writes them or a keyboard makes of them, or as it is. */
const PIECE = /\s*(?:"((?:[^"]|"")*)"|[“„«]([^“”»]*)[“”»]|([^,，、،]*?))\s*(?:[,，、،]|$)/gy;

/**
 * Divides a text that a person has typed at its commas. A piece that has a comma itself stands in quotes, as in a
 * spreadsheet: `paid, "paid, not shipped"`. Empty pieces mean nothing.
 */
export function splitList(list: string): string[] {
	const pieces = [...list.matchAll(PIECE)].map(([, quoted, curled, plain]) =>
		(quoted?.replaceAll('""', '"') ?? curled ?? plain ?? '').trim(),
	);
	return pieces.filter(Boolean);
}

/** A piece as it is typed into a list: in quotes, if it would be divided otherwise. */
export const asPiece = (text: string): string =>
	/[,，、،"“„«]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Says what to type into a list for a text that was just named. */
export function howToType(text: string): string {
	const piece = asPiece(text);
	return piece === text ? 'it' : `${piece} with its quotes`;
}
