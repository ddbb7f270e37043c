import type { TriggerEvent } from '../event';
import { findNew, parseTimestamp } from '../timestamps';

// Services may set the two timestamps of a new class one after the other.
const MAX_CREATION_MS = 1000;

export const classUpdated: TriggerEvent = {
	name: 'Class Updated',
	value: 'classUpdated',
	description: 'When an existing class is changed',
	watch: () => (poll) =>
		findNew(poll, 'updatedAt', ({ createdAt, updatedAt }, previous) => {
			const age = parseTimestamp(updatedAt) - parseTimestamp(createdAt);
			return previous !== undefined || !(age < MAX_CREATION_MS);
		}),
};
