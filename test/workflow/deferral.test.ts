import type { Temper } from '../service/service';
import {
	CONTINUE,
	describeAs,
	EMAIL_OF_ITEM,
	emailsIn,
	errorsOf,
	inTurn,
	rows,
	useService,
} from './fixture';

const fixture = useService();

const failWith = (status: number, headers: Record<string, string>): Temper => ({
	failWith: { status, headers },
});

/** How long a request waits after such a response until it is sent again, in milliseconds. */
async function waitAfter(status: number, headers: Record<string, string>): Promise<number> {
	fixture.service.resetRecord();
	fixture.service.temper = inTurn(failWith(status, headers), {});
	expect((await fixture.student('addToClass')).items).toHaveLength(1);
	const [first, second] = fixture.service.requests.map(({ receivedAt }) => receivedAt);
	return second! - first!;
}

test.each<[milliseconds: number, statuses: number[], headers: Record<string, string>]>([
	[1000, [429, 503], { 'Retry-After': '1' }],
	[1250, [429, 503], { 'Retry-After': '1.25' }],
	[60_000, [429, 503], { 'Retry-After': '60' }],
	[500, [429, 503], {}],
	// Neither seconds nor a date of HTTP, nothing to wait for, and what is over.
	...['10 minutes', '0', 'in 45', 'Infinity', '9e12', '1800000000', new Date(0).toUTCString()].map(
		(value): [number, number[], Record<string, string>] => [500, [429], { 'Retry-After': value }],
	),
])('waits %i ms after status %j with %j', async (milliseconds, statuses, headers) => {
	for (const status of statuses) {
		const wait = await waitAfter(status, headers);
		expect(wait).toBeGreaterThanOrEqual(milliseconds);
		expect(wait).toBeLessThanOrEqual(1.1 * milliseconds + 10);
	}
});

test('waits until the time that Retry-After names', async () => {
	const inAMinute = new Date(Date.now() + 59_999).toUTCString();
	const wait = await waitAfter(429, { 'Retry-After': inAMinute });
	expect(wait).toBeGreaterThanOrEqual(58_900);
	expect(wait).toBeLessThanOrEqual(1.1 * 60_000);
});

test('all requests wait as asked, whatever the status', async () => {
	fixture.service.temper = inTurn(failWith(500, { 'Retry-After': '7' }), {});
	const parameters = { ...EMAIL_OF_ITEM, requestOptions: { maxConcurrentRequests: 1 } };
	await fixture.student('addToClass', parameters, { items: rows(2), ...CONTINUE });
	const [first, second] = fixture.service.requests.map(({ receivedAt }) => receivedAt);
	expect(second! - first!).toBeGreaterThanOrEqual(7000);
});

test.each([429, 503])('does not wait for longer than Give Up After: %i', async (status) => {
	fixture.service.temper = failWith(status, { 'Retry-After': '3600' });
	const options = { items: rows(40), ...CONTINUE };
	const result = await fixture.student('addToClass', EMAIL_OF_ITEM, options);
	const [first, ...others] = errorsOf(result);
	// Each wait concerns its own request, which is not sent again.
	const sent = emailsIn(fixture.service.requests);
	expect(new Set(sent).size).toBe(sent.length);
	const when = /asks to try again in 60 minutes, at (20\d\d-\d\d-\d\d \d\d:\d\d) UTC\.$/;
	const at = Date.parse(`${when.exec(first!)?.[1]}Z`);
	expect(at - fixture.service.requests[0]!.receivedAt).toBeGreaterThanOrEqual(3_600_000);
	const notSent = others.find((error) => error.includes(': not added: The service asks'));
	expect(notSent).toContain(`The service asks to wait (status ${status})`);
	expect(notSent).toMatch(when);
});

// Node.js lets a longer timer fire at once.
const IN_29_DAYS = '2500000';
test('does not send at once what is to wait for weeks', async () => {
	fixture.service.temper = inTurn(failWith(429, { 'Retry-After': IN_29_DAYS }), {});
	const parameters = { requestOptions: { giveUpAfter: 3_000_000 } };
	const { error } = await fixture.student('addToClass', parameters);
	expect(error?.description).toContain('The service asks to try again in');
	expect(fixture.service.requests).toHaveLength(1);
});

// n8n's routing pauses by itself.
describeAs('step')('Batching', () => {
	test('does not send at once what is to wait for weeks', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 2 ** 32 } };
		const parameters = { ...EMAIL_OF_ITEM, requestOptions: { batching } };
		await fixture.student('addToClass', parameters, { items: rows(2) });
		const [first, second] = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		expect(second! - first!).toBeGreaterThan(2 ** 29);
	});
});

test('makes a link valid for 24 hours from when it was requested at last', async () => {
	fixture.service.temper = inTurn(failWith(429, { 'Retry-After': '3' }), {});
	const { items } = await fixture.student('sendMagicLink');
	const sentAt = fixture.service.requests[1]!.receivedAt;
	const validMs = Date.parse(String(items[0]!.json.expiresAt)) - sentAt;
	expect(Math.abs(validMs - 24 * 3_600_000)).toBeLessThan(100);
});
