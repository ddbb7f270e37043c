import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { received, startService, type Service, type Temper } from '../test/service/service';
import { runProbe } from './probe';
import { readSettings, type Settings } from './settings';

/** The files that the report names are below it. */
const NODE = join(__dirname, '../nodes/ClassEnrollment');
const CLASS = 'class-probe';
const EMAIL = 'Owner+probe@example.com';
const HELD = 'held';
const NOT_HELD = '**not held**';
const NOT_SEEN = 'not seen';

let service: Service;
let settings: Settings;

beforeEach(async () => {
	service = await startService();
	for (const name of ['Python for Beginners', 'Photography', 'Rust'])
		service.classes.addClass({ name });
	service.classes.addClass({ id: CLASS, name: 'A probe of it' });
	const { baseUrl, accessToken: token } = service;
	settings = { baseUrl, token, classId: CLASS, email: EMAIL };
});

afterEach(async () => await service.close());

/** Runs the probe; returns what it reports, with the cells of each question by its title. */
async function probe(stop = new AbortController().signal) {
	const said: string[] = [];
	const result = await runProbe(settings, stop, (text) => said.push(text));
	const table = result.report.split('\n').filter((line) => line.startsWith('| '));
	const rows = table.slice(2).map((line) => {
		const [title = '', seen = '', , verdict = ''] = line.slice(2, -2).split(' | ');
		return [title, { seen, verdict }] as const;
	});
	return { ...result, said, rows: Object.fromEntries(rows) };
}

/** Everything that was sent names nobody but the student, and the class is empty again. */
function expectUntouched(): void {
	const emails = JSON.stringify(received(service)).match(/[^"]+@[^"]+/g) ?? [];
	expect(new Set(emails)).toEqual(new Set([EMAIL]));
	expect(service.magicLinks.length).toBeLessThanOrEqual(1);
	const students = service.classes.listClasses().flatMap((found) => found.students);
	expect(students).toEqual([]);
}

/** A part of a batch that is rejected is added all the same. */
const ADDS_A_PART: Temper = {
	onRequest: ({ path }) => {
		if (path.endsWith('/add-students')) service.classes.enroll([CLASS], [{ email: EMAIL }]);
	},
	isOneByOne: true,
};

interface Case {
	temper: Temper;
	/** The verdicts that are not "held", by the title. */
	verdicts?: Record<string, string | undefined>;
	/** A part of what was seen, by the title. */
	seen?: Record<string, string>;
}

const LIMIT = 'Too many requests';
const BATCH = 'A batch with a wrong item';
const SEVERAL = 'Several classes, of which one is unknown';
const SECOND = 'A second addition, with another date';

const CASES: Record<string, Case> = {
	'is regular': {
		temper: {},
		seen: {
			'The first page': 'counted from 1',
			'An addition': 'status 200, {}; the class counts 1',
			'A second removal': 'not found in class <class>',
			[BATCH]: 'nothing was added',
			[SEVERAL]: 'nothing was added',
		},
	},
	'counts from 0 and adds a part': {
		temper: { firstPage: 0, ...ADDS_A_PART, refusalStatus: 422 },
		seen: {
			'The first page': 'counted from 0',
			'An unknown class': 'status 422',
			[BATCH]: 'the rest was added',
			[SEVERAL]: 'the rest was added',
		},
	},
	'is strict and speaks plain text': {
		temper: { minPageSize: 10, maxPageSize: 2, refuseEnrolled: true, textErrors: true },
		seen: {
			'Page sizes, and after the last page': '1000: status 200, 2 classes, totalRecords 4',
			[SECOND]: 'status 400, not JSON (text/plain; charset=utf-8); the class counts 1',
		},
		verdicts: { 'The first page': NOT_SEEN, 'Error bodies': NOT_HELD, [SECOND]: NOT_HELD },
	},
	'limits the rate': {
		temper: {
			failWith: { status: 429, times: 1, headers: { 'Retry-After': '3' } },
			omitTotalRecords: true,
		},
		seen: { [LIMIT]: 'status 429; retry-after: 3' },
		verdicts: { 'The class list': NOT_HELD, [LIMIT]: undefined },
	},
	'knows no removal from a class': {
		temper: {
			failWith: {
				status: 405,
				only: ({ path }) => /remove-student/.test(path) && !path.includes(CLASS),
			},
		},
		verdicts: { 'An unknown class': NOT_HELD },
	},
	'says no with status 200': {
		temper: {
			forRequest: ({ path }) =>
				path === '/magic-link' ? { answerJson: { success: false, error: 'Blocked' } } : undefined,
		},
		seen: { 'A magic link': 'status 200, {success: false, error: "Blocked"}' },
		verdicts: { 'A magic link': NOT_HELD, 'Error bodies': NOT_HELD },
	},
	'rejects nothing': {
		temper: {
			forRequest: ({ method, path }) =>
				method !== 'GET' && !path.includes(CLASS)
					? { failWith: { status: 200, body: {} } }
					: undefined,
		},
		seen: { [SEVERAL]: 'status 200, {}; nothing was added' },
		verdicts: { 'An unknown class': NOT_HELD, [SEVERAL]: NOT_HELD },
	},
	'fails for students who are not there': {
		temper: { refusalStatus: 500 },
		verdicts: {
			'Removing a student who is not in the class': NOT_HELD,
			'An unknown class': NOT_HELD,
			'A second removal': NOT_HELD,
			[SEVERAL]: NOT_HELD,
		},
	},
	'gives away addresses': {
		temper: {
			forRequest: ({ path, headers }) => {
				const message = `${headers.authorization} ${headers.host} ${EMAIL.toLowerCase()} other@example.com`;
				const answerJson = { message, url: 'https://example.com/sign-in?secret' };
				return path === '/magic-link' ? { answerJson } : undefined;
			},
		},
		seen: { 'A magic link': 'message: "Bearer <token> <host> <email> <email>", url: string' },
	},
};

