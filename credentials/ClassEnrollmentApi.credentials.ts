import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { parseAccessToken } from '../nodes/ClassEnrollment/values/accessToken';
import { BASE_URL } from '../nodes/ClassEnrollment/values/baseUrl';

/** What the test of the credential shows, by status. */
const MESSAGES: Array<[statuses: number[], message: string]> = [
	[[400], "The service rejected the request. 'Base URL' may need to begin with https://."],
	[[401], 'Access token not accepted. Copy it again.'],
	[[403], "The access token doesn't allow listing classes, or a firewall blocks n8n."],
	[[404], 'No class list found at this Base URL. Does it include the version, such as /v1?'],
	[[429], 'Too many requests. Wait a minute, then test again.'],
	[[500, 502, 503, 504], 'Something went wrong in the service. Try again later.'],
	[[301, 302, 303, 307, 308], 'The service has moved. Use its new address as the Base URL.'],
];

export class ClassEnrollmentApi implements ICredentialType {
	name = 'classEnrollmentApi';

	displayName = 'Class Enrollment API';

	icon: Icon = {
		light: 'file:../icons/classEnrollment.svg',
		dark: 'file:../icons/classEnrollment.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-class-enrollment/n8n-nodes-class-enrollment#credentials';

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
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
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
			// What the node would refuse is not an address.
			baseURL: `={{ ($credentials.baseUrl.trim().match(${BASE_URL}) ?? [""])[0].replace(/\\/+$/, "") }}`,
			url: '/classe',
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}',
			// n8n would send the token along to wherever a redirect points.
			disableFollowRedirect: true,
		},
		// n8n's type allows one kind of rule per list, but its tester accepts both.
		rules: [
			...MESSAGES.flatMap(([statuses, message]) =>
				statuses.map((value) => ({ type: 'responseCode', properties: { value, message } })),
			),
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
