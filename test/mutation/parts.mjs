/**
 * The parts of the built code, each with the tests that must notice a change of it: all tests would take a minute for
 * every change that none of them notices. A file belongs to the first part that fits.
 */
export const PARTS = [
	{
		name: 'transport',
		files: /^(transport\/(connectionError|explanations|mask)|values\/json)\./,
		tests: [
			'unit/connectionError',
			'unit/retry',
			'workflow/tls',
			'workflow/faults',
			'workflow/responses',
			'workflow/addMany',
			'workflow/flow',
		],
	},
	{
		name: 'retries',
		files: /^(connection\/openClient|transport\/(client|delay|errors|health|requestQueue|retry))\./,
		tests: [
			'unit/retry',
			'workflow/tls',
			'workflow/faults',
			'workflow/lists',
			'workflow/responses',
			'workflow/paging',
			'workflow/addMany',
			'workflow/flow',
			'workflow/pace',
			'workflow/outage',
		],
	},
	{
		name: 'values',
		files: /^values\//,
		tests: [
			'unit/expiration',
			'workflow/operations',
			'workflow/inputFields',
			'workflow/addMany',
			'workflow/refusals',
		],
	},
	{
		name: 'classes',
		files: /^(classes|listSearch|loadOptions)\/|^transport\/serviceError/,
		tests: ['workflow/lists', 'workflow/paging', 'unit/readClasses', 'workflow/addMany'],
	},
	{
		name: 'trigger',
		files: /^trigger\/|^(transport\/deadline|execution\/nodeError)\./,
		tests: [
			'workflow/trigger',
			'workflow/responses',
			'workflow/flow',
			'workflow/refusals',
			'workflow/credentials',
		],
	},
	{
		name: 'bulk',
		files: /^(resources\/student\/addMany\/|execution\/formatRanges)/,
		tests: [
			'workflow/inputFields',
			'workflow/addMany',
			'workflow/order',
			'workflow/refusals',
			'workflow/retryOnFail',
			'workflow/massRefusals',
		],
	},
	{
		name: 'execution',
		files: /^(execution|connection\/session)/,
		tests: [
			'workflow/operations',
			'workflow/order',
			'workflow/responses',
			'workflow/flow',
			'workflow/engines',
			'workflow/retryExecution',
			'workflow/retryOnFail',
			'workflow/refusals',
			'workflow/credentials',
		],
	},
	{
		name: 'fields',
		files: /^(fields|connection)\/|^transport\/http/,
		tests: [
			'workflow/operations',
			'workflow/faults',
			'workflow/tls',
			'workflow/lists',
			'workflow/responses',
			'workflow/addMany',
			'workflow/flow',
			'workflow/refusals',
			'workflow/credentials',
		],
	},
	{
		name: 'resources',
		files: /./,
		tests: ['workflow/operations', 'workflow/lists', 'workflow/paging', 'workflow/refusals'],
	},
];