test('each file in the report exists', async () => {
	const { report, rows } = await probe();
	const files = [...report.matchAll(/\(`(.+?)`\) \|/g)].map(([, file]) => file!);
	expect(files).toHaveLength(Object.keys(rows).length);
	expect(files.filter((file) => !existsSync(join(NODE, file)))).toEqual([]);
});

test.each(Object.entries(CASES))('a service that %s', async (_, { temper, verdicts, seen }) => {
	service.temper = temper;
	const { report, rows, isComplete } = await probe();

	const others = Object.entries(rows).filter(([, { verdict }]) => verdict !== HELD);
	const found = Object.fromEntries(others.map(([title, { verdict }]) => [title, verdict]));
	expect(found).toEqual({ [LIMIT]: NOT_SEEN, ...verdicts });
	for (const [title, part] of Object.entries(seen ?? {})) expect(rows[title]!.seen).toContain(part);
	expect(report).not.toMatch(new RegExp(`@|${service.accessToken}|127\\.0\\.0\\.1|${CLASS}`, 'i'));
	expect(isComplete).toBe(true);
	expect(report).toContain('The class is empty, as it was.');
	expectUntouched();
	expect(service.requests.length).toBeLessThan(30);
	// Only the wrong date, which is meant to be rejected.
	expect(service.violations).toMatchObject([{ path: `/classe/${CLASS}/add-students` }]);
});

test('stopped while the student is in the class, it removes the student', async () => {
	const stop = new AbortController();
	service.temper = { onRequest: ({ path }) => void (path === '/magic-link' && stop.abort()) };
	const { report, isComplete, rows } = await probe(stop.signal);
	expect(isComplete).toBe(false);
	expect(report).toContain('The probe ended early: stopped by you.');
	expect(rows['A second removal']).toEqual({ seen: 'not asked', verdict: NOT_SEEN });
	expect(report).toContain('The class is empty, as it was.');
	expectUntouched();
});

test('without a response to an addition, it removes the student', async () => {
	service.temper = { drop: { when: 'after', only: ({ path }) => path.endsWith('/add-student') } };
	const { report, isComplete } = await probe();
	expect(isComplete).toBe(false);
	expect(report).toContain('The probe ended early: no response (UND_ERR_SOCKET).');
	expectUntouched();
});

test.each<[string, Temper]>([
	['rejected', { failWith: { status: 403, only: ({ method }) => method === 'DELETE' } }],
	['unanswered', { drop: { when: 'before', only: ({ method }) => method === 'DELETE' } }],
])('says plainly if every removal is %s', async (_, failing) => {
	// Only once the student is in.
	service.temper = {
		forRequest: () => (service.classes.studentsOf(CLASS).length > 0 ? failing : undefined),
	};
	const { report, isComplete, said } = await probe();
	expect(isComplete).toBe(false);
	expect(said.at(-1)).toContain('The class may not be empty.');
	expect(report).toContain('The class may not be empty.');
	expect(service.classes.studentsOf(CLASS)).toHaveLength(1);
});

test.each<[string, () => void, string]>([
	['has a student', () => service.classes.enroll([CLASS], [{ email: EMAIL }]), 'has 1 students'],
	['is unknown', () => (settings.classId = 'other'), 'contains no class with this ID'],
])('sends nothing but reads if the class %s', async (_, prepare, message) => {
	prepare();
	await expect(probe()).rejects.toThrow(message);
	expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('finds the class on a later page', async () => {
	service.temper = { maxPageSize: 2, firstPage: 0 };
	for (let index = 0; index < 5; index++) service.classes.addClass({ name: `Class ${index}` });
	settings.classId = service.classes.listClasses().at(-1)!.id;
	expect((await probe()).isComplete).toBe(true);
});

test('reads its settings from the environment, and names what is missing', () => {
	const env = {
		CLASS_ENROLLMENT_BASE_URL: ' https://api.example.com/v1/ ',
		CLASS_ENROLLMENT_TOKEN: 'token',
		CLASS_ENROLLMENT_CLASS_ID: 'class',
		CLASS_ENROLLMENT_EMAIL: EMAIL,
	};
	const { classId, baseUrl } = readSettings(env);
	expect({ classId, baseUrl }).toEqual({ classId: 'class', baseUrl: 'https://api.example.com/v1' });
	expect(() => readSettings({ ...env, CLASS_ENROLLMENT_TOKEN: '' })).toThrow(
		/variables:\n {2}CLASS_ENROLLMENT_TOKEN/,
	);
	expect(() => readSettings({ ...env, CLASS_ENROLLMENT_BASE_URL: 'example' })).toThrow(
		'must be a URL',
	);
});
