/** Returns the entries of an object that are not undefined. Faster than lodash: of many students, each has several. */
export function pickDefined<Value>(object: Record<string, Value>) {
	const defined: Record<string, Value> = {};
	for (const key in object) if (object[key] !== undefined) defined[key] = object[key];
	return defined as Record<string, Exclude<Value, undefined>>;
}
