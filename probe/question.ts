import type { Classroom } from './classroom';
import type { Service } from './service';
import type { Settings } from './settings';

/** What a question has at hand. */
export interface Probe {
	settings: Settings;
	service: Service;
	classroom: Classroom;
}

/** What was seen, and whether the code is right about it; undefined if this cannot be told. */
export interface Sight {
	seen: string;
	isHeld?: boolean;
}

/** Something that the interface does not say. */
export interface Question {
	title: string;
	/** What is sent, for the user to read before it is sent. */
	sends: string;
	/** What the node takes for granted. */
	assumption: string;
	/** The file that depends on it, below nodes/ClassEnrollment. */
	file: string;
	ask: (probe: Probe) => Promise<Sight>;
}
