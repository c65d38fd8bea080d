import type { Chance } from "./random.ts";

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
  /** A web page with status 200. */
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
const passing: readonly FaultKind[] = [
  401,
  429,
  "wait",
  500,
  503,
  "timeout",
  "cut",
  "lost",
  "html",
  "slow",
  "expiry",
];
/** Faults that may be about one record, which alone may fail then. */
const refusing: readonly FaultKind[] = [403, 404, 409, 422];
/** More than the tries of a request (D21). */
const ALL_TRIES = 4;
/** Commits of a cycle or event before which a process may end. */
const MOST_COMMITS = 12;

/** Each fault once, with the second request of the first step, and the end of the process before each of its first commits. */
export function plannedFaults(hasErrorBody: boolean): readonly Fault[] {
  const fault = (what: FaultKind, at: number, times: number): Fault => ({ what, step: 1, at, times });
  return [
    ...(hasErrorBody ? [fault("error-body", 2, 1)] : []),
    ...passing.map((what) => fault(what, 2, ALL_TRIES)),
    ...refusing.map((what) => fault(what, 2, 1)),
    ...Array.from({ length: MOST_COMMITS }, (_, index) => fault("death", index + 1, 1)),
  ];
}

/** A fault that chance decides. @param steps in which it may happen */
export function randomFault(chance: Chance, steps: number): Fault {
  const what = chance.pick<FaultKind>([...passing, ...refusing, "death"]);
  return {
    what,
    step: chance.between(1, steps),
    at: chance.between(1, what === "death" ? MOST_COMMITS : 4),
    times: what === "death" || refusing.includes(what) ? 1 : chance.between(1, ALL_TRIES),
  };
}

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
      return "a web page with status 200";
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
