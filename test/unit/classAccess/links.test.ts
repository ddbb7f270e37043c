import { record } from '../../classAccess/story';
import { failed, MINUTE, SALE, REFUND, useClassAccess } from './fixture';

describe('one sale', () => {
	const { world, execute, byHand, answer, hour, afterTheLease, inClass } = useClassAccess();

	test('sends the link with the next repeat when its sending failed, or within the hour', () => {
		answer('busy', 'sendMagicLink');
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		expect(hour).toThrow("Couldn't send a magic link to ana@example.com");
		world.service.outcome = () => 'done';
		hour();
		hour();
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('sends the link in the next hour to whom of two buyers it failed', () => {
		record(world, SALE);
		record(world, { ...SALE, paymentId: 'p2', email: 'bob@example.com' });
		answer('busy', 'sendMagicLink bob@example.com');
		expect(hour).toThrow("Couldn't send a magic link to bob@example.com");
		world.service.outcome = () => 'done';
		hour();
		expect(world.service.links).toEqual(['ana@example.com', 'bob@example.com']);
	});

	test('sends at most a second link if the answer was lost, and says so', () => {
		answer('lost', 'sendMagicLink');
		expect(execute(SALE)).toMatchObject({ result: 'failed' });
		expect(hour).toThrow('It may have arrived, and is not sent again.');
		for (let hours = 0; hours < 3; hours++) hour();
		expect(world.service.links).toHaveLength(2);
		// Of the next purchase, the first answer that is lost isn't the second one.
		world.now += 30 * MINUTE;
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		expect(hour).toThrow('not sent again');
		hour();
		expect(world.service.links).toHaveLength(4);
	});

	test('sends a link to who buys again after a refund whose removal had no answer', () => {
		execute(SALE);
		world.service.outcome = () => 'lost';
		execute(REFUND);
		world.service.outcome = () => 'done';
		world.now += 30 * MINUTE;
		expect(execute({ ...SALE, paymentId: 'p2' })).toMatchObject({ result: 'added' });
		expect(world.service.links).toHaveLength(2);
	});

	test('sends the link of a purchase twice if its answer was lost, also after one that was lost before a refund', () => {
		answer('lost', 'sendMagicLink');
		execute(SALE);
		execute(REFUND);
		expect(inClass()).toEqual([]);
		world.now += 30 * MINUTE;
		execute({ ...SALE, paymentId: 'p2' });
		expect(hour).toThrow('not sent again');
		expect(world.service.links).toHaveLength(3);
	});

	test('sends the link under another lease, if the first one ends soon', () => {
		world.service.latency = () => 9.5 * MINUTE;
		expect(execute(SALE)).toMatchObject({ result: 'added' });
		expect(world.service.links).toEqual(['ana@example.com']);
		world.service.latency = () => 0;
		hour();
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('sends one link for a purchase, if one of its classes is added an hour later', () => {
		answer('busy', ' c1');
		execute({ ...SALE, products: 'AB' });
		world.service.outcome = () => 'done';
		world.now += 60 * MINUTE;
		hour();
		expect(inClass()).toEqual(['ana@example.com c1', 'ana@example.com c2']);
		expect(world.service.links).toEqual(['ana@example.com']);
	});

	test('says once that the platform rejects a link', () => {
		const { requests } = world.service;
		answer('rejected', 'sendMagicLink');
		expect(execute(SALE)).toMatchObject(failed('use the operation Send Magic Link.'));
		hour();
		expect(requests).toHaveLength(2);
	});

	test('sends one link for what is bought within ten minutes, and another one later', () => {
		execute(SALE);
		world.now += 5 * MINUTE;
		execute({ ...SALE, paymentId: 'p2', products: 'B' });
		expect(world.service.links).toHaveLength(1);
		world.now += 30 * MINUTE;
		world.service.classes.push('c3');
		byHand({ classId: 'c3', email: 'ana@example.com' });
		world.tables.class_products!.insert({ product: '', classId: 'c3' }, 0);
		hour();
		expect(world.service.links).toHaveLength(2);
	});

	test.each(['done', 'lost'] as const)(
		'sends a link to who buys again after the end, although no removal was possible (the addition is %s)',
		(outcome) => {
			execute(SALE);
			world.now = Date.parse('2027-03-02T00:00:00Z');
			world.service.outcome = () => 'busy';
			expect(hour).toThrow("Couldn't remove");
			world.service.outcome = () => outcome;
			execute({ ...SALE, paymentId: 'p2', paidAt: '2027-03-02T00:00:00Z' });
			world.service.outcome = () => 'done';
			afterTheLease();
			hour();
			expect(world.service.links).toHaveLength(2);
		},
	);

	test.each(['before', 'after'])(
		'sends a link to who buys again %s the hour has ended it',
		(when) => {
			execute(SALE);
			world.now = Date.parse('2027-03-02T00:00:00Z');
			if (when === 'after') hour();
			execute({ ...SALE, paymentId: 'p2', paidAt: '2027-03-02T00:00:00Z' });
			expect(world.service.links).toHaveLength(2);
		},
	);
});
