/** A hint for AI models in n8n's catalog of nodes. The types of n8n-workflow 2.0 lack it. */
export const searchHint = (text: string) => ({ builderHint: { searchHint: text } });

/** A hint for AI models about a field. The types of n8n-workflow 2.0 lack it. */
export const propertyHint = (text: string) => ({ builderHint: { propertyHint: text } });
