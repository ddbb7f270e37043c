import { setTimeout as sleep } from 'node:timers/promises';
import type { Temper } from '../service/service';
import {
	errorsOf,
	inTurn,
	NO_RETRIES,
	OPERATIONS,
	PYTHON,
	textOf,
	useService,
	operationOf,
	WEB_PAGE,
} from './fixture';

/** How often a request is sent that gets the same response each time, and what becomes of it. */
const DONE = { requests: 1, fails: false, isUnknown: false };
const FAILS = { ...DONE, fails: true };
const UNKNOWN = { ...FAILS, isUnknown: true };
/** Until the run gives up. */
const ON = { ...FAILS, requests: Infinity };
const ON_UNKNOWN = { ...UNKNOWN, requests: Infinity };

// A page that is asked for by its number and size is not asked for in other sizes.
const SETTINGS = {
	options: { page: 1, pageSize: 50 },
	requestOptions: { timeout: 1000 },
};
const KINDS = ['class getAll', 'student addToClass', 'student sendMagicLink'].map(operationOf);

const fixture = useService();

const status = (code: number, headers: Record<string, string> = {}): Temper => ({
	failWith: { status: code, headers, body: { status: 'error', message: 'Said so' } },
});
const LATER = { 'Retry-After': '0' };
const SOON = { 'Retry-After': 'in 5' };
const NO_GZIP: Temper = {
	failWith: { status: 200, text: '{}', headers: { 'Content-Encoding': 'gzip' } },
};
const NO_ROUTE: Temper = { failWith: { status: 404, text: '<pre>Cannot POST /v1/classe</pre>' } };
const FIREWALL: Temper = {
	failWith: { status: 403, text: '<!DOCTYPE html><title>Just a moment...</title>' },
};
const UPGRADE = 'HTTP/1.1 101 Up\r\nUpgrade: none\r\nConnection: Upgrade\r\n\r\n';
/** So many, or, where it is until the run gives up, more than a few. */
function expectRequests(count: number): void {
	const { length } = fixture.service.requests;
	if (count === Infinity) expect(length).toBeGreaterThan(5);
	else expect(length).toBe(count);
}
const isUnknownIn = (text: string) => text.includes("can't tell whether the request took effect");

/** What comes of it for a read, for a write, and for a write whose second time does harm. */
interface Row {
	temper: Temper;
	read: typeof DONE;
	repeatable: typeof DONE;
	once: typeof DONE;
	/** The significant words of the error. */
	says: RegExp;
}

