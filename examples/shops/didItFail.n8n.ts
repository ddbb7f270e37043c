// The Code node Did It Fail?: a failure ends the execution here. After Retry, the notification is read again.
import { failure } from '../codeNodes/failure';
import { failureOf, type NodeOutput } from './didItFail';
import type { NotificationFields } from './notification';
import { nameOf } from './paymentId';

interface Json extends NodeOutput, NotificationFields {
	executionId?: string;
}
declare const $: (name: string) => {
	first(output: number): { json: Json } | undefined;
	all(output: number): object[];
};
declare const $input: { first(): { json: Json } };
declare const $execution: { id: string };

const sent = $('What the Shop Sends').first(0)?.json ?? {};
const fields = $('Read Notification').first(0)?.json ?? sent;
const problem = failureOf($input.first().json, nameOf(fields));
const isRetry = $execution.id !== sent.executionId;
if (problem && !isRetry) throw failure(problem);

export const output = problem ? $('Notification Received').all(0) : [];
