import { findDataTable, insertRows } from '../test/n8n/dataTables';
import { runWorkflow, waitForLastExecution } from '../test/n8n/executions';
import { callWebhook } from '../test/n8n/requests';
import { publishWorkflow } from '../test/n8n/workflows';
import { importExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import { CANDIDATES, templateOf } from './templates/candidates';

const PATH = 'template-payment';
const PYTHON = 'class-python';
const BUYER = { email: 'student-1@example.com', name: 'Student 1' };

const world = useWorld(startWorld);

it('a shop and Class access work in one workflow', async () => {
	const { session, service } = world;
	service.classes.addClass({ id: PYTHON, name: PYTHON });
	const template = templateOf(CANDIDATES.find(({ name }) => name === 'class-access-with-a-shop')!);
	// As n8n's editor does on import.
	template.nodes.find(({ name }) => name === 'Notification Received')!.webhookId = PATH;
	const workflow = await importExample(world, template, {
		parameters: { 'Notification Received': { path: PATH } },
	});
	expect((await runWorkflow(session, workflow, 'Every Hour')).error).toBeUndefined();
	const products = await findDataTable(session, 'class_products');
	await insertRows(session, products, [{ product: 'python', classId: PYTHON }]);
	await publishWorkflow(session, workflow);

	const sale = { paymentId: '1001', status: 'paid', products: 'python', ...BUYER };
	await callWebhook(session, PATH, sale);
	expect((await waitForLastExecution(session, workflow.id)).error).toBeUndefined();
	expect(service.classes.studentsOf(PYTHON)).toMatchObject([BUYER]);
	expect(service.magicLinks).toEqual([{ email: BUYER.email }]);
});
