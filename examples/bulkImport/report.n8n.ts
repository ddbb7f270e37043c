// The Code node Say What Happened.
import type { StudentRow } from './readStudents';
import { type AddResult, type ChosenClass, report } from './report';

declare const $: (name: string) => {
	all(): Array<{ json: StudentRow }>;
	params: { classId: ChosenClass };
};
declare const $input: { all(): Array<{ json: AddResult }> };

const rows = $('Read File')
	.all()
	.map(({ json }) => json);
const results = $input.all().map(({ json }) => json);
const { classId } = $('Add Students').params;

export const output = [{ json: report(rows, results, classId, Date.now()) }];
