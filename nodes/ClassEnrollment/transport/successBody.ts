import isEmpty from 'lodash/isEmpty';
import lowerCase from 'lodash/lowerCase';
import type { IDataObject } from 'n8n-workflow';

// Words in English, Portuguese and Spanish (see `wordsOf`). What else a body says is a yes.
const SUCCESS = ['success', 'sucesso', 'exito'];
const ERRORS = ['error', 'errors', 'erro', 'erros', 'errores'];
/** A text that says no: "not found" does, "no errors" and "not started" do not. */
const NO = [
	/^(false|falso|no|not|nao)$/,
	/^(no|not|nao) ((been|yet|such|foi|fue|se) )?(accept|aceit|add|adicion|allow|author|autor|class|delet|done|encontr|enroll|envi|exist|found|inscri|matricul|ok|permi|possible|possivel|process|remov|sent|student|success|valid)/,
	/^((access|permission|acesso|acceso) )?(denied|nega|deneg)/,
	/^(bad request|erro|fail|falh|fall|forbid|invalid|proib|prohib|recus|reject|rejeit|rechaz|unable|unauthori|unsuccess)/,
];
const NO_ERROR = /^(0|false|falso|null|none|no|n[aã]o)?$|^(no|nenhum|ning[uú]n|sem|sin) err/iu;
const ERROR_STATUS = /^[45]\d\d\b/;

const FIELDS_THAT_SAY_NO: Array<[names: string[], saysNo: (value: unknown) => boolean]> = [
	[['ok', ...SUCCESS], isNo],
	[['status'], (value) => isNo(value) || ERROR_STATUS.test(wordsOf(value))],
	[ERRORS, isError],
];

/** Whether a body says that the request failed, as the service's errors do (test/service/openapi.yaml). */
export function marksItselfAsError(body: IDataObject): boolean {
	return Object.entries(body).some(([name, value]) =>
		value === false
			? SUCCESS.includes(wordsOf(name))
			: wordsOf(name) === 'status' && wordsOf(value) === 'error',
	);
}

/** Whether a body says that the request failed, in another way. */
export function saysNo(body: IDataObject): boolean {
	return Object.entries(body).some(([name, value]) =>
		FIELDS_THAT_SAY_NO.some(([names, says]) => names.includes(wordsOf(name)) && says(value)),
	);
}

function isError(value: unknown): boolean {
	return typeof value === 'object' ? !isEmpty(value) : !NO_ERROR.test(String(value).trim());
}

function isNo(value: unknown): boolean {
	const words = wordsOf(value);
	return words !== '' && (Number(value) <= 0 || NO.some((form) => form.test(words)));
}

/** Returns a text as words in lower case, without accents; empty for a list or an object. */
function wordsOf(value: unknown): string {
	return typeof value === 'object' ? '' : lowerCase(String(value));
}
