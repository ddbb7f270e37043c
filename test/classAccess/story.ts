import { countBy, map, sum, uniqBy } from 'lodash';

import { Execution, type World } from '../canvas/execution';
import { expectedStudents, ExpectedLinks, openAccesses, PRODUCTS, type Sale } from './model';
import { Service, type Outcome } from './service';
import { Table, type Row } from './tables';
import { createRandom } from '../random';
import type { Workflow } from '../n8n/workflows';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T12:00:00Z');
// The address of one contains that of another, and one is a pattern in SQL.
const BUYERS = ['ana@example.com', 'joana@example.com', 'a%@example.com'];

/** What may happen in a story, beside payments and refunds that arrive in order. */
export interface Mode {
	repeats?: boolean;
	disorder?: boolean;
	crashes?: boolean;
	failures?: Outcome[];
	simultaneous?: boolean;
	nights?: boolean;
	/** A buyer corrects the address. */
	corrections?: boolean;
	/** An owner adds rows. */
	hands?: boolean;
	/** Later instalments of a payment. */
	instalments?: boolean;
	/** Answers that take up to twelve minutes. */
	slow?: boolean;
	/** n8n is off for days, and no shop sends anything again. */
	off?: boolean;
}

/** A whole number below `limit`. */
export type Pick = (limit: number) => number;

/** Picks that are always the same for a seed. */
export function picker(seed: number): Pick {
	const random = createRandom(seed);
	return (limit) => (random() * 2 ** 32) % limit;
}

type Answer = { result?: string; reason?: string; crashed?: boolean };

interface CreateTable {
	tableName?: string;
	columns: { column: Array<{ name: string; type: string }> };
}

/** The columns of a table, as Class access creates them. */
function tableOf(workflow: Workflow, name: string): Table {
	const parameters = workflow.nodes.map((node) => node.parameters as CreateTable);
	const { columns } = parameters.find(({ tableName }) => tableName === name)!;
	return new Table(Object.fromEntries(columns.column.map(({ name, type }) => [name, type])));
}

export function newWorld(workflow: Workflow): World {
	const products = tableOf(workflow, 'class_products');
	for (const [product, classes] of Object.entries(PRODUCTS))
		for (const [classId, months] of classes)
			products.insert(
				{ product: ` ${product.toLowerCase()} , also ${product}`, classId, months },
				0,
			);
	const tables = {
		class_sales: tableOf(workflow, 'class_sales'),
		class_students: tableOf(workflow, 'class_students'),
		class_buyers: tableOf(workflow, 'class_buyers'),
		class_products: products,
	};
	return { tables, service: new Service(['c1', 'c2']), now: START };
}

/** Payments of two buyers within some months, some of them refunded later, in order. */
export function salesOf(pick: Pick, mode: Mode): Sale[] {
	const sales: Sale[] = [];
	const isOneBuyer = pick(3) > 0;
	for (let count = 1 + pick(4), index = 0; index < count; index++) {
		const at = START - (pick(100) * 24 + index) * 3_600_000;
		const email = BUYERS[isOneBuyer ? 0 : pick(BUYERS.length)]!;
		const products = Object.keys(PRODUCTS)[pick(3)]!;
		const until = pick(5) === 0 ? new Date(at + (20 + pick(200)) * DAY).toISOString() : undefined;
		const paidAt = new Date(at).toISOString();
		const access = { products, paidAt, until };
		// Some shops don't name their buyers.
		const name = pick(3) === 0 ? '' : email.split('@')[0]!;
		const sale: Sale = { paymentId: `p${index}`, status: 'paid', email, name, ...access };
		sales.push(...told(sale, mode, pick));
		// Some shops don't say whose a refund is.
		if (pick(3) === 0)
			sales.push({ ...sale, status: 'refunded', email: pick(2) === 0 ? '' : email });
		if (mode.hands && pick(2) === 0) sales.push(byHand(sale, index, pick));
	}
	return sales.sort((a, b) => Date.parse(a.paidAt) - Date.parse(b.paidAt));
}

