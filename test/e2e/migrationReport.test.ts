import { get, post } from '../n8n/session';
import { node } from '../n8n/workflows';
import { EXAMPLES, importExample } from './examples';
import { saveWorkflow } from './workflows';
import { startWorld, useWorld } from './world';

interface RuleResult {
	ruleId: string;
	nbAffectedWorkflows: number;
}

interface AffectedWorkflows {
	affectedWorkflows: Array<{ name: string; issues: Array<{ title: string }> }>;
}

const world = useWorld(startWorld);

// What the next major version changes is on a page of n8n's settings. It knows more than any list of ours.
test("n8n's migration report finds nothing in the examples that n8n 3 removes or changes", async () => {
	const { session } = world;
	for (const example of EXAMPLES) await importExample(world, example);
	// The report must find this one.
	await saveWorkflow(world, 'Outdated', [node('Each', 'executeWorkflow', 1.2, { mode: 'each' })]);
	const { report } = await post<{ report: { workflowResults: RuleResult[] } }>(
		session,
		'/breaking-changes/report/refresh?version=v3',
	);
	const affecting = report.workflowResults.filter(
		({ nbAffectedWorkflows }) => nbAffectedWorkflows > 0,
	);
	const found = affecting.map(async ({ ruleId }) => {
		const rule = await get<AffectedWorkflows>(session, `/breaking-changes/report/${ruleId}`);
		return rule.affectedWorkflows.flatMap(({ name, issues }) =>
			issues.map(({ title }) => `${name}: ${title}`),
		);
	});
	expect((await Promise.all(found)).flat()).toEqual([expect.stringMatching(/^Outdated: .*'Each'/)]);
});
