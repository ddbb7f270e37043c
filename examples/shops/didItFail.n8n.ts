// The Code node Did It Fail?: a failure ends the execution here. After Retry, the notification is read again.
import { failureOf, type Outcome } from './didItFail';

type Json = Outcome & { executionId?: string };
interface Node {
	isExecuted: boolean;
	first(output: number): { json: Json } | undefined;
	all(output: number): object[];
}
declare const $: (name: string) => Node;
declare const $input: { first(): { json: Json } };
declare const $execution: { id: string };

const outcome = $input.first().json;
const sent = $('What the Shop Sends').first(0)?.json ?? {};
const recorded = $('Record Sale').isExecuted ? $('Record Sale').first(0)?.json : undefined;
const failure = failureOf(outcome, { ...sent, ...recorded, ...outcome });
const isRetry = $execution.id !== sent.executionId;
if (failure && !isRetry) throw new Error(failure);

export const output = failure ? $('Notification Received').all(0) : [];
