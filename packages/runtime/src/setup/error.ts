/**
 * Why a step of a setup was refused. `wrong-step`: it isn't that step's turn; `unknown`: no such step, field or choice;
 * `invalid`: a value of the wrong kind; `incomplete`: something is missing; `mapping`: the mapping can't be saved so;
 * `state`: what was kept isn't a draft of this workflow; `conflict`: somebody else changed the draft meanwhile.
 */
export type SetupErrorKind =
  | "wrong-step"
  | "unknown"
  | "invalid"
  | "incomplete"
  | "mapping"
  | "state"
  | "conflict";

/** One thing that keeps a step from being done, for the place on a page where it belongs. */
export interface SetupIssue {
  /** Id of a form field, or of a target of the mapping. */
  readonly field?: string;
  /** Group of the target. */
  readonly group?: string;
  readonly message: string;
}

/** A refused step of a setup: the customer's to mend. The draft is as it was. */
export class SetupError extends Error {
  readonly kind: SetupErrorKind;
  readonly issues: readonly SetupIssue[];

  constructor(kind: SetupErrorKind, issues: readonly [SetupIssue, ...SetupIssue[]]) {
    super(issues.map(({ message }) => message).join(" "));
    this.name = "SetupError";
    this.kind = kind;
    this.issues = issues;
  }
}

/** Shorthand for a single issue. */
export function refused(kind: SetupErrorKind, message: string, field?: string): SetupError {
  return new SetupError(kind, [{ message, ...(field === undefined ? {} : { field }) }]);
}
