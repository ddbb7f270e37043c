import { attempt, memoize } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Zone } from 'luxon';
import type { FoundRows } from '../../../operation/checkRows';
import type { InputItem } from '../../../operation/operation';
import { readExpiration } from '../../../fields/accessExpiration';
import { parseEmail } from '../../../values/email';
import { parseDate } from '../../../values/expiration';
import { InvalidValueError } from '../../../values/invalidValue';
import { isBlank, parseOptionalText } from '../../../values/text';
import { readEnrollment } from '../enrollment';
import { createFieldFinder, type InputField } from './inputField';

/** Treats each input item as a student; throws InvalidValueError if the name of a field is invalid. */
export function studentsInItems(items: InputItem[]): FoundRows['rowsOf'] {
	const { get, now } = items[0]!;
	const findField = createFieldFinder(items);
	const email = findField(get('emailField'), 'Email Field');
	const nameOfField = get('nameField');
	// Where the parameter has its default, the field may be missing.
	const isDefault = nameOfField === 'name';
	const name = isBlank(nameOfField) ? undefined : findField(nameOfField, 'Name Field', isDefault);
	// Looked up only when needed: Access Expiration may be an expression, and choose it for some items.
	const dateReader = memoize(() =>
		createDateReader(findField(get('expirationField'), 'Expiration Field'), now.zone),
	);
	if (attempt(get, 'accessExpiration') === 'field') dateReader();

	return (item) => {
		const enteredEmail = () => email.valueIn(item.json);
		const read = () =>
			readEnrollment(item, {
				email: () => parseEmail(enteredEmail(), email.label),
				name: () => name && parseOptionalText(name.valueIn(item.json), name.label),
				expirationDate: () => readExpiration(item, () => dateReader()(item.json)),
			});
		return [{ enteredEmail, read }];
	};
}

function createDateReader(field: InputField, zone: Zone) {
	// Many students have the same date, and one that is not in UTC takes longer to read than everything else.
	const parse = memoize((date: unknown) => parseDate(date, field.label, zone));
	return (json: IDataObject): string | undefined => {
		const date = field.valueIn(json);
		if (date === undefined) {
			const advice =
				'Use the same field name in all items. If access must never end, add the field and leave it empty.';
			throw new InvalidValueError(field.label, 'is missing', advice);
		}
		return isBlank(date) ? undefined : parse(date);
	};
}
