import {
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import { load } from '../../contract/describe';
import { OPERATIONS } from '../../workflow/operations';
import type { Field } from './details';

/** What the form of a node shows. */
export interface Form {
	title: string;
	parameters: INodeParameters;
	notices: string[];
	fields: Field[];
}

const FOLDER = 'dist/nodes/ClassEnrollment';
const { description: NODE } = load<INodeType>(`${FOLDER}/ClassEnrollment.node.js`);
const { description: TRIGGER } = load<INodeType>(`${FOLDER}/ClassEnrollmentTrigger.node.js`);
const CREDENTIAL: Field = { label: 'Credential' };
/** The option that n8n adds to every node with a credential that other nodes may use. */
const CUSTOM_API_CALL: Field = { label: 'Custom API Call' };
/** The fields of the trigger that are n8n's. */
const POLLING: Field[] = [
	{ label: 'Poll Times', description: 'Time at which polling should occur' },
	{ label: 'Mode', description: 'How often to trigger.' },
];

/** Every form of every operation, also with the fields that depend on an option. */
export const FORMS: Array<Form & { output: string[] }> = OPERATIONS.flatMap((tested) => {
	const { resource, operation, output, forms = {} } = tested;
	const { label } = operationsOf(resource).find(({ value }) => value === operation)!;
	return Object.entries({ '': {}, ...forms }).map(([when, changed]) => ({
		title: `${label} ${when}`.trim(),
		parameters: { resource, operation, ...changed },
		output: Object.keys(output),
		...formOf(NODE, [CREDENTIAL], { resource, operation, ...changed }),
	}));
});

/** The options of Operation for students. */
export const STUDENT_OPERATIONS: Field[] = [
	...operationsOf('student').map(({ value: _, ...option }) => option),
	CUSTOM_API_CALL,
];

/** The options of Trigger On. */
export const TRIGGER_EVENTS = optionsOf(propertyOf(TRIGGER, 'event'));

/** The trigger with every event, and one with a filter. Its subtitle stands below the name of the node on the canvas. */
export const TRIGGER_FORMS: Array<Form & { subtitle: string }> = [
	...TRIGGER_EVENTS.map(({ value }) => triggerForm(value)),
	triggerForm('studentCountChanged', { filters: { query: 'Python' } }, ' with a filter'),
];

function triggerForm(event: string, changed: INodeParameters = {}, suffix = '') {
	const subtitle = TRIGGER_EVENTS.find(({ value }) => value === event)!.label;
	return {
		title: `${subtitle} trigger${suffix}`,
		subtitle,
		parameters: { event, ...changed },
		...formOf(TRIGGER, [CREDENTIAL, ...POLLING], { event, ...changed }),
	};
}

/** What a node's description says that the form shows below the given fields. */
function formOf(description: INodeTypeDescription, first: Field[], given: INodeParameters) {
	const node = { typeVersion: 1 };
	const { properties } = description;
	const values = NodeHelpers.getNodeParameters(properties, given, true, false, node, description)!;
	const shown = properties.filter(
		(property) =>
			property.name !== 'requestOptions' &&
			NodeHelpers.displayParameter(values, property, node, description),
	);
	const isNotice = ({ type }: INodeProperties) => type === 'notice';
	return {
		notices: shown.filter(isNotice).map(({ displayName }) => displayName),
		fields: [
			...first,
			...shown
				.filter((property) => !isNotice(property))
				.flatMap((property) => [fieldOf(property), ...chosenIn(property, given)]),
		],
	};
}

/** The fields that were added to a collection. */
function chosenIn({ type, name, options = [] }: INodeProperties, parameters: INodeParameters) {
	if (type !== 'collection') return [];
	const chosen = Object.keys(parameters[name] ?? {});
	return (options as INodeProperties[])
		.filter((option) => chosen.includes(option.name))
		.map(fieldOf);
}

function fieldOf({ displayName, description }: INodeProperties): Field {
	return { label: displayName, ...described(description) };
}

/** A description as text, without its links. */
function described(description?: string) {
	return description ? { description: description.replaceAll(/<[^>]+>/g, '') } : {};
}

function propertyOf({ properties }: INodeTypeDescription, name: string, resource?: string) {
	return properties.find(
		(property) =>
			property.name === name &&
			(!resource || property.displayOptions?.show?.resource?.includes(resource)),
	)!;
}

function operationsOf(resource: string) {
	return optionsOf(propertyOf(NODE, 'operation', resource));
}

function optionsOf({ options }: INodeProperties): Array<Field & { value: string }> {
	return (options as INodePropertyOptions[]).map(({ name, value, description }) => ({
		label: name,
		...described(description),
		value: String(value),
	}));
}
