import { DateTime } from 'luxon';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { emailField, readEmailOf } from '../../shared/fields/student';
import { eachItem, type PrepareItem } from '../../shared/eachItem';
import { asCustomOperation, asRouting, type Endpoint, requestTo } from '../../shared/operation';
import { asObject } from '../../shared/values/json';
import { given } from '../../shared/values/given';
import { readRedirectUrl } from '../../shared/values/redirectUrl';

const operation = ['sendMagicLink'];
const endpoint: Endpoint = { method: 'POST', url: '/magic-link' };
// Interface, section 8.
const VALID_HOURS = 24;

export const sendMagicLinkFields: INodeProperties[] = [
	emailField(operation),
	{
		displayName: 'Redirect URL',
		name: 'redirectUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/welcome',
		description: 'The page that opens after the student has signed in',
		displayOptions: { show: { resource: ['student'], operation } },
	},
];

const prepare: PrepareItem = (parameters) => {
	const email = readEmailOf(parameters);
	const redirectUrl = readRedirectUrl(parameters.get('redirectUrl'), 'Redirect URL');

	return async (send) => {
		const expiresAt = DateTime.utc().plus({ hours: VALID_HOURS }).toISO();
		const answer = await send({
			...requestTo(endpoint),
			body: given({ email, redirectUrl }),
			likelyCauses:
				'Check the e-mail address: usually no student has it, or it belongs to an administrative account, for which there are no magic links.',
		});
		return [{ ...asObject(answer), ...given({ success: true, email, redirectUrl, expiresAt }) }];
	};
};

const run = eachItem(prepare);

export const sendMagicLinkOption: INodePropertyOptions = {
	name: 'Send Magic Link',
	value: 'sendMagicLink',
	action: 'Send magic link to student',
	description:
		'E-mail a student a link that signs them in without a password. It is valid for 24 hours and not available for administrative accounts.',
	routing: asRouting(endpoint, run),
};

export const sendMagicLink = asCustomOperation(run);
