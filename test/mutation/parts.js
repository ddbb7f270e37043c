/**
 * The tests that must notice a change of the built code, by folder: all tests would take half a minute for every change
 * that none of them notices.
 */
const CLASS_LISTS = ['workflow/lists', 'workflow/paging', 'unit/readClasses', 'workflow/addMany'];
const ROUTING = 'execution/routing';

exports.ROUTING = ROUTING;
exports.PARTS = {
	classes: CLASS_LISTS,
	listSearch: CLASS_LISTS,
	loadOptions: CLASS_LISTS,
	connection: [
		'workflow/connection',
		'workflow/credentials',
		'workflow/lists',
		'workflow/flow',
		'workflow/refusals',
		'unit/values',
	],
	// By the routing; all others as a step.
	[ROUTING]: ['workflow/engines', 'workflow/operations', 'workflow/credentials'],
	execution: [
		'workflow/operations',
		'workflow/order',
		'workflow/engines',
		'workflow/responses',
		'workflow/flow',
		'workflow/retries',
		'workflow/refusals',
		'workflow/credentials',
		'workflow/hints',
	],
	fields: [
		'workflow/operations',
		'workflow/lists',
		'workflow/addMany',
		'workflow/inputFields',
		'workflow/refusals',
	],
	resources: [
		'workflow/operations',
		'workflow/inputFields',
		'workflow/rowErrors',
		'workflow/addMany',
		'workflow/lists',
		'workflow/paging',
		'workflow/order',
		'workflow/refusals',
		'workflow/retries',
		'workflow/hints',
	],
	transport: [
		'unit/mask',
		'unit/noResponse',
		'unit/backoff',
		'workflow/responses',
		'workflow/connection',
		'workflow/lists',
		'workflow/paging',
		'workflow/flow',
		'workflow/trigger',
		'workflow/triggerPolls',
		'workflow/addMany',
	],
	trigger: [
		'workflow/trigger',
		'workflow/triggerClassCreated',
		'workflow/triggerClassUpdated',
		'workflow/triggerPolls',
		'workflow/triggerStudentCountChanged',
		'workflow/responses',
		'workflow/flow',
		'workflow/refusals',
		'workflow/credentials',
	],
	values: [
		'unit/expiration',
		'unit/values',
		'workflow/operations',
		'workflow/inputFields',
		'workflow/rowErrors',
		'workflow/addMany',
		'workflow/refusals',
	],
};

/** Tests that take many cases to notice something, or are about something else than the built code. */
exports.OTHER_TESTS = [
	'unit/contract',
	'unit/examples',
	'unit/forms',
	'unit/parts',
	'unit/service',
	'workflow/retries.property',
	'workflow/schemas',
	'workflow/secondCopy',
	'workflow/upAndDown.property',
];
