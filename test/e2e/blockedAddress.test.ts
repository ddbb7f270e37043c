import { jsonOf } from '../n8n/executions';
import { itemsNodes } from '../n8n/workflows';
import { EMAIL_OF_ITEM, OPERATIONS } from '../workflow/operations';
import { enrollment, NODE, runChain, student } from './workflows';
import { startWorld, useWorld } from './world';

const EMAILS = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
const ITEMS = itemsNodes(EMAILS.map((email) => ({ email })));

// n8n's protection against forged requests blocks addresses of its own network, such as that of the stand-in.
const world = useWorld(async () => startWorld({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } }));

afterEach(() => expect(world.service.requests).toEqual([]));

describe("where n8n's protection blocks the address of the service", () => {
	it.each(OPERATIONS)('$name says so, and that nothing was changed', async (tested) => {
		const { kind, resource, operation, valid, ofItem } = tested;
		const enroll = enrollment(NODE, { resource, operation, ...valid, ...ofItem });
		const { status, error } = await runChain(world, [...ITEMS, enroll]);
		expect(status).toBe('error');
		expect(error?.message).toContain('n8n blocked');
		const text = `${error?.message} ${error?.description}`;
		expect(text).not.toMatch(/unknown if|can't tell/i);
		if (kind !== 'read') expect(text).toMatch(/not (added|removed|sent)/i);
	});

	it('every item says so under "continue"', async () => {
		const settings = { onError: 'continueRegularOutput' };
		const links = student('sendMagicLink', EMAIL_OF_ITEM, settings);
		const execution = await runChain(world, [...ITEMS, links]);
		expect(jsonOf(execution, NODE).map(({ error }) => error)).toEqual(
			EMAILS.map(() => expect.stringContaining('n8n blocked') as string),
		);
	});
});
