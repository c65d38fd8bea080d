import type { Expression, Type } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { derived, derivedFromText } from "../bind/derived.ts";
import type { Location } from "../parse/document.ts";
import { evidentType } from "./evident-type.ts";
import { inferNodes } from "./inference.ts";
import { plainType } from "./plain-type.ts";
import { producedType, producersOf, stepBefore } from "./producers.ts";
import type { TypeFlow } from "./type-flow.ts";
import { maySomewhereViolate, partOfKind, violates } from "./violation.ts";
import { type Continue, WitnessSearch } from "./witness-search.ts";

/** The smallest thing that makes a value which certainly isn't what is wanted there. */
export interface Witness {
  readonly at: Location;
  /** Its type, and what is wanted of it. */
  readonly found: Type;
  readonly wanted: Type;
  /** Where it stands in the whole: `["results"]`, `["[]", "display"]`. */
  readonly path: readonly string[];
  /** The expression, and its program; undefined where another command makes it. */
  readonly expression?: Expression;
  readonly program?: JqProgram;
}

/** What in a command violates a contract (`design.md`, "Where findings point"). */
export function witnessesOf(command: Command, wanted: Type, flow: TypeFlow): readonly Witness[] {
  const byContract = offendersFound(flow.model);
  let known = byContract.get(wanted);
  if (known === undefined) byContract.set(wanted, (known = new Map()));
  let offenders = known.get(command);
  if (offenders === undefined) {
    const made: Witness[] = [];
    for (const maker of producersOf(command, flow)) made.push(...offendersOfMaker(maker, wanted, flow));
    // Two branches that give the same on have the same to answer for.
    offenders = made.length > 1 ? [...new Set(made)] : made;
    known.set(command, offenders);
  }
  return offenders;
}

/**
 * What was found so far. By what is wanted first: there are few contracts and many commands. It is kept because each branch of a program that gives its
 * input on asks the step before the same, in a pipe of such steps 2^steps times.
 */
const offendersFound = derived((_model) => new Map<Type, Map<Command, readonly Witness[]>>());

function offendersOfMaker(maker: Command, wanted: Type, flow: TypeFlow): Witness[] {
  const { key, program } = maker;
  // A resource at a wrong place has findings of its own, and `!error` gives nothing.
  if (key === "!resource" || key === "!error") return [];
  if (key === "!jq" && program !== undefined)
    return witnessesInProgram(program, wanted, flow, producedType(maker, flow));
  const found = flow.output(maker);
  return violates(found, wanted) ? [{ at: maker.member.key, found, wanted, path: [] }] : [];
}

/** @param type of the program's outputs */
export function witnessesInProgram(program: JqProgram, wanted: Type, flow: TypeFlow, type: Type): Witness[] {
  if (program.diagnostics.length > 0) return [];
  const { body } = program.tree;
  if (!maySomewhereViolate(type, wanted) && !(mayBranch(program) && evidentlyViolates(program, wanted)))
    return [];
  // A stream where a list is wanted has a finding of its own.
  if (partOfKind(wanted, "array") !== undefined && flow.program(program).cardinality === "many") return [];
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  const search = new WitnessSearch<Witness>(
    (node) => nodes.get(node)?.output,
    ({ expression, ...made }) => ({ ...place(program, expression), ...made }),
    (index, ...given) => madeBy(stepOf(program.holes[index]), flow)(...given),
  ).program(body, wanted, madeBy(stepBefore(program.command), flow));
  const found =
    search.length > 0 || !violates(type, wanted)
      ? search
      : [{ ...place(program, body), found: type, wanted, path: [] }];
  // What fails, or is misspelled, gives no value or null: that is told of where it is.
  const told = flow.program(program).diagnostics;
  return found.filter(
    (offender) =>
      offender.found.kind !== "null" ||
      !told.some(
        ({ start, end }) => "from" in offender.at && offender.at.from <= start && end <= offender.at.to,
      ),
  );
}

/** Whether there may be another value beside one that isn't known, which the type of both says nothing of. */
function mayBranch(program: JqProgram): boolean {
  return plainType(program) === null || program.node.value.includes("//");
}

/**
 * Whether some branch of a program has a wrong value by its text alone: beside a value that isn't known, the type of all of them
 * says nothing of it.
 */
function evidentlyViolates(program: JqProgram, wanted: Type): boolean {
  const known = evidentViolations(program);
  let violates = known.get(wanted.id);
  if (violates === undefined) {
    const search = new WitnessSearch(evidentType, () => true);
    known.set(wanted.id, (violates = search.program(program.tree.body, wanted, () => []).length > 0));
  }
  return violates;
}

/** Whether it is so, by the wanted type: contracts are few. */
const evidentViolations = derivedFromText(() => new Map<Type["id"], boolean>());

/** What a program gives on as it is, a program of an earlier step makes. */
function madeBy(step: Command | undefined, flow: TypeFlow): Continue<Witness> {
  return (wanted, path) => {
    if (step === undefined) return [];
    return witnessesOf(step, wanted, flow)
      .filter(({ expression }) => expression !== undefined && !isTaken(expression))
      .map((offender) => (path.length === 0 ? offender : { ...offender, path: [...path, ...offender.path] }));
  };
}

/** The step that an expansion is all of. */
function stepOf(expansion: Expansion | undefined): Command | undefined {
  const [root, index, ...rest] = expansion?.syntax.path ?? [];
  if (root?.text !== "piped_content" || index === undefined || rest.length > 0) return undefined;
  const { pipe, stepsRun } = expansion?.command ?? {};
  const number = Number(index.text);
  return number > 0 && number <= (stepsRun ?? 0) ? pipe?.children[number - 1] : undefined;
}

function isTaken(node: Expression): boolean {
  return node.kind === "Identity" || node.kind === "Hole" || node.kind === "Postfix";
}

function place(program: JqProgram, expression: Expression): Pick<Witness, "at" | "expression" | "program"> {
  return { at: { node: program.node, from: expression.start, to: expression.end }, expression, program };
}
