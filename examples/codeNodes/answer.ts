/** What the node Class Enrollment says of an item, with **On Error** set to continue. A node that breaks as a whole says none of it. */
export interface Answer {
	/** Of an addition, or a magic link. */
	success?: boolean;
	/** Of a removal. */
	deleted?: boolean;
	error?: string;
	/** Why there is an error: `rejected`, `notProcessed`, or `unknown`. */
	outcome?: string;
	status?: number;
	classId?: string;
	/** In ISO 8601 and UTC. Absent if access never ends. */
	expirationDate?: string;
}
