import { type Type, types } from "@configc/jq";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { partAround } from "../bind/unit-part.ts";
import type { SaveScope } from "../language/commands/save.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import { expansionValue } from "./expansion-type.ts";
import { firstOutput, type InferredProgram, inferProgram } from "./inference.ts";
import { Memo } from "./memo.ts";
import { outputOf } from "./outputs.ts";
import { placeInput } from "./place-input.ts";
import { plainCommand } from "./plain-command.ts";
import {
  firstCycle,
  type LifecycleStates,
  pollingStates,
  stateBefore,
  unknownStates,
} from "./polling-state.ts";
import { rootsInput } from "./roots.ts";
import { collectSavedKeys, savedType } from "./saved.ts";
import type { SavedKeys, TypeFlow } from "./type-flow.ts";

/** The flow of a model. */
export const flowOf: (model: Model) => TypeFlow = derived((model) => {
  const flow = new ModelFlow(model);
  flow.settle();
  return flow;
});

/** What is saved, by scope (D24). */
export function savedKeys(model: Model): ReadonlyMap<SaveScope, SavedKeys> {
  return flowOf(model).savedKeys() ?? new Map();
}

/** Values may come from values that come from values …: beyond so many the rest is unknown, which bounds the call stack. */
const DEPTH_LIMIT = 100;
/** States that depend on one another are unknown from here on: working out each takes rounds of working out the next. */
const STATES_LIMIT = 3;

/** The types of a model: keeps what was asked for, and bounds how deep one question leads into others. */
class ModelFlow implements TypeFlow {
  readonly model: Model;
  private memo = new Memo(undefined);
  private readonly savedTypes = new Map<string, Type>();
  private keys: ReadonlyMap<SaveScope, SavedKeys> | undefined = undefined;
  private collecting = false;
  private depth = 0;
  private readonly plain = new Map<Command, Command>();

  constructor(model: Model) {
    this.model = model;
  }

  output(command: Command | undefined): Type {
    if (command === undefined) return types.unknown;
    const known = this.memo.output(command);
    if (known !== undefined) return known;
    // A command that depends on itself, through a saved value, is unknown while it is worked out.
    if (this.memo.active.has(command) || this.depth >= DEPTH_LIMIT) return types.unknown;
    const { memo } = this;
    memo.active.add(command);
    this.depth++;
    const type = outputOf(command, this);
    this.depth--;
    memo.active.delete(command);
    memo.outputs.set(command, type);
    return type;
  }

  input(command: Command): Type {
    return this.inputFor(command, everything);
  }

  /**
   * @param mentions whether a text reads the root of that name; others are left unknown, since few programs read more than one
   */
  private inputFor(command: Command, mentions: (root: string) => boolean): Type {
    let at = command;
    for (let { parent } = at; parent !== undefined; { parent } = at) {
      if (parent.key === "!pipe" && at.stepsRun > 0) return this.step(parent, at.stepsRun);
      at = parent;
    }
    return at.place.input === "roots" ? rootsInput(at, this, mentions) : placeInput(at, this);
  }

  step({ children }: Command, index: number): Type {
    // In order, so that a long pipe isn't a deep recursion.
    let first = index;
    while (first > 1 && !this.isKnown(children[first - 2])) first--;
    for (let at = first; at < index; at++) this.output(children[at - 1]);
    return this.output(children[index - 1]);
  }

  private isKnown(command: Command | undefined): boolean {
    return command === undefined || this.memo.output(command) !== undefined;
  }

  shared(name: string, compute: () => Type): Type {
    const { memo } = this;
    const known = memo.shared.get(name);
    if (known !== undefined) return known;
    const type = compute();
    if (memo.active.size === 0) memo.shared.set(name, type);
    return type;
  }

  program(program: JqProgram): InferredProgram {
    const { memo } = this;
    const known = memo.programs.get(program);
    if (known !== undefined) return known;
    const inferred = inferProgram(program, this.programInput(program), this.holes(program));
    if (memo.active.size === 0) memo.programs.set(program, inferred);
    return inferred;
  }