describe.each`
	response                 | temper                               | read     | repeatable    | once       | says
	${'301'}                 | ${status(301)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/redirects to another address/}
	${'302'}                 | ${status(302)}                       | ${FAILS} | ${UNKNOWN}    | ${UNKNOWN} | ${/redirects to another address/}
	${'303'}                 | ${status(303)}                       | ${FAILS} | ${UNKNOWN}    | ${UNKNOWN} | ${/redirects to another address/}
	${'307'}                 | ${status(307)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/redirects to another address/}
	${'308'}                 | ${status(308)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/redirects to another address/}
	${'400'}                 | ${status(400)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/ejected by the service/}
	${'401'}                 | ${status(401)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/token not accepted.* Check 'Access Token'/}
	${'402'}                 | ${status(402)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/asks for a payment/}
	${'403'}                 | ${status(403)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/doesn't allow this operation.* credential/}
	${'404'}                 | ${status(404)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/"not found".* 'Base URL'/}
	${'405'}                 | ${status(405)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/no such requests.* 'Base URL'/}
	${'407'}                 | ${status(407)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/proxy rejected its user.* password of the proxy/}
	${'408'}                 | ${status(408)}                       | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/timed out/}
	${'409'}                 | ${status(409)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/ejected by the service/}
	${'413'}                 | ${status(413)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/too large.*'Batch Size/}
	${'418'}                 | ${status(418)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/ejected by the service/}
	${'422'}                 | ${status(422)}                       | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/ejected by the service/}
	${'429'}                 | ${status(429)}                       | ${ON}    | ${ON}         | ${ON}      | ${/Too many requests.*'Max Concurrent Requests/}
	${'429, Retry-After'}    | ${status(429, LATER)}                | ${ON}    | ${ON}         | ${ON}      | ${/Too many requests/}
	${'500'}                 | ${status(500)}                       | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/went wrong in the service/}
	${'502'}                 | ${status(502)}                       | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/went wrong in the service/}
	${'503'}                 | ${status(503)}                       | ${ON}    | ${ON_UNKNOWN} | ${UNKNOWN} | ${/isn't available right now/}
	${'503, Retry-After'}    | ${status(503, LATER)}                | ${ON}    | ${ON}         | ${ON}      | ${/isn't available right now/}
	${'503, unreadable'}     | ${status(503, SOON)}                 | ${ON}    | ${ON_UNKNOWN} | ${UNKNOWN} | ${/isn't available right now/}
	${'504'}                 | ${status(504)}                       | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/went wrong in the service/}
	${'another protocol'}    | ${{ answerRaw: UPGRADE }}            | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/took too long/}
	${'false compression'}   | ${NO_GZIP}                           | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/No response from|was cut off/}
	${'a web page, 404'}     | ${NO_ROUTE}                          | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/a web page instead of JSON \(status 404\).* 'Base URL'/}
	${'a web page, 403'}     | ${FIREWALL}                          | ${FAILS} | ${FAILS}      | ${FAILS}   | ${/a web page instead of JSON \(status 403\).* A firewall/}
	${'a web page'}          | ${WEB_PAGE}                          | ${FAILS} | ${UNKNOWN}    | ${UNKNOWN} | ${/a web page instead of JSON.* 'Base URL'/}
	${'no response in time'} | ${{ latencyMs: Infinity }}           | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/took too long to respond/}
	${'no end in time'}      | ${{ drip: true }}                    | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/took too long to respond/}
	${'half of a response'}  | ${{ cutOff: {} }}                    | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/was cut off/}
	${'no HTTP'}             | ${{ answerRaw: 'nonsense\r\n\r\n' }} | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/failed with HPE_\w+/}
	${'a closed connection'} | ${{ drop: { when: 'before' } }}      | ${ON}    | ${UNKNOWN}    | ${UNKNOWN} | ${/connection was closed/}
`('response: $response', ({ temper, says, ...kinds }: Row) => {
	test.each(KINDS)('$kind', async (operation) => {
		const { requests, fails, isUnknown } = kinds[operation.kind];
		fixture.service.temper = temper;
		const result = await fixture.run(operation, SETTINGS);
		expectRequests(requests);
		expect(result.error !== undefined).toBe(fails);
		expect(textOf(result)).toMatch(says);
		expect(isUnknownIn(textOf(result))).toBe(isUnknown);
		const { failWith } = temper;
		if (failWith?.body) {
			expect(result.error?.message).toContain(`(status ${failWith.status}): Said so`);
			expect(result.error).toMatchObject({ name: 'NodeApiError', httpCode: `${failWith.status}` });
		}

		fixture.service.resetRecord();
		fixture.service.temper = inTurn(temper, {});
		const { error } = await fixture.run(operation, SETTINGS);
		expect(fixture.service.requests).toHaveLength(Math.min(2, requests));
		expect(error !== undefined).toBe(requests === 1 && fails);
	});
});

test.each(KINDS)('response: none, as nothing listens: $kind', async (operation) => {
	await fixture.service.close();
	const { error } = await fixture.run(operation, SETTINGS);
	expect(error?.message).toMatch(
		/^(student@\S+: not (added|sent): |)No response from http:\S+: connection refused( \[item 0\])?$/,
	);
	expect(error?.description).toMatch(/^Check 'Base URL'.* try again later\.$/);
	expect(error?.description).toContain('If it worked before, the service is most likely down');

	const running = fixture.run(operation, SETTINGS);
	await sleep(150);
	await fixture.service.reopen();
	expect((await running).error).toBeUndefined();
	expect(fixture.service.requests).toHaveLength(1);
});

test.each(OPERATIONS)('$name: $kind', async ({ kind, ...operation }) => {
	for (const [code, requests] of [
		[500, { read: Infinity, repeatable: 1, once: 1 }],
		[503, { read: Infinity, repeatable: Infinity, once: 1 }],
	] as const) {
		fixture.service.resetRecord();
		fixture.service.temper = status(code);
		await fixture.run({ kind, ...operation }, SETTINGS);
		expectRequests(requests[kind]);
	}
});

