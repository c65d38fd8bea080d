/** Writes our sources as JavaScript. @returns where that of a source stands, or undefined for a path that is no source of ours */
export function writeSources(): Promise<(path: string) => string | undefined>;
