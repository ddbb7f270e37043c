import { get, patch, post, remove, type Session } from '../../n8n/session';

/** A package in the list of Settings → Community nodes. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	/** The version that n8n offers to update to. */
	updateAvailable?: string;
	failedLoading?: boolean;
	installedNodes: Array<{ type: string }>;
}

const PATH = '/community-packages';

/** Installs the latest version of a package. */
export async function install(session: Session, name: string): Promise<InstalledPackage> {
	return await post<InstalledPackage>(session, PATH, { name });
}

/** Updates a package to the version that n8n offers. */
export async function update(
	session: Session,
	{ packageName: name, updateAvailable: version }: InstalledPackage,
): Promise<InstalledPackage> {
	return await patch<InstalledPackage>(session, PATH, { name, version });
}

/** Uninstalls a package. */
export async function uninstall(session: Session, name: string): Promise<void> {
	await remove(session, `${PATH}?name=${encodeURIComponent(name)}`);
}

/** Lists what n8n itself has installed. A package that was installed on the command line is not in the list. */
export async function listInstalled(session: Session): Promise<InstalledPackage[]> {
	return await get<InstalledPackage[]>(session, PATH);
}
