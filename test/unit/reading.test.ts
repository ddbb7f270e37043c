import { Settings } from 'luxon';

import { hasCode, readCodes } from '../../examples/reading/codes';
import { readDate, readLastDay } from '../../examples/reading/dates';
import { asPiece, splitList } from '../../examples/reading/lists';
import { readText, UnreadableValue } from '../../examples/reading/text';
import { isOnList } from '../../examples/reading/words';

const ZERO_WIDTH = '\u200b';
const NO_BREAK = '\u00a0';
// Decomposed, as a Mac writes the names of files.
const NFD = 'Inglês'.normalize('NFD');

describe('a text', () => {
	test.each([
		[null, ''],
		[undefined, ''],
		['', ''],
		[` a  b${NO_BREAK}`, 'a  b'],
		[NFD, 'Inglês'],
		[0, '0'],
		[-1.5, '-1.5'],
		[9007199254740991, '9007199254740991'],
	])('%j is read as %j', (value, text) => {
		expect(readText(value, 'It')).toBe(text);
	});

	test.each([
		[[], 'It is a list, not a text.'],
		[['a'], 'It is a list, not a text.'],
		[{ id: 'a' }, 'It is an object, not a text.'],
		[true, 'It is true, not a text.'],
		[9007199254740992, 'It is the number 9007199254740992, which is too large to be exact.'],
		[1e300, 'too large to be exact'],
	])('%j is none', (value, message) => {
		expect(() => readText(value, 'It')).toThrow(UnreadableValue);
		expect(() => readText(value, 'It')).toThrow(message);
	});
});

describe('a list that a person has typed', () => {
	test.each([
		['', []],
		[' , ,,', []],
		['a', ['a']],
		['a,b', ['a', 'b']],
		[' a b ,c,', ['a b', 'c']],
		['a,"b, c",d', ['a', 'b, c', 'd']],
		['"a, b"', ['a, b']],
		['“a, b” , c', ['a, b', 'c']],
		['„a, b“, c', ['a, b', 'c']],
		['« a, b » , c', ['a, b', 'c']],
		['"say ""hi"", please"', ['say "hi", please']],
		// A quote elsewhere is a part of the text.
		['12" disc, 7" disc', ['12" disc', '7" disc']],
		['"a" b, c', ['"a" b', 'c']],
		['"a, b', ['"a', 'b']],
		['[a, b]', ['[a', 'b]']],
		// The commas of Chinese, Japanese, and Arabic keyboards.
		['paid，已付款、支払済み،مدفوع', ['paid', '已付款', '支払済み', 'مدفوع']],
		['“入门，下”，12', ['入门，下', '12']],
	])('%j has the pieces %j', (list, pieces) => {
		expect(splitList(list)).toEqual(pieces);
	});

	test.each([
		'a',
		'a b',
		'a, b',
		'say "hi"',
		'"hi"',
		'“hi”, x',
		'„hi“',
		'«hi»',
		',',
		"o'brien",
		'入门，下',
	])('%j is one piece again once it is typed as advised', (text) => {
		expect(splitList(`x, ${asPiece(text)}, y`)).toEqual(['x', text, 'y']);
	});
});

