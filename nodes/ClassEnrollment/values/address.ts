const MAX_LENGTH = 254;
// A quote is part of some addresses (o'brien@example.com), but one at the beginning is around the address, a "=" there is that of
// an expression or a formula, and another sign that of a list (•) or of a quote (‘). A domain may have letters of any script, some
// of which are combined with marks. An invisible character, as from a web page, would make it another student.
const ADDRESS =
	/^(?!['`=]|[^\p{ASCII}\p{L}\p{N}])(?!.*\p{DI})[^\s\p{C}@<>(),;:"[\]\\{}]+@[\p{L}\p{M}\p{Nd}-]+(\.[\p{L}\p{M}\p{Nd}-]+)+$/u;

/** Whether a text is like one email address. */
export const isAddress = (text: string): boolean => text.length <= MAX_LENGTH && ADDRESS.test(text);
