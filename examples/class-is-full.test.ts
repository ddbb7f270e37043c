import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { listExecutions, runWorkflow } from '../test/n8n/executions';
import { publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { eventually } from '../test/n8n/waiting';
import { importExample } from '../test/e2e/examples';
import { POLL_TIMES } from '../test/e2e/trigger/schedulers';
import { startWorld, useWorld } from '../test/e2e/world';

const world = useWorld(startWorld);
const messages: string[] = [];
let channel: Server;
let workflow: SavedWorkflow;

beforeAll(async () => {
	channel = express()
		.use(express.json())
		.post('/hook', (request, response) => {
			messages.push((request.body as { text: string }).text);
			response.json({});
		})
		.listen(0, '127.0.0.1');
	await once(channel, 'listening');
	const { port } = channel.address() as AddressInfo;
	const places = [{ id: '1', name: 'places', value: 3, type: 'number' }];
	workflow = await importExample(world, 'class-is-full', {
		parameters: {
			'More Students': { pollTimes: POLL_TIMES },
			'Places in a Class': { assignments: { assignments: places } },
			'Tell the Channel': { url: `http://127.0.0.1:${port}/hook` },
		},
	});
	for (const id of ['full', 'almost full']) {
		world.service.classes.addClass({ id, name: id });
		world.service.classes.enroll([id], [{ email: 'student-1@example.com' }]);
	}
});

afterAll(() => channel?.close());

beforeEach(() => void messages.splice(0));

it('can be tried with the test event of a class that is not full', async () => {
	const { status } = await runWorkflow(world.session, workflow, 'More Students');
	expect(status).toBe('success');
	expect(messages).toEqual([expect.stringMatching(/^Test: The class "/)]);
});

it('reports once that a class is full', async () => {
	const { session, service } = world;
	const readRuns = async () => await listExecutions(session, workflow.id);
	const before = (await readRuns()).length;
	const expectRuns = async (count: number) => {
		const runs = await readRuns();
		expect(runs.map(({ status }) => status)).toEqual(Array(before + count).fill('success'));
	};

	await publishWorkflow(session, workflow);
	await expectRuns(0);
	const more = ['student-2@example.com', 'student-3@example.com'].map((email) => ({ email }));
	service.classes.enroll(['almost full'], more.slice(1));
	service.classes.enroll(['full'], more);
	await eventually(async () => expectRuns(1));
	expect(messages).toEqual(['The class "full" is full: 3 of 3 places are taken.']);

	service.classes.enroll(['full'], [{ email: 'student-4@example.com' }]);
	await eventually(async () => expectRuns(2));
	expect(messages).toHaveLength(1);
});
