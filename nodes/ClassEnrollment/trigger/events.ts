import type { IDataObject } from 'n8n-workflow';
import type { ClassList } from '../classes/readClasses';
import { isBlank } from '../values/text';
import { parseChoice } from '../values/choice';
import { type Detected, detectByCount, detectByStamp, type Memory } from './seen';

/** Compares a list of classes with what was seen before. */
type Detect = (before: Memory | undefined, list: ClassList) => Detected;

const EVENTS = {
	classCreated: 'Class Created',
	classUpdated: 'Class Updated',
	studentCountChanged: 'Student Count Changed',
} as const;
const DIRECTIONS = { any: 'Any', increased: 'Increased', decreased: 'Decreased' } as const;
// Services may set the two time stamps of a new class one after the other.
const CREATION_TAKES_MS = 1000;

/**
 * Gives what finds an event.
 * @param get reads a parameter of the trigger
 * @throws InvalidValueError where the event or a parameter of it cannot be used
 */
export function readEvent(event: unknown, get: (name: string) => unknown): Detect {
	const detectors: Record<keyof typeof EVENTS, () => Detect> = {
		classCreated: () => (before, list) => detectByStamp(before, list, 'createdAt'),
		classUpdated: () => (before, list) =>
			filterDetected(detectByStamp(before, list, 'updatedAt'), isChanged),
		studentCountChanged: () => detectCountIn(get),
	};
	return detectors[parseChoice(event, EVENTS, 'Event')]();
}

function detectCountIn(get: (name: string) => unknown): Detect {
	const isFiltered = !isBlank(get('query'));
	const direction = parseChoice(get('direction') ?? 'any', DIRECTIONS, 'Direction');
	return (before, list) =>
		filterDetected(
			detectByCount(before, list, !isFiltered),
			({ countStudents, previousCountStudents }) => {
				const grew = Number(countStudents) > Number(previousCountStudents);
				return direction === 'any' || grew === (direction === 'increased');
			},
		);
}

/** Whether a class was changed after it was created. */
function isChanged({ createdAt, updatedAt }: IDataObject): boolean {
	const sinceCreation = Date.parse(String(updatedAt)) - Date.parse(String(createdAt));
	return !(Math.abs(sinceCreation) < CREATION_TAKES_MS);
}

function filterDetected(detected: Detected, isWanted: (entry: IDataObject) => boolean): Detected {
	return { ...detected, classes: detected.classes.filter(isWanted) };
}
