import uniqBy from 'lodash/uniqBy';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { ServiceError } from '../transport/serviceError';
import {
	CLASSES_PER_PAGE,
	type ClassPage,
	createPageReader,
	readFirstPage,
	type ReadPage,
	readPageIfAny,
} from './classPages';
import { idOf } from './idOf';

// In addition to the client's own limit of requests in flight.
const MAX_PAGES_AT_ONCE = 10;
// A list that keeps changing is not read forever, nor one without an end.
const MAX_PASSES = 3;
const MAX_PAGES = 10_000;

/** What was read of the class list. */
export interface ClassList {
	classes: IDataObject[];
	/** How many more the service reports than it returned. */
	missing: number;
}

/** One pass over the pages of the class list. */
interface Pass {
	classes: Map<string, IDataObject>;
	/** How many classes are enough. */
	limit: number;
	total?: number;
	totalChanged: boolean;
	/** Whether page 1 was the first page again. */
	countsFromOne: boolean;
	/** The first page that the service refused. */
	refused?: { number: number; error: ServiceError };
}

/** Reads all classes. @throws as `readClasses` does */
export async function readAllClasses(client: Client): Promise<ClassList> {
	const options = { pageSize: CLASSES_PER_PAGE, limit: Infinity };
	return await readClasses(createPageReader(client), options);
}

/**
 * Reads classes page by page, whichever way the service counts: its own first page, and then pages 1, 2, 3 and so on,
 * until there are enough or a page adds no class. Some classes may have moved to a page that had already been read if
 * the total changed meanwhile; then the list is read again.
 * @returns each class once, in the service's order, at most `limit`
 * @throws ServiceError if a page that exists cannot be read
 */
export async function readClasses(
	readPage: ReadPage,
	{ pageSize, limit }: { pageSize: number; limit: number },
): Promise<ClassList> {
	let pass = await readPass(readPage, pageSize, limit);
	let found = [...pass.classes.values()];
	for (let passes = 1; pass.totalChanged && passes < MAX_PASSES; passes++) {
		pass = await readPass(readPage, pageSize, limit);
		found = uniqBy([...pass.classes.values(), ...found], keyOf);
	}
	const classes = found.slice(0, limit);
	return { classes, missing: Math.max(0, Math.min(limit, pass.total ?? 0) - classes.length) };
}

async function readPass(readPage: ReadPage, pageSize: number, limit: number): Promise<Pass> {
	const first = await readFirstPage(readPage, Math.min(pageSize, limit));
	const pass: Pass = { classes: new Map(), limit, totalChanged: false, countsFromOne: false };
	addPage(pass, first);
	// A service that returns fewer than requested may limit its pages to that size.
	const size = Math.min(first.classes.length || first.pageSize, first.pageSize);
	let next = 1;
	for (let goesOn = true; goesOn && !hasEnough(pass);) {
		if (next > MAX_PAGES) throw endlessListError();
		const missing = Math.ceil((Math.min(limit, pass.total ?? 0) - pass.classes.size) / size);
		const count = Math.min(Math.max(1, missing), MAX_PAGES_AT_ONCE);
		goesOn = await addPages(readPage, pass, { next, count, size });
		next += count;
	}
	if (isDoubtful(pass)) await checkFirstPage(readPage, pass, size);
	return pass;
}

/** Reads several pages at once; returns whether the list may continue after them. */
async function addPages(
	readPage: ReadPage,
	pass: Pass,
	{ next, count, size }: { next: number; count: number; size: number },
): Promise<boolean> {
	const numbers = Array.from({ length: count }, (_, index) => next + index);
	const pages = await Promise.all(
		numbers.map(
			async (number) => await readPageIfAny(readPage, number, size, !mustExist(pass, number, size)),
		),
	);
	let goesOn = true;
	for (const [index, page] of pages.entries()) {
		const number = numbers[index]!;
		const added = addPage(pass, page);
		// Only pages past the last one may be refused.
		if (pass.refused && added > 0) throw pass.refused.error;
		if (page.refusal) pass.refused ??= { number, error: page.refusal };
		// A page 1 that adds nothing is the first page again, of a service that counts from 1.
		else if (number === 1 && added === 0) pass.countsFromOne = true;
		goesOn &&= added > 0 || number === 1;
	}
	return goesOn;
}

/** Whether a page must exist by the service's own total. */
function mustExist({ total = 0, countsFromOne }: Pass, number: number, size: number): boolean {
	return (countsFromOne ? number - 1 : number) * size < total;
}

/** Adds the classes of a page; returns how many of them are new. */
function addPage(pass: Pass, { classes, total }: ClassPage): number {
	const before = pass.classes.size;
	for (const entry of classes) {
		const key = keyOf(entry);
		if (!pass.classes.has(key)) pass.classes.set(key, entry);
	}
	const added = pass.classes.size - before;
	// Some services report another total on a page past the end.
	if (added > 0 && total !== undefined) {
		pass.totalChanged ||= pass.total !== undefined && pass.total !== total;
		pass.total = total;
	}
	// Ignore a total that is smaller than what was seen.
	if (pass.classes.size > (pass.total ?? Infinity)) pass.total = undefined;
	return added;
}

/** Whether there are as many classes as wanted, or as the service reports. */
function hasEnough({ classes, limit, total }: Pass): boolean {
	return classes.size >= Math.min(limit, total ?? Infinity);
}

/** Whether there should be more classes, or the service failed instead of refusing a page. */
function isDoubtful(pass: Pass): boolean {
	if (hasEnough(pass)) return false;
	const fate = pass.refused?.error.failure.fate ?? 'rejected';
	return pass.total !== undefined || fate !== 'rejected';
}

/** Finds out whether the list got shorter meanwhile, or the service failed. */
async function checkFirstPage(readPage: ReadPage, pass: Pass, size: number): Promise<void> {
	const { total } = await readPage(undefined, size);
	const { refused } = pass;
	pass.totalChanged ||= pass.total !== undefined && total !== pass.total;
	pass.total = total;
	if (refused && mustExist(pass, refused.number, size)) throw refused.error;
}

function keyOf(entry: IDataObject): string {
	return idOf(entry) ?? JSON.stringify(entry);
}

function endlessListError(): ServiceError {
	return new ServiceError({
		message: `The class list does not end within ${MAX_PAGES} pages`,
		advice: "Set a limit, or use 'Name Contains'.",
		fate: 'done',
		status: 200,
		mayHaveTakenEffect: false,
		failureCause: 'configuration-invalid',
	});
}
