import type { Expression, ObjectEntry } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { entryOf, finalObject, literalMembers, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { excerpt } from "../../message-text.ts";

/** A member that a step makes. */
export interface Made {
  readonly name: string;
  readonly entry: ObjectEntry;
  readonly program: JqProgram;
}

/** What the ways of a step make under each name: one way of a `!jq`, one for each case of a `!switch`; undefined where it isn't known. */
export function madeBy(step: Command): readonly (readonly Made[])[] | undefined {
  const ways = resultsOf(step).filter(({ key }) => key !== "!error");
  const found = ways.map((way): readonly Made[] | undefined => {
    const { key, program } = way;
    if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
    const object = finalObject(program);
    const names = object === undefined ? undefined : literalMembers(object)?.keys();
    if (object === undefined || names === undefined) return undefined;
    return [...names].flatMap((name) => {
      const entry = entryOf(object, name);
      return entry === undefined ? [] : [{ name, entry, program }];
    });
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}

/**
 * Why a member that nothing reads was meant to be read: the cases of a switch choose it, or a later place of that name takes something
 * else. A copy of what is at hand anyway is only too much.
 */
export function passedOver({ name }: Made, ways: readonly (readonly Made[])[], step: Command, part: Part): string | undefined {
  const all = ways.map((way) => way.find((made) => made.name === name));
  const texts = all.map((made) => (made === undefined ? undefined : textAt(made.entry, made.program)));
  if (all.length > 1 && texts.every((text) => text !== undefined) && new Set(texts).size > 1)
    return `each case of the \`!switch\` has its own \`${name}\``;
  if (all.some((made) => made === undefined || !isComputed(made.entry.value))) return undefined;
  const taken = placesAfter(step, part).find((place) => sameName(place.name, name));
  return taken === undefined ? undefined : `\`${taken.name}\` gets \`${excerpt(taken.text)}\` later`;
}

const sameName = (one: string, other: string): boolean => wordsOf(one).join(" ") === wordsOf(other).join(" ");

/** Whether a value is more than something that is read, or written out. */
function isComputed(value: Expression | undefined): boolean {
  const inner = value === undefined ? undefined : bare(value);
  return inner?.kind === "Pipeline" || inner?.kind === "Arithmetic" || inner?.kind === "If";
}

/** What the steps behind another one of the same pipe fill, by name. */
function placesAfter(step: Command, { commands }: Part): readonly { readonly name: string; readonly text: string }[] {
  const { pipe, stepsRun } = step;
  const after = commands.filter((each) => each.pipe === pipe && each.stepsRun > stepsRun);
  return after.flatMap(({ key, argument, program }) => {
    if (key === "!http" && argument?.kind === "object")
      return ["body", "params"].flatMap((name) => membersOf(argument.get(name)));
    if (key !== "!jq" || program === undefined) return [];
    return nodesOfKind(program, "Object").flatMap(({ entries }) =>
      entries.flatMap(({ key, value }) => {
        const name = nameOf(key);
        return name === undefined || value === undefined ? [] : [{ name, text: textAt(value, program) }];
      }),
    );
  });
}

function membersOf(node: JsonNode | undefined): readonly { readonly name: string; readonly text: string }[] {
  if (node?.kind !== "object") return [];
  return node.members.flatMap(({ name, value }) =>
    value?.kind === "string" ? [{ name, text: value.value }] : membersOf(value),
  );
}