describe('a word', () => {
	test.each([
		['paid', 'Paid'],
		[' paid ', 'PAID'],
		[`paid${ZERO_WIDTH}`, 'paid'],
		['order_paid', 'Order-Paid'],
		['waitingPayment', 'waiting_payment'],
		['chargeback', 'Charge back'],
		['waiting payment', `waiting${NO_BREAK} payment`],
		['оплачен', 'ОПЛАЧЕН'],
		['πληρωμένο', 'ΠΛΗΡΩΜΈΝΟ'],
		['concluído', 'CONCLUÍDO'.normalize('NFD')],
		['已付款', '已付款'],
		['مدفوع', 'مدفوع'],
		['भुगतान किया', 'भुगतान  किया'],
		['✅', '✅'],
		['✔\ufe0f pago', '✔ pago'],
		['-1', '-1'],
	])('%j is %j', (word, same) => {
		expect(isOnList(same, `x, ${word}, y`)).toBe(true);
	});

	test.each([
		['оплата 1', 'отказ 1'],
		['paid', '!paid'],
		['paid', 'un-paid'],
		['paid', 'not paid'],
		['paid', 'paid?'],
		['pago', 'pago: rechazado'],
		['pago', 'pagó'],
		['1', '-1'],
		['status 1', 'status -1'],
		['1', '1.0'],
		['1', '10'],
		['1', '１'],
		['оплачен', 'оплачена'],
		['оплачен', 'не оплачен'],
		['paid', 'paid: no'],
		['paid', 'Pagó, y devuelto'],
		['й', 'и'],
		['की', 'का'],
		['✅', '❌'],
		['已付款', '未付款'],
		['paid', 'раid'], // with two Cyrillic letters
		['1 0', '10'],
		['оплата 1 2', 'оплата 12'],
		['status_1', 'status1'],
	])('%j is not %j', (word, other) => {
		expect(isOnList(other, word)).toBe(false);
		expect(isOnList(word, other)).toBe(false);
	});

	test('with a comma stands in quotes', () => {
		expect(isOnList('Pago, aguardando', 'paid, "pago, aguardando"')).toBe(true);
		expect(isOnList('Pago, aguardando', 'pago, aguardando')).toBe(false);
		expect(isOnList('aguardando', 'paid, "pago, aguardando"')).toBe(false);
	});

	test.each(['', ' ', ZERO_WIDTH, NO_BREAK])('%j is on no list', (word) => {
		for (const list of ['', ',', ' , ', `${ZERO_WIDTH},`, '""'])
			expect(isOnList(word, list)).toBe(false);
	});
});

describe('a code', () => {
	test.each([
		['11', '11'],
		['11, 12', '12'],
		['11، 12', '12'],
		['入门，下', '入门，下'],
		['12,', '12'],
		[',,12', '12'],
		['Inglês', NFD],
		[NFD, 'INGLÊS'],
		['Curso  A', `curso${NO_BREAK}A`],
		['Inglês, básico', 'inglês,  básico'],
		['"Inglês, básico", 12', 'Inglês, básico'],
		[`12${ZERO_WIDTH}`, '12'],
		['plink_1, [2027] Python', '[2027] python'],
		['0', '0'],
	])('the cell %j names %j', (cell, code) => {
		expect(hasCode(cell, code)).toBe(true);
	});

	test.each([
		['11,', ''],
		['', ''],
		[',', ' '],
		['-', ''],
		['11', '1'],
		['11', '0011'],
		['a b', 'ab'],
		['a-b', 'a b'],
		['a_b', 'a b'],
		['11, 12', '11 12'],
		['Inglês', 'Ingles'],
		['Inglês, básico', 'básico, inglês'],
		['й', 'и'],
		['"11, 12"', '11'],
		['null', ''],
	])('the cell %j does not name %j', (cell, code) => {
		expect(hasCode(cell, code)).toBe(false);
	});

	test.each([
		['11', ['11']],
		['11,12', ['11,12']],
		[11, ['11']],
		[
			['11', 12, ' a, b '],
			['11', '12', 'a, b'],
		],
		[
			[11, null, ''],
			['11', '', ''],
		],
		[null, ['']],
		['', ['']],
		[[], []],
		[[0], ['0']],
	])('%j has the codes %j', (products, codes) => {
		expect(readCodes(products)).toEqual(codes);
	});

	test.each([[[['11']]], [[{ id: 11 }]], [{ id: 11 }], [[true]], [[2 ** 53]]])(
		'%j has none',
		(products) => {
			expect(() => readCodes(products)).toThrow(UnreadableValue);
		},
	);
});

