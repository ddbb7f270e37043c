import { median } from './rounds';

/** A Markdown table; all columns but the first hold figures. */
export function table(header: string[], rows: string[][]): string {
	const rule = header.map((_, column) => (column === 0 ? '---' : '--:'));
	return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The median of the values that there are, and in brackets the least and the most; a dash where there is none. */
export function spread(
	values: Array<number | undefined>,
	format: (value: number) => string,
): string {
	const middle = median(values);
	if (middle === undefined) return '—';
	const known = values.filter((value) => value !== undefined);
	const [least, most] = [Math.min(...known), Math.max(...known)].map(format);
	return least === most ? format(middle) : `${format(middle)} (${least}–${most})`;
}

/** A whole number with separators. */
export function whole(value: number): string {
	return Math.round(value).toLocaleString('en');
}

/** Milliseconds as they are up to a second, and as seconds beyond. */
export function duration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}
