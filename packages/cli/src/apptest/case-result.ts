import type { RecordedExchange } from "@configc/host";
import type { Json } from "@configc/jq";
import type { Failure } from "../run/failure.ts";

export interface CaseResult {
  readonly name: string;
  readonly passed: boolean;
  /** Why it failed; for people. */
  readonly reasons: readonly string[];
  /** Those of the reasons that have nothing to do with what is expected. */
  readonly beside: readonly string[];
  /** Lines of expected (`- `) and given (`+ `). */
  readonly diff?: readonly string[];
  /** How the run itself failed, expected or not. */
  readonly failure?: Failure;
  readonly output?: Json;
  readonly milliseconds: number;
  /** What was sent and answered: with `--record`. */
  readonly recorded?: readonly RecordedExchange[];
  /** Of a case with cycles: each of them, with what it gave. */
  readonly cycles?: Json;
}

/** What a kind of case finds out. */
export type Judged = Omit<CaseResult, "name" | "milliseconds" | "passed">;
