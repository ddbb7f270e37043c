import { parseArgs } from 'node:util';
import { startService, type RequestRecord } from './service';

function readPort(): number {
	const { port } = parseArgs({ options: { port: { type: 'string', default: '4010' } } }).values;
	if (/^\d+$/.test(port) && Number(port) <= 65535) return Number(port);
	throw new Error(`--port needs a whole number from 0 to 65535, not "${port}"`);
}

function printRequest({ method, path, status }: RequestRecord): void {
	console.log(`${method} ${path} → ${status ?? 'no response'}`);
}

async function main(): Promise<void> {
	const service = await startService({ port: readPort(), onFinished: printRequest });
	for (const name of ['Python for Beginners', 'Data Analysis', 'Web Design']) {
		service.classes.addClass({ name });
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
