type Settled<Value> = { value: Value } | { error: unknown };

/** Returns a function that reads a value only once; every call returns it, or throws the same error. */
export function once<Value>(read: () => Value): () => Value {
	let settled: Settled<Value> | undefined;
	return () => {
		settled ??= settle(read);
		if ('error' in settled) throw settled.error;
		return settled.value;
	};
}

function settle<Value>(read: () => Value): Settled<Value> {
	try {
		return { value: read() };
	} catch (error) {
		return { error };
	}
}
