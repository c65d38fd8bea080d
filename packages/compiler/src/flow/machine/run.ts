import type { Command, Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import { type Circumstances, evaluate } from "./evaluate.ts";
import {
  either,
  isKind,
  itemsOf,
  memberOf,
  type RecordValue,
  resolved,
  UNKNOWN,
  type Value,
} from "./value.ts";

/** What a command runs in. */
export interface World extends Circumstances {
  /** What a place is given: a request to verify, or the object of the roots. */
  readonly input: Value;
  /** The value of an expansion of other roots than `piped_content`, below its root. */
  root(name: string, path: readonly string[]): Value;
  /** What a command other than `!jq`, `!switch` and `!pipe` gives. */
  effect(command: Command, input: Value): Value;
  /** Told of each command that runs, of what it reads its expansions from, and what its pipe's steps gave until now. */
  onRun?(
    command: Command,
    expansion: (expansion: Expansion) => Value,
    outputs: readonly Value[],
    isCertain: boolean,
  ): void;
  /** Whether all cases of a `!switch` run where it isn't known which does. */
  readonly explores?: boolean;
  /** The case of a `!switch` that is looked at, whatever it would take; undefined to leave it to its program. */
  chosen?(command: Command): number | undefined;
  /** Commands that don't run, because nothing that they give counts. */
  readonly skipped?: ReadonlySet<Command>;
  /** Told of what a `!switch` takes. */
  onCase?(command: Command, index: number): void;
  /** Told of each expansion that reads what isn't there, without a default. */
  onMissing?(expansion: Expansion): void;
}

/** What a command certainly gives, whatever isn't known. */
export function run(command: Command, world: World): Value {
  return new Run(world).command(command, world.input, undefined);
}

/** The outputs of the innermost pipe's steps until now, after its input. */
interface Steps {
  readonly outputs: readonly Value[];
}

class Run {
  private readonly world: World;
  private readonly circumstances: Circumstances;
  /** Above 0 in a case that may not be taken. */
  private unsure = 0;

  constructor(world: World) {
    this.world = world;
    const { now, replaced, takesLast, keepsBoth } = world;
    this.circumstances = {
      now,
      replaced,
      takesLast,
      keepsBoth,
      onFailure: (at, node, site) => {
        if (this.unsure === 0) world.onFailure?.(at, node, site);
      },
      onError: () => {
        if (this.unsure === 0) world.onError?.();
      },
      onNothing: (at, node) => {
        if (this.unsure === 0) world.onNothing?.(at, node);
      },
      onNullInText: (at, node) => {
        if (this.unsure === 0) world.onNullInText?.(at, node);
      },
    };
  }

  command(command: Command, input: Value, steps: Steps | undefined): Value {
    if (this.world.skipped?.has(command) === true) return UNKNOWN;
    const { key, children, program } = command;
    const own = steps ?? { outputs: [input] };
    const read = (expansion: Expansion): Value => this.expansion(expansion, own);
    this.world.onRun?.(command, read, own.outputs, this.unsure === 0);
    switch (key) {
      case "!pipe": {
        const outputs = [input];
        for (const child of children)
          outputs.push(child === undefined ? UNKNOWN : this.command(child, outputs.at(-1)!, { outputs }));
        return outputs.at(-1)!;
      }
      case "!jq":
        return program === undefined ? UNKNOWN : this.program(program, input, read);
      case "!switch": {
        const index =
          this.world.chosen?.(command) ??
          (program === undefined ? UNKNOWN : resolved(this.program(program, input, read)));
        const child = typeof index === "number" ? children[index] : undefined;
        const goingOn = index === UNKNOWN ? onlyGoingOn(children) : undefined;
        if (goingOn !== undefined) return this.anyOf([goingOn], input, steps);
        if (isKind(index, "unknown") && this.world.explores) return this.anyOf(children, input, steps);
        if (child === undefined) return UNKNOWN;
        this.world.onCase?.(command, index as number);
        return this.command(child, input, steps);
      }
      case "!save":
      case "!print_c":
        return input;
      case "!extract":
        return extracted(command, input) ?? this.world.effect(command, input);
      default:
        return this.world.effect(command, input);
    }
  }

  private anyOf(cases: readonly (Command | undefined)[], input: Value, steps: Steps | undefined): Value {
    this.unsure++;
    const outputs = cases.map((each) => (each === undefined ? UNKNOWN : this.command(each, input, steps)));
    this.unsure--;
    const { keepsBoth } = this.world;
    // What only fails leads nowhere.
    const going = keepsBoth
      ? outputs.filter((_, at) => cases[at] === undefined || !fails(cases[at]))
      : outputs;
    return going.length === 0 ? UNKNOWN : going.reduce((a, b) => either(a, b, keepsBoth));
  }

  private program(program: JqProgram, input: Value, read: (expansion: Expansion) => Value): Value {
    return evaluate(program, input, program.holes.map(read), this.circumstances);
  }

  private expansion(expansion: Expansion, { outputs }: Steps): Value {
    const { root, rootExact, syntax } = expansion;
    if (root === undefined || !rootExact || syntax.problem !== undefined) return UNKNOWN;
    const isStep = root === "piped_content";
    const path: string[] = [];
    for (let at = isStep ? 2 : 1; at < syntax.path.length; at++) path.push(syntax.path[at]!.text);
    const start = isStep ? outputAt(outputs, syntax.path[1]?.text) : this.world.root(root, path);
    const found = start === MISSING ? undefined : isStep ? partOf(start, path) : start;
    const value = found !== undefined && isAbsent(found) ? undefined : found;
    const [filter] = syntax.filters;
    if (filter === undefined) {
      if (value === undefined && this.unsure === 0) this.world.onMissing?.(expansion);
      return value === undefined ? UNKNOWN : value;
    }
    // A default takes the place of what is missing, and `null` is there.
    if (value === undefined) return filter.argument?.text ?? "";
    if (isKind(value, "part") && value.source.isThere?.(value.path)) return value;
    const known = resolved(value);
    return known === null || known === UNKNOWN ? UNKNOWN : value;
  }
}

/** What `!extract` takes as it is; undefined where it parses, or takes what isn't known. */
function extracted({ argument }: Command, input: Value): Value | undefined {
  const [keys, parses] =
    argument?.kind === "object" ? [argument.get("item_keys"), argument.get("to_json")] : [];
  if (keys?.kind !== "array" || parses?.kind !== "boolean" || parses.value) return undefined;
  const names = keys.items.map((item) => (item?.kind === "string" ? item.value : undefined));
  if (!names.every((name) => name !== undefined)) return undefined;
  return record(Object.fromEntries(names.map((name) => [name, memberOf(input, name)])));
}

/** The one case that doesn't end the run with an error: what comes behind its `!switch` only runs after that one. */
function onlyGoingOn(cases: readonly (Command | undefined)[]): Command | undefined {
  const [first, ...others] = cases.filter((each) => each === undefined || !fails(each));
  return others.length === 0 && cases.length > 1 ? first : undefined;
}

const fails = ({ key, children }: Command): boolean =>
  key === "!error" || (key === "!pipe" && children.some((child) => child?.key === "!error"));

/** What stands at a path below a value; undefined where it certainly isn't there. */
function partOf(value: Value, path: readonly string[]): Value | undefined {
  let part = value;
  for (const name of path) {
    if (isMissing(part, name)) return undefined;
    part = segmentOf(part, name);
  }
  return part;
}

function outputAt(outputs: readonly Value[], index: string | undefined): Value {
  const output = outputs[Number(index)];
  return output === undefined ? UNKNOWN : output;
}

/** What a root gives for a value that certainly isn't there. */
export const MISSING: Value = { kind: "unknown" };

const isAbsent = (value: Value): boolean =>
  isKind(value, "part") && value.source.isAbsent?.(value.path) === true;

/** Whether a value certainly has no such member. */
function isMissing(value: Value, name: string): boolean {
  if (isIndex(name)) return Number(name) >= (itemsOf(value)?.length ?? Number.POSITIVE_INFINITY);
  if (isKind(value, "part") || !isKind(value, "record")) return false;
  return !value.members.has(name) && (!value.open || value.absent?.has(name) === true);
}

/** What a segment of an expansion's path reads; to read what isn't there fails. */
export function segmentOf(value: Value, name: string): Value {
  if (isIndex(name)) return itemsOf(value)?.[Number(name)] ?? UNKNOWN;
  return isKind(value, "record") && !value.members.has(name) ? UNKNOWN : memberOf(value, name);
}

const isIndex = (name: string): boolean => /^\d+$/.test(name);

/** An object of which all members are known. */
export function record(members: Readonly<Record<string, Value>>): RecordValue {
  return { kind: "record", members: new Map(Object.entries(members)), open: false };
}
