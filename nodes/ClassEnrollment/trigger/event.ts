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
	watch: (get: (field: string) => unknown) => (poll: Poll) => Changes;
	/** Turns any class into what a manual test returns. */
	toSample: (entry: IDataObject) => IDataObject;
}

export interface Poll {
	classes: IDataObject[];
	/** The name filter, if these are not all classes. */
	query?: string;
	/** What the last poll saw, in any shape; undefined for the first one, which only records the current state. */
	before: unknown;
}

export interface Changes {
	classes: IDataObject[];
	/** What the next poll compares with. It is kept in the workflow's static data, so it must stay small. */
	seen: IDataObject;
}
