import type { Arrival, Response, Service, Settings } from './simulate';

export const OK: Response = { status: 200 };
export const FAILED: Response = { status: 500 };
export const UNAVAILABLE: Response = { status: 503 };
export const LIMITED: Response = { status: 429 };
export const REJECTED: Response = { status: 400 };
export const DENIED: Response = { status: 401 };
export const DENIED_LATE: Response = { ...DENIED, ms: 5000 };
export const FORBIDDEN: Response = { status: 403 };
export const MOVED: Response = { status: 308 };
/** To the page where one signs in. */
export const REDIRECTED: Response = { status: 302 };
export const REFUSED: Response = { code: 'ECONNREFUSED', ms: 2 };
export const NO_HOST: Response = { code: 'ENOTFOUND', ms: 2 };
export const UNTRUSTED: Response = { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', ms: 2 };
export const RESET: Response = { code: 'ECONNRESET' };
export const later = (retryAfter: number | string, status = 503): Response => ({
	status,
	retryAfter,
});
/** No response within the Timeout of the settings. */
export const hang = (seconds: number): Response => ({ code: 'ETIMEDOUT', ms: 1000 * seconds });
export const FAILED_LATE: Response = { ...FAILED, ms: 5000 };
/** A gateway that gives up waiting for the service. */
export const slow = (seconds: number): Response => ({ status: 504, ms: 1000 * seconds });

/** Which requests get such a response; the others succeed. */
export type When = (arrival: Arrival) => boolean;
export const always: When = () => true;
export const everyOther: When = ({ index }) => index % 2 === 0;
export const half: When = ({ chance }) => chance < 0.5;
export const after100: When = ({ index }) => index >= 100;
export const changes: When = ({ item }) => item !== undefined;
export const firstItem: When = ({ item }) => item === 0;
export const everyOtherItem: When = ({ item = 1 }) => item % 2 === 0;
/** As of one class of two. */
export const first40: When = ({ item = 40 }) => item < 40;
export const first300: When = ({ item = 300 }) => item < 300;
export const first400: When = ({ item = 400 }) => item < 400;
export const first40AndAfter100: When = (arrival) => first40(arrival) || after100(arrival);
export const itemsAfter100: When = ({ item = 0 }) => item >= 100;
export const twoOfThree: When = ({ item = 0 }) => item % 3 > 0;
export const between =
	(from: number, to: number): When =>
	({ ms }) =>
		ms >= from && ms < to;
export const twice: When = (arrival) => between(500, 2000)(arrival) || between(3500, 5000)(arrival);
/** Beyond so many in a time. */
export const beyond =
	(count: number, perMs: number): When =>
	({ ms, servedSince }) =>
		servedSince(ms - (ms % perMs)) >= count;
export const respond =
	(response: Response, when: When): Service =>
	(arrival) =>
		when(arrival) ? response : OK;

export const TEN: Settings = { inFlight: 10 };
export const ONE: Settings = { inFlight: 1 };
