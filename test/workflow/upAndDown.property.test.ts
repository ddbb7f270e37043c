import fc from 'fast-check';
import { uniqBy } from 'lodash';
import { testProperty } from '../property';
import { WAY } from './engine';
import { PYTHON, RUST, withService } from './fixture';
import {
	contentsOf,
	expectNoneLost,
	expectNoSecondLink,
	expectTrueClaims,
	expectTrueWords,
} from './judge';
import { temperOf, tryAll } from './upAndDown/drive';
import {
	AGAIN,
	type Arbitraries,
	CHAINS,
	CLOSED,
	INVALID,
	ONCE,
	OUTAGES,
	type Scenario,
} from './upAndDown/scenarios';
import { rowsOf, saidOf } from './upAndDown/said';

async function runScenario(scenario: Scenario, isFair: boolean): Promise<void> {
	const { operation, tries } = scenario;
	const isRetried = tries.workflow !== undefined || tries.maxTries !== undefined;
	await withService(async (fixture) => {
		const { service } = fixture;
		const students = scenario.items.flatMap(({ emails }) => emails);
		if (operation === 'removeFromClass') {
			service.classes.enroll(
				[PYTHON.id, RUST.id],
				students.map((email) => ({ email: email.trim() })),
			);
		}
		const before = contentsOf(service);
		service.temper = temperOf(scenario);
		const { result, items } = await tryAll(fixture, scenario);
		const rows = rowsOf(scenario, items);
		expectNoSecondLink(service);
		if (isRetried && result.error) {
			// A removal that was unknown may fail in every try, as may what n8n does not try often enough.
			expect(tries.workflow === undefined || operation === 'removeFromClass').toBe(true);
			return;
		}
		const invalid = rows.find(({ email }) => INVALID.includes(email));
		if (invalid && tries.onError === 'stopWorkflow') {
			expect(result.error?.message).toContain(`[${invalid.place}]`);
			expect(service.requests).toEqual([]);
			return;
		}
		const said = saidOf(result, rows);
		const claims = rows.flatMap(({ email, keys, value, sent }, n) => {
			if (INVALID.includes(email)) return [];
			const asked = said[n] === 'replaced' ? value : sent;
			return [{ asks: new Map(keys.map((key) => [key, asked])), said: said[n]! }];
		});
		expectTrueClaims(before, contentsOf(service), service.requests, claims);
		if (isRetried) return;
		expect(service.magicLinks).toEqual(uniqBy(service.magicLinks, 'redirectUrl'));
		expectTrueWords(service.requests, claims);
		// After four refused tokens in a row, a run is over, whatever it has not tried yet.
		const mayEnd = scenario.service.failWith?.status === 401;
		if (isFair && !mayEnd && tries.onError !== 'stopWorkflow') {
			service.temper = temperOf({ ...scenario, script: [] });
			await expectNoneLost(service, claims);
		}
	});
}

/** Several at once, since each mostly waits. */
function testScenarios(name: string, runs: number, scenario: Arbitraries, isFair = false) {
	const several = fc.array(fc.record(scenario), { minLength: 1, maxLength: 20 });
	const property = fc.asyncProperty(several, async (all) => {
		const outcomes = await Promise.allSettled(
			all.map(async (one) => await runScenario(one, isFair)),
		);
		for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
	});
	testProperty(name, runs, property);
}

describe('what comes out is so', () => {
	testScenarios('whatever the service is like, and what it takes is done', 10, ONCE, true);
	testScenarios('also with outages', 8, OUTAGES);
	testScenarios('also with a service that does hardly anything', 2, CLOSED);
	testScenarios('however often it is tried again', 6, AGAIN);
	if (WAY === 'step') testScenarios('also after a few corrections', 12, CHAINS);
});
