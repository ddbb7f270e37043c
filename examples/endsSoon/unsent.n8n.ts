// The Code node Everybody Emailed? It runs for each output of Email the Student.
import { assertSent, type Emailed } from './unsent';

declare const $input: { all(): Array<{ json: Emailed }> };

assertSent($input.all().map(({ json }) => json));

export const output = [];