  programInput({ command, node }: JqProgram): Type {
    return this.inputFor(command, (root) => node.value.includes(root));
  }

  holes({ holes }: JqProgram): readonly Type[] {
    return holes.map((hole) => this.expansion(hole));
  }

  value(program: JqProgram): Type {
    return firstOutput(this.program(program));
  }

  expansion(expansion: Expansion): Type {
    if (this.depth >= DEPTH_LIMIT) return types.unknown;
    this.depth++;
    const type = expansionValue(expansion, this);
    this.depth--;
    return type;
  }

  savedKeys(): ReadonlyMap<SaveScope, SavedKeys> | undefined {
    if (this.keys === undefined && !this.collecting) {
      this.collecting = true;
      this.keys = collectSavedKeys(this);
      this.collecting = false;
    }
    return this.keys;
  }

  saved(scope: SaveScope, key: string): Type {
    const name = `${scope}.${key}`;
    const known = this.savedTypes.get(name);
    if (known !== undefined) return known;
    const type = savedType(this, scope, key);
    // What is worked out on the way to something else may rest on an assumption.
    if (this.memo.depth === 0 && this.memo.active.size === 0) this.savedTypes.set(name, type);
    return type;
  }

  /**
   * Works out what is saved before anything else. Saved values may depend on one another, and then it counts which is asked for
   * first: so it is the same however much of the document is looked at.
   */
  settle(): void {
    for (const [scope, { keys }] of this.savedKeys() ?? [])
      for (const key of keys.keys()) this.saved(scope, key);
  }

  state(intake: IntakeSymbol): Type {
    return this.states(intake).kept;
  }

  stateAt(command: Command, intake: IntakeSymbol): Type {
    return stateBefore(this.states(intake), command.place.name.split(".")[1]);
  }

  private states(intake: IntakeSymbol): LifecycleStates {
    const known = this.memo.state(intake);
    if (known !== undefined) return known;
    if (this.memo.depth >= STATES_LIMIT) return unknownStates;
    const states = pollingStates(intake, (assumed, run) => this.assuming(intake, assumed, run));
    this.memo.states.set(intake, states);
    return states;
  }

  firstStateAt(name: string, intake: IntakeSymbol): Type {
    // What is known of outputs already holds for any cycle.
    const alone = () => new Memo(undefined, this.memo.depth + 1);
    const states = pollingStates(
      intake,
      (assumed, run) => this.assuming(intake, assumed, run, alone()),
      firstCycle,
    );
    return stateBefore(states, name);
  }

  /** What is worked out with assumed states holds for this run only. */
  private assuming(
    intake: IntakeSymbol,
    states: LifecycleStates,
    run: (flow: TypeFlow) => Type,
    memo = new Memo(this.memo),
  ): Type {
    const outer = this.memo;
    this.memo = memo;
    memo.states.set(intake, states);
    const result = run(this);
    this.memo = outer;
    return result;
  }

  commandAt(node: JsonNode | undefined): Command | undefined {
    if (node === undefined) return undefined;
    const part = partAround(node, this.model);
    const command = part === undefined ? undefined : outermostCommands(part).get(node);
    if (command !== undefined) return command;
    return betweenItems(this.model)
      .map((each) => outermostCommands(each).get(node))
      .find(Boolean);
  }

  plainAt(node: JsonNode | undefined): Command | undefined {
    const command = this.commandAt(node);
    if (command === undefined || command.key !== "!pipe") return command;
    let plain = this.plain.get(command);
    if (plain === undefined) this.plain.set(command, (plain = plainCommand(command)));
    return plain;
  }
}

const outermostCommands = derivedInPart(({ commands }): ReadonlyMap<JsonNode, Command> => {
  const outermost = commands.filter(({ parent }) => parent === undefined);
  return new Map(outermost.map((command) => [command.node, command]));
});

const betweenItems = derived(({ parts }) => parts.filter(({ item }) => item === undefined));

const everything = (): boolean => true;
