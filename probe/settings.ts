/** What the probe is told, by environment variables. */
export interface Settings {
	/** Without a slash at the end. */
	baseUrl: string;
	token: string;
	/** An empty class, made for the probe. */
	classId: string;
	/** The only student that is added and removed. */
	email: string;
}

const VARIABLES = {
	baseUrl: ['CLASS_ENROLLMENT_BASE_URL', 'with the version, such as https://api.example.com/v1'],
	token: ['CLASS_ENROLLMENT_TOKEN', 'an access token'],
	classId: ['CLASS_ENROLLMENT_CLASS_ID', 'the ID of an empty class, made for this'],
	email: ['CLASS_ENROLLMENT_EMAIL', 'an address of your own, which gets a magic link'],
} as const;

/** Reads the settings. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
	const missing = Object.values(VARIABLES).filter(([name]) => !env[name]?.trim());
	if (missing.length > 0) {
		const lines = missing.map(([name, meaning]) => `  ${name}  ${meaning}`);
		throw new Error(['Set these environment variables:', ...lines].join('\n'));
	}
	const read = (key: keyof Settings) => String(env[VARIABLES[key][0]]).trim();
	const baseUrl = read('baseUrl').replace(/\/+$/, '');
	if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
		throw new Error(`${VARIABLES.baseUrl[0]} must be a URL, ${VARIABLES.baseUrl[1]}`);
	}
	return { baseUrl, token: read('token'), classId: read('classId'), email: read('email') };
}
