/** The settings of n8n that switch its schedulers on. */
export const SCHEDULERS = {
	/** Keeps the polls in memory. The default of n8n. */
	memory: {},
	/** Keeps the polls and what they have seen in the database, and slows down polls that fail. */
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		// It looks every second for polls that are due, not every five and ten.
		N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
		N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
		// In seconds; n8n keeps five of them for itself.
		N8N_SCHEDULER_POLL_TIMEOUT: '12',
	},
};

export type Scheduler = keyof typeof SCHEDULERS;

/** How long the durable scheduler lets a poll take. */
export const POLL_BUDGET_MS = 7000;
/** How often the workflows of the tests poll. */
export const POLL_INTERVAL_MS = 5000;

/** n8n refuses a poll time of less than a minute, but takes several of them. */
export const POLL_TIMES = {
	item: Array.from({ length: 60_000 / POLL_INTERVAL_MS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${(index * POLL_INTERVAL_MS) / 1000} * * * * *`,
	})),
};
