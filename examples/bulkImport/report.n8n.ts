// The Code node Say What Happened.
import type { Answer } from '../codeNodes/answer';
import type { StudentRow } from './readStudents';
import { type ChosenClass, report } from './report';

declare const $: (name: string) => {
	all(): Array<{ json: StudentRow }>;
	params: { classId: ChosenClass };
};
declare const $input: { all(): Array<{ json: Answer }> };

const rows = $('Read File')
	.all()
	.map(({ json }) => json);
const results = $input.all().map(({ json }) => json);
const { classId } = $('Add Students').params;

export const output = [{ json: report(rows, results, classId) }];
