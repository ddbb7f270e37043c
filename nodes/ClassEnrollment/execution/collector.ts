import {
	type IExecuteData,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	sleep,
} from 'n8n-workflow';

/** The context in which n8n's routing runs one item. */
export type ItemContext = IExecutePaginationFunctions;
/** By the index of the item. */
export type ItemContexts = Map<number, ItemContext>;
/** The output items, by the index of the item. */
export type OutputByItem = Record<number, INodeExecutionData[]>;

/** Items that run together. */
interface Group {
	contexts: ItemContexts;
	/** Whether further items join it. */
	isOpen: boolean;
	output: Promise<OutputByItem>;
}

/**
 * Puts together the items that n8n's routing starts one by one, as DataLoader does with keys: an item opens a group, those
 * that start before the next timer join it, and then all run together. n8n's routing starts all items, or a batch of its
 * Batching, before it waits for one.
 * @param run runs the items of a group
 * @returns a function that adds an item and returns its output; it throws if one item of its group, or of a group before it, fails
 */
export function createCollector(run: (contexts: ItemContexts) => Promise<OutputByItem>) {
	/** Of each node run, the group that was opened last. */
	const groups = new WeakMap<IExecuteData, Group>();

	const openGroup = (before?: Group): Group => {
		const group: Group = {
			contexts: new Map(),
			isOpen: true,
			output: sleep(0).then(async () => {
				group.isOpen = false;
				// With Batching: if the group before it has failed, nothing more is sent.
				await before?.output;
				return await run(group.contexts);
			}),
		};
		return group;
	};

	return async (context: ItemContext): Promise<INodeExecutionData[]> => {
		const executeData = context.getExecuteData();
		const itemIndex = context.getItemIndex();
		// Item 0 begins a node run, its Retry On Fail, or a tool call: all of these may have the same execute data.
		const last = itemIndex > 0 ? groups.get(executeData) : undefined;
		const group = last?.isOpen ? last : openGroup(last);
		groups.set(executeData, group);
		group.contexts.set(itemIndex, context);
		const output = await group.output;
		return output[itemIndex] ?? [];
	};
}
