/** Methods of requests that change nothing, and have no body. */
export const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
