import type { INodeParameters } from 'n8n-workflow';
import { received, type RequestRecord } from '../service/service';
import type { RunOptions } from './engine';
import { byId, emailOf, jsonOf, PYTHON, rows, RUST, useService, WRITES } from './fixture';

// n8n runs a node again, with the same items, where its first output item is an error or where it throws.
const THREE_TRIES = { maxTries: 3 };
const CONTINUE = ['continueRegularOutput', 'continueErrorOutput'] as const;
const EMAIL_OF_ITEM = { email: '={{ $json.email }}', requestOptions: { maxConcurrentRequests: 1 } };
const BAD = 'admin@example.com';
const expiresAt = expect.any(String) as string;

const itemsOf = (...emails: string[]) => emails.map((email) => ({ email }));
const isFor = (email: string) => (request: RequestRecord) =>
	JSON.stringify(request.body ?? '').includes(`"${email}"`);

describe("n8n's Retry On Fail", () => {
	const fixture = useService();
	const emailsSent = () => fixture.service.magicLinks.map(({ email }) => email);
	const requestsFor = (email: string) => fixture.service.requests.filter(isFor(email));
	const sendLinks = async (emails: string[], options: Partial<RunOptions>) =>
		await fixture.student('sendMagicLink', EMAIL_OF_ITEM, {
			items: itemsOf(...emails),
			...options,
		});
	/** Numbers the responses, so that an output item shows which one it was made from. */
	const numberResponses = () => {
		fixture.service.temper.onRequest = () => {
			fixture.service.temper.extraAnswerFields = { number: fixture.service.requests.length };
		};
	};

	describe.each(CONTINUE)('under %s', (onError) => {
		test('sends nobody a second magic link', async () => {
			numberResponses();
			const [a, b] = [emailOf(1), emailOf(2)];
			const result = await sendLinks([BAD, a, b], { ...THREE_TRIES, onError });
			expect(emailsSent()).toEqual([a, b]);
			expect(requestsFor(BAD)).toHaveLength(3);
			expect(fixture.service.requests).toHaveLength(5);
			const good = [
				{ json: { success: true, email: a, number: 2, expiresAt }, pairedItem: { item: 1 } },
				{ json: { success: true, email: b, number: 3, expiresAt }, pairedItem: { item: 2 } },
			];
			const { items, errorItems } = result;
			expect(onError === 'continueErrorOutput' ? items : items.slice(1)).toEqual(good);
			const [failed] = onError === 'continueErrorOutput' ? errorItems : items;
			expect(failed!.json.error).toContain('administrative account');
			expect(failed!.pairedItem).toEqual({ item: 0 });
		});

		test('does not take a removal that succeeded for a failure', async () => {
			const result = await fixture.student('removeFromClass', EMAIL_OF_ITEM, {
				items: itemsOf('nobody@example.com', 'student@example.com'),
				...THREE_TRIES,
				onError,
			});
			expect(requestsFor('student@example.com')).toHaveLength(1);
			expect(requestsFor('nobody@example.com')).toHaveLength(3);
			const removed = jsonOf(result.items).filter(({ deleted }) => deleted);
			expect(removed).toEqual([
				{ deleted: true, email: 'student@example.com', classId: PYTHON.id },
			]);
			expect([...result.items, ...result.errorItems]).toHaveLength(2);
		});

		test('an item that succeeds in the last try is no error', async () => {
			fixture.service.temper = { failWith: { status: 400, times: 2, only: isFor(emailOf(0)) } };
			const result = await sendLinks([emailOf(0), emailOf(1)], { ...THREE_TRIES, onError });
			expect(jsonOf(result.items)).toEqual([
				{ success: true, email: emailOf(0), expiresAt },
				{ success: true, email: emailOf(1), expiresAt },
			]);
			expect(result.errorItems).toEqual([]);
			expect(emailsSent()).toEqual([emailOf(1), emailOf(0)]);
		});

		test('tries again what may or may not have been done', async () => {
			fixture.service.temper = { failWith: { status: 500, times: 1, only: isFor(emailOf(0)) } };
			const result = await sendLinks([emailOf(0), emailOf(1)], { ...THREE_TRIES, onError });
			expect(result.errorItems).toEqual([]);
			expect(jsonOf(result.items).map(({ email }) => email)).toEqual([emailOf(0), emailOf(1)]);
			expect(requestsFor(emailOf(0)).map(({ status }) => status)).toEqual([500, 200]);
			expect(requestsFor(emailOf(1))).toHaveLength(1);
		});

		test('Add Many adds each row once', async () => {
			numberResponses();
			const bad = emailOf(0);
			Object.assign(fixture.service.temper, { refuseEnrolled: true, rejectEmails: [bad] });
			const parameters = {
				options: { batchSize: 4 },
				requestOptions: { maxConcurrentRequests: 1 },
			};
			const options = { items: rows(10), onError };
			const once = await fixture.student('addManyToClass', parameters, options);
			const inOneTry = received(fixture.service);
			fixture.service.resetRecord();
			rows(10)
				.slice(1)
				.forEach(({ email }) => fixture.service.classes.remove([PYTHON.id], email));

			const result = await fixture.student('addManyToClass', parameters, {
				...options,
				...THREE_TRIES,
			});
			expect(result.items).toEqual(once.items);
			expect(result.errorItems).toEqual(once.errorItems);
			// The later tries send only the row that was refused.
			expect(received(fixture.service).slice(0, inOneTry.length)).toEqual(inOneTry);
			const later = fixture.service.requests.slice(inOneTry.length);
			expect(later.map(({ body }) => body)).toEqual([
				{ students: [{ email: bad }] },
				{ students: [{ email: bad }] },
			]);
			expect(fixture.service.classes.studentsOf(PYTHON.id)).toHaveLength(10);
		});

		test('Add Many adds each row once if only a row that is never sent fails', async () => {
			const { error, errorItems } = await fixture.student(
				'addManyToClass',
				{},
				{ items: [{ email: 'nobody' }, ...rows(3)], onError, ...THREE_TRIES },
			);
			expect(error).toBeUndefined();
			if (onError === 'continueErrorOutput') expect(errorItems).toHaveLength(1);
			expect(fixture.service.requests).toHaveLength(1);
		});
	});

	describe('where an error stops the workflow', () => {
		test('the next try does the rest', async () => {
			numberResponses();
			fixture.service.temper.failWith = { status: 400, times: 1, only: isFor(emailOf(1)) };
			const emails = [0, 1, 2].map(emailOf);
			const { items, error } = await sendLinks(emails, THREE_TRIES);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([
				{ success: true, email: emailOf(0), number: 1, expiresAt },
				{ success: true, email: emailOf(1), number: 3, expiresAt },
				{ success: true, email: emailOf(2), number: 4, expiresAt },
			]);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
				[0, 1, 2].map((item) => ({ item })),
			);
			expect(emailsSent()).toEqual(emails);
		});

		test('what succeeds while another item fails is not sent again either', async () => {
			const emails = Array.from({ length: 20 }, (_, n) => emailOf(n));
			fixture.service.temper = {
				latencyMs: 20,
				failWith: { status: 400, times: 2, only: isFor(emailOf(5)) },
			};
			const { items, error } = await sendLinks(emails, {
				...THREE_TRIES,
				parameters: {
					resource: 'student',
					operation: 'sendMagicLink',
					email: EMAIL_OF_ITEM.email,
				},
			});
			expect(error).toBeUndefined();
			expect(jsonOf(items).map(({ email }) => email)).toEqual(emails);
			expect(emailsSent().sort()).toEqual([...emails].sort());
		});

		test('the error of the last try says all that was done', async () => {
			fixture.service.temper = { failWith: { status: 400, only: isFor(emailOf(1)) } };
			const { items, error } = await sendLinks([0, 1, 2].map(emailOf), THREE_TRIES);
			expect(items).toEqual([]);
			expect(error?.description).toContain('Processed 1 of 3 items (0).');
			expect(emailsSent()).toEqual([emailOf(0)]);
			expect(requestsFor(emailOf(1))).toHaveLength(3);
		});

		test('an outcome that is unknown is tried again', async () => {
			fixture.service.temper = { failWith: { status: 500, times: 1, only: isFor(emailOf(1)) } };
			const { items, error } = await sendLinks([0, 1, 2].map(emailOf), THREE_TRIES);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(3);
			expect(emailsSent()).toEqual([0, 1, 2].map(emailOf));
			expect(requestsFor(emailOf(1)).map(({ status }) => status)).toEqual([500, 200]);
		});

		test('Add Many sends only what was not added', async () => {
			fixture.service.temper = {
				refuseEnrolled: true,
				failWith: { status: 400, times: 1, only: isFor(emailOf(3)) },
			};
			const { items, error } = await fixture.student(
				'addManyToClass',
				{ options: { batchSize: 2 }, requestOptions: { maxConcurrentRequests: 1 } },
				{ items: rows(6), ...THREE_TRIES },
			);
			expect(error).toBeUndefined();
			expect(jsonOf(items).map(({ email }) => email)).toEqual(rows(6).map(({ email }) => email));
			const sent = fixture.service.requests.map(({ body }) =>
				(body as { students: Array<{ email: string }> }).students.map(({ email }) => email),
			);
			expect(sent).toEqual(
				[
					[0, 1],
					[2, 3],
					[2, 3],
					[4, 5],
				].map((batch) => batch.map(emailOf)),
			);
		});

		test('the error of Add Many says all that was added in any try', async () => {
			fixture.service.temper = { refuseEnrolled: true, rejectEmails: [emailOf(3)] };
			const { error } = await fixture.student(
				'addManyToClass',
				{ options: { batchSize: 2 }, requestOptions: { maxConcurrentRequests: 1 } },
				{ items: rows(6), ...THREE_TRIES },
			);
			expect(error?.message).toContain(`Email not accepted: ${emailOf(3)}`);
			expect(error?.message).toContain(
				'2 of 6 students were added before the run stopped; added: items 0-1; not added: items 2-5.',
			);
			expect(fixture.service.requests).toHaveLength(4);
		});
	});

	describe('repeats', () => {
		test('reading', async () => {
			fixture.service.temper = {
				onRequest: () => {
					const { length } = fixture.service.requests;
					if (length > 1) fixture.service.classes.addClass({ name: `After request ${length - 1}` });
				},
			};
			const { items, errorItems } = await fixture.classes(
				{ limit: '={{ $json.limit }}' },
				{ items: [{ limit: 0 }, { limit: 50 }], ...THREE_TRIES, onError: 'continueErrorOutput' },
			);
			expect(fixture.service.requests).toHaveLength(3);
			expect(jsonOf(items).map(({ name }) => name)).toEqual([
				PYTHON.name,
				RUST.name,
				'After request 1',
				'After request 2',
			]);
			expect(errorItems).toHaveLength(1);
		});

		test('reading that failed', async () => {
			fixture.service.temper = { failWith: { status: 500, times: 1 } };
			const parameters = { requestOptions: { maxRetries: 0 } };
			const { items, error } = await fixture.classes(parameters, THREE_TRIES);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(2);
			expect(fixture.service.requests).toHaveLength(2);
		});

		test('nothing that only looks alike: two items for one student are two emails', async () => {
			const a = emailOf(1);
			const onError = 'continueErrorOutput';
			const { items } = await sendLinks([BAD, a, a], { ...THREE_TRIES, onError });
			expect(emailsSent()).toEqual([a, a]);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
		});

		test('nothing of an item in one class for its other class', async () => {
			const items = [PYTHON.id, RUST.id].map((to) => ({ to, email: 'student@example.com' }));
			const { items: removed } = await fixture.student(
				'removeFromClass',
				{ ...EMAIL_OF_ITEM, classId: byId('={{ $json.to }}') },
				{
					items: [{ to: PYTHON.id, email: 'nobody@example.com' }, ...items],
					...THREE_TRIES,
					onError: 'continueErrorOutput',
				},
			);
			expect(jsonOf(removed).map(({ classId }) => classId)).toEqual([PYTHON.id, RUST.id]);
			expect(requestsFor('student@example.com').map(({ path }) => path)).toEqual(
				[PYTHON.id, RUST.id].map((id) => `/classe/${id}/remove-student`),
			);
		});
	});

	describe('keeps apart', () => {
		test.each([undefined, ...CONTINUE])('the rounds of a loop (%s)', async (onError) => {
			const { run } = await sendLinks([emailOf(1)], { ...THREE_TRIES, onError, rounds: 3 });
			expect(emailsSent()).toEqual([1, 1, 1].map(emailOf));
			expect(run.data.resultData.runData['Class Enrollment']).toHaveLength(3);
		});

		test('the rounds of a loop in which an item fails', async () => {
			const onError = 'continueErrorOutput';
			await sendLinks([BAD, emailOf(1)], { ...THREE_TRIES, onError, rounds: 2 });
			expect(emailsSent()).toEqual([1, 1].map(emailOf));
			expect(requestsFor(BAD)).toHaveLength(6);
		});

		test('the rounds of a loop of Add Many', async () => {
			const { run } = await fixture.student(
				'addManyToClass',
				{},
				{ items: rows(3), ...THREE_TRIES, rounds: 2 },
			);
			expect(run.data.resultData.runData['Class Enrollment']).toHaveLength(2);
			expect(received(fixture.service).map(({ body }) => body)).toEqual([
				{ students: rows(3) },
				{ students: rows(3) },
			]);
		});

		test('two executions', async () => {
			const onError = 'continueErrorOutput';
			for (let n = 0; n < 2; n++) await sendLinks([BAD, emailOf(1)], { ...THREE_TRIES, onError });
			expect(emailsSent()).toEqual([1, 1].map(emailOf));
		});

		test('two executions at the same time', async () => {
			const onError = 'continueErrorOutput';
			await Promise.all(
				[1, 2].map(async () => await sendLinks([BAD, emailOf(1)], { ...THREE_TRIES, onError })),
			);
			expect(emailsSent()).toEqual([1, 1].map(emailOf));
			expect(requestsFor(BAD)).toHaveLength(6);
		});
	});
});

