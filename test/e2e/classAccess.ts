import filter from 'lodash/filter';

import type { Row } from '../n8n/dataTables';
import { callWebhook } from '../n8n/requests';
import {
	connectInOrder,
	importWorkflow,
	node,
	publishWorkflow,
	type SavedWorkflow,
} from '../n8n/workflows';
import { importExample, runNight } from './examples';
import { useSchool } from './shop';

const PATH = 'any-shop';
export const DAY = 86_400_000;

/** A workflow that gives Class access what it receives. */
const anyShop = (workflowId: string) =>
	connectInOrder([
		{
			...node('Received', 'webhook', 2, {
				httpMethod: 'POST',
				path: PATH,
				responseMode: 'lastNode',
			}),
			webhookId: PATH,
		},
		node('Sale', 'set', 3.4, { mode: 'raw', jsonOutput: '={{ $json.body }}', options: {} }),
		node('Class access', 'executeWorkflow', 1.3, {
			workflowId: { __rl: true, mode: 'id', value: workflowId },
			options: {},
		}),
	]);

/** Gives the tests of a file a world with two classes, Class access and a shop, both published. */
export function useClassAccess(products: Row[]) {
	const school = useSchool(products);
	const { world } = school;
	const found = {} as {
		/** Class access once more, so that its schedule can change while shops call the other one. */
		night: SavedWorkflow;
		shop: SavedWorkflow;
	};
	let sales = 0;

	beforeAll(async () => {
		found.night = await importExample(world, 'class-access');
		const shop = { name: 'Any shop', settings: {}, ...anyShop(school.classAccess.id) };
		const saved = await importWorkflow(world.session, shop);
		found.shop = await publishWorkflow(world.session, saved);
	});

	const studentIn = (classId: string, address: string) =>
		world.service.classes.studentsOf(classId).find(({ email }) => email === address);

	return Object.assign(found, {
		school,

		/** A payment of another buyer, made some seconds ago. */
		newSale(changes: object = {}) {
			const number = ++sales;
			return {
				paymentId: `payment-${number}`,
				status: 'paid',
				email: `student-${number}@example.com`,
				name: `Student ${number}`,
				products: 'python',
				paidAt: new Date(Date.now() - 60_000 + number).toISOString(),
				...changes,
			};
		},

		/** Gives Class access a sale, and returns its result. */
		async send(sale: object): Promise<Record<string, unknown>> {
			const response = await callWebhook(world.session, PATH, sale);
			return (await response.json()) as Record<string, unknown>;
		},

		runNight: async () => await runNight(world.session, found.night),

		/** For how many months from now the service lets a buyer in. */
		monthsIn: (classId: string, { email }: { email: string }) => {
			const { expirationDate = '' } = studentIn(classId, email) ?? {};
			return Math.round((Date.parse(expirationDate) - Date.now()) / DAY / 30.44);
		},
		linksTo: ({ email }: { email: string }) =>
			filter(world.service.magicLinks, { email } as object).length,
	});
}
