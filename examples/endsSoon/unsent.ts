import { failure } from '../codeNodes/failure';

/** What **Email the Student** outputs: of an email that wasn't sent, the fields of the student, and why. */
export interface Emailed {
	/** Another list may have it under another name. */
	email?: string;
	/** Missing if the node fails as a whole. Then n8n outputs what came into it as if it was sent. */
	error?: string;
}

/** Throws a failure that names the students who weren't emailed. */
export function assertSent(emails: Emailed[]): void {
	const unsent = emails.filter(({ email, error }) => email !== undefined || error !== undefined);
	if (unsent.length === 0) return;
	const reasons = unsent.map(
		({ error = 'check the credential of Email the Student', ...student }) =>
			`${student.email ?? JSON.stringify(student)} (${error})`,
	);
	throw failure(`Not emailed, and not tried again, so email them yourself: ${reasons.join(', ')}`);
}
