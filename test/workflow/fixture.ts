import { isMatch, mapValues, uniqBy } from 'lodash';
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	type RequestRecord,
	type Service,
	startService,
	type Student,
	type Temper,
} from '../service/service';
import { load } from '../contract/describe';
import { type RunOptions, type RunResult, runNode, WAY, type Way } from './engine';
import { indexes, operationOf, PYTHON, RUST, type TestedOperation } from './operations';

export * from './operations';

/** A student who is in both classes of the service. */
export const STUDENT = 'student@example.com';
/** Each item comes out, those that fail on the error output. */
export const CONTINUE = { onError: 'continueErrorOutput' } as const;
export const NO_RETRIES = { requestOptions: { giveUpAfter: 0 } };

type Changes = [parameters?: INodeParameters, options?: Partial<RunOptions>];
type Tested = Pick<TestedOperation, 'resource' | 'operation'> & Partial<TestedOperation>;

export type Fixture = ReturnType<typeof createFixture>['fixture'];

/** Gives every test of a file a service with two classes, in which STUDENT is enrolled. */
export function useService(): Fixture {
	const { fixture, open, close } = createFixture();
	beforeEach(open);
	afterEach(close);
	return fixture;
}

/** Runs a case with a service of its own, for tests that run many cases. */
export async function withService(runCase: (fixture: Fixture) => Promise<void>): Promise<void> {
	const { fixture, open, close } = createFixture();
	await open();
	await runCase(fixture).finally(fixture.service.close);
	await close();
}

function createFixture() {
	let violationsAllowed = false;
	const fixture = {
		service: {} as Service,
		/** Runs any operation with its valid parameters, changed by `parameters`. */
		run: async ({ resource, operation, valid }: Tested, ...[parameters, options]: Changes) =>
			await runNode({
				credential: fixture.service,
				items: [{ email: STUDENT }],
				parameters: { resource, operation, ...valid, ...parameters },
				...options,
			}),
		/** The same for an operation on students. */
		student: async (operation: string, ...changes: Changes): Promise<RunResult> => {
			const valid = operationOf(`student ${operation}`)?.valid;
			return await fixture.run({ resource: 'student', operation, valid }, ...changes);
		},
		/** The same for Get Many. */
		classes: async (...changes: Changes): Promise<RunResult> =>
			await fixture.run(operationOf('class getAll'), ...changes),
		/** Adds classes with the IDs `class-0`, `class-1` … and the names `Class 0`, `Class 1` … */
		addClasses: (count: number) => {
			for (const n of indexes(count)) {
				fixture.service.classes.addClass({ id: `class-${n}`, name: `Class ${n}` });
			}
		},
		/** Enrolls STUDENT in both classes, as at first. */
		enroll: () => fixture.service.classes.enroll([PYTHON.id, RUST.id], [{ email: STUDENT }]),
		/** Lets a test break the service's contract, which otherwise fails it. */
		allowViolations: () => void (violationsAllowed = true),
	};

	const open = async () => {
		violationsAllowed = false;
		fixture.service = await startService();
		fixture.service.classes.addClass(PYTHON);
		fixture.service.classes.addClass(RUST);
		fixture.enroll();
	};
	const close = async () => {
		await fixture.service.close();
		if (!violationsAllowed) expect(fixture.service.violations).toEqual([]);
	};
	return { fixture, open, close };
}

/** What the built node says of itself. */
export const { description } = load<INodeType>(
	'dist/nodes/ClassEnrollment/ClassEnrollment.node.js',
);

interface ShownField extends INodeProperties {
	/** Its name, of one in a collection after that of the collection. */
	path: string;
	/** The parameters that show it. */
	shownWith: INodeParameters;
}

/** The fields of an operation's forms, also those in collections, each once. */
export function fieldsOf({ resource, operation }: TestedOperation): ShownField[] {
	const own = description.properties.filter(({ displayOptions: { show } = {} }) =>
		isMatch({ ...show }, { resource: [resource], operation: [operation] }),
	);
	return uniqBy(own, 'name').flatMap((field) => {
		const { name, type, options } = field;
		const { resource: _, operation: __, ...conditions } = field.displayOptions!.show!;
		const shownWith = mapValues(conditions, (values) => values![0]) as INodeParameters;
		if (type !== 'collection') return { ...field, path: name, shownWith };
		const inside = options as INodeProperties[];
		return inside.map((option) => ({ ...option, path: `${name}.${option.name}`, shownWith }));
	});
}

/** The JSON of items. */
export const jsonOf = (items: RunResult['items']) => items.map(({ json }) => json);

export const emailsOf = (items: RunResult['items']) => jsonOf(items).map(({ email }) => email);

/** What the items say that failed. */
export const errorsOf = ({ items, errorItems }: RunResult) =>
	jsonOf([...items, ...errorItems]).flatMap(({ error }) => (error ? [String(error)] : []));

/** What the error says that stopped the workflow. */
export const textOf = ({ error }: RunResult) => `${error?.message} ${error?.description}`;

/** The index of the input item to which an output item is linked. */
export const linkOf = ({ pairedItem }: RunResult['items'][number]) =>
	(pairedItem as { item: number }).item;

/** Whether a request is about a student. */
export const isFor =
	(email: string) =>
	({ body }: Pick<RequestRecord, 'body'>) =>
		JSON.stringify(body ?? '').includes(`"${email}"`);

/** The students that a request is about. */
export function studentsIn({ body }: Pick<RequestRecord, 'body'>): Student[] {
	const { students, ...student } = (body ?? {}) as Partial<Student> & { students?: Student[] };
	return students ?? (student.email === undefined ? [] : [student as Student]);
}

/** Whom requests are about, in the order in which they were sent. */
export const emailsIn = (requests: RequestRecord[]) =>
	requests.flatMap((request) => studentsIn(request).map(({ email }) => email));

/** Gives each request the next of these tempers, and the last one from then on. */
export function inTurn(...tempers: Temper[]): Temper {
	let count = 0;
	return { forRequest: () => tempers[Math.min(count++, tempers.length - 1)] };
}

/** Responds with a page to sign in, in place of doing anything. */
export const WEB_PAGE: Temper = { failWith: { status: 200, text: '<!DOCTYPE html>Sign in' } };

/** Waits until the service has received that many requests. */
export async function requestsReceived({ requests }: Service, count: number): Promise<void> {
	while (requests.length < count) await sleep(20);
}

/** Like `describe`, for what only a step of n8n's first engine does, or only its routing. */
export const describeAs = (way: Way) => (way === WAY ? describe : () => {});
