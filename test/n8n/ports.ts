import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

const HOST = '127.0.0.1';
const given = new Set<number>();

/** Finds a free port, and never the same one twice. */
export async function freePort(): Promise<number> {
	const server = await listen(0);
	const { port } = server.address() as AddressInfo;
	const next = given.has(port) ? await freePort() : port;
	given.add(next);
	await close(server);
	return next;
}

/** Whether a port is free. */
export async function isFree(port: number): Promise<boolean> {
	try {
		await close(await listen(port));
		return true;
	} catch {
		return false;
	}
}

async function listen(port: number): Promise<Server> {
	const server = createServer().listen(port, HOST);
	await once(server, 'listening');
	return server;
}

async function close(server: Server): Promise<void> {
	server.close();
	await once(server, 'close');
}
