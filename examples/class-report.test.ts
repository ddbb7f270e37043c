import { jsonOf, runWorkflow } from '../test/n8n/executions';
import { importExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';

const world = useWorld(startWorld);

it('fails if there are no classes', async () => {
	const workflow = await importExample(world, 'class-report');
	const { status, error } = await runWorkflow(world.session, workflow, 'Every Monday');
	expect(status).toBe('error');
	expect(error?.message).toContain('lists no classes');
});

it('lists every class, the fullest first', async () => {
	const { session, service } = world;
	service.temper = { maxPageSize: 20 };
	for (let number = 1; number <= 50; number++) {
		service.classes.addClass({
			name: number === 7 ? 'R&D <7>' : `Course ${number}`,
			countStudents: number,
			updatedAt: '2026-05-04T12:00:00.000Z',
		});
	}
	const workflow = await importExample(world, 'class-report');
	const execution = await runWorkflow(session, workflow, 'Every Monday');

	const [first, ...others] = jsonOf(execution, 'Write Report');
	expect(others).toEqual([]);
	const html = String(first?.html);
	expect(html).toContain('<p>50 classes, 1275 students, each counted once per class</p>');
	const cells = [...html.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text);
	const names = Array.from({ length: 50 }, (_, index) => `Course ${50 - index}`);
	names[43] = 'R&amp;D &lt;7>';
	expect(cells.filter((_, index) => index % 3 === 0)).toEqual(names);
	expect(cells).toContain('2026-05-04');
});
