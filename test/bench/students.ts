/** A student as the service takes it. */
export interface Student {
	name: string;
	email: string;
	expirationDate: string;
}

/** The class that all students are added to. */
export const CLASS_ID = '0b6f4f5e-6a53-4b52-8f4e-2d1f6a3c0001';

const DAYS = 365;

/** Makes students with three fields each, no two with the same e-mail address. */
export function makeStudents(count: number): Student[] {
	return Array.from({ length: count }, (_, index) => ({
		name: `Student ${index + 1}`,
		email: `student.${index + 1}@example.com`,
		expirationDate: new Date(Date.UTC(2027, 0, 1 + (index % DAYS), 12)).toISOString(),
	}));
}
