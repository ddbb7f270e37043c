import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

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
			description: 'The address of the service, up to and including the version <code>/v1</code>',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The token that the service gave you. It is sent as a bearer token.',
		},
	];

	// A function, because n8n would evaluate an expression anew for every request.
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...requestOptions,
		headers: {
			...requestOptions.headers,
			Authorization: `Bearer ${String(credentials.accessToken).trim()}`,
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
		// n8n's type allows only rules of one kind in a list, its tester takes both.
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service did not accept the access token. Copy it again, without the word "Bearer".',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'There is no class list at this Base URL. It must include the version, as in https://api.example.com/v1.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: 'The access token does not allow to list classes. Use a token that does.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 429,
					message: 'The service asks for fewer requests. Wait a minute and test again.',
				},
			},
			...[500, 502, 503, 504].map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message: 'The service failed to answer. Test again later.' },
			})),
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode' as const,
				properties: {
					value,
					message: 'The service has moved to another address. Use that address as Base URL.',
				},
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'data',
					value: undefined,
					message:
						'The address answers, but not with a list of classes. Check that the Base URL is that of the API and not of a web page.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
