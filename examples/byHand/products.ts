import type { Class } from './form';

/** The classes in the rows of `class_products`. A class may have several rows; a product that is no class has `-`. */
export function toClasses(rows: Array<Record<string, unknown>>): Class[] {
	const classes = new Map<string, Class>();
	for (const { classId, className } of rows)
		if (typeof classId === 'string' && classId.trim() !== '' && classId.trim() !== '-')
			classes.set(classId, { id: classId, name: String(className ?? '') });
	return [...classes.values()];
}
