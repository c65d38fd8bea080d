/** Milliseconds by which a worker's clock may be ahead or behind: far less than what is warned of. */
export const APART = 3_000;
