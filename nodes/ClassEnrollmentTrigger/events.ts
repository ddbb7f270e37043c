import type { IDataObject } from 'n8n-workflow';
import type { ClassList } from '../ClassEnrollment/shared/paging';
import { isBlank } from '../ClassEnrollment/shared/values/text';
import { readChoice } from '../ClassEnrollment/shared/values/choice';
import { type Detected, detectByCount, detectByStamp, type Memory } from './memory';

/** Compares a list of classes with what was seen before. */
export type Detect = (before: Memory | undefined, list: ClassList) => Detected;

const DIRECTIONS = { any: 'Any', increased: 'Increased', decreased: 'Decreased' } as const;

/**
 * The events of the trigger.
 * @param get reads a parameter of the trigger
 * @throws InvalidValueError where the direction cannot be used
 */
export const EVENTS: Record<string, (get: (name: string) => unknown) => Detect> = {
	classCreated: () => (before, list) => detectByStamp(before, list, 'createdAt'),

	classUpdated: () => (before, list) =>
		// A class that was only created has equal time stamps.
		keeping(
			detectByStamp(before, list, 'updatedAt'),
			({ createdAt, updatedAt }) => createdAt !== updatedAt,
		),

	studentCountChanged: (get) => {
		const isFiltered = !isBlank(get('query'));
		const direction = readChoice(get('direction') ?? 'any', DIRECTIONS, 'Direction');
		return (before, list) =>
			keeping(
				detectByCount(before, list, !isFiltered),
				({ countStudents, previousCountStudents }) => {
					const grew = Number(countStudents) > Number(previousCountStudents);
					return direction === 'any' || grew === (direction === 'increased');
				},
			);
	},
};

function keeping(detected: Detected, isWanted: (entry: IDataObject) => boolean): Detected {
	return { ...detected, classes: detected.classes.filter(isWanted) };
}
