import { assertSent } from '../../examples/endsSoon/unsent';

const ANA = { email: 'ana@example.com', end: '2027-01-31T03:00:00.000Z' };

test('an email that was sent is no failure', () => {
	const sent: object = { accepted: ['ana@example.com'], messageId: '1' };
	expect(() => assertSent([sent])).not.toThrow();
});

test('an email that was not sent is a failure that names the student, and says why', () => {
	const failed = [
		{ ...ANA, error: 'No such mailbox' },
		{ email: 'bob@example.com', error: 'Timeout' },
	];
	expect(() => assertSent(failed)).toThrow(
		/^Not emailed, .*: ana@example\.com \(No such mailbox\), bob@example\.com \(Timeout\)$/,
	);
});

test('an email that was not sent is one also if another list has the address under another name', () => {
	const failed: object = { 'E-mail': 'ana@example.com', error: 'No such mailbox' };
	expect(() => assertSent([failed])).toThrow(
		/^Not emailed, .*: \{"E-mail":"ana@example\.com"\} \(No such mailbox\)$/,
	);
});

test('if the node fails as a whole, as without its credential, nobody was emailed', () => {
	expect(() => assertSent([ANA])).toThrow(
		'ana@example.com (check the credential of Email the Student)',
	);
});
