import { Settings } from 'luxon';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DELIMITERS, type FormAnswers } from '../../examples/bulkImport/columns';
import { DATE_FORMS } from '../../examples/bulkImport/endDates';
import { readStudents } from '../../examples/bulkImport/readStudents';
import { report } from '../../examples/bulkImport/report';
import type { Answer } from '../../examples/codeNodes/answer';
import type { Workflow } from '../n8n/workflows';

const HEADER = 'email,name,expirationDate';
const END = '2127-12-31';
/** In the time zone of the workflow, it ends then. */
const LAST = '2128-01-01T02:59:59.999Z';
const ANA = 'ana@example.com,Ana,2127-12-31';
const EDU = 'edu@example.com,Edu,2127-12-31';
const NOW = Date.parse('2026-01-01T12:00:00Z');

beforeAll(() => void (Settings.defaultZone = 'America/Sao_Paulo'));

const read = (file: string | Uint8Array, form: FormAnswers = {}) =>
	readStudents(typeof file === 'string' ? Buffer.from(file) : file, form, NOW);
/** The rows that can be read: line, address, name, and date. */
const good = (...all: Parameters<typeof read>) =>
	read(...all)
		.filter(({ problem }) => problem === undefined)
		.map(({ line, email, name, expirationDate }) => [line, email, name, expirationDate]);
/** The others: line, and what is wrong. */
const bad = (...all: Parameters<typeof read>) =>
	read(...all)
		.filter(({ problem }) => problem !== undefined)
		.map(({ line, problem }) => `${line}: ${problem}`);

const lines = (...rows: string[]) => rows.join('\n');
const NO_DATES = { 'Column with the date': '' };
/** How Ana and Edu are read of these lines. */
const anaAt = (line: number, name = 'Ana', end = LAST) => [line, 'ana@example.com', name, end];
const eduAt = (line: number, name = 'Edu') => [line, 'edu@example.com', name, LAST];
/** That there is one bad row, and what is said of it. */
const expectOneBad = (says: RegExp, ...all: Parameters<typeof read>) =>
	expect(bad(...all)).toEqual([expect.stringMatching(says)]);

describe('a bad row never stops the others', () => {
	test.each([
		[
			'a cell too many',
			'bea@example.com,Souza, Bea,2127-12-31',
			/^3: Cells: 4 in the row, 3 in the header\./,
		],
		[
			'a cell too few',
			'bea@example.com,2127-12-31',
			/^3: Cells: 2 in the row, 3 in the header\. The date isn't .* add the delimiters/,
		],
		['a quote that nothing closes', 'bea@example.com,"Bea,2127-12-31', /^3: .* none closes it/],
		['text after a closing quote', 'bea@example.com,"B"ea,2127-12-31', /^3: .* goes on after/],
		['30 February', 'bea@example.com,Bea,2127-02-30', /^3: "2127-02-30" is no real date/],
		['a date in another form', 'bea@example.com,Bea,31/12/2127', /^3: .* choose another form/],
		['a year of two digits', 'bea@example.com,Bea,27-12-31', /^3: "27-12-31" is no real date/],
		[
			'a day that is over',
			'bea@example.com,Bea,2025-12-31',
			/^3: "2025-12-31" is over\. Correct it/,
		],
		['a number for a date', 'bea@example.com,Bea,365', /^3: "365" is no real date/],
		['a serial number', 'bea@example.com,Bea,46752', /^3: "46752" is the number of a day in a/],
		['one with a time', 'bea@example.com,Bea,46752.5', /^3: "46752.5" is the number of a day in a/],
		['one of Brazil', 'bea@example.com,Bea,"46752,75"', /^3: "46752,75" is the number of a day in/],
		['a NUL', 'bea@example.com,Be\0a,2127-12-31', /^3: "name" contains a character/],
		['a letter that is lost', 'bea@example.com,B\uFFFDa,2127-12-31', /^3: "name" contains/],
		['a single cell', 'bea@example.com', /^3: Cells: 1 in the row/],
		['an error of a spreadsheet', 'bea@example.com,#N/D,', /^3: "name" is "#N\/D", an error of/],
		['one behind a blank', 'bea@example.com, #N/A,', /^3: "name" is "#N\/A", an error of/],
	])('%s', (_what, row, says) => {
		const file = lines(HEADER, ANA, row, EDU, '');
		expect(good(file)).toEqual([anaAt(2), eduAt(4)]);
		expectOneBad(says, file);
		expect(read(file)[1]).toMatchObject({ email: '', text: row });
	});

	test.each([
		['a quoted cell in the next row', '"Souza, Bea"', 'Souza, Bea'],
		['an empty quoted cell in the next row', '""', ''],
		['a quoted cell with a quote', '"Ana ""Bela"""', 'Ana "Bela"'],
	])('an open quote does not swallow %s', (_what, cell, name) => {
		const file = lines(HEADER, 'ana@example.com,"Ana,2127-12-31', `edu@example.com,${cell},${END}`);
		expect(good(file)).toEqual([eduAt(3, name)]);
		expectOneBad(/^2: /, file);
	});
});

