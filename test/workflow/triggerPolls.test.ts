import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { RequestRecord, Temper } from '../service/service';
import { type Activation, useTrigger } from './trigger';

const CREATED = { event: 'classCreated' };
const { fixture, classes, at, activate, watch } = useTrigger();
const add = (name: string, second: number) => classes().addClass({ name, createdAt: at(second) });

const elsewhere = () => fixture.service.baseUrl.replace('127.0.0.1', 'localhost');
test.each<[string, INodeParameters, () => Activation]>([
	['name filter', { filters: { query: 'a' } }, () => ({})],
	['event', { event: 'classUpdated' }, () => ({})],
	['Base URL', {}, () => ({ service: { ...fixture.service, baseUrl: elsewhere() } })],
	['credential', {}, () => ({ credentialId: '2' })],
])('after a change of the %s, it starts with the current state', async (_what, change, options) => {
	const { stored } = await watch(CREATED);
	classes().addClass({ name: 'a', createdAt: at(1), updatedAt: at(6) });
	const { poll } = await watch({ ...CREATED, ...change }, { stored: stored(), ...options() });
	expect(await poll()).toEqual([]);
	classes().addClass({ name: 'ab', createdAt: at(2), updatedAt: at(7) });
	expect(await poll()).toEqual(['ab']);
	expect(await poll()).toEqual([]);
});

test('of two polls that n8n starts from the same stored state, only one reports', async () => {
	const stored = (await watch(CREATED)).stored();
	add('A', 1);
	const [one, two] = [await activate(CREATED, { stored }), await activate(CREATED, { stored })];
	expect(await one.poll()).toEqual(['A']);
	expect(await two.poll()).toEqual([]);
	expect(two.stored()).toBe(stored);
	// Another workflow reports it, too.
	const other = await activate(CREATED, { stored, workflowId: 'another' });
	expect(await other.poll()).toEqual(['A']);
	// If n8n stored nothing, it is reported again later.
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 29_000);
	expect(await two.poll()).toEqual([]);
	now.mockReturnValue(Date.now() + 2000);
	expect(await two.poll()).toEqual(['A']);
});

test('a poll does nothing while the last one is still under way', async () => {
	const { poll } = await watch(CREATED);
	fixture.service.resetRecord();
	fixture.service.temper.latencyMs = 300;
	add('A', 1);
	expect(await Promise.all([poll(), poll(), poll()])).toEqual([['A'], [], []]);
	expect(fixture.service.requests).toHaveLength(1);
	expect(await poll()).toEqual([]);
});

test('two triggers of a workflow report side by side, also if one was copied with its ID', async () => {
	const one = await watch(CREATED);
	const two = await watch(CREATED, { nodeName: 'Copy' });
	add('A', 1);
	expect(await Promise.all([one.poll(), two.poll()])).toEqual([['A'], ['A']]);
});

test('a poll gives up when its time is over, and the next one catches up', async () => {
	const { poll, setBudget } = await watch(CREATED);
	add('A', 1);
	setBudget(1400);
	// Each page comes in time, but not both of them.
	fixture.service.temper = { latencyMs: 800, omitTotalRecords: true };
	await expect(poll()).rejects.toMatchObject({
		message: 'The class list took longer than 1 seconds to load',
		description: 'Try again later.',
	});
	const { requests } = fixture.service;
	const sent = requests.length;
	await sleep(1000);
	expect(requests).toHaveLength(sent);
	fixture.service.temper = {};
	// It need not be a whole number.
	setBudget(36_000.5);
	expect(await poll()).toEqual(['A']);
});

test('a poll that breaks off loses nothing and repeats nothing', async () => {
	for (let n = 0; n < 130; n++) add(`Class ${n}`, 1);
	const counting: Temper = { maxPageSize: 30 };
	fixture.service.temper = counting;
	const { poll } = await watch(CREATED);
	add('A', 2);
	const only = ({ query }: RequestRecord) => query.page === '2';
	fixture.service.temper = { ...counting, failWith: { status: 401, only } };
	await expect(poll()).rejects.toThrow();
	fixture.service.temper = counting;
	expect(await poll()).toEqual(['A']);
	expect(await poll()).toEqual([]);
});
