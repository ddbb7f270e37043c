import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Seen } from './seen';

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
	/** What the last poll saw; undefined for the first one, which only records the current state. */
	before?: Seen;
}

export interface Changes {
	classes: IDataObject[];
	seen: Seen;
}
