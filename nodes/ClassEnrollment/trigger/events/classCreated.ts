import type { TriggerEvent } from '../event';
import { findNew } from '../timestamps';

export const classCreated: TriggerEvent = {
	name: 'Class Created',
	value: 'classCreated',
	description: 'When a class is created',
	watch: () => (poll) => findNew(poll, 'createdAt'),
};
