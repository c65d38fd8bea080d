import { readWhole } from "./read-whole.ts";

/**
 * The line of an operation in the file of an OpenAPI document, JSON or YAML: that of its method below the line with its path. Looked
 * for in the text, when somebody wants to go there; undefined where it stands in another file.
 *
 * @param file its path on disk
 * @returns from 0
 */
export function operationLine(file: string, path: string, method: string): number | undefined {
  let text: string;
  try {
    text = readWhole(file).toString("utf8");
  } catch {
    return undefined;
  }
  const lines = text.split("\n");
  const isPath = (line: string) => /^\s*["']?(\/[^"':]*)["']?\s*:/.exec(line)?.[1] === path;
  const first = lines.findIndex(isPath);
  if (first < 0) return undefined;
  const indent = indentOf(lines[first]!);
  const isMethod = new RegExp(`^\\s*["']?${method.toLowerCase()}["']?\\s*:`);
  for (let at = first + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.trim() !== "" && indentOf(line) <= indent) break;
    if (isMethod.test(line)) return at;
  }
  return first;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
