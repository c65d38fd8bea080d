import { isRootName } from "../language/expansion-names.ts";
import { isCommandKey, type Value } from "../language/index.ts";
import type { JsonNode, StringNode } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import type { BindingContext } from "./binding-context.ts";
import type { Expansion, ExpansionPosition } from "./bound-nodes.ts";
import { bindExpansion } from "./expansion.ts";
import type { Part } from "./part.ts";
import { bindProgram, evaluatedHoles } from "./program.ts";

/** Strings in which expansions stand: what they are is added to a part of the model. */

/** What a string by itself is, if the table says it; undefined for ordinary texts. */
export function positionOf(spec: Value): ExpansionPosition | undefined {
  if (spec.kind !== "text") return undefined;
  switch (spec.format) {
    case "path":
    case "header":
    case "jq":
    case "url":
      return spec.format;
    default:
      return undefined;
  }
}

/** A string that is evaluated: its expansions, and of jq its program. */
export function bindTemplate(
  node: StringNode,
  position: ExpansionPosition,
  { command, unit }: BindingContext,
  part: Part,
): void {
  if (!node.valid) {
    part.unfinished.push({ node, position, command, unit });
    return;
  }
  const template = parseTemplate(node.value);
  if (template === undefined && position !== "jq") return;
  let expansions: readonly Expansion[] = (template?.expansions ?? []).map((syntax) =>
    bindExpansion(syntax, node, position, command, unit),
  );
  if (position === "jq" && command !== undefined) {
    command.program = bindProgram(node, command, expansions);
    part.programs.push(command.program);
    expansions = evaluatedHoles(command.program);
  }
  if (template === undefined) return;
  for (const expansion of expansions) part.expansions.push(expansion);
  part.templates.push({ node, template, command, unit, position, expansions });
}

/** Strings and keys of free data. Nesting is capped by the parser. */
export function bindData(
  node: JsonNode,
  position: ExpansionPosition,
  within: string,
  at: BindingContext,
  part: Part,
): void {
  switch (node.kind) {
    case "string":
      return bindTemplate(node, position, at, part);
    case "array":
      for (const item of node.items) bindData(item, position, within, at, part);
      return;
    case "object":
      for (const member of node.members) {
        if (node.members.length === 1 && isCommandKey(member.name)) {
          part.structure.push({ kind: "command-in-data", member, within });
        }
        bindTemplate(member.key, "key", at, part);
        if (member.value !== undefined) bindData(member.value, position, within, at, part);
      }
  }
}

/** A string in which nothing is expanded, but which may look as if something were. */
export function bindInert(node: StringNode, { command }: BindingContext, part: Part): void {
  if (node.value.indexOf("$") < 0 || !node.valid) return;
  const template = parseTemplate(node.value);
  const known = template?.expansions.some(({ path }) => isRootName(path[0]?.text));
  if (template !== undefined && known === true) part.inertTemplates.push({ node, template, command });
}
