import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { parseAccessToken } from '../nodes/ClassEnrollment/values/accessToken';

export class ClassEnrollmentApi implements ICredentialType {
	name = 'classEnrollmentApi';

	displayName = 'Class Enrollment API';

	icon: Icon = {
		light: 'file:../icons/classEnrollment.svg',
		dark: 'file:../icons/classEnrollment.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-class-enrollment/n8n-nodes-class-enrollment#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1',
			description: 'The address of the API, up to and including the version',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Your API token',
		},
	];

	// A function, because n8n would evaluate an expression again for every request.
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...requestOptions,
		headers: {
			...requestOptions.headers,
			Authorization: `Bearer ${parseAccessToken(credentials.accessToken)}`,
		},
	});

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/classe',
			qs: { pageSize: 1 },
			// n8n would send the token along to wherever a redirect points.
			disableFollowRedirect: true,
		},
		// n8n's type allows one kind of rule per list, but its tester accepts both.
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message: 'The service did not accept the access token. Copy it again.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'No class list found at this Base URL. Include the version, e.g. https://api.example.com/v1.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The access token does not have permission to list classes. Use a token that does.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 429,
					message: 'Too many requests. Wait a minute, then test again.',
				},
			},
			...[500, 502, 503, 504].map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message: 'The service returned a server error. Try again later.' },
			})),
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode' as const,
				properties: {
					value,
					message: 'The service has moved to another address. Use that address as the Base URL.',
				},
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'data',
					value: undefined,
					message:
						'The Base URL did not return a class list. Check that it points to the API, not a web page.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
