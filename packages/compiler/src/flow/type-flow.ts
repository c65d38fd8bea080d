import type { Type } from "@configc/jq";
import type { Command, Expansion, IntakeSymbol, JqProgram } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { SaveScope } from "../language/commands/save.ts";
import type { JsonNode } from "../parse/syntax-tree.ts";
import type { InferredProgram } from "./inference.ts";

/**
 * Types of the values that commands take and give. Worked out when asked for, once; what isn't known is `unknown` and stays
 * silent.
 *
 * What is worked out for one place asks for others: each file of this folder that infers something takes the flow, and asks it
 * instead of the other files. `flowOf` makes it.
 */
export interface TypeFlow {
  readonly model: Model;

  /** What a command gives; `never` for one that always fails. */
  output(command: Command | undefined): Type;

  /** What a command takes (D16). */
  input(command: Command): Type;

  /**
   * What a step of a pipe gives.
   *
   * @param index from 1, as in `piped_content.1`
   */
  step(pipe: Command, index: number): Type;

  /** Something that several programs read: worked out once, unless it depends on what is being worked out just now. */
  shared(name: string, compute: () => Type): Type;

  /** What is inferred of a program with its own input and expansions. */
  program(program: JqProgram): InferredProgram;

  /** What a program takes; roots that its text doesn't mention are left unknown. */
  programInput(program: JqProgram): Type;

  /** The values of a program's expansions, in the order of its holes. */
  holes(program: JqProgram): readonly Type[];

  /** What a `!jq` or the program of a `!switch` gives: its first output (D23). */
  value(program: JqProgram): Type;

  /** The value of an expansion in a whole string or a hole (D8, D10). */
  expansion(expansion: Expansion): Type;

  /**
   * The keys that are saved (D24). Which keys are stored follows from types, and these from saved values: while they are
   * collected they aren't known, and this gives undefined.
   */
  savedKeys(): ReadonlyMap<SaveScope, SavedKeys> | undefined;

  /** What the `!save` commands of a scope store under a key; every one of them may be in another part of the document. */
  saved(scope: SaveScope, key: string): Type;

  /** The state that an intake keeps while it is set up. */
  state(intake: IntakeSymbol): Type;

  /** The state that a command of a polling intake reads. */
  stateAt(command: Command, intake: IntakeSymbol): Type;

  /** The state that a command of that name meets in the first cycle after the setup. Not kept: few ask for it. */
  firstStateAt(name: string, intake: IntakeSymbol): Type;

  /** The outermost command that stands at a node. */
  commandAt(node: JsonNode | undefined): Command | undefined;

  /** The same without what changes nothing (`plainCommand`), for rules that ask what a place does: of a pipe it may be a copy. */
  plainAt(node: JsonNode | undefined): Command | undefined;
}

/** The keys that the `!save` commands of a scope store. */
export interface SavedKeys {
  /** By key: the commands that store it. */
  readonly keys: ReadonlyMap<string, readonly Command[]>;
  /** False if some `!save` may store other keys too. */
  readonly complete: boolean;
  readonly saves: readonly Command[];
}
