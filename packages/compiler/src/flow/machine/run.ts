import type { Command, Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import { type Circumstances, evaluate } from "./evaluate.ts";
import { isKind, memberOf, type RecordValue, resolved, UNKNOWN, type Value } from "./value.ts";

/** What a command runs in. */
export interface World extends Circumstances {
  /** What a place is given: a request to verify, or the object of the roots. */
  readonly input: Value;
  /** The value of an expansion of other roots than `piped_content`, below its root. */
  root(name: string, path: readonly string[]): Value;
  /** What a command other than `!jq`, `!switch` and `!pipe` gives. */
  effect(command: Command, input: Value): Value;
  /** Told of each command that runs, and of what it reads its expansions from. */
  onRun?(command: Command, expansion: (expansion: Expansion) => Value): void;
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

  constructor(world: World) {
    this.world = world;
  }

  command(command: Command, input: Value, steps: Steps | undefined): Value {
    const { key, children, program } = command;
    const read = (expansion: Expansion): Value => this.expansion(expansion, steps ?? { outputs: [input] });
    this.world.onRun?.(command, read);
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
        const index = program === undefined ? UNKNOWN : resolved(this.program(program, input, read));
        const child = typeof index === "number" ? children[index] : undefined;
        return child === undefined ? UNKNOWN : this.command(child, input, steps);
      }
      case "!save":
      case "!print_c":
        return input;
      default:
        return this.world.effect(command, input);
    }
  }

  private program(program: JqProgram, input: Value, read: (expansion: Expansion) => Value): Value {
    return evaluate(program, input, program.holes.map(read), this.world);
  }

  private expansion({ root, rootExact, syntax }: Expansion, { outputs }: Steps): Value {
    if (root === undefined || !rootExact || syntax.problem !== undefined) return UNKNOWN;
    const path = syntax.path.slice(1).map(({ text }) => text);
    const value =
      root === "piped_content"
        ? path.slice(1).reduce<Value>(segmentOf, outputs[Number(path[0])] ?? UNKNOWN)
        : this.world.root(root, path);
    const [filter] = syntax.filters;
    if (filter === undefined) return value;
    // A default takes the place of what is missing, and `null` is there.
    const known = resolved(value);
    return known === null || known === UNKNOWN ? UNKNOWN : value;
  }
}

/** What a segment of an expansion's path reads; to read what isn't there fails. */
export function segmentOf(value: Value, name: string): Value {
  if (/^\d+$/.test(name) || (isKind(value, "record") && !value.members.has(name))) return UNKNOWN;
  return memberOf(value, name);
}

/** An object of which all members are known. */
export function record(members: Readonly<Record<string, Value>>): RecordValue {
  return { kind: "record", members: new Map(Object.entries(members)), open: false };
}
