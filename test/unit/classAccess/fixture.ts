import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Outcome } from '../../classAccess/service';
import { advance, begin, newWorld, record } from '../../classAccess/story';
import type { Workflow } from '../../n8n/workflows';

const FILE = join(__dirname, '../../../examples/class-access.json');
export const workflow = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;

export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const SALE = {
	paymentId: 'p1',
	status: 'paid' as const,
	email: 'ana@example.com',
	name: 'Ana',
	products: 'A',
	paidAt: '2026-03-01T00:00:00Z',
};
export const REFUND = { ...SALE, status: 'refunded' as const };
export const REMOVAL = 'removeFromClass ana@example.com c1';

/** Gives the tests of a file tables, a learning platform, and a clock, new before each test, and what happens there. */
export function useClassAccess() {
	const world = newWorld(workflow);
	beforeEach(() => void Object.assign(world, newWorld(workflow)));
	/** Executes a sale, or the hour, with nothing else at the same time. */
	const execute = (sale?: object): object => {
		const begun = begin(workflow, world, sale && record(world, sale));
		advance(begun);
		return begun.execution.output[0]?.json ?? {};
	};
	const byHand = (row: object) => world.tables.class_sales!.insert(row, world.now);
	const hour = () => {
		world.now += 11 * MINUTE;
		return execute();
	};
	return {
		world,
		execute,
		beginSale: (sale: object) => begin(workflow, world, record(world, sale)),
		sales: () => world.tables.class_sales!.rows,
		students: () => world.tables.class_students!.rows,
		/** What an owner adds to class_sales. */
		byHand,
		/** Ten minutes later: an owner may still be filling in a new row. */
		hour,
		/** Adds a row by hand, which is done in the next hour. */
		carryOut: (row: object) => {
			byHand(row);
			return hour();
		},
		/** How requests end that contain a text. The others are done. */
		answer: (outcome: Outcome, text: string) => {
			const { service } = world;
			service.outcome = () => (service.requests.at(-1)!.includes(text) ? outcome : 'done');
		},
		/** Nobody knows whether an execution that has died still works, until its lease has run out. */
		afterTheLease: () => void (world.now += 11 * MINUTE),
		inClass: () => [...world.service.students.keys()].sort(),
	};
}

/** What a caller gets of a sale that fails, with a part of the reason. */
export const failed = (reason: string) => ({
	result: 'failed',
	reason: expect.stringContaining(reason) as string,
});
