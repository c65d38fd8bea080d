import type { Expression, ObjectConstruction } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { resultsOf } from "../../../flow/result.ts";

interface MadeOption {
  readonly program: JqProgram;
  readonly object: ObjectConstruction;
  readonly first: Expression;
  readonly second: Expression;
}

/** Objects with two members that the programs of a field's or map's options make. */
export function optionsMadeIn(
  options: Parameters<ReturnType<typeof flowOf>["commandAt"]>[0],
  first: string,
  second: string,
  model: Model,
): readonly MadeOption[] {
  const command = flowOf(model).plainAt(options);
  const made: MadeOption[] = [];
  for (const { key, program } of command === undefined ? [] : resultsOf(command)) {
    if (key !== "!jq" || program === undefined) continue;
    for (const object of nodesOfKind(program, "Object")) {
      const one = entryOf(object, first)?.value;
      const other = one === undefined ? undefined : entryOf(object, second)?.value;
      if (one !== undefined && other !== undefined) made.push({ program, object, first: one, second: other });
    }
  }
  return made;
}

/** Whether two expressions are written the same. */
export function isSame(a: Expression, b: Expression, program: JqProgram): boolean {
  return textAt(bare(a), program) === textAt(bare(b), program);
}

/** The name that a member of an option's record has at the service: `code` of `c`, where a step before makes `{c: .code}`. */
export function nameBefore(
  name: string | undefined,
  options: Parameters<ReturnType<typeof flowOf>["commandAt"]>[0],
  model: Model,
): string | undefined {
  const command = name === undefined ? undefined : flowOf(model).plainAt(options);
  if (command?.key !== "!pipe") return name;
  const steps = command.children.slice(0, -1).flatMap((each) => each?.program ?? []);
  if (steps.length === 0) return name;
  const made = steps
    .flatMap((program) => nodesOfKind(program, "Object"))
    .flatMap((object) => entryOf(object, name!)?.value ?? []);
  const names = new Set(made.map(nameOfValue));
  return names.size === 1 ? ([...names][0] ?? name) : name;
}
