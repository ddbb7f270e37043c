/** A server that n8n needs in queue mode. */
export interface Backend {
	/** The settings of n8n for this server. */
	env: Record<string, string>;
	logFile: string;
	stop: () => Promise<void>;
}
