import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { jsonOf, runWorkflow } from '../n8n/executions';
import { byId, PYTHON } from '../workflow/operations';
import { NODE, saveChain, START, student } from './workflows';
import { NODE_TYPE, startWorld, useWorld } from './world';

const world = useWorld(startWorld);

test('a saved workflow cannot run without the package, and does the same once it is back', async () => {
	world.service.classes.addClass(PYTHON);
	const parameters = { classId: byId(PYTHON.id), email: 'student@example.com' };
	const workflow = await saveChain(world, 'Saved', [student('addToClass', parameters)]);
	const run = async () => jsonOf(await runWorkflow(world.session, workflow, START), NODE);
	const before = await run();
	expect(before).toMatchObject([{ success: true }]);

	const installed = join(world.userFolder, '.n8n/nodes/node_modules/n8n-nodes-class-enrollment');
	const restartWith = async (from: string, to: string) => {
		await world.crash();
		await rename(from, to);
		await world.restart();
	};
	const away = join(world.userFolder, 'away');
	await restartWith(installed, away);
	await expect(run()).rejects.toThrow(`Unrecognized node type: ${NODE_TYPE}`);
	await restartWith(away, installed);
	expect(await run()).toEqual(before);
});
