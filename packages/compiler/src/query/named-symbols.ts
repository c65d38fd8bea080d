import { type Node, resolve as resolveNames, walk } from "@configc/jq";
import type { FieldSymbol, FieldUse, JqProgram } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { spanOf } from "../parse/document.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import { jqRead } from "./jq-name.ts";
import { memberSymbols } from "./member-symbols.ts";
import type { NamedSymbol, NameKind } from "./named-symbol.ts";
import type { Occurrence } from "./occurrence.ts";
import { renameObstacle } from "./rename-obstacle.ts";
import { stateKeys } from "./state-keys.ts";

export type { NamedSymbol, NameKind } from "./named-symbol.ts";

/** Every name of the document that can be gone to and renamed. */
export const namedSymbols: (model: Model) => readonly NamedSymbol[] = derived((model) => [
  ...declared(model),
  ...keyThings(model),
  ...model.programs.flatMap(jqThings),
]);

/** The thing whose name stands at an offset of the document, with the occurrence that is meant. */
export function namedSymbolAt(
  model: Model,
  offset: number,
): { readonly thing: NamedSymbol; readonly at: Occurrence } | undefined {
  return declaredSymbolAt(model, offset) ?? memberAt(model, offset);
}

/** The same without members of values, of which types say more. */
export function declaredSymbolAt(model: Model, offset: number) {
  return among(model, offset, namedSymbols(model));
}

function among(model: Model, offset: number, things: readonly NamedSymbol[]) {
  for (const thing of things) {
    for (const at of [...thing.declarations, ...thing.references]) {
      const { start, end } = spanOf(model.document, at);
      if (start <= offset && offset <= end) return { thing, at };
    }
  }
  return undefined;
}

/** A member is told of from the commands around it alone. */
function memberAt(model: Model, offset: number) {
  const outermost = model.commands.find(
    ({ parent, node }) => parent === undefined && node.start <= offset && offset <= node.end,
  );
  return outermost === undefined ? undefined : among(model, offset, memberSymbols(model, outermost.node));
}

const whole = (node: StringNode): Occurrence => ({ node, from: 0, to: node.value.length });

function* declared(model: Model): Generator<NamedSymbol> {
  const inExpansions = new Set(
    model.expansions.map(({ node, syntax }) => placeKey(node, syntax.path[1]?.start)),
  );
  for (const { name, member, references } of model.auths) {
    yield {
      kind: "auth",
      name,
      declarations: [whole(member.key)],
      references: references.filter(({ exact }) => exact).map(({ node }) => whole(node)),
    };
  }
  for (const { name, nameNode, references } of model.intakes) {
    if (name === undefined || nameNode === undefined) continue;
    yield {
      kind: "intake",
      name,
      declarations: [whole(nameNode)],
      references: references.filter(({ exact }) => exact).map(({ node }) => whole(node)),
    };
  }
  for (const workflow of model.workflows) {
    if (workflow.name !== undefined && workflow.nameNode !== undefined) {
      yield {
        kind: "workflow",
        name: workflow.name,
        declarations: [whole(workflow.nameNode)],
        references: [],
      };
    }
  }
  for (const fields of sharedFields(model)) {
    const id = fields[0]?.id ?? "";
    yield {
      kind: "field",
      name: id,
      declarations: fields.flatMap(({ idNode }) => (idNode === undefined ? [] : [whole(idNode)])),
      references: usesOf(fields).flatMap((use) => fieldOccurrence(use, id, inExpansions) ?? []),
    };
  }
}

/**
 * Form fields by what they stand for: those of several workflows are one where an intake that all of them use reads them by one
 * expansion (D12).
 */
function sharedFields({ workflows }: Model): readonly (readonly FieldSymbol[])[] {
  const groups: FieldSymbol[][] = [];
  const byUse = new Map<string, FieldSymbol[]>();
  for (const field of workflows.flatMap(({ fields }) => fields)) {
    if (field.id === undefined || field.idNode === undefined) continue;
    const keys = field.references.map(({ node, from }) => placeKey(node, from));
    const known = keys.map((key) => byUse.get(key)).find((group) => group?.[0]?.id === field.id);
    const group = known ?? [];
    if (known === undefined) groups.push(group);
    group.push(field);
    for (const key of keys) byUse.set(key, group);
  }
  return groups;
}

/** Each use once. */
function usesOf(fields: readonly FieldSymbol[]): readonly FieldUse[] {
  const uses = fields.flatMap(({ references }) => references);
  return [...new Map(uses.map((use) => [placeKey(use.node, use.from), use])).values()];
}

function placeKey({ start }: StringNode, from: number | undefined): string {
  return `${start} ${from}`;
}

/** The id alone; in jq it may stand in quotes, or need them under a new name. */
function fieldOccurrence(
  { node, from, to }: FieldUse,
  id: string,
  inExpansions: ReadonlySet<string>,
): Occurrence | undefined {
  const offset = node.value.slice(from, to).indexOf(id);
  if (offset < 0) return undefined;
  const at = { node, from: from + offset, to: from + offset + id.length };
  return inExpansions.has(placeKey(node, from)) ? at : jqRead(node, at.from, at.to);
}

/** Saved and polling keys whose name some command spells out; of others there is nothing to go to, and nothing to rename. */
function* keyThings(model: Model): Generator<NamedSymbol> {
  for (const key of stateKeys(model)) {
    const { kind, name, writes, reads, piped } = key;
    const declarations = writes.flatMap(({ at }) => at ?? []);
    if (declarations.length === 0) continue;
    const obstacle = renameObstacle(model, key);
    const references = [...reads, ...piped].map(({ at }) => at);
    yield { kind, name, declarations, references, ...(obstacle === undefined ? {} : { obstacle }) };
  }
}

/** Variables and functions that a program itself declares. */
function jqThings(program: JqProgram): NamedSymbol[] {
  if (program.diagnostics.length > 0) return [];
  const { node, tree } = program;
  const { functions, variables } = resolveNames(tree);
  const found = new Map<
    Node,
    { kind: NameKind; name: string; declaration: Occurrence; references: Occurrence[] }
  >();
  const part = (from: number, to: number): Occurrence => ({ node, from, to });
  walk(tree, {
    enter(each) {
      if (each.kind === "Definition") {
        const { start, end, text } = each.name;
        found.set(each, { kind: "jq-function", name: text, declaration: part(start, end), references: [] });
      } else if (each.kind === "Parameter") {
        const start = each.byValue ? each.start + 1 : each.start;
        const kind = each.byValue ? "jq-variable" : "jq-function";
        found.set(each, { kind, name: each.name, declaration: part(start, each.end), references: [] });
      } else if (each.kind === "VariablePattern") {
        const start = each.end - each.name.length;
        found.set(each, {
          kind: "jq-variable",
          name: each.name,
          declaration: part(start, each.end),
          references: [],
        });
      }
      return undefined;
    },
  });
  for (const [call, declaration] of functions) {
    found.get(declaration)?.references.push(part(call.name.start, call.name.end));
  }
  for (const [variable, declaration] of variables) {
    found.get(declaration)?.references.push(part(variable.end - variable.name.length, variable.end));
  }
  return [...found.values()].map(({ declaration, ...thing }) => ({ ...thing, declarations: [declaration] }));
}
