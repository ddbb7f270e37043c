import { removeWorlds } from './world';

/** Runs once after all test files. */
export default async function tearDown(): Promise<void> {
	await removeWorlds();
}
