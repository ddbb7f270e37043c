// The Code node Did It Fail?: a failure ends the execution here. After Retry, the notification is read again.
import { failureOf, type NodeOutput } from './didItFail';
import { ifReadable, textOf } from './fields';
import { withDefaults, type NotificationFields } from './notification';

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
const { paymentId, email } = recorded ?? withDefaults(sent);
const told = (field: unknown) => ifReadable(() => textOf(field, ''));
const failure = failureOf($input.first().json, told(paymentId), told(email));
const isRetry = $execution.id !== sent.executionId;
if (failure && !isRetry) throw new Error(failure);

export const output = failure ? $('Notification Received').all(0) : [];
