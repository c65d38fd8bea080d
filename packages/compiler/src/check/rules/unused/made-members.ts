import type { ObjectEntry } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { textAt } from "../../../flow/nodes.ts";
import { resultsOf } from "../../../flow/result.ts";

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

/** Whether each way has a member of that name, with another value in some: the cases choose it. */
export function isChosen(name: string, ways: readonly (readonly Made[])[]): boolean {
  const texts = ways.map((way) => {
    const made = way.find((each) => each.name === name);
    return made === undefined ? undefined : textAt(made.entry, made.program);
  });
  return texts.every((text) => text !== undefined) && new Set(texts).size > 1;
}
