import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { listExecutions } from '../n8n/executions';
import { publishWorkflow, unpublishWorkflow, type SavedWorkflow } from '../n8n/workflows';
import { importExample } from './examples';
import { startWorld, type World } from './world';

const PLACES = 3;
// n8n polls at most once a minute.
const NEXT_POLL_MS = 75_000;

let world: World;
let channel: Server;
let workflow: SavedWorkflow;
const messages: string[] = [];

beforeAll(async () => {
	world = await startWorld();
	channel = express()
		.use(express.json())
		.post('/hook', (request, response) => {
			messages.push((request.body as { text: string }).text);
			response.json({});
		})
		.listen(0, '127.0.0.1');
	await once(channel, 'listening');
	const { port } = channel.address() as AddressInfo;

	workflow = await importExample(world, 'class-is-full', {
		parameters: {
			'More Students': { pollTimes: { item: [{ mode: 'everyMinute' }] } },
			'Places in a Class': {
				assignments: { assignments: [{ id: '1', name: 'places', value: PLACES, type: 'number' }] },
			},
			'Tell the Channel': { url: `http://127.0.0.1:${port}/hook` },
		},
	});
	for (const id of ['python', 'rust']) {
		world.service.classes.addClass({ id, name: id });
		world.service.classes.enroll([id], [{ email: 'student-1@example.com' }]);
	}
});

afterAll(async () => {
	channel?.close();
	await world?.stop();
});

async function nextPolls(count: number): Promise<void> {
	const polls = world.service.requests.length + count;
	const deadline = Date.now() + count * NEXT_POLL_MS;
	while (world.service.requests.length < polls && Date.now() < deadline) await sleep(500);
	// Time for the workflow that the poll started.
	await sleep(3000);
}

test('a class that becomes full is reported once', async () => {
	await publishWorkflow(world.session, workflow);
	expect(world.service.requests).toHaveLength(1);
	expect(await listExecutions(world.session, workflow.id)).toHaveLength(0);

	world.service.classes.enroll(['rust'], [{ email: 'student-2@example.com' }]);
	world.service.classes.enroll(
		['python'],
		['student-2@example.com', 'student-3@example.com'].map((email) => ({ email })),
	);
	await nextPolls(1);
	expect(await listExecutions(world.session, workflow.id)).toHaveLength(1);
	expect(messages).toEqual(['The class "python" is full: 3 of 3 places are taken.']);

	world.service.classes.enroll(['python'], [{ email: 'student-4@example.com' }]);
	await nextPolls(1);
	expect(await listExecutions(world.session, workflow.id)).toHaveLength(2);
	expect(messages).toHaveLength(1);

	await unpublishWorkflow(world.session, workflow);
	expect(world.service.violations).toEqual([]);
}, 240_000);