describe('a response with a field "error"', () => {
	const fixture = useService();
	const VALUES = ['', null, 0, false, {}];
	const cases = WRITES.flatMap((operation) => VALUES.map((error) => ({ ...operation, error })));

	test.each(cases)('is a success: $name, $error', async ({ error, ...operation }) => {
		for (const options of [
			{ onError: 'continueErrorOutput' } as const,
			{ onError: 'continueRegularOutput' } as const,
			{},
		]) {
			fixture.service.classes.enroll([PYTHON.id, RUST.id], [{ email: 'student@example.com' }]);
			fixture.service.resetRecord();
			fixture.service.temper = { extraAnswerFields: { error, job: 'j1' } };
			const result = await fixture.run(operation, {}, { ...options, ...THREE_TRIES });
			expect(result.error).toBeUndefined();
			expect(result.errorItems).toEqual([]);
			expect(result.items).toHaveLength(1);
			expect(result.items[0]!.json).toMatchObject({ job: 'j1' });
			expect(result.items[0]!.json).not.toHaveProperty('error');
			expect(fixture.service.requests).toHaveLength(1);
		}
	});

	test.each(['text', ...VALUES])('%j of a class is left out', async (error) => {
		const data = [
			{ id: 'a', name: 'A', error },
			{ id: 'b', name: 'B', countStudents: 3 },
		];
		fixture.service.temper = { answerJson: { data, totalRecords: 2 } };
		for (const onError of [...CONTINUE, undefined]) {
			fixture.service.resetRecord();
			const result = await fixture.classes({ returnAll: true }, { onError, ...THREE_TRIES });
			expect(result.error).toBeUndefined();
			expect(result.errorItems).toEqual([]);
			expect(jsonOf(result.items)).toEqual([
				{ id: 'a', name: 'A' },
				{ id: 'b', name: 'B', countStudents: 3 },
			]);
			expect(fixture.service.requests).toHaveLength(1);
		}
	});

	test.each(['sendMagicLink', 'addManyToClass'])(
		'is a success of %s also by the routing alone, as for a tool',
		async (operation) => {
			fixture.service.temper = { extraAnswerFields: { error: '' } };
			const parameters: INodeParameters =
				operation === 'addManyToClass' ? { studentsFrom: 'inputItems' } : {};
			const result = await fixture.student(operation, parameters, {
				way: 'routing',
				...THREE_TRIES,
			});
			expect(result.error).toBeUndefined();
			expect(result.items[0]!.json).not.toHaveProperty('error');
			expect(fixture.service.requests).toHaveLength(1);
		},
	);
});
