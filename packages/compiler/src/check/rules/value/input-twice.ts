import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { StringPart } from "../../../parse/document.ts";
import { isWholeStep, recordOf } from "./step-records.ts";

/** The input of a program under a name that is another step's. */
interface InputTwice {
  readonly at: StringPart;
  /** `$job` */
  readonly name: string;
  /** What kind of record the input is. */
  readonly given: string;
  /** The step that is meant. */
  readonly other: number;
}

/**
 * Where a program reads its input as `.`, and binds the same step's output to a variable of which it reads other members, while nothing
 * reads the record before it: `${piped_content.2} as $j | {email: .customer.email, number: $j.number}`. One of these says so, too: the
 * input's record is below its own name, a comment shows the members in the other record, or the variable begins like that one.
 */
export function inputTwice(program: JqProgram, model: Model): readonly InputTwice[] {
  const { command, holes } = program;
  const own = `${command.stepsRun}`;
  if (command.stepsRun < 2 || program.diagnostics.length > 0) return [];
  if (!holes.some((hole) => isWholeStep(hole) && hole.syntax.path[1]!.text === own)) return [];
  const input = inputReads(program);
  if (input.whole || input.members.size === 0) return [];
  const given = nounOfWays(command.pipe?.children[command.stepsRun - 1]);
  if (given === undefined) return [];
  return nodesOfKind(program, "Binding").flatMap(({ patterns, source }): readonly InputTwice[] => {
    const [pattern, ...others] = patterns;
    const read = bare(source);
    if (pattern?.kind !== "VariablePattern" || others.length > 0 || read.kind !== "Hole") return [];
    const hole = holes[read.hole];
    if (hole === undefined || !isWholeStep(hole) || hole.syntax.path[1]!.text !== own) return [];
    const members = membersOf(pattern.name, program);
    if (members.size < 2 || [...members].some((name) => input.members.has(name))) return [];
    const other = unreadBefore(command, model);
    const meant = other === undefined ? undefined : nounOfStep(command.pipe?.children[other - 1]);
    // What is called like the other one is told by that.
    if (other === undefined || meant === undefined || meant === given || meant === pattern.name) return [];
    const isWrapped = input.members.size === 1 && input.members.has(given);
    const isLike = meant.startsWith(pattern.name) && !given.startsWith(pattern.name);
    if (!isWrapped && !isLike && !isShown(members, input.members, command, model)) return [];
    const [first, last] = [hole.syntax.path[0]!, hole.syntax.path[1]!];
    const at = { node: hole.node, from: first.start, to: last.end };
    return [{ at, name: `$${pattern.name}`, given, other }];
  });
}

/**
 * Where a program binds all that came in to a variable that is called like the part which the first step takes of it, and a comment shows the
 * members that are read of it in one record: `${piped_content.0} as $ev`, where step 1 is `.event`.
 */
export function inputForPart(program: JqProgram, model: Model): readonly InputTwice[] {
  const { command, holes } = program;
  if (command.stepsRun < 2 || program.diagnostics.length > 0) return [];
  const isInput = (hole: Expansion): boolean => isWholeStep(hole) && hole.syntax.path[1]!.text === "0";
  if (!holes.some(isInput) || command.parent !== command.pipe) return [];
  const first = command.pipe?.children[0];
  const part = first?.key === "!jq" ? nounOfStep(first) : undefined;
  if (part === undefined) return [];
  return nodesOfKind(program, "Binding").flatMap(({ patterns: [pattern, ...others], source }) => {
    const read = bare(source);
    const hole = read.kind === "Hole" ? holes[read.hole] : undefined;
    if (pattern?.kind !== "VariablePattern" || others.length > 0 || hole === undefined) return [];
    if (!isInput(hole) || pattern.name.length < 2 || !part.startsWith(pattern.name)) return [];
    const members = membersOf(pattern.name, program);
    if (members.size < 2 || members.has(part) || !isShown(members, new Set([part]), command, model))
      return [];
    const [from, to] = [hole.syntax.path[0]!, hole.syntax.path[1]!];
    const at = { node: hole.node, from: from.start, to: to.end };
    return [{ at, name: `$${pattern.name}`, given: "input", other: 1 }];
  });
}

/** The members that are read of a variable. */
function membersOf(name: string, program: JqProgram): ReadonlySet<string> {
  const reads = nodesOfKind(program, "Postfix").flatMap(({ head, suffixes: [first] }) =>
    head.kind === "Variable" && head.name === name && first?.kind === "Field" && first.key.kind === "Name"
      ? [first.key.text]
      : [],
  );
  return new Set(reads);
}

/** The one step before the last that gives a record of which only ids are taken, for the requests up to that one. */
function unreadBefore(command: Command, model: Model): number | undefined {
  const { pipe, stepsRun, unit } = command;
  const steps = pipe?.children.slice(0, stepsRun - 1) ?? [];
  const { expansions } = unit?.kind === "workflow" ? partOfUnit(unit, model) : { expansions: [] };
  const read = new Set(
    expansions.flatMap((each) => (isReadIn(each, pipe, stepsRun) ? [each.syntax.path[1]!.text] : [])),
  );
  const [other, ...others] = steps.flatMap((step, at) =>
    nounOfStep(step) !== undefined && !read.has(`${at + 1}`) ? [at + 1] : [],
  );
  return others.length > 0 ? undefined : other;
}

const isReadIn = ({ root, command, syntax }: Expansion, pipe: Command | undefined, from: number): boolean =>
  root === "piped_content" &&
  command?.pipe === pipe &&
  (command?.stepsRun ?? 0) >= from &&
  syntax.path.length > 1;

/** What kind of record a step asks for, in the one of its cases that does. */
function nounOfWays(step: Command | undefined): string | undefined {
  const nouns = step === undefined ? [] : resultsOf(step).flatMap((way) => recordOf(way) ?? []);
  return nouns.length === 1 ? nouns[0] : undefined;
}

/** `job` of `/jobs/${…}`, and `subscription` of a program that is nothing but `.subscription`. */
function nounOfStep(step: Command | undefined): string | undefined {
  if (step?.program === undefined) return recordOf(step);
  const body =
    step.key === "!jq" && step.program.diagnostics.length === 0 ? plainBody(step.program) : undefined;
  const last = body?.kind === "Postfix" && body.head.kind === "Identity" ? body.suffixes.at(-1) : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" ? singular(last.key.text) : undefined;
}

/** Whether a comment shows a record with all members of the one and none of the other. */
function isShown(
  members: ReadonlySet<string>,
  others: ReadonlySet<string>,
  command: Command,
  model: Model,
): boolean {
  return [...documentedAt(command, model).values()].flat().some((record) => {
    const names = new Set(record.members?.map(({ name }) => name));
    return [...members].every((name) => names.has(name)) && ![...others].some((name) => names.has(name));
  });
}
