/** A place in a run at which one can stop. */
export interface Position {
  /** Id of the event. */
  readonly event: number;
  /** Number of the stop within the command that the event begins, from 0: in its program, or at its expansions; undefined: before it. */
  readonly stage?: number;
}

/** @returns less than 0 if `a` comes before `b`, 0 if they are the same */
export function comparePositions(a: Position, b: Position): number {
  return a.event - b.event || (a.stage ?? -1) - (b.stage ?? -1);
}
