import type { Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { BuiltRecord } from "./built-records.ts";

/**
 * A member of what came that a step keeps under its name in another form: `. + {born: (.born | strptime(…) | …)}`, `.born |= …`.
 *
 * @param from the step that gave it
 * @returns its name; undefined where all members that stay are as they came, or have no more than a default
 */
export function convertedIn({ step, program, node, below }: BuiltRecord, from: Command | undefined) {
  const isOfInput = below.length === 0 && stepBefore(step) === from;
  return converted(node, { program, step, from, isOfInput });
}

/** Where what came is read. */
interface Site {
  readonly program: JqProgram;
  readonly step: Command;
  /** The step that gave it. */
  readonly from: Command | undefined;
  /** Whether it is the input of the program, too. */
  readonly isOfInput: boolean;
}

function converted(given: Expression, site: Site): string | undefined {
  const { isOfInput } = site;
  const within = (each: Expression): string | undefined => converted(each, site);
  const node = bare(given);
  switch (node.kind) {
    case "Pipeline":
      return stagesOf(node)
        .map((stage) => within(stage as Expression))
        .find(isGiven);
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ]
        .map(within)
        .find(isGiven);
    case "Object": {
      // `{email: (.email | ascii_downcase), first_name, phone}`: the record anew.
      const members = [...(literalMembers(node) ?? [])];
      const isKept = members.some(([name, value]) =>
        value === undefined ? isOfInput : isCopyOf(bare(value), name, site),
      );
      return isKept
        ? members.find(([name, value]) => value !== undefined && isMadeOf(bare(value), name, site))?.[0]
        : undefined;
    }
    case "Assignment":
      return isOfInput && node.operator === "|=" ? nameOf(node.target) : undefined;
    case "Arithmetic": {
      const operands = [node.first, ...node.rest.map(({ operand }) => operand)].map(bare);
      const takesAll = operands.some((each) =>
        each.kind === "Identity"
          ? isOfInput
          : each.kind === "Hole" && holePath(each.hole, site)?.length === 0,
      );
      if (!takesAll || node.rest.some(({ operator }) => operator !== "+")) return undefined;
      const members = operands.flatMap((each) => [
        ...((each.kind === "Object" ? literalMembers(each) : undefined) ?? []),
      ]);
      return members.find(([name, value]) => value !== undefined && isMadeOf(bare(value), name, site))?.[0];
    }
    default:
      return undefined;
  }
}

const isGiven = (name: string | undefined): boolean => name !== undefined;

/** `born` of `.born`. */
function nameOf(given: Expression): string | undefined {
  const [name, ...others] = inputPath(given) ?? [];
  return others.length === 0 ? name : undefined;
}

/** The members that an expansion in a program reads of what a step gave. */
function holePath(hole: number, { program, step, from }: Site): readonly string[] | undefined {
  const { root, syntax } = program.holes[hole] ?? {};
  const [, index, ...names] = syntax?.path.map(({ text }) => text) ?? [];
  return root === "piped_content" && stepAt(step, Number(index)) === from ? names : undefined;
}

/** Whether a value is a member of that name as it is. */
const isCopyOf = (value: Expression, name: string, site: Site): boolean =>
  value.kind === "Hole"
    ? holePath(value.hole, site)?.join(".") === name
    : site.isOfInput && nameOf(value) === name;

/** Whether a value is computed from a member of that name: neither a copy, nor one with a default. */
function isMadeOf(value: Expression, name: string, site: Site): boolean {
  const isMember = (node: Expression): boolean => isCopyOf(node, name, site);
  if (value.kind === "Alternative" || isMember(value)) return false;
  return nodesIn(value).some((node) => isMember(node as Expression));
}
