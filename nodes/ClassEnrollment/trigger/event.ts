import type { IDataObject, INodeProperties } from 'n8n-workflow';

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
	watch: (get: (field: string) => unknown) => (poll: Poll) => PollResult;
	/** Turns any class into what a manual test returns; by default the class itself. */
	toSample?: (entry: IDataObject) => IDataObject;
}

/** What a poll read. */
export interface Poll {
	classes: IDataObject[];
	/** The name filter, if these are not all classes. A class that was renamed may come or go. */
	nameFilter?: string;
	/** What the last poll saw; undefined for the first one, which only records the current state. */
	before?: Seen;
}

export interface PollResult {
	classes: IDataObject[];
	seen: Seen;
}

/** What the next poll compares with. It is kept in the workflow's static data, so it must stay small. */
export interface Seen {
	/** From when on a timestamp that no poll has seen is new, in milliseconds since 1970. */
	since: number;
	/** What the event watches, as a number, by the ID of the class. */
	values: Record<string, number>;
}
