import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { fieldOf } from "../../../flow/field-of.ts";
import { bare, isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { ChoiceTable } from "./choice-tables.ts";

/**
 * Objects of the service in which a customer's choice is looked up, where a comment shows their members and one option isn't among them:
 * `.prices[${custom_data.ticket.value}]` beside `prices: {adult, child, concession}`.
 */
export function* documentedTables(program: JqProgram, model: Model): Generator<ChoiceTable> {
  if (program.holes.length === 0 || !hasComments(model)) return;
  for (const node of nodesOfKind(program, "Postfix")) {
    const suffix = node.suffixes.at(-1);
    const field = suffix?.kind === "Index" ? fieldOf(suffix.index, program) : undefined;
    if (suffix?.kind !== "Index" || field === undefined) continue;
    const name = tableName(node, program) ?? piped(node, program);
    if (name === undefined) continue;
    const items = objectItems(field.node.get("options")).map((option) => option.get("value"));
    const options = items.flatMap((value) => (value?.kind === "string" ? [value.value] : []));
    const shown = documentedAt(program.command, model).get(name) ?? [];
    const [record, ...others] = shown.filter(({ members }) => members !== undefined);
    if (record?.kind !== "object" || others.length > 0 || options.length < items.length) continue;
    const keys = record.members!.map((member) => member.name);
    const missing = options.filter((option) => !keys.includes(option));
    const idle = keys.filter((key) => !options.includes(key));
    // A comment may show a part alone, and an option may stand for none; what only it has and nobody chooses says which one was meant.
    if (missing.length !== 1 || idle.length !== 1 || keys.length < 2 || options.length < 2) continue;
    // Of two, one has to be right.
    if (options.length - missing.length < 1 || missing[0] === "") continue;
    yield { node: suffix.index, missing, keys, idle: idle[0] };
  }
}

/** `prices` of `.trip.prices[…]`, and of `.prices as $table | $table[…]`. */
function tableName(
  { head, suffixes }: Expression & { kind: "Postfix" },
  program: JqProgram,
): string | undefined {
  const before = suffixes.at(-2);
  if (before !== undefined)
    return before.kind === "Field" && before.key.kind === "Name" ? before.key.text : undefined;
  const inner = bare(head as Expression);
  const source = inner.kind === "Variable" ? boundTo(program, inner) : inner;
  return source === undefined || source.kind === "Identity" ? undefined : nameRead(source, program);
}

/** `prices` of `.prices | .[…]`. */
function piped(node: Expression & { kind: "Postfix" }, program: JqProgram): string | undefined {
  if (node.head.kind !== "Identity" || node.suffixes.length > 1) return undefined;
  for (const { stages } of nodesOfKind(program, "Pipeline")) {
    const before = stages[stages.indexOf(node) - 1];
    if (before !== undefined && isExpression(before)) return nameRead(before, program);
  }
  return undefined;
}
