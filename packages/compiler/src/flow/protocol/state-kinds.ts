import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derived } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { stateCommands } from "../polling-state.ts";
import { madeInStep } from "./made-at.ts";
import { keptKey, stateWritesOf } from "./state-writes.ts";
import { timeUnitOf } from "./time-unit.ts";

/** What kind of value a key of the state gets: which unit of time, or which kind of JSON. */
export type StateKind = "seconds" | "milliseconds" | "date" | "number" | "text" | "boolean";

/** A value that a command writes under a key, of a kind that is known. */
export interface KindWritten {
  readonly key: string;
  readonly command: string;
  readonly kind: StateKind;
  /** The key from which the value was taken over. */
  readonly from?: string;
  readonly value: Expression;
  readonly program: JqProgram;
}

/** The kinds of values that an intake's commands write under each key of its state, in the order of a cycle. */
export function kindsWritten(intake: IntakeSymbol, model: Model): readonly KindWritten[] {
  const known = knownKinds(model);
  const kinds = known.get(intake) ?? readKinds(intake, model);
  known.set(intake, kinds);
  return kinds;
}

const knownKinds = derived((): Map<IntakeSymbol, readonly KindWritten[]> => new Map());

function readKinds(intake: IntakeSymbol, model: Model): readonly KindWritten[] {
  const found: KindWritten[] = [];
  /** Keys that take another key's value over: what is known of one is known of the other. */
  const moved: (Omit<KindWritten, "kind"> & { readonly from: string })[] = [];
  for (const command of stateCommands) {
    const root = intake.commands.get(command);
    const writes = root === undefined ? [] : stateWritesOf(root, model);
    // Commands that can't be read say nothing of their own kinds, and nothing against the others.
    for (const { keys, program } of writes ?? [])
      for (const [key, value] of keys) {
        const from = keptKey(value, program);
        const kind = from === undefined ? kindOf(value, program) : undefined;
        if (kind !== undefined) found.push({ key, command, kind, value, program });
        else if (from !== undefined && from !== key) moved.push({ key, from, command, value, program });
      }
  }
  for (const write of moved)
    for (const { key, kind } of [...found]) if (key === write.from) found.push({ ...write, kind });
  return found;
}

/**
 * By the form of the expression alone: inferring types again after each edit would cost more than it tells. An empty text stands for nothing
 * yet, and 0 for a beginning.
 */
function kindOf(value: Expression, program: JqProgram): StateKind | undefined {
  const unit = timeUnitOf(value, program);
  if (unit !== undefined) return unit;
  const constant = constantOf(value);
  if (typeof constant === "string") return constant === "" ? undefined : "text";
  if (typeof constant === "number") return constant === 0 ? undefined : "number";
  switch (value.kind) {
    case "Group":
      return kindOf(value.body, program);
    case "Hole": {
      const hole = program.holes[value.hole];
      const made = hole === undefined ? undefined : madeInStep(hole);
      return made === undefined ? undefined : kindOf(made.node, made.program);
    }
    case "String":
      return "text";
    case "Comparison":
    case "Logical":
      return "boolean";
    case "Number":
      return "number";
    case "Pipeline": {
      const last = value.stages.at(-1);
      return last?.kind === "Call" ? kindOfCall(last.name.text) : undefined;
    }
    case "Call":
      return kindOfCall(value.name.text);
    default:
      return typeof constant === "boolean" ? "boolean" : undefined;
  }
}

function kindOfCall(name: string): StateKind | undefined {
  if (name === "not" || name === "has" || name === "any" || name === "all") return "boolean";
  if (name === "length" || name === "tonumber") return "number";
  return name === "tostring" || name === "strftime" || name === "join" ? "text" : undefined;
}

/** Whether values of two kinds can't be the same thing to an API. */
export function areUnlike(a: StateKind, b: StateKind): boolean {
  const [first, second] = [jsonOf(a), jsonOf(b)];
  if (first !== second) return true;
  // A number of which no more is known may be of either unit.
  return a !== b && first === "number" && a !== "number" && b !== "number";
}

function jsonOf(kind: StateKind): "number" | "text" | "boolean" {
  if (kind === "boolean") return kind;
  return kind === "date" || kind === "text" ? "text" : "number";
}
