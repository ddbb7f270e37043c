import type { TriggerEvent } from '../event';
import { compareStamps } from '../timestamps';

export const classCreated: TriggerEvent = {
	name: 'Class Created',
	value: 'classCreated',
	description: 'When a class is created',
	watch: () => (poll) => compareStamps(poll, 'createdAt'),
	toSample: (entry) => entry,
};
