import { basename } from "node:path";
import { percentDecoded } from "@configc/jq/internal";
import { bundle, parse } from "@readme/openapi-parser";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { readWhole } from "./read-whole.ts";

/**
 * Reads an OpenAPI document, or one of Swagger 2, JSON or YAML, with the parts of it that are in other files. No network is used: references to
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
    // The parser gives files as paths in which names are encoded as in a URL.
    const part = percentDecoded(url);
    parts.asked(part);
    try {
      const content = readWhole(part);
      parts.read(part, content);
      return content;
    } catch (error) {
      parts.read(part, undefined);
      throw error;
    }
  };
  // The type of the option knows settings of HTTP only; `false` turns it off.
  const local = { file: { read }, http: false } as unknown as { file: boolean };
  const document: unknown = openApi3(await parse(path, { resolve: local }));
  // References within a document are followed where they are met: to follow all of them beforehand takes long, and overflows the
  // stack where thousands of schemas refer to one another.
  if (!hasOtherParts(document)) return document;
  try {
    const whole: unknown = openApi3(await bundle(path, { resolve: local }));
    ownReferences(whole, basename(path));
    return whole;
  } catch {
    return document;
  }
}

/**
 * Makes references that lead from other files back into the document its own: `../api.yaml#/a` becomes `#/a`. The parser puts what
 * is in other files into the document, and leaves these as they were.
 *
 * @param name of the document's file; a reference that still names a file is one to it, or to a file that can't be read
 */
function ownReferences(document: unknown, name: string): void {
  for (const part of objectsIn(document)) {
    const { $ref: reference } = part;
    if (typeof reference !== "string" || /^[a-z]+:\/\//i.test(reference)) continue;
    const [file = "", pointer = ""] = reference.split("#", 2);
    if (file !== "" && basename(percentDecoded(file)) === name) part["$ref"] = `#${pointer}`;
  }
}

/** A document of Swagger 2 as one of OpenAPI 3; any other as it is. */
function openApi3(document: unknown): unknown {
  const root = document as Record<string, unknown> | null;
  return typeof root === "object" && String(root?.["swagger"]) === "2.0"
    ? upgradeFromTwoToThree({ ...root, swagger: "2.0" })
    : document;
}

/** Whether something in a document is in another file. */
function hasOtherParts(document: unknown): boolean {
  for (const { $ref: reference } of objectsIn(document))
    if (typeof reference === "string" && !reference.startsWith("#")) return true;
  return false;
}

/** The objects of a document, each once, though they may be in one another. */
function* objectsIn(document: unknown): Generator<Record<string, unknown>> {
  const seen = new Set<unknown>();
  const pending = [document];
  while (pending.length > 0) {
    const at = pending.pop();
    if (typeof at !== "object" || at === null || seen.has(at)) continue;
    seen.add(at);
    if (!Array.isArray(at)) yield at as Record<string, unknown>;
    for (const value of Object.values(at)) if (typeof value === "object") pending.push(value);
  }
}
