import type { Settings } from './settings';

export type Mask = (text: string) => string;

const EMAIL = /[^\s"'<>@,;:]+@[^\s"'<>@,;:]+/g;
const URL_IN_TEXT = /\bhttps?:\/\/[^\s"'<>]+/gi;

/** Creates what hides the token, the class and all addresses in a text, so that a report can be published. */
export function createMask({ baseUrl, token, classId, email }: Settings): Mask {
	const { host, hostname } = new URL(baseUrl);
	const secrets: Array<[secret: string, shown: string]> = [
		[token, '<token>'],
		[email, '<email>'],
		[baseUrl, '<url>'],
		[host, '<host>'],
		[hostname, '<host>'],
		[classId, '<class>'],
	];
	const all = secrets.flatMap(([secret, shown]) => [
		[secret, shown] as const,
		[encodeURIComponent(secret), shown] as const,
	]);
	return (text) => {
		const masked = all.reduce((rest, [secret, shown]) => replaceAny(rest, secret, shown), text);
		return masked.replace(URL_IN_TEXT, '<url>').replace(EMAIL, '<email>');
	};
}

/** Replaces a text in upper or lower case. */
function replaceAny(text: string, secret: string, shown: string): string {
	const pattern = new RegExp(secret.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'gi');
	return text.replace(pattern, shown);
}
