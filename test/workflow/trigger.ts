import { randomUUID } from 'node:crypto';
import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	Workflow,
} from 'n8n-workflow';
import type { Service } from '../service/service';
import { additionalDataOf, loadPackage, nodeOf, nodeTypesOf } from './engine';
import { PYTHON, RUST, useService } from './fixture';

export const HOUR_MS = 3_600_000;

export interface Activation {
	/** By default the same for a whole test. */
	workflowId?: string;
	nodeName?: string;
	/** What n8n has stored with the workflow. */
	stored?: string;
	mode?: 'trigger' | 'manual';
	service?: Pick<Service, 'baseUrl' | 'accessToken'>;
	credentialId?: string;
}

export const MANUAL: Activation = { mode: 'manual' };

export type Polling = Awaited<ReturnType<ReturnType<typeof useTrigger>['activate']>>;

/** Gives every test of a file a service with the classes Python and Rust, of one student each, and workflows that poll it. */
export function useTrigger() {
	const fixture = useService();
	const classes = () => fixture.service.classes;
	// The trigger remembers the workflows that it polls for.
	let testId: string;
	let start: number;
	/** Later than the classes of the fixture, and long enough ago for all that a test lets happen. */
	const at = (second: number) => new Date(start + second * 1000).toISOString();

	beforeEach(() => {
		testId = randomUUID();
		start = Date.now() - 3 * HOUR_MS;
		for (const known of [PYTHON, RUST]) {
			classes().addClass({ ...known, createdAt: at(-60) });
			classes().enroll([known.id], [{ email: 'student@example.com' }]);
			classes().touchClass(known.id, at(-60));
		}
	});

	// A test may set the clock.
	afterEach(() => jest.restoreAllMocks());

	/** Activates a workflow, or goes on with what one has stored, as after a restart of n8n. */
	async function activate(parameters: INodeParameters, options: Activation = {}) {
		const { workflowId = testId, stored = '{}', credentialId = '1' } = options;
		const { nodeName = 'Class Enrollment Trigger' } = options;
		const { mode = 'trigger', service = fixture.service } = options;
		const activation = mode === 'manual' ? 'manual' : 'activate';
		const loader = await loadPackage();
		const node: INode = {
			...nodeOf({ parameters }),
			type: 'n8n-nodes-class-enrollment.classEnrollmentTrigger',
			credentials: { classEnrollmentApi: { id: credentialId, name: 'Test' } },
			name: nodeName,
		};
		const workflow = new Workflow({
			id: workflowId,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: nodeTypesOf(loader, 'step'),
			staticData: JSON.parse(stored) as IDataObject,
		});
		const additionalData = additionalDataOf(loader, service);
		const context = new PollContext(workflow, node, additionalData, mode, activation);
		const type = loader.getNode('classEnrollmentTrigger').type as INodeType;
		/** What comes out of a poll. */
		const pollItems = async () => {
			const output = await type.poll!.call(context);
			// Or else n8n would start the workflow.
			expect(output).not.toEqual([[]]);
			return output?.flat().map(({ json }) => json) ?? [];
		};
		return {
			pollItems,
			/** The names of these classes. */
			poll: async () => (await pollItems()).map(({ name }) => String(name)),
			/** Sets how long a poll may take, in milliseconds. */
			setBudget: (milliseconds: number) =>
				Object.assign(context, { getPollBudgetMs: () => milliseconds }),
			/** What n8n would store with the workflow. */
			stored: () => JSON.stringify(workflow.staticData),
		};
	}

	return {
		fixture,
		classes,
		at,
		activate,
		/** Activates a workflow that has seen the current state. */
		watch: async (parameters: INodeParameters, options?: Activation) => {
			const polling = await activate(parameters, options);
			expect(await polling.poll()).toEqual([]);
			return polling;
		},
		/** Lets the service respond with these classes, as another service might have them. */
		list: (...data: IDataObject[]) => {
			fixture.service.temper = { answerJson: { data, totalRecords: data.length } };
		},
	};
}
