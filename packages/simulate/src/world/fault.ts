/** What can go wrong with one request, or with the process that sends it. */
export type FaultKind =
  | 401
  | 403
  | 404
  | 409
  | 422
  /** Without `Retry-After`; `wait` has it. */
  | 429
  | "wait"
  | 500
  | 503
  | "timeout"
  /** The answer breaks off. */
  | "cut"
  /** The deed is done, and the answer never comes. */
  | "lost"
  /** A page for people, with status 200. */
  | "html"
  /** Status 200, and a body that says that it failed, as the app's own programs know it. */
  | "error-body"
  | "slow"
  /** The token isn't taken any more. */
  | "expiry"
  /** The process ends before it has kept what it did. */
  | "death";

/** Something that goes wrong. */
export interface Fault {
  readonly what: FaultKind;
  /** In which cycle, or with which event, from 1. */
  readonly step: number;
  /** With which request of the step, from 1; of a death, before which commit. */
  readonly at: number;
  /** With so many requests in a row. */
  readonly times: number;
}

/** Faults that say nothing of what was asked: trying again later helps. */
export const passing: readonly FaultKind[] = [
  401,
  429,
  "wait",
  500,
  503,
  "timeout",
  "cut",
  "lost",
  "slow",
  "expiry",
  "death",
];

/** How a fault is told. */
export function faultTold({ what }: Pick<Fault, "what">): string {
  switch (what) {
    case "wait":
      return "429 with Retry-After";
    case "timeout":
      return "no answer in time";
    case "cut":
      return "an answer that breaks off";
    case "lost":
      return "an answer that gets lost after the deed";
    case "html":
      return "a page of HTML with status 200";
    case "error-body":
      return "an error with status 200";
    case "slow":
      return "a slow answer";
    case "expiry":
      return "a token that expires";
    case "death":
      return "a process that ends before a commit";
    default:
      return `an answer ${what}`;
  }
}
