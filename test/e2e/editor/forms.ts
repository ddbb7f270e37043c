import map from 'lodash/map';
import partition from 'lodash/partition';
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

const FOLDER = 'dist/nodes/ClassEnrollment';
const { description: NODE } = load<INodeType>(`${FOLDER}/ClassEnrollment.node.js`);
const { description: TRIGGER } = load<INodeType>(`${FOLDER}/ClassEnrollmentTrigger.node.js`);

/** Every form of every operation, also with the fields that depend on an option. */
export const FORMS = OPERATIONS.flatMap(({ resource, operation, output, forms = {} }) => {
	const name = nameOf(NODE, 'operation', operation);
	return Object.entries({ '': {}, ...forms }).map(([when, changed]) => {
		const parameters = { resource, operation, ...changed };
		const { labels, notices } = formOf(NODE, parameters);
		const title = `${name} ${when}`.trim();
		return {
			title,
			parameters,
			output: Object.keys(output),
			labels: ['Credential', ...labels],
			notices,
		};
	});
});

/** The trigger with every event, and one with a filter. Its subtitle stands below the name of the node on the canvas. */
export const TRIGGER_FORMS = [
	...optionsOf(TRIGGER.properties.find(({ name }) => name === 'event')!).map(({ value }) =>
		triggerForm(String(value)),
	),
	triggerForm('studentCountChanged', { filters: { query: 'Python' } }, ' with a filter'),
];

function triggerForm(event: string, changed: INodeParameters = {}, suffix = '') {
	const parameters = { event, ...changed };
	const subtitle = nameOf(TRIGGER, 'event', event);
	const labels = ['Credential', 'Poll Times', 'Mode', ...formOf(TRIGGER, parameters).labels];
	return { title: `${subtitle} trigger${suffix}`, subtitle, parameters, labels };
}

/** What a form shows, by the description of its node: the labels of its fields, and its notices. */
function formOf(description: INodeTypeDescription, given: INodeParameters) {
	const node = { typeVersion: 1 };
	const { properties } = description;
	const values = NodeHelpers.getNodeParameters(properties, given, true, false, node, description)!;
	const [notices, fields] = partition(
		properties
			.filter(({ name }) => name !== 'requestOptions')
			.filter((property) => NodeHelpers.displayParameter(values, property, node, description)),
		{ type: 'notice' },
	);
	const shown = fields.flatMap((property) => [property, ...chosenIn(property, given)]);
	return { labels: map(shown, 'displayName'), notices: map(notices, 'displayName') };
}

/** The fields that were added to a collection. */
function chosenIn({ type, name, options = [] }: INodeProperties, parameters: INodeParameters) {
	const chosen = Object.keys(parameters[name] ?? {});
	const isChosen = (option: INodeProperties) =>
		type === 'collection' && chosen.includes(option.name);
	return (options as INodeProperties[]).filter(isChosen);
}

function nameOf({ properties }: INodeTypeDescription, field: string, value: string): string {
	const options = properties.filter(({ name }) => name === field).flatMap(optionsOf);
	return options.find((option) => option.value === value)!.name;
}

function optionsOf({ options }: INodeProperties) {
	return options as INodePropertyOptions[];
}
