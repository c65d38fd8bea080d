import type { Command, Expansion, FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { flowOf } from "../../../flow/flow.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { isPlural, nounOf } from "../../../flow/nouns.ts";
import { outputTrails, type Trail } from "../../../flow/origin.ts";
import { kindOfExpansion, nameOfPath, nounOfPath } from "../../../flow/record-kind.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { isOf } from "./wanted-record.ts";

/** What a command can read that is an id of a kind of record: what a customer chose, or what is read of it elsewhere in its part, or what a step before has made and nobody reads. */
export function recordAtHand(
  noun: string,
  command: Command,
  fields: readonly FieldSymbol[],
  { expansions, programs }: Part,
  model: Model,
): string | undefined {
  const field = fields.find((each) => isOf(each, noun, { model }));
  if (field?.id !== undefined) return `custom_data.${field.id}.value`;
  const other = expansions.find(
    (each) => isInReach(each, command) && kindOfExpansion(each, flowOf(model))?.nouns.has(noun) === true,
  );
  if (other !== undefined) return other.syntax.path.map(({ text }) => text).join(".");
  // What names a registration is looked at as that.
  if (command.unit?.kind === "intake") return undefined;
  const asked = readBefore(noun, command, programs);
  if (asked !== undefined) return asked;
  const held = heldBefore(noun, command, model);
  if (held !== undefined) return held;
  const made = madeBefore(noun, command, model);
  const isRead = expansions.some(
    ({ root, syntax, command: reader }) =>
      root === "piped_content" && reader?.pipe === command.pipe && Number(syntax.path[1]?.text) === made,
  );
  return made === undefined || isRead ? undefined : `piped_content.${made}.….id`;
}

/** An id of a kind in the output of a step before that a program reads, though it doesn't go into a request: a condition asks whether it is there. */
function readBefore(
  noun: string,
  { pipe, stepsRun }: Command,
  programs: Part["programs"],
): string | undefined {
  if (pipe === undefined) return undefined;
  for (const { command, node } of programs) {
    if (
      command.pipe !== pipe ||
      command.parent !== pipe ||
      command.stepsRun > stepsRun ||
      command.stepsRun === 0
    )
      continue;
    for (const [, path, owner] of node.value.matchAll(/(?<![\w$)\]}"?.])((?:\.\w+)*?\.([A-Za-z]\w*)\.id)\b/g))
      if (nounOf(owner!) === noun) return `piped_content.${command.stepsRun}${path!}`;
  }
  return undefined;
}

/**
 * The id of a record that a step before has picked out of a list, or looked up, and put below a name:
 * `{child: ([.children[] | select(…)] | first)}`.
 */
export function heldBefore(noun: string, { pipe, stepsRun }: Command, model: Model): string | undefined {
  for (let at = Math.min(stepsRun, pipe?.children.length ?? 0); at > 0; at--) {
    const step = pipe?.children[at - 1];
    const { program } = step ?? {};
    if (step?.key !== "!jq" || program === undefined || program.diagnostics.length > 0) continue;
    const object = finalObject(program);
    for (const name of (object && literalMembers(object)?.keys()) ?? [])
      if (
        nounOf(name) === noun &&
        !isPlural(name) &&
        isRecord(noun, outputTrails(flowOf(model), step, [name]))
      )
        return `piped_content.${at}.${name}.id`;
  }
  return undefined;
}

/** Whether a value is one of a list of an answer that is called like a kind of record. */
const isRecord = (noun: string, trails: readonly Trail[]): boolean =>
  trails.length > 0 &&
  trails.every(({ origin }) => {
    if (origin.kind !== "response" || origin.path.at(-1) !== "[]") return false;
    const [list, ...around] = origin.path.slice(0, -1).reverse();
    if (list === undefined || around.length > 0 || !isAnyList.test(list)) return nounOf(list ?? "") === noun;
    // What a service calls so is a list of whatever was asked for.
    return nounOfPath(textOf(origin.command.argument, "path") ?? "") === noun;
  });

const isAnyList = /^(?:data|items|results?|records|entries|rows|list)$/;

/** The place of the step that makes or finds a record of a kind, whichever way it takes if it doesn't end there. */
function madeBefore(noun: string, { pipe, stepsRun }: Command, model: Model): number | undefined {
  const steps = pipe?.children.slice(0, stepsRun) ?? [];
  const at = steps.findLastIndex((step) => step !== undefined && makes(noun, step, model));
  return at < 0 ? undefined : at + 1;
}

function makes(noun: string, step: Command, model: Model): boolean {
  const { key, argument, children } = step;
  if (key === "!switch") {
    const ways = children.filter((child) => child !== undefined && child.key !== "!error");
    return ways.length > 0 && ways.every((way) => makes(noun, way!, model));
  }
  if (key === "!pipe") {
    const last = children.at(-1);
    return last !== undefined && makes(noun, last, model);
  }
  if (key === "!jq") return isRecord(noun, outputTrails(flowOf(model), step));
  const method = textOf(argument, "method") ?? "";
  if (key !== "!http" || !/^(?:post|put)$/i.test(method)) return false;
  const path = textOf(argument, "path") ?? "";
  // Behind an id something is done with a record.
  const name = nameOfPath(path);
  return name !== undefined && path.split("?")[0]?.endsWith(name) === true && nounOf(name) === noun;
}

/** Whether an expansion that stands elsewhere means the same for a command, and has a value there. */
function isInReach({ root, syntax, command, rootExact }: Expansion, reader: Command): boolean {
  if (!rootExact || syntax.problem !== undefined) return false;
  // What a program makes may be what is saved.
  if (root === "data") return reader.key === "!http";
  const index = Number(syntax.path[1]?.text);
  return root === "piped_content" && command?.pipe === reader.pipe && index <= reader.stepsRun;
}
