// Keeps the rows whose buyer no other payment keeps in the class. The table may hold addresses in upper case.
const addressOf = ({ email }) => (email ?? '').trim().toLowerCase();
const others = $input
	.all()
	.map(({ json }) => json)
	.filter(({ expiresAt }) => !expiresAt || new Date(expiresAt) > new Date());
const isOther = (row, other) =>
	addressOf(row) === addressOf(other) && row.classId === other.classId;
return $('Record Refund')
	.all()
	.filter(({ json }) => !others.some((other) => isOther(json, other)))
	.map(({ json }) => ({ json }));
