import type { Document, JsonNode } from "@configc/compiler";

/**
 * The document as plain JSON: without comments, trailing commas and byte order mark (D1). Strings and numbers stay as they are
 * written, so that no digit is lost.
 *
 * @param document without errors
 */
export function plainJson({ root, text }: Document): string {
  const write = (node: JsonNode, outer: string): string => {
    const inner = `${outer}  `;
    if (node.kind === "array") {
      const items = node.items.map((item) => `${inner}${write(item, inner)}`);
      return items.length === 0 ? "[]" : `[\n${items.join(",\n")}\n${outer}]`;
    }
    if (node.kind === "object") {
      const members = node.members.flatMap(({ key, value }) =>
        value === undefined ? [] : [`${inner}${text.slice(key.start, key.end)}: ${write(value, inner)}`],
      );
      return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${outer}}`;
    }
    return text.slice(node.start, node.end);
  };
  return root === undefined ? "" : `${write(root, "")}\n`;
}
