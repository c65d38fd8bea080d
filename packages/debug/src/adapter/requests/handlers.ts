/** What answers the requests of a client, by their names: with the body of the response, or by throwing an Error for people. */
export type Handlers = Readonly<Record<string, (args: never) => unknown>>;
