import express from 'express';
import mapValues from 'lodash/mapValues';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { basename, join } from 'node:path';

import { packPackage, readPackageJson, type PackageJson } from '../../n8n/communityPackage';
import { CERTIFICATE } from '../../workflow/tls/service';

/** A version: its package.json, and the file name of its tarball. */
interface Manifest extends PackageJson {
	tarball: string;
}

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/**
 * Starts a stand-in for npm's public registry, with no package. Without a license, n8n uses no other registry than npm's. So this one is a proxy that
 * answers in its name, and everything else that n8n requests over HTTPS with 404.
 */
export async function startRegistry(folder: string) {
	const packages = new Map<string, Record<string, Manifest>>();
	const tarballs = await mkdtemp(join(folder, 'registry-'));

	const app = express();
	app.use('/tarballs', express.static(tarballs));
	app.get('/:name', ({ params: { name }, host }, response, next) => {
		const published = packages.get(name);
		if (!published) return next();
		const versions = mapValues(published, ({ tarball, ...manifest }) => ({
			...manifest,
			dist: { tarball: `https://${host}/tarballs/${tarball}` },
		}));
		response.json({ name, versions, 'dist-tags': { latest: Object.keys(versions).at(-1) } });
	});

	const site = createServer(CERTIFICATE, app);
	const proxy = createProxy();
	const sockets = new Set<Socket>();
	proxy.on('connect', (_request, socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		site.emit('connection', socket);
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	const { port } = proxy.address() as AddressInfo;

	return {
		/** The settings with which n8n, and the npm that it starts, find this registry instead of npm's. */
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${port}`,
			npm_config_strict_ssl: 'false',
			// The user's own cache must not contain what is published here.
			npm_config_cache: join(tarballs, 'cache'),
		},
		/** Publishes a built package, and makes it the latest version. */
		async publish(packageFolder: string) {
			const tarball = basename(await packPackage(tarballs, packageFolder));
			const manifest = { ...(await readPackageJson(packageFolder)), tarball };
			const { name, version } = manifest;
			packages.set(name, { ...packages.get(name), [version]: manifest });
		},
		close() {
			proxy.close();
			sockets.forEach((socket) => socket.destroy());
		},
	};
}
