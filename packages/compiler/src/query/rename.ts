import { check } from "@configc/jq";
import { isIdentifier } from "@configc/jq/internal";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { spanOf } from "../parse/document.ts";
import { isSegment } from "../parse/template.ts";
import { insideQuotes } from "./jq-name.ts";
import { type NamedSymbol, type NameKind, namedSymbols } from "./named-symbols.ts";
import type { Occurrence } from "./occurrence.ts";

/** How a kind of name reads in a message. */
const words: Readonly<Record<NameKind, string>> = {
  auth: "auth entry",
  intake: "intake",
  workflow: "workflow",
  field: "form field",
  "saved-key": "saved key",
  "polling-key": "polling key",
  member: "member",
  "jq-variable": "variable",
  "jq-function": "function",
};

/** Why a thing can't have that name; undefined if it can. */
export function renameProblem(model: Model, thing: NamedSymbol, name: string): string | undefined {
  const { kind, obstacle } = thing;
  const word = words[kind];
  if (obstacle !== undefined) return obstacle;
  if (name === "") return `The name of ${article(word)} ${word} can't be empty.`;
  const root = roots[kind];
  if (root !== undefined && !isSegment(name))
    return `\`\${${root}.…}\` can't name \`${name}\`. A name can't have spaces or any of \`. : | [ ] { } < >\`.`;
  if (kind === "jq-variable" || kind === "jq-function") {
    const problem = identifierProblem(thing, kind, name);
    if (problem !== undefined) return problem;
  }
  const taken = namedSymbols(model).some(
    (other) => other.kind === kind && other.name === name && isNeighbour(other, thing),
  );
  return taken ? `There is already ${article(word)} ${word} \`${name}\`.` : undefined;
}

/** The edits that rename a thing everywhere; strings stay valid JSON, with the escapes that they have. */
export function renameEdits(model: Model, thing: NamedSymbol, name: string): Edit[] {
  const seen = new Set<string>();
  return [...thing.declarations, ...thing.references].flatMap((at) => {
    const span = spanOf(model.document, at);
    const key = `${span.start} ${span.end}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...span, newText: insideQuotes(at.rewrite?.(name) ?? name) }];
  });
}

/** Expansions that name a kind of thing: a new name has to be one that a path can have (D6). */
const roots: Readonly<Partial<Record<NameKind, string>>> = {
  field: "custom_data",
  "saved-key": "data",
  "polling-key": "polling_state",
  member: "piped_content.N",
};

/** Why a program can't have a variable or function of that name beside what is in it already. */
function identifierProblem(
  { declarations: [declaration] }: NamedSymbol,
  kind: "jq-variable" | "jq-function",
  name: string,
): string | undefined {
  const word = words[kind];
  if (!isIdentifier(name)) return `A ${word} needs letters, digits and \`_\`, and can't begin with a digit.`;
  if (kind === "jq-variable")
    return name === "ENV" || name === "__loc__" ? `\`$${name}\` already exists.` : undefined;
  if (check(`def ${name}: .; .`).diagnostics.length > 0)
    return `\`${name}\` is a keyword of jq and can't name a function.`;
  const calls = new RegExp(`(?<![\\w.$@])${name}(?!\\w)`);
  return declaration !== undefined && calls.test(declaration.node.value)
    ? `The program already uses \`${name}\`, which would then mean this function.`
    : undefined;
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? "an" : "a";
}

/** Names of programs count in their program, ids of fields in their workflow, all others in the whole document. */
function isNeighbour(other: NamedSymbol, thing: NamedSymbol): boolean {
  const [a, b] = [other.declarations[0], thing.declarations[0]];
  if (a === undefined || b === undefined || other === thing) return false;
  if (thing.kind === "jq-variable" || thing.kind === "jq-function") return a.node === b.node;
  if (thing.kind !== "field") return true;
  const forms = new Set(thing.declarations.map(formOf));
  return other.declarations.some((declaration) => forms.has(formOf(declaration)));
}

/** The list that a field's id stands in: string, member, field, list. */
function formOf({ node }: Occurrence): unknown {
  const member = node.parent;
  const field = member?.kind === "member" ? member.parent : undefined;
  return field?.parent;
}
