/** Advice in case the address is wrong. */
export const CHECK_BASE_URL =
	"Check 'Base URL' in the 'Class Enrollment API' credential. It must be the API's address with its version, such as https://api.example.com/v1, not a web page.";

/** Advice for a service that asks to wait so many milliseconds; undefined if they are less than a minute. */
export function tryAgainAt(retryAfterMs = 0): string | undefined {
	if (retryAfterMs < 60_000) return undefined;
	// Rounded up to a minute.
	const at = new Date(Date.now() + retryAfterMs + 59_999).toISOString().slice(0, 16);
	return `The service asks to try again in ${Math.ceil(retryAfterMs / 60_000)} minutes, at ${at.replace('T', ' ')} UTC.`;
}
