// The Code node Did It Fail?: a failure ends the execution here. After Retry, the notification is read again.
import { failure } from '../codeNodes/failure';
import { failureOf, type NodeOutput } from './didItFail';
import { ifReadable } from '../reading/text';
import { textOf } from './fields';
import { withDefaults } from './other/defaults';
import type { NotificationFields } from './notification';
import { paymentIdOf } from './paymentId';

interface Json extends NodeOutput, NotificationFields {
	executionId?: string;
}
declare const $: (name: string) => {
	isExecuted: boolean;
	first(output: number): { json: Json } | undefined;
	all(output: number): object[];
};
declare const $input: { first(): { json: Json } };
declare const $execution: { id: string };

const sent = $('What the Shop Sends').first(0)?.json ?? {};
const recorded = $('Record Sale').isExecuted ? $('Record Sale').first(0)?.json : undefined;
const fields = recorded ?? withDefaults(sent);
const paymentId = ifReadable(() => paymentIdOf(fields)) ?? '';
const email = ifReadable(() => textOf(fields.email, '')) ?? '';
const problem = failureOf($input.first().json, paymentId, email);
const isRetry = $execution.id !== sent.executionId;
if (problem && !isRetry) throw failure(problem);

export const output = problem ? $('Notification Received').all(0) : [];
