/**
 * What n8n's node catalog tells models that build workflows.
 * @returns a part of a node's description; not in the types of n8n-workflow 2.0
 */
export const searchHint = (text: string) => ({ builderHint: { searchHint: text } });

/**
 * What n8n tells models that build workflows about a field, besides its description.
 * @returns a part of a field; not in the types of n8n-workflow 2.0
 */
export const propertyHint = (text: string) => ({ builderHint: { propertyHint: text } });
