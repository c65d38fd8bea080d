import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import { nodesOfKind } from "../nodes.ts";
import { waysOf } from "../protocol/forms.ts";
import { NOW } from "./evaluate.ts";
import { worldOf } from "./intake-world.ts";
import { record, run } from "./run.ts";
import { type Constant, constantsOf, isKind, memberOf, UNKNOWN, type Value } from "./value.ts";

/** A key of a polling state that only ever gets constants: it says in which stage an intake is. */
export interface Stages {
  readonly key: string;
  /** The constants that commands give it, where they do. */
  readonly written: readonly Written[];
  /** Those that it may be, whatever the service answers. */
  readonly reached: ReadonlySet<Constant>;
  /** Those of them in which nothing is requested, and out of which nothing leads. */
  readonly ends: ReadonlySet<Constant>;
  /** The commands that may run in one of these. */
  readonly ran: ReadonlySet<Command>;
  /** The commands that may run if it may be anything. */
  readonly others: ReadonlySet<Command>;
}

/** A constant that a program writes. */
export interface Written {
  readonly stage: Constant;
  readonly node: Expression;
  readonly program: JqProgram;
}

/** The stages that an intake goes through, by the key that holds them. */
export function stagesIn(intake: IntakeSymbol, model: Model): readonly Stages[] {
  const begun = stateOf(runIn("initial_setup", record({}), intake).output);
  if (!isKind(begun, "record") || begun.open) return [];
  return [...begun.members].flatMap(([key, value]) => {
    const first = constantsOf(value);
    const written = first === undefined ? [] : writtenTo(key, intake, model);
    const isOneOfSome = new Set([...(first ?? []), ...written.map(({ stage }) => stage)]).size > 1;
    return first !== undefined && isOneOfSome ? (goThrough(key, first, written, intake) ?? []) : [];
  });
}

/** What a command makes of a stage, and what runs in it. */
interface Step {
  readonly stages: readonly Constant[];
  readonly ran: ReadonlySet<Command>;
}

const nowhere: Step = { stages: [], ran: new Set() };

/** Stages of one key: more are a number that counts. */
const MOST_STAGES = 12;

/** Follows a key through all cycles; undefined where it may get anything else than constants. */
function goThrough(
  key: string,
  first: readonly Constant[],
  written: readonly Written[],
  intake: IntakeSymbol,
): Stages | undefined {
  const steps = new Map<string, Step | undefined>();
  const kept = new Set(first);
  const read = new Set<Constant>();
  let isKnown = true;
  const step = (name: string, stage: Constant): Step => {
    const at = `${name} ${JSON.stringify(stage)}`;
    // A number that counts would have a next one for ever.
    if (kept.size + read.size > 2 * MOST_STAGES) isKnown = false;
    if (!isKnown) return nowhere;
    const found = steps.has(at) ? steps.get(at) : stepFrom(name, key, stage, intake);
    steps.set(at, found);
    if (found === undefined) isKnown = false;
    return found ?? nowhere;
  };
  // Sets grow while they are gone through. A command may fail: then the next cycle begins with what was saved until there.
  for (let before = -1; before < kept.size + read.size && isKnown; ) {
    before = kept.size + read.size;
    for (const stage of kept) for (const next of step("pre_poll", stage).stages) read.add(next);
    for (const stage of read) for (const next of step("request", stage).stages) read.add(next);
    for (const stage of read) for (const next of [stage, ...step("post_poll", stage).stages]) kept.add(next);
  }
  if (!isKnown) return undefined;
  const isEnd = (stage: Constant): boolean =>
    ["pre_poll", "request", "post_poll"].every((name) => {
      const { stages, ran } = step(name, stage);
      return stages.every((next) => next === stage) && ![...ran].some(({ key: each }) => each === "!http");
    });
  const ends = new Set([...kept].filter((stage) => !first.includes(stage) && isEnd(stage)));
  const ran = new Set([...steps.values()].flatMap((each) => [...(each?.ran ?? [])]));
  const others = new Set(cycle.flatMap((name) => [...runIn(name, anyState, intake).ran]));
  return { key, written, reached: kept, ends, ran, others };
}

const cycle = ["pre_poll", "request", "post_poll"];
const anyState: Value = { kind: "record", members: new Map(), open: true };

/** Runs a command in a stage; of everything else nothing is known, and each way may be taken. */
function stepFrom(name: string, key: string, stage: Constant, intake: IntakeSymbol): Step | undefined {
  if (!intake.commands.has(name)) return { stages: [stage], ran: new Set() };
  const state: Value = { kind: "record", members: new Map([[key, stage]]), open: true };
  const { output, ran } = runIn(name, state, intake);
  if (!isKind(output, "record") || output.open) return undefined;
  if (!output.members.has("polling_state")) return { stages: [stage], ran };
  const after = stateOf(output);
  const stages = isKind(after, "record") ? constantsOf(memberOf(after, key)) : undefined;
  return stages === undefined ? undefined : { stages, ran };
}

const stateOf = (output: Value): Value =>
  isKind(output, "record") ? memberOf(output, "polling_state") : UNKNOWN;

function runIn(
  name: string,
  state: Value,
  { commands }: IntakeSymbol,
): { readonly output: Value; readonly ran: ReadonlySet<Command> } {
  const ran = new Set<Command>();
  const command = commands.get(name);
  if (command === undefined) return { output: UNKNOWN, ran };
  const world = { explores: true, keepsBoth: true, onRun: (each: Command) => void ran.add(each) };
  return { output: run(command, { ...worldOf(state, NOW, () => UNKNOWN), ...world }), ran };
}

/** Where programs give a key a constant: `{phase: "idle"}`, `.phase = "idle"`. */
function writtenTo(key: string, intake: IntakeSymbol, model: Model): readonly Written[] {
  return partOfUnit(intake, model).commands.flatMap(({ program }) => {
    if (program === undefined || !program.node.value.includes(key)) return [];
    const entries = nodesOfKind(program, "Object").flatMap(({ entries: all }) =>
      all.flatMap((entry) =>
        entry.key.kind === "Name" && entry.key.text === key ? (entry.value ?? []) : [],
      ),
    );
    const assigned = nodesOfKind(program, "Assignment").flatMap(({ target, operator, value }) =>
      operator === "=" &&
      target.kind === "Postfix" &&
      program.node.value.slice(target.start, target.end) === `.${key}`
        ? value
        : [],
    );
    return [...entries, ...assigned]
      .flatMap((value) => waysOf(value, program))
      .flatMap((node) => {
        const stage = constantOf(node);
        return stage === null || ["string", "number", "boolean"].includes(typeof stage)
          ? [{ stage: stage as Constant, node, program }]
          : [];
      });
  });
}
