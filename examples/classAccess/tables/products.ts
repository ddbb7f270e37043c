// The rows of `class_products`.
import type { Json } from '../../codeNodes/n8n';
import { withoutInvisible } from '../../reading/text';
import { PRODUCT_COLUMNS } from '../types';
import { attempt, monthsOf } from './cells';
import { readRow, type Row } from './rows';

/** As a classId: no class. */
export const NO_CLASS = '-';

export interface Product extends Omit<Row<typeof PRODUCT_COLUMNS>, 'months'> {
	months: number | null;
	/** What is wrong with the months, or empty. It is said when somebody buys the product. */
	problem: string;
}

/** Reads a row of `class_products`. */
export function readProduct(row: Json): Product {
	const problems: string[] = [];
	const cells = readRow(PRODUCT_COLUMNS, row);
	const months = attempt(problems, () => monthsOf(cells.months));
	return {
		...cells,
		classId: withoutInvisible(cells.classId),
		months,
		problem: problems.join(' '),
	};
}
