/** Absolute paths of the entries' sources, by the names that they are imported by. */
export const sources: Readonly<Record<string, string>>;
