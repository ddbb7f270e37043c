import sortBy from 'lodash/sortBy';

import type { Service } from '../test/service/service';
import { outputOf, type Execution } from '../test/n8n/executions';

interface Purchase {
	email: string;
	classes: string[];
}

/** Prints what the service recorded, not what n8n reports. */
export function printRecord(service: Service): void {
	const classes = service.classes.listClasses();
	const linksTo = (address: string) =>
		service.magicLinks.filter(({ email }) => email === address).length;

	console.log('\nWhat the service recorded\n');
	const rows = classes.flatMap(({ name: className, students }) =>
		students.map(({ name, email, expirationDate }) => ({
			Student: name,
			Email: email,
			Class: className,
			'Access until': expirationDate?.slice(0, 10) ?? 'unlimited',
			'Magic links': linksTo(email),
		})),
	);
	console.table(sortBy(rows, 'Email'));
	console.table(
		classes.map(({ name, countStudents }) => ({ Class: name, Students: countStudents })),
	);
}

/** Lists every difference between the purchases in the workflow and what the service recorded. */
export function findProblems(execution: Execution, service: Service): string[] {
	if (execution.status !== 'success') {
		const { message = 'no message', description, node } = execution.error ?? {};
		const where = node ? ` in "${node.name}"` : '';
		return [`The workflow ended with ${execution.status}${where}: ${message} ${description ?? ''}`];
	}
	const purchases = outputOf(execution, 'Purchases').map(({ json }) => json as unknown as Purchase);
	const isAdded = (id: string, email: string) =>
		service.classes
			.studentsOf(id)
			.some((student) => student.email === email && student.expirationDate !== undefined);
	const missing = purchases.flatMap(({ email, classes }) => [
		...classes
			.filter((id) => !isAdded(id, email))
			.map((id) => `${email} is not in class ${id} for a limited time`),
		...(service.magicLinks.some((link) => link.email === email) ? [] : [`${email} got no link`]),
	]);
	return [
		...(purchases.length === 0 ? ['The workflow has no purchases'] : []),
		...missing,
		...service.violations.map(
			(violation) => `Breaks the API contract: ${JSON.stringify(violation)}`,
		),
	];
}
