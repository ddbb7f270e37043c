import { describe, isDone, objectOf } from './answer';
import type { Question } from './question';

const ABOUT_LIMITS = /^(retry-after|(x-)?rate-?limit.*)$/;

const limitsIn = (headers: Headers) =>
	[...headers]
		.filter(([name]) => ABOUT_LIMITS.test(name))
		.map(([name, value]) => `${name}: ${value}`);

/** Questions that the responses so far answer. They send nothing. */
export const HEADER_QUESTIONS: Question[] = [
	{
		title: 'Error bodies',
		sends: 'nothing more',
		assumption: 'JSON with a text `message`',
		file: 'transport/response.ts',
		ask: async ({ service }) => {
			const failed = service.answers.filter((answer) => !isDone(answer));
			const odd = failed.find((answer) => typeof objectOf(answer).message !== 'string');
			if (failed.length === 0) return { seen: 'no error' };
			const seen = odd ? describe(odd) : `in all ${failed.length} errors`;
			return { seen, isHeld: !odd };
		},
	},
	{
		title: 'Too many requests',
		sends: 'nothing more',
		assumption: 'Status 429 with `Retry-After`, as seconds or a date',
		file: 'transport/retry.ts',
		ask: async ({ service }) => {
			const limited = service.answers.find(({ status }) => status === 429);
			if (!limited) {
				const { headers } = service.answers.at(-1) ?? { headers: new Headers() };
				return { seen: ['no 429', ...limitsIn(headers)].join('; ') };
			}
			const after = limited.headers.get('retry-after') ?? '';
			const isHeld = /^\d+$/.test(after) || !Number.isNaN(Date.parse(after));
			return { seen: ['status 429', ...limitsIn(limited.headers)].join('; '), isHeld };
		},
	},
];
