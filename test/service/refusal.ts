/** What the service throws to answer 400: the request is well formed, but cannot be carried out. */
export class Refusal extends Error {}
