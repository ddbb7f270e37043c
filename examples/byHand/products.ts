import type { Class } from './form';

/**
 * The classes in the rows of `class_products`. A class may have several rows, of which an owner has added some without its name;
 * a product that is no class has `-`.
 */
export function toClasses(rows: Array<Record<string, unknown>>): Class[] {
	const classes = new Map<string, Class>();
	for (const { classId, className } of rows) {
		const id = typeof classId === 'string' ? classId.trim() : '';
		if (id === '' || id === '-') continue;
		classes.set(id, { id, name: String(className || classes.get(id)?.name || '') });
	}
	return [...classes.values()];
}
