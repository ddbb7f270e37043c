/** Returns the entries of an object that are not undefined. Faster than lodash: of many students, each has several. */
export function pickDefined<Value>(object: Record<string, Value>) {
	const entries = Object.entries(object).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as Record<string, Exclude<Value, undefined>>;
}
