import { printType, type Type } from "@configc/jq";
import { keyText } from "@configc/jq/internal";

/** Everything that a type is known to have. */
const WHOLE = { depth: 8, members: 100 };

/**
 * A type over several lines where it has objects that don't fit on one: their members, or one of several kinds of objects a line.
 *
 * @param width characters of a line; what can't be divided may be longer
 */
export function layOutType(type: Type, width = 80): string {
  const line = printType(type, WHOLE);
  if (line.length <= width) return line;
  switch (type.kind) {
    case "array": {
      const items = layOutType(type.items, width);
      if (!items.includes("\n")) return line;
      if (items.startsWith("| ")) return `(\n  ${items.replaceAll("\n", "\n  ")}\n)[]`;
      return type.items.kind === "union" ? `(${items})[]` : `${items}[]`;
    }
    case "object":
      return layOutObject(type, width);
    case "union": {
      const parts = [...type.members]
        .map((part) => ({ isNull: part.kind === "null", text: layOutType(part, width) }))
        .sort((a, b) => Number(a.isNull) - Number(b.isNull) || (a.text < b.text ? -1 : 1))
        .map(({ text }) => text);
      const isListed = parts.filter((part) => /^\{.*\}$/.test(part)).length > 1;
      return isListed
        ? parts.map((part) => `| ${part.replaceAll("\n", "\n  ")}`).join("\n")
        : parts.join(" | ");
    }
    default:
      return line;
  }
}

function layOutObject({ members, rest }: Extract<Type, { kind: "object" }>, width: number): string {
  const inner = (type: Type): string => {
    const text = layOutType(type, width - 2).replaceAll("\n", "\n  ");
    return text.startsWith("| ") ? `\n    ${text.replaceAll("\n", "\n  ")}` : ` ${text}`;
  };
  const lines = [...members].map(([name, { type, optional }]) => {
    const key = keyText(name);
    return `  ${key}${optional ? "?" : ""}:${inner(type)},`;
  });
  if (rest !== undefined) lines.push(rest.kind === "unknown" ? "  …" : `  [string]:${inner(rest)},`);
  return `{\n${lines.join("\n")}\n}`;
}
