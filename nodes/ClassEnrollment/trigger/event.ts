import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ClassList } from '../classes/readClasses';

/** One event of the trigger: all that is known of it. What n8n wants is derived from this. */
export interface TriggerEvent {
	/** How the editor shows it. */
	name: string;
	/** What saved workflows contain. */
	value: string;
	description: string;
	/** Its own fields; shown for it alone. */
	fields?: INodeProperties[];
	/** Reads these fields and returns what finds the changes; throws InvalidValueError if a value cannot be used. */
	watch: (get: (field: string) => unknown) => (poll: Poll) => Changes;
	/** Turns any class into what a manual test returns. */
	toSample: (entry: IDataObject) => IDataObject;
}

export interface Poll {
	list: ClassList;
	/** The name filter, if these are not all classes. */
	query?: string;
	/** What the last poll saw; undefined for the first one, which only records the current state. */
	before: Seen | undefined;
}

/** What a poll saw. Kept in the workflow's static data. */
export interface Seen {
	/** The latest time stamp of the service, in milliseconds since 1970. */
	since: number;
	/** The classes with that time stamp or a later one, each as "time stamp:ID". */
	keys: string[];
	/** The number of students in each class, if the event is about it. */
	counts?: Record<string, number>;
	/** How many classes the list lacked. */
	missing: number;
}

export interface Changes {
	classes: IDataObject[];
	seen: Seen;
}
