/**
 * Creates the window of a run: the most requests in flight. It starts at 1, and the first answer opens it whole. When the service
 * asks to wait, it is 1 again, and then grows by 1 with each answer, so that it doubles with each round (TCP's slow start).
 */
export function createWindow(maxSize: number) {
	let size = 1;
	let growth = maxSize;
	return {
		isFull: (inFlight: number) => inFlight >= size,
		/** A request was answered. */
		widen: () => void (size = Math.min(maxSize, size + growth)),
		/** The service asks to wait. */
		narrow: () => {
			size = 1;
			growth = 1;
		},
	};
}
