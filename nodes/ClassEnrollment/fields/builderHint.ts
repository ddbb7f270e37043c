/** What n8n's catalog tells models about a node, as a part of its description; not in the types of n8n-workflow 2.0. */
export const searchHint = (text: string) => ({ builderHint: { searchHint: text } });

/** What n8n tells models about a field, besides its description, as a part of it; not in those types, either. */
export const propertyHint = (text: string) => ({ builderHint: { propertyHint: text } });
