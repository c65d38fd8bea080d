import {
  type DiagnosticArguments,
  diagnostic,
  type JqDiagnostic,
  type JqDiagnosticCode,
} from "../diagnostics.ts";
import type { Span } from "../syntax-tree.ts";

/** What was found of a place under a code. Places have two of them at most as a rule, so they are a chain and no map. */
interface Vote {
  readonly code: JqDiagnosticCode;
  found: JqDiagnostic | "fine";
  next: Vote | undefined;
}

/** What fails nowhere, so that nothing catches it: the comparison is as useless before `//` as anywhere. */
const failsNowhere: ReadonlySet<JqDiagnosticCode> = new Set([
  "never-equal",
  "no-such-value",
  "always-ordered",
]);

/** What gives null, and fails nowhere either. */
const givesNull: ReadonlySet<JqDiagnosticCode> = new Set(["missing-member"]);

/**
 * Collects findings about places that may be evaluated many times: through several calls, in rounds of a
 * loop, with refined types. Only what is wrong in every evaluation is a finding.
 */
export class Reports {
  /** The first one of each place. */
  private readonly votes = new Map<object, Vote>();
  private handlers = 0;
  /** Handlers that null doesn't reach: `try` and `?`. */
  private tries = 0;
  /** A missing member is no mistake where only its path is asked for. */
  private pathsOnly = 0;

  /** Runs an inference of what is evaluated where errors are caught: a failure there is no mistake. */
  caught<Result>(run: () => Result): Result {
    this.handlers++;
    const result = run();
    this.handlers--;
    return result;
  }

  /** The same of `try` and `?`, which let null through. */
  tried<Result>(run: () => Result): Result {
    this.tries++;
    const result = run();
    this.tries--;
    return result;
  }

  /** Runs an inference of what is evaluated for its paths: members needn't exist. */
  paths<Result>(run: () => Result): Result {
    this.pathsOnly++;
    const result = run();
    this.pathsOnly--;
    return result;
  }

  /** This evaluation of the place is all right. */
  fine(place: object, code: JqDiagnosticCode): void {
    this.vote(place, code, "fine");
  }

  /**
   * This evaluation of the place is wrong.
   * @param place what the finding is about, usually a node; `span` are the characters that are marked
   */
  wrong<Code extends JqDiagnosticCode>(
    place: object,
    span: Span,
    code: Code,
    args: DiagnosticArguments[Code],
  ): void {
    if (this.handlers > 0 && !failsNowhere.has(code)) return;
    if (this.tries > 0 && !failsNowhere.has(code) && !givesNull.has(code)) return;
    if (code === "missing-member" && this.pathsOnly > 0) return;
    this.vote(place, code, diagnostic(code, span, args) as JqDiagnostic);
  }

  /** In source order. */
  all(): readonly JqDiagnostic[] {
    const all: JqDiagnostic[] = [];
    for (const first of this.votes.values())
      for (let vote: Vote | undefined = first; vote !== undefined; vote = vote.next)
        if (vote.found !== "fine") all.push(vote.found);
    return all.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Once a place was fine, it stays so. */
  private vote(place: object, code: JqDiagnosticCode, found: Vote["found"]): void {
    const first = this.votes.get(place);
    let last: Vote | undefined;
    for (let vote = first; vote !== undefined; vote = vote.next) {
      if (vote.code === code) {
        if (vote.found !== "fine") vote.found = found;
        return;
      }
      last = vote;
    }
    const vote = { code, found, next: undefined };
    if (last === undefined) this.votes.set(place, vote);
    else last.next = vote;
  }
}