describe('a date', () => {
	beforeAll(() => {
		Settings.defaultZone = 'America/Sao_Paulo';
	});
	afterAll(() => {
		Settings.defaultZone = 'system';
	});

	test.each([
		['2027-01-31T10:20:30Z', '2027-01-31T10:20:30.000Z'],
		['2027-01-31T10:20:30.123456-03:00', '2027-01-31T13:20:30.123Z'],
		['2027-01-31 10:20', '2027-01-31T13:20:00.000Z'],
		[new Date('2027-01-31T10:20:30Z'), '2027-01-31T10:20:30.000Z'],
		['9999-12-31', '9999-12-31'],
		// What nobody sees, as from a web page.
		[`\u200e2027-01-31${ZERO_WIDTH}`, '2027-01-31'],
		[`2027-01-31${NO_BREAK}10:20`, '2027-01-31T13:20:00.000Z'],
	])('%s is read', (value, text) => {
		expect(readDate(value, 'until')).toMatchObject({ text });
	});

	test('of the last year ends before what platforms know', () => {
		const time = Date.UTC(9999, 11, 30);
		expect(readDate('9999-12-31', 'until')!.time).toBe(time);
		expect(readDate('9999-12-31T23:59:59Z', 'until')!.time).toBe(time);
		// In UTC, it is the year 10000.
		for (const value of ['9999-12-31 23:59:59', '9999-12-31T23:59:59.999-03:00']) {
			expect(readDate(value, 'until')!.time).toBe(time);
			expect(readLastDay(value, 'until')!.time).toBe(time);
		}
		for (const value of ['9999-12-32 23:59:59', '9999-12-31 or never'])
			expect(() => readDate(value, 'until')).toThrow(UnreadableValue);
	});

	test.each([
		['2027-12-31', ''],
		['2027-12-31 00:00', ''],
		['2027-12-31 00:00:00', ''],
		['2027-12-31T00:00:00.000Z', ''],
		[new Date('2027-12-31'), ''],
		['2027-12-31T00:00:00+00:00', ''],
		['2027-12-31 00:00:00.000-03', ''],
		['2027-12-31T00:00:00+0300', ''],
		// As the picker of a data table writes a day.
		['2027-12-31T03:00:00.000Z', ''],
		[new Date('2027-12-31T03:00:00Z'), ''],
		['2027-12-31 24:00', ''],
		['31/12/2027 0:00', 'd/M/yyyy'],
		['12/31/2027 12:00:00 AM', 'M/d/yyyy'],
		['12/31/2027 12:00\u202fam', 'M/d/yyyy'],
	])('of the last day %s lasts to its end', (value, form) => {
		const end = readLastDay(value, 'until', form);
		const midnight = Date.parse('2028-01-01T03:00:00Z');
		expect([midnight - 1, midnight]).toContain(end!.time);
	});

	test.each([
		['2027-12-31 10:00:00', '2027-12-31T13:00:00.000Z'],
		['2199-12-30', '2199-12-31T02:59:59.999Z'],
		['9999-12-31', '9999-12-30T00:00:00.000Z'],
	])('of the end of access %s is %s', (value, end) => {
		expect(new Date(readLastDay(value, 'until')!.time).toISOString()).toBe(end);
	});

	test.each(['2569-12-31', '2207-01-31', '9998-12-31'])('%s ends no access', (value) => {
		const says = new RegExp(`until is in the year ${value.slice(0, 4)}: .* For ever is 9999-12-31`);
		expect(() => readLastDay(value, 'until')).toThrow(says);
	});

	test('of a day lasts to its end in the time zone of the workflow', () => {
		const time = Date.parse('2028-03-01T02:59:59.999Z');
		expect(readDate('2028-02-29', 'until')).toEqual({ text: '2028-02-29', time });
	});

	test.each([null, undefined, '', ' '])('%j is none', (value) => {
		expect(readDate(value, 'until')).toBeNull();
	});

	test.each([
		['seconds', '1767261600', '2026-01-01T10:00:00.000Z'],
		['seconds', 1767261600, '2026-01-01T10:00:00.000Z'],
		['milliseconds', 1767261600000, '2026-01-01T10:00:00.000Z'],
		['milliseconds', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
		['dd/MM/yyyy HH:mm:ss', '28/06/2025 01:38:52', '2025-06-28T04:38:52.000Z'],
		['dd/MM/yyyy HH:mm:ss', '2024-03-10 00:00:00', '2024-03-10T03:00:00.000Z'],
		['d/M/yyyy', '5/4/2026', '2026-04-05'],
	])('in %s: %j', (form, value, text) => {
		expect(readDate(value, 'until', form)).toMatchObject({ text });
	});

	const NONE = [
		...['05/04/2026', '03/02/2026 10:00', '28/06/2025 01:38:52'],
		...['5.4.2026', '2026/04/05', '4-5-2026'],
		...['365', '12', 12, 365, 0, -1, '2026', 2026, 20260405, '1767261600', 1767261600000, 46000.5],
		...['2026-02-30', '2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '0000-00-00'],
		...['2026-04-05T25:00:00Z', '2026-04-05T10:61', '2026-04-05 UTC'],
		// The zero of programs.
		...['1970-01-01', '1970-01-01T00:00:00Z', '1900-01-01', '1999-12-31'],
		...['0000-00-00 00:00:00', '1969', '0026-04-05', '1404-12-10', '12026-04-05', '2026-4-5'],
		...['٢٠٢٦-٠٤-٠٥', '２０２６-04-05', '令和8年4月5日', '5 апреля 2026'],
		...['April 5, 2026', '05-Apr-2026', 'soon', 'never', 'tomorrow', 'true', 'null'],
		...['Invalid date', '2026-04-05,', '"2026-04-05"', 'P1M'],
		...['2026-04-05/2027-04-05', '2026-W14', '2026-095', '2026-04-05[UTC]'],
		...[true, false, {}, [], ['2026-04-05'], { date: '2026-04-05' }],
	];
	test.each([...NONE, ZERO_WIDTH])('%j is an error', (value) => {
		expect(() => readDate(value, 'until')).toThrow(UnreadableValue);
		expect(() => readLastDay(value, 'until')).toThrow(UnreadableValue);
	});

	test.each([
		['seconds', 1767261600000],
		['seconds', '365'],
		['milliseconds', 1767261600],
		['milliseconds', 0],
		['milliseconds', '1767261600000.5'],
		['milliseconds', '05/04/2026'],
		['dd/MM/yyyy HH:mm:ss', '30/02/2026 01:38:52'],
		['dd/MM/yyyy HH:mm:ss', '06/28/2025 01:38:52'],
		['dd/MM/yyyy HH:mm:ss', '28/06/2025'],
		['dd/MM/yyyy HH:mm:ss', '28/06/25 01:38:52'],
		['dd/MM/yyyy HH:mm:ss', 1767261600000],
	])('in %s, %j is an error', (form, value) => {
		expect(() => readDate(value, 'until', form)).toThrow(UnreadableValue);
	});

	// Luxon would take another month, this year, or the first day.
	test.each([
		['dd/mm/yyyy', '05/04/2027'],
		['dd/MM/yyyy HH:MM', '05/04/2027 10:05'],
		['dd/MM', '05/04'],
		['MM/yyyy', '04/2027'],
		['DD/MM/YYYY', '05/04/2027'],
		['Seconds', '1767261600'],
	])('no form is %s', (form, value) => {
		const says = `dates is "${form}". Enter seconds, milliseconds, or a form with one day, month, and year, such as dd/MM/yyyy HH:mm: mm are minutes.`;
		expect(() => readDate(value, 'until', form)).toThrow(says);
		expect(readDate('2027-04-05', 'until', form)).toMatchObject({ text: '2027-04-05' });
	});

	test("a form may have words, such as d 'de' MMMM 'de' yyyy", () => {
		const form = "d 'de' MMMM 'de' yyyy";
		expect(readDate('5 de April de 2027', 'until', form)).toMatchObject({ text: '2027-04-05' });
	});
});
