// The Code node Say What Happened.
import type { StudentRow } from './readStudents';
import { type AddResult, report } from './report';

declare const $: (name: string) => { all(): Array<{ json: StudentRow }> };
declare const $input: { all(): Array<{ json: AddResult }> };

const rows = $('Read File')
	.all()
	.map(({ json }) => json);
const results = $input.all().map(({ json }) => json);

export const output = [{ json: report(rows, results, Date.now()) }];
