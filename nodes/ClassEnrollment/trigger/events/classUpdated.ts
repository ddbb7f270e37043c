import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../../classes/idOf';
import type { TriggerEvent } from '../event';
import { parseTimestamp } from '../readValues';
import { idIn } from '../seen';
import { findNew } from '../timestamps';

// Services may set the two timestamps of a new class one after the other.
const MAX_CREATION_MS = 1000;

export const classUpdated: TriggerEvent = {
	name: 'Class Updated',
	value: 'classUpdated',
	description: 'When an existing class is changed',
	watch: () => (poll) => {
		const { classes, seen } = findNew(poll, 'updatedAt');
		const known = new Set(poll.before?.keys.map(idIn));
		const isUpdate = (entry: IDataObject) => {
			const age = parseTimestamp(entry.updatedAt) - parseTimestamp(entry.createdAt);
			return known.has(String(idOf(entry))) || !(Math.abs(age) < MAX_CREATION_MS);
		};
		return { classes: classes.filter(isUpdate), seen };
	},
	toSample: (entry) => entry,
};
