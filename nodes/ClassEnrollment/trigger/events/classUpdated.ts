import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../../classes/idOf';
import type { TriggerEvent } from '../event';
import { compareStamps } from '../timestamps';

// Services may set the two time stamps of a new class one after the other.
const CREATION_TAKES_MS = 1000;

export const classUpdated: TriggerEvent = {
	name: 'Class Updated',
	value: 'classUpdated',
	description: 'When an existing class is changed',
	watch: () => (poll) => {
		const { classes, seen } = compareStamps(poll, 'updatedAt');
		const isUpdate = (entry: IDataObject) => {
			const age = Date.parse(String(entry.updatedAt)) - Date.parse(String(entry.createdAt));
			const isKnown = poll.before?.keys.some(
				(key) => key.slice(key.indexOf(':') + 1) === idOf(entry),
			);
			return isKnown === true || !(Math.abs(age) < CREATION_TAKES_MS);
		};
		return { classes: classes.filter(isUpdate), seen };
	},
	toSample: (entry) => entry,
};
