import type { ConfigObject, ConfigValue } from "@configc/scaffold";

/** Wide enough for a request, and for one option of a field. */
const WIDTH = 110;

/** A config as a person would lay it out: what fits on a line stands on one. */
export function laidOutConfig(config: ConfigObject): string {
  return `${laidOut(config, "")}\n`;
}

function laidOut(value: ConfigValue, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const short = onOneLine(value);
  if (indent !== "" && indent.length + short.length <= WIDTH && depthOf(value) < 3) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = (value as readonly ConfigValue[]).map((item) => inner + laidOut(item, inner));
    return items.length === 0 ? "[]" : `[\n${items.join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${laidOut(member, inner)}`,
  );
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
}

function onOneLine(value: ConfigValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly ConfigValue[]).map(onOneLine).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function depthOf(value: ConfigValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
