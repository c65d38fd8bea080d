import type { Expression, ObjectConstruction } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import { entryOf } from "../literal-object.ts";
import { bare } from "../nodes.ts";
import { stepAt, stepBefore } from "../producers.ts";
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
  return memberMade(stepAt(command, Number(index)), member);
}

/** The same of `.since`, where that is a member of the whole input of a program, which the step before makes. */
export function definitionOfInput(
  node: Expression,
  { command, node: { value } }: JqProgram,
): DefinitionSite | undefined {
  const read = bare(node);
  if (read.kind !== "Postfix" || read.head.kind !== "Identity" || read.suffixes.length !== 1)
    return undefined;
  const [suffix] = read.suffixes;
  // Behind a pipe the input is another one.
  if (suffix?.kind !== "Field" || suffix.key.kind !== "Name" || value.includes("|")) return undefined;
  return memberMade(stepBefore(command), suffix.key.text);
}

/** What a member of the object that a step makes is. */
export function memberMade(step: Command | undefined, member: string): DefinitionSite | undefined {
  const program = step?.key === "!jq" ? step.program : undefined;
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