describe('what is no row', () => {
	test.each([
		['blank lines', '\n\n', 5],
		['lines of blanks', '\n \n\t\n\u00a0\n', 7],
		['lines of delimiters', '\n,,\n , ,\n', 6],
	])('%s, and the lines of the file count', (_what, between, eduLine) => {
		const file = `${HEADER}\n${ANA}${between}\n${EDU}`.replace(/\n\n$/, '');
		expect(bad(file)).toEqual([]);
		expect(good(file)).toEqual([anaAt(2), eduAt(eduLine)]);
	});

	test('a line of a bad row after blank lines', () => {
		const file = lines(HEADER, ANA, '', '', 'bad,Bea,2127-12-31');
		expect(good(file).at(-1)).toEqual([5, 'bad', 'Bea', LAST]);
	});

	test('line breaks in quotes count, too', () => {
		const file = lines(HEADER, 'ana@example.com,"Ana', 'Souza",2127-12-31', EDU);
		expect(good(file)).toEqual([anaAt(2, 'Ana\nSouza'), eduAt(4)]);
	});

	test('a line break behind an address is a blank', () => {
		expect(good(lines(HEADER, '"ana@example.com', `",Ana,${END}`, EDU))).toEqual([
			anaAt(2),
			eduAt(4),
		]);
		// This one is in front of another student.
		const two = lines(HEADER, 'ana@example.com,"', `edu@example.com,Edu",${END}`);
		expectOneBad(/^2: A cell with line breaks contains an address/, two);
	});

	test('an address behind a cell with line breaks is that of its row', () => {
		const header = 'name,email,expirationDate';
		const file = lines(
			header,
			'"Ana',
			`Souza",ana@example.com,${END}`,
			`Edu,edu@example.com,${END}`,
		);
		expect(good(file)).toEqual([anaAt(2, 'Ana\nSouza'), eduAt(4)]);
		// These are two students.
		const two = lines(header, `"Ana,ana@example.com,${END}`, `Edu",edu@example.com,${END}`);
		expect(good(two)).toEqual([]);
		expectOneBad(/^2: .* line breaks contains an address/, two);
	});

	test.each([
		['one cell', '"Paid by\nmother@example.com, not by her"', '', 4],
		['one that begins with it', '"mother@example.com paid:\nuncle@example.com, too"', '', 4],
		['a line', '"Ana\nana@company.example\n+55 11 5550"', '', 5],
		['two cells', '"Paid by\nmother@example.com"', '"Or by\nuncle@example.com, or her"', 5],
	])('nobody is added whose address is in %s with line breaks', (_what, notes, more, eduLine) => {
		const header = 'email,notes,expirationDate,more';
		const file = lines(
			header,
			`ana@example.com,${notes},${END},${more}`,
			`edu@example.com,,${END},`,
		);
		expect(good(file)).toEqual([eduAt(eduLine, '')]);
		expectOneBad(/^2: A cell with line breaks contains an address/, file);
		expect(good(file, NO_DATES)).toHaveLength(1);
	});

	test.each([
		['', /^0: The file is empty\. Choose another one\.$/],
		[' \n\n', /^0: The file is empty\. Choose another one\.$/],
		[HEADER, /^0: The file has no rows below its header\. Choose another one\.$/],
		[`${HEADER}\n,,\n`, /^0: The file has no rows below its header\. Choose another one\.$/],
		['PK\u0003\u0004xl/workbook.xml', /^0: This is no CSV file\. In Excel/],
		[Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /^0: This is no CSV file\. In Excel/],
	])('a file without rows: %j', (file, says) => {
		expectOneBad(says, file);
		expect(good(file)).toEqual([]);
	});
});

