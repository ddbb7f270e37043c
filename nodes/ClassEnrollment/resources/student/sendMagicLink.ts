import type { INodeProperties } from 'n8n-workflow';
import { emailField, readEmail } from '../../fields/student';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { readValues } from '../../values/readValues';
import { parseRedirectUrl } from '../../values/redirectUrl';

// See createMagicLink in test/service/openapi.yaml, and docs/reference.md.
const VALID_MS = 24 * 3_600_000;

const redirectUrlField: INodeProperties = {
	displayName: 'Redirect URL',
	name: 'redirectUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/welcome',
	description: 'URL of the page to open after sign-in',
};

export const sendMagicLink: Operation = {
	name: 'Send Magic Link',
	value: 'sendMagicLink',
	action: 'Send magic link to student',
	description:
		'Email a student a link that signs them in without a password. It is valid for 24 hours and not available for administrative accounts.',
	participle: 'sent',
	endpoint: {
		method: 'POST',
		path: '/magic-link',
		// A second link is a second email.
		isIdempotent: false,
		likelyCauses:
			"Check 'Email'. Most likely no student has this address, or it belongs to an administrative account, which can't get magic links.",
	},
	fields: [emailField, redirectUrlField],
	execute: eachItem((parameters) => {
		const { email, redirectUrl } = readValues({
			email: () => readEmail(parameters),
			redirectUrl: () => parseRedirectUrl(parameters.get('redirectUrl'), 'Redirect URL'),
		});
		return { email, values: { redirectUrl } };
	}),
	output: ({ email }, { redirectUrl }, sentAt) => {
		const expiresAt = new Date(sentAt + VALID_MS).toISOString();
		return { success: true, email, redirectUrl, expiresAt };
	},
};
