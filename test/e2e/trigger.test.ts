import express from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { listExecutions } from '../n8n/executions';
import { changeCredential, publishWorkflow, unpublishWorkflow } from '../n8n/workflows';
import { eventually } from './editor/eventually';
import { importExample } from './examples';
import { POLL_BUDGET_MS, POLL_INTERVAL_MS, POLL_TIMES } from './trigger/schedulers';
import { startWatchers, type Watchers } from './trigger/watchers';
import { CREDENTIAL_TYPE } from './world';

const PLACES = 3;

let memory: Watchers;
let durable: Watchers;

/** Does the same in both servers at the same time, to save time. */
async function inBoth(work: (watchers: Watchers) => Promise<void>): Promise<void> {
	const results = await Promise.allSettled([memory, durable].map(work));
	const failures = results.flatMap((result, index) =>
		result.status === 'rejected'
			? [`${['In memory', 'Durable'][index]}: ${(result.reason as Error).message}`]
			: [],
	);
	if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

const classesOf = ({ world }: Watchers) => world.service.classes;

beforeAll(async () => {
	[memory, durable] = await Promise.all([startWatchers('memory'), startWatchers('durable')]);
	await inBoth(async (watchers) => {
		for (const name of ['Python', 'Rust']) {
			classesOf(watchers).addClass({ id: name, name });
			classesOf(watchers).enroll([name], [{ email: 'first@example.com' }]);
		}
	});
}, 240_000);

afterAll(async () => {
	await Promise.all([memory?.stop(), durable?.stop()]);
});

test('at first, only the current state is recorded', async () => {
	await inBoth(async (watchers) => {
		await watchers.publish();
		await watchers.expectReports({});
	});
});

test('two classes of one moment are both reported, once', async () => {
	await inBoth(async (watchers) => {
		const createdAt = new Date().toISOString();
		for (const name of ['Go', 'Zig']) classesOf(watchers).addClass({ id: name, name, createdAt });
		await watchers.expectReports({ created: ['Go', 'Zig'] });
	});
});

test('a class planned for tomorrow comes once and hides no other', async () => {
	await inBoth(async (watchers) => {
		const createdAt = new Date(Date.now() + 86_400_000).toISOString();
		classesOf(watchers).addClass({ name: 'Planned', createdAt });
		await watchers.expectReports({ created: ['Planned'] });
		classesOf(watchers).addClass({ name: 'Today' });
		await watchers.expectReports({ created: ['Today'] });
	});
});

test('a changed class, and one with more students', async () => {
	await inBoth(async (watchers) => {
		const classes = classesOf(watchers);
		classes.renameClass('Go', 'Go 2');
		classes.enroll(['Python'], [{ email: 'second@example.com' }]);
		classes.remove(['Rust'], 'first@example.com');
		await eventually(async () => {
			expect(await watchers.readItems('increased')).toMatchObject([
				{ name: 'Python', countStudents: 2, previousCountStudents: 1 },
			]);
		}, 30_000);
		await watchers.expectReports({ updated: ['Go 2', 'Python', 'Rust'], increased: ['Python'] });
	});
});

test('the poll after an outage catches up', async () => {
	await inBoth(async (watchers) => {
		watchers.world.service.temper = { failWith: { status: 500 } };
		classesOf(watchers).addClass({ name: 'During an outage' });
		await eventually(async () => {
			const failures = await watchers.readFailures();
			for (const messages of Object.values(failures)) {
				expect(messages[0]).toContain('The service returned a server error');
			}
		}, 45_000);
		watchers.world.service.temper = {};
		await watchers.expectReports({ created: ['During an outage'] });
	});
});

// The durable scheduler then makes up for several polls at once.
test('what happened while n8n was dead is reported once', async () => {
	await inBoth(async (watchers) => {
		await watchers.world.crash();
		const classes = classesOf(watchers);
		classes.addClass({ name: 'During a crash' });
		classes.enroll(['Rust'], [{ email: 'third@example.com' }]);
		await watchers.world.restart();
		await watchers.expectReports({
			created: ['During a crash'],
			updated: ['Rust'],
			increased: ['Rust'],
		});
	});
}, 300_000);

test('what happened while the workflow was off is reported once', async () => {
	await inBoth(async (watchers) => {
		await watchers.unpublish();
		const classes = classesOf(watchers);
		classes.addClass({ name: 'While off' });
		classes.enroll(['Python'], [{ email: 'third@example.com' }]);
		await watchers.publish();
		await watchers.expectReports({
			created: ['While off'],
			updated: ['Python'],
			increased: ['Python'],
		});
	});
});

test('of another service, at first only the current state is recorded', async () => {
	await inBoth(async (watchers) => {
		const { world, otherService } = watchers;
		const { session, credential } = world;
		const { classes, baseUrl, accessToken } = otherService;
		classes.addClass({ id: 'Python', name: 'Python', countStudents: 30 });
		classes.addClass({ id: 'Java', name: 'Java', countStudents: 20 });
		await changeCredential(session, CREDENTIAL_TYPE, credential, { baseUrl, accessToken });
		await watchers.expectReports({}, otherService);

		classes.addClass({ name: 'Scala' });
		classes.enroll(['Java'], [{ email: 'first@example.com' }]);
		await watchers.expectReports(
			{ created: ['Scala'], updated: ['Java'], increased: ['Java'] },
			otherService,
		);
	});
});

describe('the durable scheduler', () => {
	test('a poll of a service that hangs gives up before n8n abandons it', async () => {
		const { otherService: service } = durable;
		const before = await durable.readFailures();
		service.temper = { latencyMs: Infinity };
		service.classes.addClass({ name: 'While hanging' });
		await eventually(async () => {
			const failures = await durable.readFailures();
			for (const [watcher, messages] of Object.entries(failures)) {
				expect(messages.slice(before[watcher as keyof typeof before].length)).toEqual([
					`Reading the class list took longer than ${POLL_BUDGET_MS / 1000} seconds`,
				]);
			}
		}, 30_000);
		service.temper = {};
		await durable.expectReports({ created: ['While hanging'] }, service);
	});

	test('a wrong token is not tried again and again', async () => {
		const { otherService: service } = durable;
		const before = service.requests.length;
		service.temper = { failWith: { status: 401 } };
		await sleep(4 * POLL_INTERVAL_MS);
		const tried = service.requests.slice(before);
		expect(tried.map(({ status }) => status)).toEqual([401, 401, 401]);
		service.temper = {};
		await durable.unpublish();
	});
});

test('the example reports once to a channel that a class is full', async () => {
	const messages: string[] = [];
	const channel: Server = express()
		.use(express.json())
		.post('/hook', (request, response) => {
			messages.push((request.body as { text: string }).text);
			response.json({});
		})
		.listen(0, '127.0.0.1');
	await once(channel, 'listening');
	const { port } = channel.address() as AddressInfo;
	await memory.unpublish();
	const { world, otherService } = memory;
	const { session } = world;
	const { classes } = otherService;
	for (const id of ['full', 'almost full']) {
		classes.addClass({ id, name: id });
		classes.enroll([id], [{ email: 'student-1@example.com' }]);
	}
	const workflow = await importExample(world, 'class-is-full', {
		parameters: {
			'More Students': { pollTimes: POLL_TIMES },
			'Places in a Class': {
				assignments: { assignments: [{ id: '1', name: 'places', value: PLACES, type: 'number' }] },
			},
			'Tell the Channel': { url: `http://127.0.0.1:${port}/hook` },
		},
	});
	const expectRuns = async (count: number) =>
		await eventually(async () => {
			const runs = await listExecutions(session, workflow.id);
			expect(runs.map(({ status }) => status)).toEqual(Array(count).fill('success'));
		}, 30_000);

	try {
		await publishWorkflow(session, workflow);
		expect(await listExecutions(session, workflow.id)).toHaveLength(0);
		const more = ['student-2@example.com', 'student-3@example.com'].map((email) => ({ email }));
		classes.enroll(['almost full'], more.slice(1));
		classes.enroll(['full'], more);
		await expectRuns(1);
		expect(messages).toEqual(['The class "full" is full: 3 of 3 places are taken.']);

		classes.enroll(['full'], [{ email: 'student-4@example.com' }]);
		await expectRuns(2);
		expect(messages).toHaveLength(1);
	} finally {
		await unpublishWorkflow(session, workflow);
		channel.close();
	}
});

test('all requests were what the service expects', async () => {
	await inBoth(async ({ world, otherService }) => {
		expect([...world.service.violations, ...otherService.violations]).toEqual([]);
	});
});
