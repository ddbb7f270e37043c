import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** One event of the trigger: all that is known of it. What n8n wants is derived from this. */
export interface TriggerEvent {
	/** How the editor shows it. */
	name: string;
	/** The value that n8n saves in workflows. */
	value: string;
	description: string;
	/** Its own fields; shown for it alone. */
	fields?: INodeProperties[];
	/** Reads these fields and returns what finds the changes; throws InvalidValueError if a value cannot be used. */
	watch: (get: (field: string) => unknown) => (poll: Poll) => PollResult;
	/** Turns any class into what a manual test returns; by default the class itself. */
	toSample?: (entry: IDataObject) => IDataObject;
}

/** The classes of a poll, and the state that the last one recorded. */
export interface Poll {
	classes: IDataObject[];
	/** The name filter, if these are not all classes. A class that was renamed may come or go. */
	nameFilter?: string;
	/** The state that the last poll recorded; undefined in the first one, which only records the current state. */
	before?: Seen;
}

export interface PollResult {
	classes: IDataObject[];
	seen: Seen;
}

/** The recorded state, with which the next poll compares. It must stay small: n8n keeps it in the workflow's static data. */
export interface Seen {
	/** From when on a timestamp that no poll has seen is new, in milliseconds since 1970. */
	since: number;
	/** The watched value of each class, by its ID. */
	values: Record<string, number>;
}