/** What is said of a payment, in order. */
function told(sale: Sale, { corrections, hands, instalments }: Mode, pick: Pick): Sale[] {
	const later = (days: number) => new Date(Date.parse(sale.paidAt) + days * DAY).toISOString();
	const said = [sale];
	if (corrections && pick(2) === 0) {
		said.unshift({ ...sale, email: sale.email.replace('example', 'exmaple') });
		if (hands && pick(2) === 0) said[1] = { ...sale, status: 'moved' };
	}
	if (instalments && pick(2) === 0)
		for (const days of [30, 60]) said.push({ ...sale, paidAt: later(days), until: undefined });
	return said;
}

/** A row that an owner adds: a gift, or the end of an access. */
function byHand({ email, paidAt }: Sale, index: number, pick: Pick): Sale {
	const row = {
		paymentId: `hand${index}`,
		email: ` ${email.toUpperCase()} `,
		name: '',
		products: '',
		paidAt,
	};
	const classId = pick(2) === 0 ? 'c1' : 'c2';
	if (pick(2) === 0) return { ...row, status: 'given', classId, months: 1 + pick(6) };
	const until = new Date(Date.parse(paidAt) + pick(200) * DAY).toISOString();
	return { ...row, status: 'ended', classId, until };
}

export class Story {
	readonly world: World;
	readonly told: string[] = [];
	readonly expectedLinks = new ExpectedLinks();
	private readonly left: Sale[] = [];
	private crashes = 0;

	constructor(
		private readonly workflow: Workflow,
		private readonly mode: Mode,
		private readonly pick: Pick,
	) {
		this.world = newWorld(workflow);
		const failures = mode.failures ?? [];
		const fails = () => failures.length > 0 && pick(4) === 0;
		this.world.service.outcome = () => (fails() ? failures[pick(failures.length)]! : 'done');
		if (mode.slow) this.world.service.latency = () => pick(pick(3) === 0 ? 720_000 : 20_000);
	}

	/** Executes sales at the same time, or the night where there is none. */
	private execute(sales: Array<Sale | undefined>, isCalm: boolean): Answer[] {
		const mayCrash = this.mode.crashes && !isCalm;
		const answers: Answer[] = sales.map(() => ({}));
		const running = sales.map((sale, index) => {
			return { index, ...begin(this.workflow, this.world, sale && record(this.world, sale)) };
		});
		while (running.length > 0) {
			const at = this.pick(running.length);
			const { index, execution, steps } = running[at]!;
			// One may do all of its work while another one waits for a single answer.
			let left = 1 + this.pick(this.pick(2) === 0 ? 3 : 40);
			let isOver = false;
			while (left-- > 0 && !isOver) {
				this.world.now += 20;
				const crashed = mayCrash === true && this.pick(12) === 0;
				isOver = crashed;
				if (crashed) this.crashes++;
				try {
					isOver ||= steps.next().done === true;
					if (isOver) answers[index] = crashed ? { crashed } : (execution.output[0]?.json ?? {});
				} catch (error) {
					if (sales[index]) throw error;
					isOver = true;
					answers[index] = { result: 'failed', reason: (error as Error).message };
				}
			}
			if (isOver) running.splice(at, 1);
		}
		const what = sales.map((sale) => (sale ? `${sale.paymentId} ${sale.status}` : 'night'));
		this.told.push(`${what.join(' + ')}: ${JSON.stringify(answers)}`);
		sales.forEach((sale, index) => {
			if (!sale) return;
			const { crashed, result, reason = '' } = answers[index]!;
			// What only an owner can decide isn't told again.
			const isForOwner = /add a row of kind (given|moved)/.test(reason);
			// A shop sends again, if it wasn't answered at once. An owner's row is in the table.
			if (!['paid', 'refunded'].includes(sale.status)) return;
			const isLost = crashed && !this.mode.off;
			if (isLost || (result === 'failed' && !isForOwner)) this.left.push(sale);
		});
		return answers;
	}

