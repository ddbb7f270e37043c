/** A valid Base URL. A user name in it would be sent instead of the access token. */
export const BASE_URL = /^https?:\/\/[^\s/?#@\p{DI}]+(\/[^\s?#\p{DI}]*)?$/iu;