describe('however the file is saved', () => {
	const text = lines('sep=;', 'email;name;expirationDate', `jose@example.com;José;${END}`);
	const expected = [[3, 'jose@example.com', 'José', LAST]];
	const utf16 = Buffer.from(text, 'utf16le');
	test.each([
		['UTF-8', Buffer.from(text)],
		['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
		['UTF-16 LE', Buffer.from(`\uFEFF${text}`, 'utf16le')],
		['UTF-16 BE', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
		['UTF-16 LE without a mark', utf16],
		['UTF-16 BE without a mark', Buffer.from(utf16).swap16()],
		['Windows-1252', Buffer.from(text, 'latin1')],
		['line ends of Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
		['line ends of an old Mac', Buffer.from(text.replaceAll('\n', '\r'))],
		['mixed line ends', Buffer.from(text.replace('\n', '\r\n'))],
	])('%s', (_form, bytes) => {
		expect(good(bytes)).toEqual(expected);
		expect(bad(bytes)).toEqual([]);
	});

	test('a letter in another encoding is wrong in its own row, if a mark says that of the file', () => {
		const bea = Buffer.from(`bea@example.com,Bé,${END}\n`, 'latin1');
		const file = Buffer.concat([Buffer.from(`\uFEFF${lines(HEADER, ANA)}\n`), bea]);
		expect(good(file)).toEqual([anaAt(2)]);
		expectOneBad(/^3: "name" contains a character/, file);
	});

	test('a letter in another encoding is wrong in its own row, if others are in UTF-8', () => {
		const accented = lines(HEADER, `jose@example.com,José,${END}`, `lia@example.com,Lía,${END}`);
		const bea = Buffer.from(`bea@example.com,Bé,${END}\n`, 'latin1');
		const file = Buffer.concat([Buffer.from(`${accented}\n`), bea]);
		expect(good(file)).toEqual([
			[2, 'jose@example.com', 'José', LAST],
			[3, 'lia@example.com', 'Lía', LAST],
		]);
		expectOneBad(/^4: "name" contains a character/, file);
	});

	test('an accent is a part of its letter, also where a Mac has written both', () => {
		const file = lines(HEADER, `josé@example.com,José,${END}`).normalize('NFD');
		expect(good(file)).toEqual([[2, 'josé@example.com', 'José', LAST]]);
	});

	test('Windows-1252 has quotes and dashes of its own', () => {
		const bytes = Buffer.concat([
			Buffer.from('email,name\nana@example.com,Ana '),
			Buffer.from([0x96, 0x20, 0xc3, 0xc7, 0x0a]),
		]);
		expect(good(bytes, NO_DATES)).toEqual([anaAt(2, 'Ana – ÃÇ', '')]);
	});
});

describe('the columns', () => {
	test.each([
		['blanks around them', `email, name, expirationDate\nana@example.com, Ana, ${END}`],
		['other blanks', `\u00a0email\u00a0,\tname,expirationDate \nana@example.com,Ana,${END}`],
		['capital letters', `Email,Name,ExpirationDate\nana@example.com,Ana,${END}`],
		['another order, and more', `name,phone,expirationDate,email\nAna,1,${END},ana@example.com`],
		['delimiters at the end', `email,name,expirationDate,,\nana@example.com,Ana,${END},,`],
		['delimiters at the end of rows', `${HEADER}\nana@example.com,Ana,${END},,`],
		['delimiters at the end of the header', `${HEADER},,\nana@example.com,Ana,${END}`],
		['quotes', `"email","name","expirationDate"\n"ana@example.com","Ana","${END}"`],
		['blanks before quotes', `email, "name", "expirationDate"\nana@example.com, "Ana", "${END}"`],
		['what nobody sees', `\u200eemail,na\u200bme,expirationDate\nana@example.com,Ana,${END}`],
		['two of another name', `x,${HEADER},x\n1,ana@example.com,Ana,${END},2`],
	])('are found with %s', (_what, file) => {
		expect(good(file)).toEqual([anaAt(2)]);
	});

	test.each([
		['notes', `email,name,expirationDate,notes\nana@example.com,Ana,${END}`],
		['a name', `email,expirationDate,name\nana@example.com,${END}`],
	])('need no cell for %s that a spreadsheet has left out at the end', (_what, file) => {
		expect(good(file)).toEqual([anaAt(2, expect.stringMatching(/^(Ana)?$/) as string)]);
	});

	test('need a cell for a date, which might be left out by mistake', () => {
		const file = lines('email,name,expirationDate,notes', 'ana@example.com,Ana,');
		expectOneBad(/^2: Cells: 3 in the row, 4 in the header/, file);
		expect(good(file, NO_DATES)).toEqual([anaAt(2, 'Ana', '')]);
	});

	test('a comma too many never puts an earlier date where that of the end is', () => {
		const header = 'email,name,price,paidAt,expirationDate,notes';
		const file = lines(
			header,
			`ana@example.com,"Ana",197,2027-01-01,${END},`,
			`bea@example.com,Souza, Bea,197,2027-01-01,${END},`,
			`eva@example.com,Eva,R$ 197,00,2027-01-01,${END},,`,
			`edu@example.com,Edu,197,2027-01-01,${END},,,`,
		);
		expect(good(file).map(([line]) => line)).toEqual([2, 5]);
		expect(bad(file)).toEqual([
			expect.stringMatching(/^3: Cells: 7 in the row, 6 in the header/),
			expect.stringMatching(/^4: Cells: 8 in the row, 6 in the header/),
		]);
	});

	test('are divided by tabs also before an empty cell and quotes', () => {
		const file = lines('email\tphone\tname\texpirationDate', `ana@example.com\t\t"Ana"\t${END}`);
		expect(good(file, { Delimiter: 'Tab' })).toEqual([anaAt(2)]);
	});

	test('need no more cells than there are, also without a date', () => {
		const file = lines('email,name', 'ana@example.com,Souza, Ana');
		expectOneBad(/^2: Cells: 3 in the row, 2 in the header/, file, NO_DATES);
	});

	test('need no date in place of a name, as when a delimiter is missing or too many', () => {
		const missing = lines(`${HEADER},paidAt`, `ana@example.com,${END},2027-01-31`);
		expect(bad(missing)).toEqual([
			`2: "name" is "${END}", a date. Put each cell below the name of its column.`,
		]);
		const tooMany = lines('email,expirationDate,name', 'ana@example.com,,31.12.2127');
		expectOneBad(/^2: "name" is "31\.12\.2127", a date/, tooMany);
		const names = ['3-2-1 Kurse', '24/7', 'Ana 2127-12-31'];
		const named = lines(HEADER, ...names.map((name) => `ana@example.com,${name},${END}`));
		expect(bad(named)).toEqual([]);
	});

	test('need no other address in place of a name, as when a delimiter is missing', () => {
		const header = 'expirationDate,name,email,parent';
		const missing = lines(header, `${END},ana@example.com,mother@example.com`);
		expect(bad(missing)).toEqual([
			'2: "name" is "ana@example.com", another address. Put each cell below the name of its column.',
		]);
		// As of who has entered no name.
		const named = lines(header, `${END},Ana@example.com,ana@example.com,mother@example.com`);
		expect(good(named)).toEqual([anaAt(2, 'Ana@example.com')]);
	});

	test('need a date where it is, and not below a column without a name', () => {
		const file = lines('email,name,expirationDate,', `ana@example.com,Ana,,${END}`);
		expectOneBad(/^2: Cells: 4 in the row, 3 in the header/, file);
		const dated = lines('email,name,expirationDate,', `ana@example.com,Ana,${END},paid late`);
		expect(good(dated)).toEqual([anaAt(2)]);
	});

	test('are named in the form, as Excel in Brazil writes them', () => {
		const file = lines('E-mail;Nome;Data de validade', 'ana@example.com;"Silva; Ana";31/12/2127');
		const form = {
			Delimiter: 'Semicolon (;)',
			'Column with the address': 'E-mail',
			'Column with the name': 'Nome',
			'Column with the date': 'Data de validade',
			Dates: '31/12/2027 (day, month, year)',
		};
		expect(good(file, form)).toEqual([anaAt(2, 'Silva; Ana')]);
	});

	test('are found as they look, however they were copied', () => {
		const file = lines('"E-mail\naddress",Nome,Fim', 'ana@example.com,Ana,2127-12-31');
		const form = {
			'Column with the address': 'e-mail  address\u200b',
			'Column with the name': '\u200eNome',
			'Column with the date': 'Fim\u200b, Validade',
		};
		expect(good(file, form)).toEqual([anaAt(3)]);
	});

	test('the date is that of the table of End of access, too', () => {
		expect(good(lines('email,name,expiresAt', ANA))).toEqual([anaAt(2)]);
		expect(bad(lines('email,expirationDate,expiresAt', ANA))).toEqual([
			expect.stringContaining('more than one column for the date: expirationDate, expiresAt.'),
		]);
	});

	test('the date may have commas in its name', () => {
		const file = lines('email,name,"Until (day, month)"', ANA);
		const form = { 'Column with the date': 'until (day, month)' };
		expect(good(file, form)).toEqual([anaAt(2)]);
	});

	test('a blank in place of the name of the address means the default', () => {
		const file = lines('email,,expirationDate', `ana@example.com,,${END}`);
		const form = { 'Column with the address': ' ' };
		expect(good(file, form)).toEqual([anaAt(2, '')]);
	});

	test('a name that is empty is no column', () => {
		const form = { 'Column with the name': '', 'Column with the date': ' ' };
		expect(good(lines(HEADER, ANA), form)).toEqual([anaAt(2, '', '')]);
		expect(good(lines('email,expirationDate', `ana@example.com,${END}`))).toHaveLength(1);
	});

	const SEMICOLON = /choose "Semicolon \(;\)" as Del/;
	test.each<[string, string, RegExp, FormAnswers?]>([
		['a wrong delimiter', 'email;name;expirationDate\na;b;c', SEMICOLON],
		['one between quotes', '"email";"name";"expirationDate"\n"a";"b";"c"', SEMICOLON],
		['one below a blank row', ';;\nemail;name;expirationDate\na;b;c', SEMICOLON],
		['one in a table of commas', 'email;name,,\na;b,,', SEMICOLON],
		['a wrong delimiter with a title', `Class; 2027,,\n${HEADER}\n${ANA}`, /^0: Line 2 has the/],
		['tabs', 'email\tname\texpirationDate\na\tb\tc', /choose "Tab" as Delimiter/],
		['commas', `${HEADER}\n${ANA}`, /choose "Comma \(,\)" as Delimiter/, { Delimiter: 'Tab' }],
		['rows in quotes', `"${HEADER}"\n"${ANA}"`, /^0: Each row is a single cell\. In your/],
		['a title', `Of 2027,,\n\n${HEADER}\n${ANA}`, /^0: Line 3 has the column "email"\. Delete/],
		['no header', `${ANA}\n${EDU}`, /^0: The first line must have .* "ana@example.com"/],
		[
			'no header, and an address as name of a column',
			`${ANA}\n${EDU}`,
			/^0: The first line must have/,
			{ 'Column with the address': 'ana@example.com', 'Column with the date': END },
		],
		['no address', `mail,name\n${ANA}`, /no column "email"\. Its columns are: mail, name\./],
		[
			'no dates',
			'email,name\na,b',
			/no column "expirationDate" or "expiresAt".* If access never ends, empty "Column with the date"\.$/,
		],
		['no names', HEADER, /no column "nome"/, { 'Column with the name': 'nome' }],
		['two addresses', `email,EMAIL \n${ANA}`, /^0: Two columns have the name "email"/],
		['two that look alike', `email,e\u200bmail\n${ANA}`, /^0: Two columns have the name/],
		['a header with an open quote', `"email,name\n${ANA}`, /^0: Header: /],
	])('%s: nobody is added', (_what, file, says, form = {}) => {
		expectOneBad(says, file, form);
		expect(good(file, form)).toEqual([]);
	});
});

describe('dates', () => {
	const endOf = (date: string, Dates?: string) =>
		good(lines(HEADER, `ana@example.com,Ana,${date}`), { Dates })[0]?.[3];
	const [YMD, DMY, MDY] = Object.keys(DATE_FORMS);

	// A day lasts to its end; a time stays as it is.
	test.each([
		['31/12/2027', DMY, '2028-01-01T02:59:59.999Z'],
		['1/2/2027', DMY, '2027-02-02T02:59:59.999Z'],
		['1/2/2027', MDY, '2027-01-03T02:59:59.999Z'],
		['12/31/2027', MDY, '2028-01-01T02:59:59.999Z'],
		['2027-12-31', YMD, '2028-01-01T02:59:59.999Z'],
		['2027-12-31', DMY, '2028-01-01T02:59:59.999Z'],
		// As in Germany, the Netherlands, and Japan.
		['31.12.2027', DMY, '2028-01-01T02:59:59.999Z'],
		['31-12-2027', DMY, '2028-01-01T02:59:59.999Z'],
		['31.12.2027 00:00:00', DMY, '2028-01-01T02:59:59.999Z'],
		['2027/12/31', YMD, '2028-01-01T02:59:59.999Z'],
		['12/31/2027 12:00:00 AM', MDY, '2028-01-01T02:59:59.999Z'],
		['31/12/2027 23:59', DMY, '2028-01-01T02:59:00.000Z'],
		['31.12.2027 8:05:10', DMY, '2027-12-31T11:05:10.000Z'],
		['12/31/2027 11:59:59 PM', MDY, '2028-01-01T02:59:59.000Z'],
		['12/31/2027 12:30\u202fpm', MDY, '2027-12-31T15:30:00.000Z'],
		['2027/12/31 18:00', YMD, '2027-12-31T21:00:00.000Z'],
		['2027-12-31T12:00:00-03:00', YMD, '2027-12-31T15:00:00.000Z'],
		// Midnight is a day.
		['2027-12-31 00:00', YMD, '2028-01-01T02:59:59.999Z'],
		['31/12/2027 00:00', DMY, '2028-01-01T02:59:59.999Z'],
		['9999-12-31', YMD, '9999-12-30T00:00:00.000Z'],
		// Its last moment hasn't come yet.
		['2026-01-01', YMD, '2026-01-02T02:59:59.999Z'],
		['', DMY, ''],
	])('%s, chosen as %s', (date, form, end) => expect(endOf(date, form)).toBe(end));

	test.each([
		['12/31/2027', DMY],
		['31/12/2027', MDY],
		['31/12/2027', YMD],
		['30/02/2027', DMY],
		['31/12/27', DMY],
		['31/12/0027', DMY],
		['31/12', DMY],
		['31/12/2569', DMY],
		['31.12-2027', DMY],
		['31.12.27', DMY],
		['27/12/31', YMD],
		['46752', DMY],
		['31/12/2027 25:00', DMY],
		['31/12/2027 18', DMY],
		['31/12/2027 18:00 UTC', DMY],
		['1970-01-01', YMD],
		['soon', YMD],
	])('not %s, chosen as %s', (date, form) => expect(endOf(date, form)).toBeUndefined());

	test('that may be another one are not guessed, if a row has day and month the other way around', () => {
		const dates = ['05/04/2027', '12/31/2027', '31/12/2027', '4/4/2027', '2027-04-05', 'soon'];
		const file = lines(HEADER, ...dates.map((date, n) => `${n}@example.com,,${date}`));
		expect(good(file, { Dates: DMY }).map(([line]) => line)).toEqual([4, 5, 6]);
		expect(bad(file, { Dates: DMY })).toEqual([
			'2: "05/04/2027" may be another day, since line 3 has "12/31/2027". Correct one of them, or choose another form under "Dates".',
			expect.stringMatching(/^3: "12\/31\/2027" is no real date/),
			expect.stringMatching(/^7: "soon" is no real date/),
		]);
		expect(good(file, { Dates: MDY }).map(([line]) => line)).toEqual([3, 5, 6]);
		expect(good(file, { Dates: YMD }).map(([line]) => line)).toEqual([6]);
	});
});

describe('the last page', () => {
	const PYTHON = { value: 'class-python', cachedResultName: 'Python' };
	const done = (expirationDate?: string): Answer => ({
		success: true,
		classId: 'class-python',
		expirationDate,
	});
	const page = (file: string | Uint8Array, results: Answer[]) =>
		report(read(file), results, PYTHON);
	const IN_2127 = done('2127-12-31T03:00:00.000Z');

	test('counts students, and names the lines of an address that is repeated', () => {
		const file = lines(HEADER, ANA, EDU, ANA.toUpperCase());
		const { title, message } = page(file, [IN_2127, IN_2127, IN_2127]);
		expect(title).toBe('2 students added to Python');
		expect(message).toContain('1 address is in the file more than once');
		expect(message).toContain('ana@example.com: lines 2, 4');
	});

	test('says first of which address an earlier row would give longer access', () => {
		const rows = Array.from({ length: 21 }, (_, n) => `${n}@example.com,,${END}`);
		const shorter = EDU.replace('2127', '2126');
		const file = lines(
			HEADER,
			ANA,
			...rows,
			...rows,
			ANA,
			EDU,
			shorter,
			'b@x.io,,',
			`b@x.io,,${END}`,
		);
		expect(page(file, []).message).toContain(
			[
				'24 addresses are in the file more than once. The last row without a mistake counts.',
				'edu@example.com: lines 46, 47. By line 46, access would last longer.',
				'b@x.io: lines 48, 49. By line 48, access would last longer.',
				'ana@example.com: lines 2, 45',
			].join('\n'),
		);
	});

	test('shows what the file says', () => {
		const file = lines(HEADER, ANA, 'bea@example.com,Souza, <Bea>,2127-12-31');
		const { title, message } = page(file, [IN_2127, { error: "'Email Field: email' is empty" }]);
		expect(title).toBe('1 student added to Python, 1 row failed');
		expect(message).toContain('Line 3: Cells: 4 in the row');
		expect(message).toContain('The row: bea@example.com,Souza, &lt;Bea&gt;,2127-12-31');
		expect(message).toContain('Correct what is named below, then upload the file again.');
	});

	test.each<[Answer, string, boolean]>([
		[
			{
				outcome: 'rejected',
				error: `ana@example.com: rejected: 'Email Field: email' is not an email address: "x" [item 0]. Enter one`,
			},
			'Line 2: The address is not an email address: "x".',
			true,
		],
		[
			{
				outcome: 'rejected',
				status: 400,
				error: 'ana@example.com: rejected by the service (status 400): Blocked [item 0]. Check',
			},
			'Line 2: ana@example.com: rejected by your learning platform (status 400): Blocked.',
			true,
		],
		[
			{
				outcome: 'unknown',
				status: 500,
				error:
					'ana@example.com: unknown if added: Something went wrong in the service (status 500) [item 0]. The node',
			},
			'Line 2: ana@example.com: unknown if added: Something went wrong in your learning platform (status 500).',
			false,
		],
	])('says what the node says in plain words: %j', (result, says, isWrong) => {
		const { message } = page(lines(HEADER, ANA), [result]);
		expect(message).toContain(says);
		expect(message).not.toMatch(/item \d|Email Field/);
		expect(message.includes('Correct what is named')).toBe(isWrong);
		expect(message.includes('upload the file again later')).toBe(!isWrong);
	});

	test('does not say that nobody was added, if nobody knows', () => {
		const lost: Answer = {
			outcome: 'unknown',
			error: 'ana@example.com: unknown if added: No answer',
		};
		const rejected: Answer = { outcome: 'rejected', error: 'edu@example.com: rejected: Blocked' };
		const file = lines(HEADER, ANA, EDU);
		expect(page(file, [lost, rejected]).title).toBe('Unknown if anybody was added, 2 rows failed');
		expect(page(file, [lost, IN_2127]).title).toBe('1 student added to Python, 1 row failed');
		expect(page(file, [rejected, rejected]).title).toBe('Nobody was added, 2 rows failed');
	});

	test('says what to do if the node breaks as a whole, as without its credential', () => {
		expect(page(lines(HEADER, ANA), [{}]).message).toContain(
			'Line 2: ana@example.com: No answer. Check the credential of Add Students.',
		);
	});

	test('says once what is wrong with many rows', () => {
		const rows = Array.from({ length: 21 }, (_, n) => `${n}@example.com,${n},${n + 1}/12/2027`);
		const { message } = page(lines(HEADER, ...rows, 'a@example.com,A,soon,'), []);
		expect(message.split('\n')).toEqual([
			'Correct what is named below, then upload the file again.',
			expect.stringMatching(
				/^22 rows between lines 2 and 23, all for the same reason: "1\/12\/2027"/,
			),
		]);
	});

	test('says that an address has a character that nobody sees', () => {
		const hidden = 'edu@example.com\u200b';
		const rejected = (email: string): Answer => ({
			outcome: 'rejected',
			error: `${email}: rejected: 'Email Field: email' is not an email address: "${email}" [item 0]. Enter`,
		});
		const file = lines(HEADER, 'ana,Ana,', `${hidden},Edu,`);
		expect(page(file, [rejected('ana'), rejected(hidden)]).message.split('\n')).toEqual([
			'Correct what is named below, then upload the file again.',
			'Line 2: The address is not an email address: "ana".',
			`Line 3: The address is not an email address: "${hidden}". It contains a character that nobody sees. Type it again.`,
		]);
		// Many others don't hide it.
		const many = lines(HEADER, ...Array.from({ length: 21 }, () => 'ana,,'), `${hidden},Edu,`);
		const results = [...Array.from({ length: 21 }, () => rejected('ana')), rejected(hidden)];
		expect(page(many, results).message).toContain('Line 23: The address is not');
	});

	test('says that an address is empty', () => {
		const error = "'Email Field: email' is empty [item 0]. Enter the student's email address";
		const { message } = page(lines(HEADER, ',Ana,'), [{ outcome: 'rejected', error }]);
		expect(message).toContain('Line 2: The address is empty.');
	});

	test('says who has no name', () => {
		const file = lines('email,Nome,expirationDate', ANA, EDU);
		expect(page(file, [IN_2127, IN_2127]).message).toBe(
			'2 rows (lines 2, 3) have no name: new students have none.',
		);
		expect(page(lines(HEADER, ANA, EDU), [IN_2127, IN_2127]).message).toBe('');
	});

	test('says for how many access never ends', () => {
		expect(page(lines(HEADER, ANA, EDU), [done(), IN_2127]).message).toContain(
			'1 row (line 2) has no date: access never ends.',
		);

		const file = lines(HEADER, ...Array.from({ length: 21 }, (_, n) => `${n}@example.com,,`), EDU);
		const all = Array.from({ length: 20 }, () => done());
		const many = page(file, [...all, IN_2127, IN_2127]).message;
		expect(many).toMatch(/20 rows \(lines 2, 3, [\d, ]+, 21\) have no date: access never ends\./);
		const more = page(file, [...all, done(), IN_2127]).message;
		expect(more).toContain(', 21, …) have no date');
	});

	test.each([
		['its ID, if it was entered', { value: 'class-python' }, 'class-python'],
		[
			'its ID, if another was shown',
			{ value: '={{ $json.id }}', cachedResultName: 'X' },
			'class-python',
		],
	])('names the class by %s', (_what, chosen, name) => {
		const { title } = report(read(lines(HEADER, ANA)), [IN_2127], chosen);
		expect(title).toBe(`1 student added to ${name}`);
	});

	test('names all classes, if the file chooses them', () => {
		const results = [IN_2127, { ...IN_2127, classId: 'class-data' }];
		expect(page(lines(HEADER, ANA, EDU), results).title).toBe(
			'2 students added to Python, class-data',
		);
	});

	test('shows names whose accents may be wrong', () => {
		const bytes = Buffer.from(lines(HEADER, ANA, ANA.replace('Ana', 'José')), 'latin1');
		expect(page(bytes, [IN_2127, IN_2127]).message).toContain(
			'Accents were read as Windows-1252: José. Are these right?',
		);
	});

	test('shows addresses whose accents may be wrong, as they would be those of nobody', () => {
		const bytes = Buffer.from(lines(HEADER, ANA.replace('ana@', 'josé@')), 'latin1');
		expect(page(bytes, [IN_2127]).message).toContain(
			'Accents were read as Windows-1252: josé@example.com. Are these right?',
		);
	});

	test('says what is wrong with a whole file', () => {
		const { title, message } = page('', [{ error: 'x' }]);
		expect([title, message]).toEqual([
			'Nobody was added',
			'The file is empty. Choose another one.',
		]);
	});

	test.each([
		['email;name;expirationDate\na;b;c', 'choose "Semicolon (;)" as Delimiter'],
		['mail,name\na,b', 'Enter the right one in the form.'],
	])('does not ask to correct the file %j, if the form is wrong', (file, says) => {
		const { title, message } = page(file, [{ error: 'x' }]);
		expect(title).toBe('Nobody was added');
		expect(message).toContain(says);
		expect(message).not.toMatch(/correct|upload/i);
	});
});

test('the form of examples/bulk-import.json has the choices and takes the files that are read', () => {
	const file = join(__dirname, '../../examples/bulk-import.json');
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const form = JSON.stringify(workflow.nodes.find(({ name }) => name === 'Upload a File'));
	for (const option of [...Object.keys(DELIMITERS), ...Object.keys(DATE_FORMS)]) {
		expect(form).toContain(`"option":"${option}"`);
	}
	// As spreadsheets save a text with tabs.
	expect(form).toContain('"acceptFileTypes":".csv, .tsv, .txt"');
});