type Body = [code: number, text: string, of: typeof DONE, says?: string];
const isDone = (text: string): Body => [200, text, DONE];
const isRejected = (text: string): Body => [200, text, FAILS, 'ejected by the service'];
const isUnclear = (text: string): Body => [200, text, UNKNOWN, "can't tell what"];
test.each<Body>([
	...['', ' \n', '{}', '\uFEFF{}', '{"note": "with \uFEFF inside"}'].map(isDone),
	...['{"status": "ok"}', '{"success": true}', '{"success": 500}', '[]', '"ok"'].map(isDone),
	...['{"status": 201}', '{"statusCode": 200}', '{"error": null}'].map(isDone),
	...['{"errors": []}', '{"error": {}}'].map(isDone),
	...['a < b', 'OK', 'true', 'null', '"error"', '[{"ok": false}]'].map(isDone),
	...['{"status": "error"}', '{"success": false}', '{"ok": false}'].map(isRejected),
	...['{"Status": "ERR_FULL"}', '{"status": "Failed"}', '{"status": 404}'].map(isRejected),
	...['{"status": "rejected"}', '{"status": "denied"}', '{"status": "500"}'].map(isRejected),
	...['{"statusCode": 400}', '{"status": "FALSE"}', '{"status": -1}'].map(isRejected),
	...['{"status": false, "message": "Full"}'].map(isRejected),
	...['{"success": 0}', '{"OK": "False"}', '{"success": "0"}'].map(isRejected),
	...['{"error": "full"}', '{"error": {"code": 1}}', '{"errors": ["full"]}'].map(isUnclear),
	[201, '{}', DONE],
	[202, '{}', DONE],
	[204, '', DONE],
	[299, '{}', DONE],
	[207, '[{"status": 201}, {"status": 404}]', UNKNOWN, "can't tell what"],
	[200, '{"status": "error", "message": "Class is full"}', FAILS, '(status 200): Class is full'],
	[200, '{"success": false, "message": "nope"}', FAILS, '(status 200): nope'],
	[200, ' \n<p>done</p>', UNKNOWN, 'a web page instead of JSON'],
])('a change that is answered with %i and the body %j', async (code, text, of, says = '') => {
	for (const operation of KINDS.slice(1)) {
		fixture.service.resetRecord();
		fixture.service.temper = { failWith: { status: code, text } };
		const result = await fixture.run(operation);
		expect(fixture.service.requests).toHaveLength(1);
		expect(result.error !== undefined).toBe(of.fails);
		expect(result.items).toHaveLength(of.fails ? 0 : 1);
		expect(textOf(result)).toContain(says);
		// Where JSON says no, the address is right.
		if (text.startsWith('{')) expect(textOf(result)).not.toContain('Base URL');
		expect(isUnknownIn(textOf(result))).toBe(of.isUnknown);
	}
});

test.each([
	['{"error": "broken"}', ': broken'],
	['{"error": {"code": 1}}', ''],
	['{"error": {"code": 1, "message": "Class is full"}}', ': Class is full'],
	['{"errors": [{"message": "Not an email"}, "Too long"]}', ': Not an email, Too long'],
	['"Class not found"', ': Class not found'],
	// RFC 9457, and JSON:API.
	['{"title": "Bad Request", "status": 400, "detail": "Class is full"}', ': Class is full'],
	['{"errors": [{"title": "Invalid", "detail": "Not an email"}]}', ': Not an email'],
	['{"type": "about:blank", "title": "Conflict"}', ': Conflict'],
	// By field, as ASP.NET does.
	[
		'{"title": "Bad Request", "errors": {"email": ["Too long", "No @"]}}',
		': email: Too long, No @',
	],
	['{"message": "Said so", "error": "Bad Request"}', ': Said so'],
	['{"message": "", "error": "no such class"}', ': no such class'],
	['{"message": ["Not an email", "Too long"], "error": "Bad Request"}', ': Not an email, Too long'],
	['{"message": {"deep": 1}}', ''],
	[`{"message": "${'x'.repeat(10_000)}"}`, `: ${'x'.repeat(500)}`],
	// It contains one of n8n's keywords (EEXIST), for which n8n would show a text of its own.
	['{"message": "A preexisting enrollment"}', ': A preexisting enrollment'],
	['{"message": "Bad test-access-token"}', ': Bad ***'],
	['{"message": "Bad test\\u002daccess-token"}', ': Bad ***'],
	['{"message": "At /v1?key=test-access-token&page=1"}', ': At /v1?key=***&page=1'],
	['{"message": []}', ''],
	['{"message": " "}', ''],
	[' Class not found\n', ': Class not found'],
	['Bad test-access-token', ': Bad ***'],
	['\n<html>Class not found</html>', ''],
	['null', ''],
	['[]', ''],
	['', ''],
])('of an error with the body %.50s the message shows what was said', async (text, shown) => {
	fixture.service.temper = { failWith: { status: 400, text } };
	const { error } = await fixture.student('addToClass');
	expect(error?.message).toBe(
		`student@example.com: rejected by the service (status 400)${shown} [item 0]`,
	);
});

