// The Code node Read File: a row of the file becomes an item.
import type { FormAnswers } from './columns';
import { readStudents } from './readStudents';

declare const helpers: {
	getBinaryDataBuffer(itemIndex: number, property: string): Promise<Uint8Array>;
};
declare const $input: { first(): { json: FormAnswers } };

const form = $input.first().json;

export const output = helpers
	.getBinaryDataBuffer(0, 'File')
	.then((bytes) => readStudents(bytes, form, Date.now()).map((json) => ({ json })));
