import type { Command, IntakeSymbol } from "../bind/bound-nodes.ts";
import type { Occurrence } from "./occurrence.ts";

/** A key of saved data (D24) or of an intake's polling state (D33): who writes it, and who reads it. */
export interface StateKey {
  readonly kind: "saved-key" | "polling-key";
  readonly name: string;
  /** As it is read: `data.workflow.hook_id`. */
  readonly path: string;
  /** Whose polling state it is a key of. */
  readonly intake: IntakeSymbol | undefined;
  readonly writes: readonly KeyWrite[];
  readonly reads: readonly KeyRead[];
  /** Where later steps read it of the object that is saved, which goes on through the pipe. */
  readonly piped: readonly KeyRead[];
}

/** A command that writes a key of `polling_state`, or of what is saved. */
export interface KeyWrite {
  /** The `!save`, or the command whose output is the state. */
  readonly command: Command;
  /** Where its name is written. Absent where only types tell that the command writes it: a step before may give it. */
  readonly at: Occurrence | undefined;
}

/** A place that reads a key of `polling_state`, or of what is saved. */
export interface KeyRead {
  readonly command: Command;
  readonly at: Occurrence;
}
