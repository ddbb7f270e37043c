/** A request as the service sees it. */
export interface Arrival {
	/** How many came before it. */
	index: number;
	/** The time since the run began, in milliseconds. */
	ms: number;
	/** The input item that it is about; undefined if it asks for the class list. */
	item?: number;
}

/** A response, or the Node.js error code where none comes. */
export interface Response {
	status?: number;
	retryAfter?: number;
	code?: string;
	/** How long it takes; by default from 50 to 150 milliseconds. */
	ms?: number;
}

/** Creates the service of a run. */
export type NewService = (random: () => number) => (arrival: Arrival) => Response;

export const OK: Response = { status: 200 };
export const FAILED: Response = { status: 500 };
export const UNAVAILABLE: Response = { status: 503 };
export const LIMITED: Response = { status: 429 };
export const REJECTED: Response = { status: 400 };
export const DENIED: Response = { status: 401 };
export const REFUSED: Response = { code: 'ECONNREFUSED', ms: 2 };
export const UNTRUSTED: Response = { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', ms: 2 };
export const later = (retryAfter: number, status = 503): Response => ({ status, retryAfter });
/** No response within the Timeout of the settings. */
export const hang = (timeoutSeconds: number): Response => ({
	code: 'ETIMEDOUT',
	ms: 1000 * timeoutSeconds,
});

export const always =
	(response: Response): NewService =>
	() =>
	() =>
		response;

export const inTurn =
	(...responses: Response[]): NewService =>
	() =>
	({ index }) =>
		responses[index % responses.length]!;

/** Responds so to a share of the requests. */
export const atRandom =
	(share: number, response: Response): NewService =>
	(random) =>
	() =>
		random() < share ? response : OK;

/** Responds so to changes, of all items or of some; the class list works. */
export const toChanges =
	(response: Response, concerns: (item: number) => boolean = () => true): NewService =>
	() =>
	({ item }) =>
		item !== undefined && concerns(item) ? response : OK;

/** Responds so to the requests with these numbers. */
export const toRequests =
	(response: Response, from: number, to = Infinity): NewService =>
	() =>
	({ index }) =>
		index >= from && index < to ? response : OK;

/** Responds so for so long, each time from one of these moments on. */
export const during =
	(response: Response, forMs: number, ...moments: number[]): NewService =>
	() =>
	({ ms }) =>
		moments.some((moment) => ms >= moment && ms < moment + forMs) ? response : OK;

/** Serves so many requests in a time, and responds so to the others. */
export const rateLimit =
	(count: number, perMs: number, response = LIMITED): NewService =>
	() => {
		let began = -Infinity;
		let served = 0;
		return ({ ms }) => {
			if (ms >= began + perMs) [began, served] = [ms, 0];
			return served++ < count ? OK : response;
		};
	};
