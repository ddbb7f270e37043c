import { failure } from '../codeNodes/failure';

/** What **Email the Student** outputs: of an email that wasn't sent, the fields of the student, and why. */
export interface Emailed {
	email?: string;
	/** Missing if the node fails as a whole. Then n8n outputs what came into it as if it was sent. */
	error?: string;
}

/** Throws a failure that names the students who weren't emailed. */
export function assertSent(emails: Emailed[]): void {
	const unsent = emails.filter(({ email }) => email !== undefined);
	if (unsent.length === 0) return;
	const reasons = unsent.map(
		({ email, error = 'check the credential of Email the Student' }) => `${email} (${error})`,
	);
	throw failure(`Not emailed, and not tried again, so email them yourself: ${reasons.join(', ')}`);
}
