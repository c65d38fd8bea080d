import type { Expression } from "@configc/jq";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { isExpression } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf } from "../../../flow/nouns.ts";
import { plain } from "../../../flow/plain-body.ts";
import { stepAt } from "../../../flow/producers.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { madeBy } from "../../../flow/step-members.ts";
import { type StringNode, textOf } from "../../../parse/syntax-tree.ts";

/** A request that sends all that a step makes, where one member of that is the record, and each other one is for something else. */
export interface WholeBody {
  readonly read: string;
  /** The member that is the record. */
  readonly member: string;
  readonly others: readonly string[];
}

export function wholeBody(expansion: Expansion, model: Model): WholeBody | undefined {
  const { root, rootExact, syntax, node, command, position, unit } = expansion;
  if (root !== "piped_content" || !rootExact || position !== "value" || syntax.path.length !== 2)
    return undefined;
  if (syntax.start > 0 || syntax.end < node.value.length || !isBodyOf(node, command)) return undefined;
  if (command === undefined || unit?.kind !== "workflow") return undefined;
  const index = syntax.path[1]!.text;
  const step = stepAt(command, Number(index));
  const ways = step?.key === "!jq" ? madeBy(step) : undefined;
  const [first] = ways ?? [];
  if (step === undefined || ways === undefined || first === undefined || first.length < 2) return undefined;
  const names = first.map(({ name }) => name);
  const objects = first.flatMap(({ name, entry }) =>
    entry.value !== undefined && givesObject(entry.value) ? [name] : [],
  );
  if (objects.length === 0) return undefined;
  if (!ways.every((way) => way.length === names.length && way.every(({ name }) => names.includes(name))))
    return undefined;
  const siblings = partOfUnit(unit, model).expansions.filter(
    (each) => each.root === "piped_content" && each.command?.pipe === command.pipe,
  );
  const ofStep = siblings.filter(({ syntax: { path } }) => path[1]?.text === index);
  const next = step.pipe?.children[step.stepsRun + 1]?.program;
  const taken = next === undefined ? undefined : inputReads(next);
  const isRead = (name: string): boolean =>
    taken?.members.has(name) === true ||
    ofStep.some(({ command: by, syntax: { path } }) => by !== command && path[2]?.text === name);
  const list = nameOfPath(textOf(command.argument, "path") ?? "");
  const noun = list === undefined ? undefined : nounOf(list);
  const isSentAlone = (name: string): boolean =>
    ofStep.some(
      (each) =>
        each.syntax.path.length === 3 &&
        each.syntax.path[2]?.text === name &&
        isBodyOf(each.node, each.command) &&
        each.command?.parent === command.parent &&
        nameOfPath(textOf(each.command?.argument, "path") ?? "") === list,
    );
  const member =
    objects.find(isSentAlone) ??
    objects.find((name) => noun !== undefined && mayBeSame(nounOf(name) ?? name, noun));
  const others = names.filter((name) => name !== member);
  if (member === undefined || !others.every(isRead)) return undefined;
  return { read: `piped_content.${index}`, member, others };
}

/** Whether an expression gives an object, also where that is cleaned of what is empty. */
function givesObject(given: Expression): boolean {
  const node = plain(given);
  if (node.kind === "Object") return true;
  if (node.kind === "Call") return /^(?:with_entries|del|map_values)$/.test(node.name.text);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last !== undefined && isExpression(last) && givesObject(last);
}

/** Whether a text is all of the body of a request that writes. */
function isBodyOf(node: StringNode, command: Command | undefined): boolean {
  const { argument } = command ?? {};
  if (command?.key !== "!http" || argument?.kind !== "object" || argument.get("body") !== node) return false;
  return /^(?:POST|PUT|PATCH)$/i.test(textOf(argument, "method") ?? "");
}
