import { readFile } from "node:fs/promises";
import { bundle, parse } from "@readme/openapi-parser";

/**
 * Reads an OpenAPI document, JSON or YAML, with the parts of it that are in other files. No network is used: references to
 * other machines are left as they are, and nothing is known of what they stand for.
 *
 * A file of its own, loaded when there is such a document: the parser takes longer to load than a config to check.
 *
 * @param parts is told each file that is asked for, and then what was read of it; undefined if it can't be read
 * @throws Error if the file can't be read, or is no JSON or YAML
 */
export async function readOpenApi(
  path: string,
  parts: { asked(path: string): void; read(path: string, content: Uint8Array | undefined): void },
): Promise<unknown> {
  const read = async ({ url }: { readonly url: string }): Promise<Buffer> => {
    const part = pathOf(url);
    parts.asked(part);
    try {
      const content = await readFile(part);
      parts.read(part, content);
      return content;
    } catch (error) {
      parts.read(part, undefined);
      throw error;
    }
  };
  // The type of the option knows settings of HTTP only; `false` turns it off.
  const local = { file: { read }, http: false } as unknown as { file: boolean };
  const document: unknown = await parse(path, { resolve: local });
  // References within a document are followed where they are met: to follow all of them beforehand takes long, and overflows the
  // stack where thousands of schemas refer to one another.
  if (!hasOtherParts(document)) return document;
  try {
    return await bundle(path, { resolve: local });
  } catch {
    return document;
  }
}

/** Whether something in a document is in another file. */
function hasOtherParts(document: unknown): boolean {
  const seen = new Set<unknown>();
  const pending = [document];
  for (let at = pending.pop(); pending.length > 0 || at !== undefined; at = pending.pop()) {
    if (typeof at !== "object" || at === null || seen.has(at)) continue;
    seen.add(at);
    for (const [name, value] of Object.entries(at)) {
      if (name === "$ref" && typeof value === "string" && !value.startsWith("#")) return true;
      if (typeof value === "object") pending.push(value);
    }
  }
  return false;
}

/** The parser's addresses of files are paths in which names are encoded as in a URL. */
function pathOf(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
