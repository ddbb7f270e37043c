import { map } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Temper } from '../../service/service';
import type { RetryOf } from '../engine';
import { byId, type Fixture, isFor } from '../fixture';
import {
	type Correction,
	FAILURES,
	isList,
	type Item,
	type Place,
	type Scenario,
	type Student,
} from './scenarios';

/** Runs the node; where the user tries again, until everything is done. */
export async function tryAll({ student }: Fixture, scenario: Scenario) {
	const { operation, corrections, isUnstable } = scenario;
	const { workflow, onError, maxTries } = scenario.tries;
	let items = itemsAtFirst(scenario);
	const input = items.map(({ students: [first] }) => ({ ...first }));
	const tryOnce = async (retryOf?: RetryOf) =>
		await student(isList(scenario) ? 'addManyToClass' : operation, parametersOf(scenario, items), {
			items: input,
			// Of a list, the error output does not say which student failed.
			onError:
				isList(scenario) && onError === 'continueErrorOutput' ? 'continueRegularOutput' : onError,
			maxTries,
			retryOf,
		});
	let result = await tryOnce();
	let previous = items;
	for (let n = 0; workflow && n < 30 && result.error; n++) {
		if (isUnstable) await sleep(1000);
		const correction = workflow === 'current' && corrections[n];
		const now = correction ? correct(scenario, items, previous, correction) : items;
		[previous, items] = [items, now];
		result = await tryOnce({ run: result.run, workflow });
	}
	return { result, items };
}

/** The items at first, with a year for each student. The parameter Students is the same for all, so there is one. */
function itemsAtFirst(scenario: Scenario): Item[] {
	const [{ classIds }] = scenario.items as [Item & Scenario['items'][0]];
	const whole = [{ classIds, emails: map(scenario.items, 'emails').flat() }];
	let year = 2031;
	return (scenario.operation === 'from a list' ? whole : scenario.items).map((item) => ({
		classIds: item.classIds,
		students: (isList(scenario) ? item.emails : item.emails.slice(0, 1)).map((email) => ({
			email,
			year: year++,
		})),
	}));
}

function placeOf(items: Item[], place: Place) {
	const item = items[place.item % items.length]!;
	return { item, student: item.students[place.student % item.students.length]! };
}

/** The items after a correction of one student. Only a list has students that can be deleted or inserted. */
function correct(scenario: Scenario, items: Item[], previous: Item[], to: Correction): Item[] {
	const isLink = scenario.operation === 'sendMagicLink';
	const { item, student } = placeOf(items, scenario.corrected);
	// A link is sent for every other address.
	const dated = { ...student, year: isLink ? student.year + 10 : to.year };
	// Add Many takes the address from the input item.
	const another = scenario.operation === 'addManyToClass' ? dated : { ...student, email: to.email };
	const replacedBy = (...instead: Student[]) =>
		items.map(({ classIds, students }) => ({
			classIds,
			students: students.flatMap((one) => (one === student ? instead : one)),
		}));
	switch (to.of) {
		case 'date':
			return replacedBy(dated);
		case 'classes':
			return items.map((one) => (one === item ? { ...one, classIds: to.classIds } : one));
		case 'student':
			return replacedBy(another);
		case 'deletion':
			return item.students.length > 1 ? replacedBy() : replacedBy(another);
		case 'insertion':
			return isList(scenario)
				? replacedBy({ email: to.email, year: to.year }, student)
				: replacedBy(dated);
		case 'back':
			return isLink ? replacedBy(dated) : previous;
	}
}

function parametersOf(scenario: Scenario, items: Item[]): INodeParameters {
	const { operation, batchSize, maxConcurrentRequests, isUnstable } = scenario;
	const each = (valueOf: (item: Item, student: Student) => unknown) =>
		`={{ ${JSON.stringify(items.map((item) => valueOf(item, item.students[0]!)))}[$itemIndex] }}`;
	const dateIn = (year: number) => `${year}-01-31T12:00:00.000Z`;
	const years = each((_item, { year }) => year - new Date().getUTCFullYear()).slice(4, -3);
	return {
		email: each((_item, student) => student.email),
		classId: byId(each(({ classIds: [id] }) => id)),
		classIds: each(({ classIds: ids }) => ids),
		redirectUrl: each((_item, { year }) => `https://example.com/${year}`),
		accessExpiration: operation === 'from a list' ? 'none' : 'date',
		expirationDate: isUnstable
			? `={{ $now.plus({ years: ${years} }) }}`
			: each((_item, { year }) => dateIn(year)),
		studentsFrom:
			{ 'from JSON': 'json', 'from a list': 'list' }[operation as string] ?? 'inputItems',
		studentsJson: each(({ students }) =>
			students.map(({ email, year }) => ({ email, expirationDate: dateIn(year) })),
		),
		students: {
			// An expression, as n8n itself refuses an empty address.
			student: items[0]!.students.map(({ email, year }) => ({
				email: `={{ ${JSON.stringify(email)} }}`,
				name: `${year}`,
			})),
		},
		options: { batchSize },
		requestOptions: { maxConcurrentRequests, timeout: 1000 },
	};
}

/** What the service is like in a scenario. */
export function temperOf({ service, refused, script, latencyMs }: Scenario): Temper {
	const failures = [...script];
	let { times } = refused;
	return {
		forRequest: (request) => {
			const failure = failures.shift();
			// Others may get through before it.
			if (failure) return { ...service, latencyMs, ...FAILURES[failure] };
			const isRefused = refused.emails.some((email) => isFor(email)(request)) && times-- > 0;
			return isRefused ? { ...service, latencyMs, rejectEmails: refused.emails } : service;
		},
	};
}
