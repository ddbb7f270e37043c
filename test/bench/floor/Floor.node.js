const CREDENTIAL = 'classEnrollmentApi';
const MAX_IN_FLIGHT = 10;

/** Sends every item as the body of a request, with the same settings as the node under test. */
exports.Floor = class {
	description = {
		displayName: 'Floor',
		name: 'floor',
		group: ['output'],
		version: 1,
		description: 'Sends prepared requests',
		defaults: { name: 'Floor' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [{ displayName: 'Path', name: 'path', type: 'string', default: '' }],
	};

	async execute() {
		const items = this.getInputData();
		const data = await this.getCredentials(CREDENTIAL);
		const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
		const url = `${data.baseUrl}${this.getNodeParameter('path', 0)}`;
		let next = 0;
		const sendInTurn = async () => {
			while (next < items.length) {
				const { json: body } = items[next++];
				const { statusCode } = await this.helpers.httpRequestWithAuthentication.call(
					this,
					CREDENTIAL,
					{
						method: 'POST',
						url,
						body,
						json: true,
						encoding: 'text',
						timeout: 300_000,
						returnFullResponse: true,
						ignoreHttpStatusErrors: true,
						disableFollowRedirect: true,
					},
					{ credentialsDecrypted },
				);
				if (statusCode !== 200) throw new Error(`The server returned ${statusCode}`);
			}
		};
		await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, sendInTurn));
		return [items];
	}
};
