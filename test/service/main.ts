import { parseArgs } from 'node:util';
import { startService, type RequestRecord } from './service';

const sampleNames = [
	'Python for Beginners',
	'Data Analysis',
	'Web Design',
	'Photography',
	'English Conversation',
];

function readArguments() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			token: { type: 'string' },
			classes: { type: 'string', default: '3' },
		},
	});
	return {
		port: wholeNumber('--port', values.port, 65535),
		accessToken: values.token,
		classes: wholeNumber('--classes', values.classes, 100_000),
	};
}

function wholeNumber(option: string, text: string, most: number): number {
	if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
	throw new Error(`${option} needs a whole number from 0 to ${most}, not "${text}"`);
}

function sampleName(index: number): string {
	const round = Math.floor(index / sampleNames.length);
	return sampleNames[index % sampleNames.length] + (round ? ` ${round + 1}` : '');
}

function printRequest({ method, path, status, receivedAt, finishedAt }: RequestRecord): void {
	const duration = (finishedAt ?? receivedAt) - receivedAt;
	console.log(`${method} ${path} → ${status ?? 'no response'}, ${duration} ms`);
}

async function main(): Promise<void> {
	const { port, accessToken, classes } = readArguments();
	const service = await startService({ port, accessToken, onFinished: printRequest });
	for (let index = 0; index < classes; index++) {
		service.classes.addClass({ name: sampleName(index) });
	}
	console.log(`Base URL:      ${service.baseUrl}`);
	console.log(`Access token:  ${service.accessToken}`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, service.close);
}

main().catch((error: NodeJS.ErrnoException & { port?: number }) => {
	console.error(
		error.code === 'EADDRINUSE'
			? `Port ${error.port} is taken. Choose another one with --port.`
			: error.message,
	);
	process.exitCode = 1;
});
