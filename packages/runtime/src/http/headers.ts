import type { AppNode, AppValue } from "@configc/compiler";
import { literalOf, membersOf, templateOf } from "../commands/argument.ts";
import { RunError } from "../errors.ts";
import type { Frame } from "../step.ts";
import { compileText } from "../template.ts";

/** What the client sets itself (D18). */
export const forbiddenHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
]);

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Makes the closure of a request's headers, with names in lower case. Names may have expansions too (D17). */
export function compileHeaders(
  value: AppValue | undefined,
  place: AppNode,
): (frame: Frame) => Record<string, string> {
  const headers = entriesOf(value).map(({ key, value: inner }) => {
    const name = compileText(key, place, "the name of a header");
    const literal = literalOf(inner);
    const template =
      templateOf(inner) ?? (literal === undefined || literal === null ? [] : [String(literal)]);
    const use = `the header \`${key.map((piece) => (typeof piece === "string" ? piece : "…")).join("")}\``;
    return { name, text: compileText(template, place, use) };
  });
  return (frame) => {
    const made: Record<string, string> = Object.create(null);
    for (const { name, text } of headers) {
      const written = headerName(name(frame), place);
      made[written] = headerText(written, text(frame), place);
    }
    return made;
  };
}

function entriesOf(value: AppValue | undefined) {
  if (value !== undefined && "members" in value) return value.members;
  return [...membersOf(value)].map(([name, inner]) => ({ key: [name], value: inner }));
}

/** A name in lower case, if it can be one of a header that an app gives (D18). */
export function headerName(written: string, place: AppNode): string {
  const name = written.toLowerCase();
  if (!token.test(name))
    throw new RunError("DataError", `\`${written.slice(0, 100)}\` isn't a valid header name.`, place);
  if (forbiddenHeaders.has(name))
    throw new RunError("DataError", `You can't set the header \`${name}\`. The HTTP client sets it.`, place);
  return name;
}

/** The value of a header, if it can be one: a line break would begin another header (D18). */
export function headerText(name: string, text: string, place: AppNode): string {
  if (/[\r\n\0]/.test(text))
    throw new RunError(
      "DataError",
      `The header \`${name}\` contains a line break or NUL, which would change the request.`,
      place,
    );
  if (!isHeaderText(text))
    throw new RunError(
      "DataError",
      `The header \`${name}\` contains a character that headers can't carry. Percent-encode it in the config.`,
      place,
    );
  return text.trim();
}

/** Whether a header can carry a text. It is what fetch calls a byte string: nothing else has a meaning in HTTP/1.1. */
export function isHeaderText(text: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}
