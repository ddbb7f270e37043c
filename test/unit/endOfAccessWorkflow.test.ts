import { Settings } from 'luxon';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Execution, type World } from '../canvas/execution';
import { Service } from '../classAccess/service';
import { Table } from '../classAccess/tables';
import type { Workflow } from '../n8n/workflows';

const FILE = join(__dirname, '../../examples/end-of-access.json');
const CLASS = 'c1';
const ENDED = '2027-01-31';
const workflow = JSON.parse(readFileSync(FILE, 'utf8')) as Workflow;
const removal = workflow.nodes.find(({ name }) => name === 'Remove From Class')!;
Object.assign(removal.parameters, { classId: { value: CLASS } });

let world: World;
const table = () => world.tables.end_of_access!;
const inClass = () => [...world.service.students.keys()].map((key) => key.split(' ')[0]);
const removedOf = () => table().rows.map(({ email, removedAt }) => [email, removedAt]);

/** As Payment to class adds a buyer. */
function add(email: string, expiresAt: string): void {
	world.service.request('addToClass', email, CLASS, expiresAt);
	table().insert({ email, expiresAt }, world.now);
}

beforeAll(() => void (Settings.now = () => world.now));

beforeEach(() => {
	const columns = { email: 'string', expiresAt: 'string', removedAt: 'string' };
	world = {
		tables: { end_of_access: new Table(columns) },
		service: new Service([CLASS]),
		now: Date.parse('2027-02-01T03:00:00Z'),
	};
	add('ana@example.com', ENDED);
	add('bob@example.com', ENDED);
});

/** A night, in which something happens before a step, or n8n dies there. */
function night(before?: string, happens?: () => void): void {
	const steps = new Execution(workflow, world, 'Every Night').start([{ json: {} }]);
	for (let step = steps.next(); !step.done; step = steps.next()) {
		if (step.value !== before) continue;
		if (!happens) return;
		happens();
	}
}

test('a night removes who is due, and notes the day', () => {
	night();
	expect(inClass()).toEqual([]);
	expect(removedOf()).toEqual([
		['ana@example.com', '2027-02-01'],
		['bob@example.com', '2027-02-01'],
	]);
});

test('a buyer who pays while a night removes them is named, and noted as nobody who is out', () => {
	const buysAgain = () => add('ana@example.com', '2028-02-01');
	const says =
		"During the removal of ana@example.com, a row was entered by which access goes on. No night adds them again: if they aren't in the class in your learning platform, add them.";
	expect(() => night('Remove From Class', buysAgain)).toThrow(says);
	expect(removedOf()).toEqual([
		['ana@example.com', null],
		['bob@example.com', '2027-02-01'],
		['ana@example.com', null],
	]);
	expect(() => night()).not.toThrow();
});

test('a row that an owner deletes while a night removes its student is noted nowhere', () => {
	night('Remove From Class', () => void table().rows.splice(0, 1));
	expect(removedOf()).toEqual([['bob@example.com', '2027-02-01']]);
});

test('the night after n8n has died in one removes the others, and notes all', () => {
	night('Remove From Class, item 1');
	expect(inClass()).toEqual(['bob@example.com']);
	// Nobody knows that she was removed.
	expect(() => night()).toThrow('Removed: 1. Rejected, but noted as removed: 1,');
	expect(inClass()).toEqual([]);
	expect(removedOf()).toEqual([
		['ana@example.com', '2027-02-01'],
		['bob@example.com', '2027-02-01'],
	]);
});

test('more than 1,000 rows are read again if a buyer is entered meanwhile, as nobody who was removed would be noted', () => {
	const students = workflow.nodes.find(({ name }) => name === 'Students');
	expect(students).toMatchObject({ retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 });
});
