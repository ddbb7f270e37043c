import type { INodeProperties } from 'n8n-workflow';
import { findChoice, toShownOptions } from '../values/choice';
import type { TriggerEvent } from './event';
import * as events from './events';

const EVENTS: TriggerEvent[] = Object.values(events);
const NAMES = Object.fromEntries(EVENTS.map(({ value, name }) => [value, name]));

const choice: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	required: true,
	options: toShownOptions(EVENTS),
	default: 'classCreated',
};

/** The choice of the event, and the fields of each event, shown for it alone. */
export const eventProperties: INodeProperties[] = [
	choice,
	...EVENTS.flatMap(({ value, fields = [] }) =>
		fields.map((field) => ({ ...field, displayOptions: { show: { event: [value] } } })),
	),
];

/** The subtitle on the canvas: the event's name. */
export const eventSubtitle = `={{ (${JSON.stringify(NAMES)})[$parameter["event"]] }}`;

/** Reads which event is chosen; throws InvalidValueError if it is none of them. */
export function readEvent(get: (field: string) => unknown): TriggerEvent {
	return findChoice(get(choice.name), EVENTS, choice.displayName);
}
