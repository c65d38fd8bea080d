import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { bare } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import {
  isPipedState,
  type StateDependence,
  stateDependence,
} from "../../../flow/protocol/state-dependence.ts";
import { isFollowed } from "../../../flow/protocol/state-paths.ts";
import { outcomesOf, type StateWrite, stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import { readsIn } from "../state/reads.ts";

/** The keys that a step shows to people: `!print_c` of `${piped_content.2.polling_state.seen}`. */
const keysPrinted = ({ expansions }: Part, intake: IntakeSymbol): readonly string[] =>
  expansions.flatMap(({ unit, root, command, syntax }) => {
    const isPrinted = unit === intake && root === "piped_content" && /^!print/.test(command?.key ?? "");
    const at = isPrinted ? syntax.path.findIndex(({ text }) => text === "polling_state") : -1;
    const key = at < 0 ? undefined : syntax.path[at + 1]?.text;
    return key === undefined ? [] : [key];
  });

/** A value that a command writes under a key of the state. */
export interface Written {
  readonly command: string;
  readonly key: string;
  readonly value: Expression;
  readonly write: StateWrite;
  readonly from: StateDependence;
}

/** How the keys of an intake's state depend on one another. */
export interface Machine {
  readonly written: readonly Written[];
  /** Keys that something else than the state depends on. */
  readonly observed: ReadonlySet<string>;
}

/** Undefined where some of it can't be told. */
export function machineOf(intake: IntakeSymbol, model: Model): Machine | undefined {
  const written: Written[] = [];
  const observed = new Set<string>();
  const programs = new Set<string>();
  /** How often each program gives the state as it was, and so reads the whole of it. */
  const passed = new Map<string, number>();
  for (const command of stateCommands) {
    const root = intake.commands.get(command);
    if (root === undefined) continue;
    const writes = stateWritesOf(root, model);
    const outcomes = outcomesOf(root, model);
    if (writes === undefined || outcomes === undefined) return undefined;
    for (const program of new Set(outcomes.map((outcome) => outcome.program)))
      if (isPipedState(program)) passed.set(idOf(program.node), 1);
    for (const write of writes) {
      const { program, keys, conditions } = write;
      const id = idOf(program.node);
      programs.add(id);
      if (write.keepsOthers) passed.set(id, (passed.get(id) ?? 0) + 1);
      for (const [key, value] of keys) {
        const from = stateDependence(program, [value, ...conditions]);
        if (from.all) return undefined;
        written.push({ command, key, value, write, from });
      }
    }
    for (const { program, members, conditions } of outcomes) {
      const others = [...members].flatMap(([name, value]) =>
        name === "polling_state" || value === undefined ? [] : [value],
      );
      const { keys, all } = stateDependence(program, [
        ...others,
        ...(members.has("polling_state") ? [] : conditions),
      ]);
      if (all) return undefined;
      for (const key of keys) observed.add(key);
    }
  }
  // What is named wrongly may mean a key of the state.
  const part = partOfUnit(intake, model);
  for (const { unit, root, rootExact } of part.expansions)
    if (unit === intake && (root === undefined || root === "webhook" || !rootExact)) return undefined;
  for (const key of keysPrinted(part, intake)) observed.add(key);
  for (const read of readsIn(part, model, "polling_state")) {
    if (read.command.unit !== intake) continue;
    const { program } = read.command;
    const [key] = read.path;
    const isMaker = program !== undefined && programs.has(idOf(program.node));
    if (isMaker && (read.expanded || (key !== undefined && isFollowed(program, key.at.from)))) continue;
    if (key === undefined) {
      const left = program === undefined ? 0 : (passed.get(idOf(program.node)) ?? 0);
      if (program === undefined || left === 0) return undefined;
      passed.set(idOf(program.node), left - 1);
      continue;
    }
    observed.add(key.text);
  }
  // A key that nothing writes is a slip in its name, and a finding of its own.
  const known = new Set(written.map(({ key }) => key));
  return [...observed].every((key) => known.has(key)) ? { written, observed } : undefined;
}

function idOf({ start }: { readonly start: number }): string {
  return `${start}`;
}

/** Keys on which a request, a result or `iterate` depends, directly or by other keys. */
export function usedKeys({ written, observed }: Machine): ReadonlySet<string> {
  const used = new Set(observed);
  for (let grown = true; grown; ) {
    const before = used.size;
    for (const { key, from } of written) if (used.has(key)) for (const other of from.keys) used.add(other);
    grown = used.size > before;
  }
  return used;
}

/** The keys of the state that requests read, each as often as it is read. */
export function keysSent(intake: IntakeSymbol, model: Model): readonly string[] {
  return partOfUnit(intake, model).expansions.flatMap(({ unit, root, command, syntax }) =>
    unit === intake && root === "polling_state" && command?.key === "!http"
      ? [syntax.path[1]?.text ?? ""]
      : [],
  );
}

/** Whether a value follows what happens: it depends on a response, on the time or on the key's own value. */
export function changes(value: Expression, { program }: StateWrite): boolean {
  if (constantOf(bare(value)) !== undefined) return false;
  const { input, clock } = stateDependence(program, [value]);
  return input || clock;
}
