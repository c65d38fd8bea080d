/** Where a run is to stop. */
export interface Breakpoint {
  /** Of whoever set it. */
  readonly id: number;
  /** JSON Pointer of the command. */
  readonly pointer: string;
  /** Number of a stage of its program, or of an expansion in its argument; undefined: before the command. */
  readonly stage?: number;
  /** jq over the step's input and the roots, or an expansion: it stops where this is neither `false` nor `null`. */
  readonly condition?: string;
  /** A number, or jq over how often it was reached: `. > 5`. A comparison may leave out the `.`. */
  readonly hitCondition?: string;
  /** It doesn't stop then; the text is told, with the values of its `${…}`. */
  readonly logMessage?: string;
}

/** Kinds of events at which any run is to stop. */
export type ExceptionFilter = "failure" | "http" | "writes";

/** A value whose changes are looked for: `polling_state.KEY`, or `data.SCOPE.KEY`. */
export interface WatchedValue {
  readonly id: number;
  readonly path: readonly string[];
}

/** Everything that a run is to stop for. */
export interface Breakpoints {
  readonly commands: readonly Breakpoint[];
  readonly filters: ReadonlySet<ExceptionFilter>;
  readonly watched: readonly WatchedValue[];
}

export const noBreakpoints: Breakpoints = { commands: [], filters: new Set(), watched: [] };
