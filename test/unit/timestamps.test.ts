import { runInThisContext } from 'node:vm';
import { parseTimestamp } from '../../nodes/ClassEnrollment/trigger/timestamps';

// jest gives the tests a copy of the environment.
const { env } = runInThisContext('process') as NodeJS.Process;
const { TZ } = env;
beforeAll(() => void (env.TZ = 'America/Sao_Paulo'));
afterAll(() => void (TZ === undefined ? delete env.TZ : (env.TZ = TZ)));

test.each([
	'2026-03-30T15:00:00.000Z',
	'2026-03-30T15:00:00.000',
	'2026-03-30 15:00:00',
	'2026-03-30T15:00:00+00:00',
	// As databases write it.
	'2026-03-30 15:00:00.000+00',
	'2026-03-30T12:00:00-03:00',
])('%s is in UTC, also where n8n is not', (timestamp) => {
	expect(new Date('2026-03-30T15:00:00').getUTCHours()).toBe(18);
	expect(parseTimestamp(timestamp)).toBe(Date.UTC(2026, 2, 30, 15));
});
