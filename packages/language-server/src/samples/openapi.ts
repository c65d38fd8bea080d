import { bundle } from "@readme/openapi-parser";

/**
 * Reads an OpenAPI document, JSON or YAML, with the parts of it that are in other files. No network is used: references to
 * other machines are left as they are, and nothing is known of what they stand for.
 *
 * A file of its own, loaded when there is such a document: the parser takes longer to load than a config to check.
 *
 * @throws Error if the file can't be read, or is no JSON or YAML
 */
export async function readOpenApi(path: string): Promise<unknown> {
  // The type of the option knows settings of HTTP only; `false` turns it off.
  const local = { file: true, http: false } as unknown as { file: boolean };
  try {
    return await bundle(path, { resolve: local });
  } catch {
    return await bundle(path, { resolve: { file: true, external: false } });
  }
}
