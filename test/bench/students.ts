/** A student as the service takes it. */
export type Student = ReturnType<typeof makeStudents>[number];

const DAYS = 365;

/** Makes students with three fields each and different email addresses. */
export function makeStudents(count: number) {
	return Array.from({ length: count }, (_, index) => ({
		name: `Student ${index + 1}`,
		email: `student.${index + 1}@example.com`,
		expirationDate: new Date(Date.UTC(2027, 0, 1 + (index % DAYS), 12)).toISOString(),
	}));
}
