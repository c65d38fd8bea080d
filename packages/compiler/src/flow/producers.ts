import { type Type, types } from "@configc/jq";
import type { Command, JqProgram } from "../bind/bound-nodes.ts";
import { refusesAll } from "./inference.ts";
import { plainBody } from "./plain-body.ts";
import { changesNothing, resultsOf } from "./result.ts";
import type { TypeFlow } from "./type-flow.ts";
import { violates } from "./violation.ts";

/**
 * The commands that make a command's output: the last step of a pipe, each case of a switch, and what stands before a step that
 * passes its input on.
 */
export function producersOf(command: Command, flow: TypeFlow): readonly Command[] {
  const found: Command[] = [];
  const pending = [...resultsOf(command)];
  for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
    const before = passesOn(at, flow) ? stepBefore(at) : undefined;
    if (before === undefined) found.push(at);
    else pending.unshift(...resultsOf(before));
  }
  return found;
}

/** A `!save` that gets what it can't take has a finding of its own. */
function passesOn(command: Command, flow: TypeFlow): boolean {
  const { key, program } = command;
  if (key === "!jq") return program !== undefined && plainBody(program).kind === "Identity";
  if (key === "!save") return !violates(flow.input(command), types.anyObject);
  return key === "!print_c";
}

/** Of which of the steps around a command `piped_content` has the outputs, beside the input: so many of the first ones (D14). */
export function stepsRunAt({ pipe, stepsRun }: Command): number {
  return pipe === undefined ? 0 : stepsRun;
}

/** The step whose output a command gets, before those that change nothing; undefined for one that gets the input of the outermost pipe. */
export function stepBefore(command: Command): Command | undefined {
  let at = command;
  for (let { parent } = at; parent !== undefined; { parent } = at) {
    const step = parent.key === "!pipe" ? indexMade(parent, at.stepsRun) : 0;
    if (step > 0) return parent.children[step - 1];
    at = parent;
  }
  return undefined;
}

/** The step that makes what `piped_content.INDEX` is in a command; undefined for the input of the outermost pipe. */
export function stepAt({ pipe }: Command, index: number): Command | undefined {
  if (pipe === undefined) return undefined;
  const step = indexMade(pipe, index);
  return step === 0 ? stepBefore(pipe) : pipe.children[step - 1];
}

/** The least index under which the steps of a pipe have the same value: steps that change nothing give that of the one before. */
export function indexMade({ children }: Command, index: number): number {
  for (let at = index; at > index - IDLE_STEPS; at--) {
    const step = children[at - 1];
    if (step === undefined || !changesNothing(step)) return at;
  }
  return index;
}

/** Steps in a row that change nothing: with more of them, which nobody writes, each counts as one that gives something. */
const IDLE_STEPS = 10;

/** What a maker gives, for a contract: a program's outputs, `null` if it has none. */
export function producedType(maker: Command, flow: TypeFlow): Type {
  return maker.program === undefined || maker.key !== "!jq"
    ? flow.output(maker)
    : everyOutput(maker.program, flow);
}

/** The type of a program's outputs: `null` where there is none (D23), and nothing where it refuses all. */
export function everyOutput(program: JqProgram, flow: TypeFlow): Type {
  const inferred = flow.program(program);
  return inferred.cardinality === "none" && !refusesAll(inferred) ? types.nullType : inferred.type;
}