	/** Lets everything happen, and then all that failed or crashed once more, without failures. */
	carryOut(sales: Sale[]): void {
		const { mode, pick, world } = this;
		const waiting = sales.flatMap((sale) =>
			mode.repeats && pick(3) === 0 ? [sale, sale] : [sale],
		);
		while (waiting.length > 0) {
			const count = mode.simultaneous ? 1 + pick(5) : 1;
			const next = Array.from({ length: Math.min(count, waiting.length) }, () => {
				return waiting.splice(mode.disorder ? pick(waiting.length) : 0, 1)[0]!;
			});
			// Nothing is paid later than it is told.
			world.now = Math.max(world.now, ...next.map(({ paidAt }) => Date.parse(paidAt)));
			const isNight = mode.nights && pick(3) === 0;
			this.expectedLinks.arrive(next, world);
			this.execute(isNight && mode.simultaneous ? [...next, undefined] : next, false);
			world.now += mode.nights ? pick(40) * DAY : 3_600_000;
			if (isNight) this.execute([undefined], false);
			if (mode.off && pick(4) === 0) world.now += 3 * DAY;
		}
		world.service.outcome = () => 'done';
		world.service.latency = () => 0;
		for (let tries = 0; this.left.length > 0; tries++) {
			if (tries > 3) throw new Error(`An event fails again and again.\n${this.told.join('\n')}`);
			world.now += 60_000;
			for (const sale of this.left.splice(0)) this.execute([sale], true);
		}
		// What has died is done when its lease has run out, and then what was uncertain.
		for (let hours = 0; hours < 3; hours++) {
			world.now += 3_600_000;
			this.execute([undefined], true);
		}
	}

	/** Who is in which class until when, and who should be. */
	students(sales: Sale[]): Array<Record<string, string | null>> {
		const { service } = this.world;
		const are = [...service.students].filter(
			([, end]) => end === null || Date.parse(end) > this.world.now || this.mode.nights,
		);
		return [Object.fromEntries(are.sort()), expectedStudents(sales, this.world)];
	}

	/** How many links there are beside one for each purchase, and one for each lost answer or execution that died. */
	unexplainedLinks(sales: Sale[]): number {
		const byBuyer = countBy(this.world.service.links);
		const surplus = map(byBuyer, (count, email) =>
			Math.max(0, count - purchasesOf(email, sales).length),
		);
		return Math.max(0, sum(surplus) - this.world.service.lostLinks - this.crashes);
	}

	/** Buyers who should have got a link, and did not, though nobody was told so. */
	linkless(sales: Sale[]): string[] {
		const open = openAccesses(sales, this.world);
		const buyers = new Set(open.map(({ key }) => key.split(' ')[0]!));
		const isSaid = (email: string) =>
			this.told.some(
				(text) => text.includes(`link to ${email}`) && text.includes('not sent again'),
			);
		return [...buyers].filter(
			(email) => !this.world.service.links.includes(email) && !isSaid(email),
		);
	}
}

/** The purchases and gifts of a buyer: one link for each. */
const purchasesOf = (email: string, sales: Sale[]) =>
	uniqBy(
		sales.filter((sale) => sale.status !== 'ended' && sale.email.trim().toLowerCase() === email),
		'paymentId',
	);

/** Adds a row to `class_sales`, as a shop's workflow does. */
export function record(world: World, { status, products, ...sale }: Partial<Sale>): Row {
	const said = { kind: status, ...(products && { products: listed(products) }) };
	return world.tables.class_sales!.insert({ ...said, ...sale }, world.now);
}

/** The codes as a list, as shops say them. */
const listed = (products: string) =>
	products.startsWith('[') ? products : JSON.stringify(products.split(','));

/** Begins to execute a sale that is recorded, or what is done every hour. */
export function begin(workflow: Workflow, world: World, sale?: Row, mode?: 'test') {
	const execution = new Execution(workflow, world, sale ? 'Sale' : 'Every Hour', mode);
	const json = { id: sale?.id, paymentId: sale?.paymentId, email: sale?.email };
	return { world, execution, steps: execution.start([{ json: { ...json, returnFailure: true } }]) };
}

/** Goes on to the step with this name, or to the end. What is then left alone has died. */
export function advance({ world, steps }: ReturnType<typeof begin>, until?: string): void {
	for (let step = steps.next(); !step.done && step.value !== until; step = steps.next())
		world.now += 20;
}
