import {
  type DiagnosticArguments,
  diagnostic,
  type JqDiagnostic,
  type JqDiagnosticCode,
} from "../diagnostics.ts";
import type { Span } from "../syntax-tree.ts";

/**
 * Collects findings about places that may be evaluated many times: through several calls, in rounds of a
 * loop, with refined types. Only what is wrong in every evaluation is a finding.
 */
export class Reports {
  private readonly votes = new Map<object, Map<string, JqDiagnostic | "fine">>();
  private handlers = 0;
  /** A missing member is no mistake where only its path is asked for. */
  private pathsOnly = 0;

  /** Runs an inference of what is evaluated where errors are caught: a failure there is no mistake. */
  caught<Result>(run: () => Result): Result {
    this.handlers++;
    const result = run();
    this.handlers--;
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
    this.of(place).set(code, "fine");
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
    if (this.handlers > 0 || (code === "missing-member" && this.pathsOnly > 0)) return;
    const votes = this.of(place);
    if (votes.get(code) !== "fine") votes.set(code, diagnostic(code, span, args) as JqDiagnostic);
  }

  /** In source order. */
  all(): readonly JqDiagnostic[] {
    return [...this.votes.values()]
      .flatMap((votes) => [...votes.values()])
      .filter((vote) => vote !== "fine")
      .sort((a, b) => a.start - b.start || a.end - b.end);
  }

  private of(place: object): Map<string, JqDiagnostic | "fine"> {
    let votes = this.votes.get(place);
    if (votes === undefined) {
      votes = new Map();
      this.votes.set(place, votes);
    }
    return votes;
  }
}
