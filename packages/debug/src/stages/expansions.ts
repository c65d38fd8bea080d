import type { AppCommand, AppExpansion, AppValue } from "@configc/compiler";
import { readMethods } from "@configc/runtime/internal";

/** An expansion in the argument of a command: a place at which the value can be looked at that is put there. */
export interface ExpansionPlace {
  /** In the list of the command's expansions. */
  readonly index: number;
  readonly expansion: AppExpansion;
  /** The members that lead to it: `body.members.email`. */
  readonly member: string;
}

/**
 * Commands whose expansions have values that a person may see. The secret of `!sha` isn't one: what a run hides as a secret it knows only
 * once that command has read it.
 */
const expanding: ReadonlySet<string> = new Set(["!http", "!print", "!respond", "!resource"]);

/** The expansions in the argument of a command that a run of it reads, in source order. */
export function expansionsOf({ key, argument, program }: AppCommand): readonly ExpansionPlace[] {
  if (argument === undefined || program !== undefined || !expanding.has(key)) return [];
  const found: Omit<ExpansionPlace, "index">[] = [];
  const visit = (value: AppValue, member: string): void => {
    if ("template" in value) {
      for (const expansion of value.template)
        if (typeof expansion !== "string") found.push({ expansion, member });
    } else if ("items" in value)
      for (const [at, item] of value.items.entries()) visit(item, `${member}[${at}]`);
    else if ("members" in value)
      for (const { key: name, value: inner } of value.members) {
        const path = member === "" ? textOf(name) : `${member}.${textOf(name)}`;
        for (const expansion of name)
          if (typeof expansion !== "string") found.push({ expansion, member: path });
        if (path !== "body" || hasBody(key, argument)) visit(inner, path);
      }
  };
  visit(argument, "");
  return found
    .sort((a, b) => a.expansion.span.start - b.expansion.span.start)
    .map((each, index) => ({ ...each, index }));
}

/** What stands in the body of a request that reads is never looked at. */
function hasBody(key: string, argument: AppValue): boolean {
  if (key !== "!http" || !("members" in argument)) return true;
  const method = argument.members.find(({ key: name }) => name.length === 1 && name[0] === "method")?.value;
  const written = method !== undefined && "literal" in method ? method.literal : "GET";
  return typeof written === "string" && !readMethods.has(written.toUpperCase());
}

function textOf(template: readonly (string | AppExpansion)[]): string {
  return template
    .map((piece) => (typeof piece === "string" ? piece : `\${${piece.path.join(".")}}`))
    .join("");
}
