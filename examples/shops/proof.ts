import { step, type Step } from '../canvas/nodes';

/** Without a signature, nothing is genuine, and Read Notification says so. */
const GO_ON = { onError: 'continueRegularOutput' };

/** How a shop proves that a notification is its own. */
export type Proof = HeaderProof | AddressProof | HmacProof | TokenProof;

/** A fixed secret in a header. */
interface HeaderProof {
	kind: 'header';
	header: string;
}

/** Its address, which n8n makes up, and nobody can guess: hardly any shop can send a header of one's own. */
interface AddressProof {
	kind: 'address';
}

/** An HMAC of the body, which must be JSON, or of the text `of`. */
interface HmacProof {
	kind: 'hmac';
	type: 'SHA1' | 'SHA256';
	encoding: 'hex' | 'base64';
	of?: string;
	/** What of the body may be signed alone. */
	part?: string;
	/** The header with the signature. */
	inHeader?: string;
	/** If it's elsewhere: an expression that compares it. It also needs an entry in `PROOFS` of `test/shops`. */
	isGenuine?: string;
	/** An expression that is true for a ping that the shop doesn't sign. It passes, but never as a sale. */
	unsignedPing?: string;
}

/** A fixed secret in the body, found by the expression `token`, such as `$json.body.token`. */
interface TokenProof {
	kind: 'token';
	token: string;
}

/** What a proof needs in a workflow. */
interface Check {
	/** How n8n itself checks it, before the workflow starts. */
	authentication?: 'headerAuth';
	/** Whether the body is needed as it was sent. */
	rawBody?: true;
	/** The nodes that compute what is compared, in turn, by their names. */
	nodes: Record<string, Step>;
	/** What **What the Shop Sends** compares: expressions for `isGenuine` and `isPing`. */
	fields: Record<string, string>;
}

/** What must be in a workflow so that it takes only what has this proof. */
export function checkOf(proof: Proof): Check {
	switch (proof.kind) {
		case 'header':
			return { authentication: 'headerAuth', nodes: {}, fields: {} };
		case 'address':
			return { nodes: {}, fields: {} };
		case 'hmac':
			return checkHmac(proof);
		case 'token':
			return checkToken(proof);
	}
}

/** What is read of a signed notification must be what is signed: its JSON. */
function checkHmac({ type, encoding, of, part, ...proof }: HmacProof): Check {
	const compared = proof.isGenuine ?? `$json.headers['${proof.inHeader}'] === $json.signature`;
	const isGenuine = `/^application\\/json\\s*(;|$)/i.test($json.headers['content-type']) && Boolean($json.signature) && ${compared}`;
	const signed = of ? { value: `=${of}` } : { binaryData: true };
	const partAsText = `={{ JSON.stringify(${part} ?? '') }}`;
	return {
		rawBody: true,
		nodes: {
			...(of && { 'Body as Text': bodyAsText() }),
			'Compute Signature': hmac('signature', { ...signed, type, encoding }),
			...(part && { 'Sign Part': hmac('ofPart', { value: partAsText, type, encoding }) }),
		},
		fields: { isGenuine, ...(proof.unsignedPing && { isPing: proof.unsignedPing }) },
	};
}

/** n8n shows the secret of a credential to no expression. But of one text, two HMACs are equal only if their secrets are. */
function checkToken({ token }: TokenProof): Check {
	const secret = `={{ ${token} || 'none' }}`;
	return {
		nodes: {
			'Compute Signature': hmac('signature', { value: 'token' }),
			'Sign With Token': hmac('ofToken', { value: 'token', secret }, 1),
		},
		fields: {
			isGenuine: `typeof ${token} === 'string' && Boolean(${token} && $json.signature) && $json.signature === $json.ofToken`,
		},
	};
}

/** A node that computes an HMAC. Its version 2 takes the secret from its credential, version 1 from a parameter. */
function hmac(dataPropertyName: string, parameters: object, version: 1 | 2 = 2): Step {
	const usual = { action: 'hmac', type: 'SHA256', encoding: 'hex' };
	return step('crypto', version, { ...usual, ...parameters, dataPropertyName }, GO_ON);
}

function bodyAsText(): Step {
	const options = { encoding: 'utf8', keepSource: 'json' };
	return step('extractFromFile', 1, { operation: 'text', destinationKey: 'text', options }, GO_ON);
}
