/** The service says no: the request matches the contract, but cannot be carried out. */
export class Refusal extends Error {}
