import type { Temper } from '../service/service';
import { WAY } from './engine';
import {
	CONTINUE,
	EMAIL_OF_ITEM,
	errorsOf,
	inTurn,
	NO_RETRIES,
	ONE_BY_ONE,
	rows,
	useService,
} from './fixture';

const failWith = (status: number): Temper => ({ failWith: { status } });

const fixture = useService();

test.each<[string, Temper, string]>([
	['refuses the token', failWith(401), 'The service did not accept the access token'],
	['limits the rate', failWith(429), 'Too many requests'],
	['is down', failWith(503), 'The service is not available'],
])(
	'after a batch was refused, the service %s: each of its students may have been added',
	async (_what, temper, reason) => {
		fixture.service.temper = inTurn(failWith(400), temper);
		const options = { items: rows(40), ...CONTINUE };
		const result = await fixture.student('addManyToClass', NO_RETRIES, options);
		expect(errorsOf(result)).toEqual(
			rows(40).map(({ email }, n) =>
				expect.stringContaining(`${email} may or may not have been added (item ${n}): ${reason}`),
			),
		);
	},
);

if (WAY === 'step') {
	test('what an earlier try has done stays done when a correction of it is refused', async () => {
		const until = (date: string) => ({
			...EMAIL_OF_ITEM,
			...ONE_BY_ONE,
			accessExpiration: 'date',
			expirationDate: date,
		});
		const options = { items: rows(2) };
		fixture.service.temper = inTurn({}, failWith(400));
		const { run } = await fixture.student('addToClass', until('2030-01-01'), options);
		const retryOf = { run, workflow: 'current' as const };
		const again = { ...options, retryOf };
		const { error } = await fixture.student('addToClass', until('2031-01-01'), again);
		expect(error?.message).toContain(
			'; processed by an earlier try only: item 0; not sent: item 1.',
		);
	});
}

test('an error of an operation that only reads says what was read', async () => {
	fixture.service.temper = inTurn({}, failWith(403));
	const { error } = await fixture.classes(ONE_BY_ONE, { items: rows(3) });
	expect(error?.message).toMatch(
		/\. 1 of 3 items were processed before the run stopped; processed: item 0\.$/,
	);
});

test('an error begins with the address as it was entered, but not with all of a long text', async () => {
	const items = [{ email: ' Ana@example.com' }, { email: 'a'.repeat(100) }];
	fixture.service.temper = failWith(400);
	const errors = errorsOf(await fixture.student('addManyToClass', {}, { items, ...CONTINUE }));
	expect(errors.map((error) => error.split(':')[0])).toEqual([
		'Ana@example.com was refused (item 0)',
		`${'a'.repeat(80)} was not sent (item 1)`,
	]);
});
