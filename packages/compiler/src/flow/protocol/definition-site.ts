import type { Expression, ObjectConstruction } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import { entryOf } from "../literal-object.ts";
import { stepBefore } from "../producers.ts";
import { stagesOf } from "./dependence.ts";

/** An expression, and the program in which it stands. */
export interface DefinitionSite {
  readonly node: Expression;
  readonly program: JqProgram;
}

/**
 * Where a member of an earlier step's object is made: `${piped_content.1.since}` is what stands behind `since:` in step 1.
 * Undefined where that step isn't a program that ends with an object, or another part of it is read.
 */
export function definitionInStep({
  root,
  rootExact,
  syntax,
  command,
}: Expansion): DefinitionSite | undefined {
  if (root !== "piped_content" || !rootExact || syntax.problem !== undefined) return undefined;
  const [, index, member, ...below] = syntax.path.map(({ text }) => text);
  if (command === undefined || member === undefined || below.length > 0) return undefined;
  const program = stepOf(command, Number(index))?.program;
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const [entry, ...others] = objectsMade(program.tree.body).flatMap(
    (object) => entryOf(object, member) ?? [],
  );
  return entry?.value === undefined || others.length > 0 ? undefined : { node: entry.value, program };
}

/** The object constructions of which one makes an output; what gives no object has no members. */
function objectsMade(node: Expression): readonly ObjectConstruction[] {
  switch (node.kind) {
    case "Object":
      return [node];
    case "Group":
      return objectsMade(node.body);
    case "Pipeline": {
      const last = stagesOf(node).at(-1);
      return last === undefined ? [] : objectsMade(last);
    }
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ].flatMap(objectsMade);
    default:
      return [];
  }
}

/** The `!jq` whose output `${piped_content.INDEX}` means in a command. */
function stepOf(command: Command, index: number): Command | undefined {
  const step = index === 0 ? stepBefore(command.pipe ?? command) : command.pipe?.children[index - 1];
  return step?.key === "!jq" ? step : undefined;
}
