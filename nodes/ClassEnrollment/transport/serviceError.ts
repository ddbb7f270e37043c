/** Why a request failed, in the words of n8n's durable scheduler, which polls again accordingly. */
export type FailureCause =
	'credential-invalid' | 'configuration-invalid' | 'rate-limited' | 'temporarily-unavailable';

/** What went wrong with a request, in words for the user. */
export interface Failure {
	/** What happened, with what the service said of it. */
	message: string;
	/** What the user can do about it. */
	description: string;
	/** The status of the response; undefined if there was none. */
	status?: number;
	/** Whether the request may have changed something nevertheless. */
	mayHaveTakenEffect: boolean;
	failureCause: FailureCause;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
}

/** A request that did not succeed. */
export class ServiceError extends Error {
	readonly description: string;
	readonly status?: number;
	readonly mayHaveTakenEffect: boolean;
	readonly failureCause: FailureCause;
	readonly retryAfterMs?: number;

	constructor(failure: Failure) {
		super(failure.message);
		this.description = failure.description;
		this.status = failure.status;
		this.mayHaveTakenEffect = failure.mayHaveTakenEffect;
		this.failureCause = failure.failureCause;
		this.retryAfterMs = failure.retryAfterMs;
	}
}

/** Whether the service has nothing at the address of a request. */
export function isNotFound(error: unknown): boolean {
	return error instanceof ServiceError && error.status === 404;
}

/** Whether the service may have rejected a request for what is in it. */
export function isRejection(error: unknown): error is ServiceError {
	return error instanceof ServiceError && [400, 404, 409, 413, 422].includes(error.status ?? 0);
}

/** Whether the service refused a request for its access token or for the number of requests, whatever it asked for. */
export function isAccessRefused({ status }: ServiceError): boolean {
	return status === 401 || status === 403 || status === 429;
}

/** Whether a request that failed with this error may nevertheless have changed something. */
export function mayHaveTakenEffect(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveTakenEffect;
}
