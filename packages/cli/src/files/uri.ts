import { fileURLToPath } from "node:url";

/** The path of a document; undefined for what is on no disk of this machine. */
export function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
