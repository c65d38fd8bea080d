/** Of all packages; a test compares it with theirs. */
export const VERSION = "0.1.0";