test('an execution in which the service says "canceled" has failed, and not been cancelled', async () => {
	fixture.service.temper = {
		failWith: { status: 400, text: '{"message": "The class was canceled"}' },
	};
	const { error, run } = await fixture.student('addToClass', { email: 'canceled@example.com' });
	expect(error?.message).toContain('The class was Canceled');
	// n8n offers Retry only of this one.
	expect(run.status).toBe('error');
});

test.each([
	[400, 'removeFromClass', 'If an earlier attempt removed the student, set'],
	[404, 'removeFromClass', 'If an earlier attempt removed the student, set'],
	[400, 'addManyToClass', "Set 'On Error' to 'Continue' to find what is rejected"],
])(
	'after %i of %s, who has set On Error is not told to set it',
	async (code, operation, advice) => {
		fixture.service.temper = status(code);
		const { error } = await fixture.student(operation);
		expect(error?.description).toContain(advice);
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const [said] = errorsOf(await fixture.student(operation, {}, { onError }));
			expect(said).toContain('no class has this ID');
			expect(said).not.toContain(advice);
		}
	},
);

test.each([
	['addToClass', /no class has this ID/],
	['addToClasses', /no class has one of the IDs/],
	['addManyToClass', /no class has this ID/],
	['removeFromClass', /the student isn't in it/],
	['removeFromClasses', /the student isn't in one of them/],
	['sendMagicLink', /administrative account/],
])('a rejection of %s comes with its likely causes', async (operation, causes) => {
	for (const code of [400, 404, 422]) {
		fixture.service.temper = status(code);
		expect((await fixture.student(operation)).error?.description).toMatch(causes);
	}
});

test.each([
	['', /'Class Enrollment API' credential\.$/],
	['https://elsewhere.example.com/v1', /The new address is https:\/\/elsewhere\.example\.com\/v1$/],
	[
		'https://new.example.com/v2?token=test-access-token',
		/The new address is https:\/\/new\.example\.com\/v2$/,
	],
	['https://example.com/test-access-token', /The new address is https:\/\/example\.com\/\*\*\*$/],
	[`/v2/classe/${PYTHON.id}/add-student`, /The new address is \/v2\/classe\/\S+$/],
])('a redirect to "%s" says what to do', async (location, says) => {
	fixture.service.temper = { failWith: { status: 308, text: '', headers: { location } } };
	const { error } = await fixture.student('addToClass', NO_RETRIES);
	expect(error?.description).toMatch(says);
});

test('a rejection that comes with Retry-After keeps its own advice', async () => {
	fixture.service.temper = status(401, { 'Retry-After': '120' });
	const { error } = await fixture.student('addToClass', NO_RETRIES);
	expect(error?.description).toMatch(/^Check 'Access Token'/);
});

test('a timeout beyond the longest timer of Node.js means so long, not at once', async () => {
	fixture.service.temper = { latencyMs: 50 };
	const requestOptions = { timeout: 10_000_000_000, maxConcurrentRequests: 1 };
	const { items, error } = await fixture.student('addToClass', { requestOptions });
	expect([items.length, error]).toEqual([1, undefined]);
});
