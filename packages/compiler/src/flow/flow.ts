import { infer, type Type, type TypedHole, types } from "@configc/jq";
import { derived } from "../bind/derived.ts";
import type { Command, Expansion, IntakeSymbol, JqProgram, Model } from "../bind/model.ts";
import { pollingStateOf } from "./polling-state.ts";

/**
 * Types of the values that commands take and give. Worked out when asked for, once; what isn't known is `unknown` and stays
 * silent.
 */
export interface Flow {
  /** What a command gives; `never` for one that always fails. */
  output(command: Command | undefined): Type;
  /** What a command takes (D16). */
  input(command: Command): Type;
}

/** The flow of a model. */
export const flowOf: (model: Model) => TypeFlow = derived(() => new TypeFlow());

/** Results by text: a program without typed holes and with unknown input gives the same everywhere. */
const untyped = new Map<string, Type>();
const CACHE_LIMIT = 10_000;

export class TypeFlow implements Flow {
  private readonly outputs = new Map<Command, Type>();
  private readonly states = new Map<IntakeSymbol, Type>();
  output(command: Command | undefined): Type {
    if (command === undefined) return types.unknown;
    const known = this.outputs.get(command);
    if (known !== undefined) return known;
    // A command that depends on itself, through a state or a saved value, is unknown while it is worked out.
    this.outputs.set(command, types.unknown);
    const type = this.outputOf(command);
    this.outputs.set(command, type);
    return type;
  }

  input(command: Command): Type {
    const { parent, stepsRun } = command;
    if (parent?.key === "!pipe" && stepsRun > 0) return this.output(parent.children[stepsRun - 1]);
    if (parent !== undefined) return this.input(parent);
    return command.place.input === "roots" ? this.roots(command) : types.unknown;
  }

  /** The output of a program for an input: its first one, `null` if it may have none (D23). */
  program(program: JqProgram, input: Type, state?: Type): Type {
    const holes = program.holes.map(
      (hole): TypedHole => ({ ...spanOf(hole), type: this.expansion(hole, state) }),
    );
    const plain = input === types.unknown && holes.every(({ type }) => type === types.unknown);
    const cached = plain ? untyped.get(program.node.value) : undefined;
    if (cached !== undefined) return cached;
    const { type, cardinality } = infer(program.tree, input, { holes });
    const result =
      cardinality === "one"
        ? type
        : cardinality === "none"
          ? types.nullType
          : types.union(type, types.nullType);
    if (plain) {
      if (untyped.size >= CACHE_LIMIT) untyped.clear();
      untyped.set(program.node.value, result);
    }
    return result;
  }

  /** The state that an intake's commands read. */
  state(intake: IntakeSymbol): Type {
    const known = this.states.get(intake);
    if (known !== undefined) return known;
    this.states.set(intake, types.unknown);
    const state = pollingStateOf(intake, this);
    this.states.set(intake, state);
    // What was worked out while the state was unknown is worked out again with it.
    for (const command of withDescendants([...intake.commands.values()])) this.outputs.delete(command);
    return state;
  }

  private outputOf(command: Command): Type {
    const { key, children } = command;
    switch (key) {
      case "!pipe":
        return this.output(children.at(-1));
      case "!switch":
        return types.union(...children.map((child) => this.output(child)));
      case "!jq":
        return command.program === undefined
          ? types.unknown
          : this.program(command.program, this.input(command));
      case "!save":
      case "!print_c":
      case "!respond":
        return this.input(command);
      case "!error":
        return types.never;
      case "!sha":
        return types.record({ value_to_encrypt: types.string, hash: types.string });
      case "!http":
        return types.unknown;
      case "!resource":
        return types.unknown;
      case "!extract":
        return types.anyObject;
    }
  }

  /** An object of the roots that are legal at the place. */
  private roots({ unit }: Command): Type {
    if (unit?.kind !== "intake" || unit.type !== "polling") return types.unknown;
    return types.object([["polling_state", { type: this.state(unit), optional: false }]], types.unknown);
  }

  private expansion({ syntax, command, root, rootExact }: Expansion, state: Type | undefined): Type {
    if (syntax.problem !== undefined || !rootExact || command === undefined) return types.unknown;
    const { path } = syntax;
    if (root === "polling_state" && path.length === 1 && command.unit?.kind === "intake") {
      return state ?? (command.unit.type === "polling" ? this.state(command.unit) : types.unknown);
    }
    if (root === "piped_content" && path.length === 2 && syntax.filters.length === 0) {
      const index = Number(path[1]!.text);
      if (index === 0 && command.pipe !== undefined) return this.input(command.pipe);
      if (index > 0 && index <= command.stepsRun) return this.output(command.pipe?.children[index - 1]);
    }
    return types.unknown;
  }
}

function withDescendants(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [
    command,
    ...withDescendants(command.children.filter((child) => child !== undefined)),
  ]);
}

function spanOf({ syntax: { start, end } }: Expansion) {
  return { start, end };
}
