import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PYTHON } from '../operations';

const CLASS = { ...PYTHON, createdAt: '2026-01-01T00:00:00.000Z' };

const pem = (name: string) => readFileSync(join(__dirname, name));
/** Made for the tests alone, by itself and for a hundred years: only a client that checks none accepts it. */
const CERTIFICATE = { key: pem('key.pem'), cert: pem('certificate.pem') };

/** What the node says where it does not trust the service. */
export const NOT_TRUSTED = /certificate can't be trusted.*'Ignore SSL.* credential/;

/** Gives the tests of a file a service with one class, whose certificate can only be trusted blindly. */
export function useUntrustedService() {
	const seen = { requests: 0, connections: 0 };
	const server = createServer(CERTIFICATE, (_request, response) => {
		seen.requests++;
		response.end(JSON.stringify({ data: [CLASS], totalRecords: 1 }));
	});
	server.on('connection', () => seen.connections++);
	beforeAll(async () => await once(server.listen(0, '127.0.0.1'), 'listening'));
	afterAll(() => server.close());
	beforeEach(() => void Object.assign(seen, { requests: 0, connections: 0 }));
	return {
		/** How often it was reached. */
		seen,
		/** A credential for it. */
		trusting: (ignoreSslIssues: boolean) => {
			const { port } = server.address() as AddressInfo;
			const baseUrl = `https://127.0.0.1:${port}/v1`;
			return { baseUrl, accessToken: 'test-access-token', ignoreSslIssues };
		},
	};
}
