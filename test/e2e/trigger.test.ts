import { eventually } from '../n8n/waiting';
import { POLL_BUDGET_MS } from './trigger/schedulers';
import { startWatchers, type Watchers } from './trigger/watchers';

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
});

afterAll(async () => {
	await Promise.all([memory?.stop(), durable?.stop()]);
});

test('at first, only the current state is recorded', async () => {
	await inBoth(async (watchers) => {
		await watchers.publish();
		await watchers.expectReports({});
	});
});

test('a new class, a changed one, and one with more students', async () => {
	await inBoth(async (watchers) => {
		const classes = classesOf(watchers);
		classes.addClass({ id: 'Go', name: 'Go' });
		classes.renameClass('Python', 'Python 3');
		classes.enroll(['Rust'], [{ email: 'second@example.com' }]);
		await eventually(async () => {
			expect(await watchers.readItems('increased')).toMatchObject([
				{ name: 'Rust', countStudents: 2, previousCountStudents: 1 },
			]);
		});
		await watchers.expectReports({
			created: ['Go'],
			updated: ['Python 3', 'Rust'],
			increased: ['Rust'],
		});
	});
});

test('the poll after an outage catches up', async () => {
	await inBoth(async (watchers) => {
		watchers.world.service.temper = { failWith: { status: 500 } };
		classesOf(watchers).addClass({ name: 'During an outage' });
		await eventually(async () => {
			const failures = await watchers.readFailures();
			for (const messages of Object.values(failures)) {
				expect(messages.join()).toContain('Something went wrong in the service');
			}
		});
		watchers.world.service.temper = {};
		await watchers.expectReports({ created: ['During an outage'] });
	});
});

test.each<[string, (watchers: Watchers) => Promise<void>, (watchers: Watchers) => Promise<void>]>([
	// The durable scheduler then makes up for several polls at once.
	['n8n was dead', async ({ world }) => world.crash(), async ({ world }) => world.restart()],
	[
		'the workflow was off',
		async (watchers) => watchers.unpublish(),
		async (watchers) => watchers.publish(),
	],
])('what happened while %s is reported once', async (when, stop, start) => {
	await inBoth(async (watchers) => {
		await stop(watchers);
		classesOf(watchers).addClass({ name: when });
		classesOf(watchers).enroll(['Rust'], [{ email: `${when.replaceAll(' ', '-')}@example.com` }]);
		await start(watchers);
		await watchers.expectReports({ created: [when], updated: ['Rust'], increased: ['Rust'] });
	});
});

test('in the durable scheduler, a poll of a service that hangs gives up before n8n abandons it', async () => {
	const { service } = durable.world;
	const before = await durable.readFailures();
	service.temper = { latencyMs: Infinity };
	service.classes.addClass({ name: 'While hanging' });
	await eventually(async () => {
		const failures = await durable.readFailures();
		for (const [watcher, messages] of Object.entries(failures)) {
			const since = messages.slice(before[watcher as keyof typeof before].length);
			expect(new Set(since)).toEqual(
				new Set([`The class list took longer than ${POLL_BUDGET_MS / 1000} seconds to load`]),
			);
		}
	});
	service.temper = {};
	await durable.expectReports({ created: ['While hanging'] });
	await durable.unpublish();
});

test('all requests were what the service expects', async () => {
	await inBoth(async ({ world }) => expect(world.service.violations).toEqual([]));
});
