import type { RunErrorKind } from "@configc/runtime";

/** How a case of a test file expects a run to fail; what it doesn't name may be anything. */
export interface ExpectedError {
  readonly kind?: RunErrorKind;
  /** A part of the message. */
  readonly message?: string;
  readonly status?: number;
  readonly pointer?: string;
}

/** A failed run, as far as a case looks at it. */
export interface CaseFailure {
  readonly kind: string;
  readonly message: string;
  readonly pointer: string;
  readonly status?: number;
}

/**
 * What a failure has that a case didn't expect.
 *
 * @param expected absent: the case expects an output
 * @returns for people; none if it is the expected failure
 */
export function unexpectedOf(failure: CaseFailure, expected: ExpectedError | undefined): string[] {
  if (expected === undefined) return [`It failed: ${failure.kind}: ${failure.message}`];
  const reasons = (["kind", "status", "pointer"] as const)
    .filter((name) => expected[name] !== undefined && expected[name] !== failure[name])
    .map((name) => `The failure's ${name} is ${failure[name] ?? "absent"}; ${expected[name]} was expected.`);
  if (expected.message !== undefined && !failure.message.includes(expected.message))
    reasons.push(`The failure says “${failure.message}”; “${expected.message}” was expected in it.`);
  return reasons;
}
