import type { Model } from "../bind/model.ts";
import type { Edit } from "../check/rule.ts";
import { spanOf } from "../parse/document.ts";
import { isSegment } from "../parse/template.ts";
import { type NamedThing, type NameKind, namedThings, type Occurrence } from "./occurrences.ts";

/** How a kind of name reads in a message. */
const words: Readonly<Record<NameKind, string>> = {
  auth: "auth entry",
  intake: "intake",
  workflow: "workflow",
  field: "form field",
  "saved-key": "saved key",
  "polling-key": "polling key",
  "jq-variable": "variable",
  "jq-function": "function",
};

/** Why a thing can't have that name; undefined if it can. */
export function renameProblem(model: Model, thing: NamedThing, name: string): string | undefined {
  const { kind } = thing;
  const word = words[kind];
  if (name === "") return `The name of a ${word} can't be empty.`;
  if (kind === "field" && !isSegment(name))
    return `\`\${custom_data.…}\` can't name \`${name}\`: an id has no blanks and none of \`. : | [ ] { } < >\`.`;
  const identifier = kind !== "auth" && kind !== "intake" && kind !== "workflow" && kind !== "field";
  if (identifier && !/^[A-Za-z_]\w*$/.test(name))
    return `A ${word} is made of letters, digits and \`_\`, and begins with no digit.`;
  const taken = namedThings(model).some(
    (other) => other.kind === kind && other.name === name && isNeighbour(other, thing),
  );
  return taken ? `There is a ${word} \`${name}\` already.` : undefined;
}

/** The edits that rename a thing everywhere; strings stay valid JSON, with the escapes that they have. */
export function renameEdits(model: Model, thing: NamedThing, name: string): Edit[] {
  const seen = new Set<string>();
  return [...thing.declarations, ...thing.references].flatMap((at) => {
    const span = spanOf(model.document, at);
    const key = `${span.start} ${span.end}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...span, newText: inString(at.rewrite?.(name) ?? name) }];
  });
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Names of programs count in their program, ids of fields in their workflow, all others in the whole document. */
function isNeighbour(other: NamedThing, thing: NamedThing): boolean {
  const [a, b] = [other.declarations[0], thing.declarations[0]];
  if (a === undefined || b === undefined || other === thing) return false;
  if (thing.kind === "jq-variable" || thing.kind === "jq-function") return a.node === b.node;
  return thing.kind !== "field" || formOf(a) === formOf(b);
}

/** The list that a field's id stands in: string, member, field, list. */
function formOf({ node }: Occurrence): unknown {
  const member = node.parent;
  const field = member?.kind === "member" ? member.parent : undefined;
  return field?.parent;
}
