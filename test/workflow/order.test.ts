import type { INodeParameters } from 'n8n-workflow';
import type { RequestRecord } from '../service/service';
import {
	byId,
	EMAIL_OF_ITEM,
	emailOf,
	emailsOf,
	indexes,
	linkOf,
	PYTHON,
	RUST,
	STUDENT,
	useService,
} from './fixture';

const LATER = { 'Retry-After': '0' };

const fixture = useService();

/** Defers the first request that contains a text. */
function defer(text: string): void {
	const only = ({ path, body }: RequestRecord) => (path + JSON.stringify(body)).includes(text);
	fixture.service.temper = { failWith: { status: 503, times: 1, headers: LATER, only } };
}

describe('two rows of one student', () => {
	test.each<[operation: string, INodeParameters, first: string, second: string]>([
		['addToClass', { classId: byId('={{ $json.until }}') }, PYTHON.id, RUST.id],
		['addToClasses', { classIds: '={{ [$json.until] }}' }, PYTHON.id, RUST.id],
		['removeFromClass', { classId: byId('={{ $json.until }}') }, PYTHON.id, RUST.id],
		['removeFromClasses', { classIds: '={{ [$json.until] }}' }, PYTHON.id, RUST.id],
		['sendMagicLink', { redirectUrl: '={{ $json.until }}' }, 'http://a.test/', 'http://b.test/'],
	])('%s keeps their order', async (operation, parameters, first, second) => {
		defer(first);
		const items = [first, second].map((until) => ({ email: STUDENT, until }));
		const all = { ...EMAIL_OF_ITEM, ...parameters };
		expect((await fixture.student(operation, all, { items })).items).toHaveLength(2);
		const sent = fixture.service.requests.map(({ path, body, status }) => [
			(path + JSON.stringify(body)).includes(first) ? 'first' : 'second',
			status,
		]);
		expect(sent).toEqual([
			['first', 503],
			['first', 200],
			['second', 200],
		]);
	});

	test.each(['addToClass', 'sendMagicLink'])('%s: other students at once', async (operation) => {
		fixture.service.temper = { latencyMs: 500 };
		const items = indexes(10).map((n) => ({ email: emailOf(n % 5) }));
		const { items: output } = await fixture.student(operation, EMAIL_OF_ITEM, { items });
		// Of all requests, the first goes alone. Of two additions of a student, only the last one is sent.
		expect(fixture.service.peakInFlight).toBe(operation === 'addToClass' ? 4 : 5);
		expect(output.map(linkOf)).toEqual(indexes(10));
		expect(emailsOf(output)).toEqual(items.map(({ email }) => email));
	});
});
