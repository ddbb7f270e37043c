/** The service responds with 400: the request matches the contract, but cannot be carried out. */
export class Refusal extends Error {}
