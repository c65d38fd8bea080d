import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";

/** Remembers what steps with effects gave, so that a run that was interrupted is taken up again instead of repeated (D32). */
export interface Journal {
  /**
   * @param write whether the work changes something elsewhere: then nothing but its answer tells whether it was done
   * @returns what the work gives, or gave before
   */
  step(place: AppNode, write: boolean, work: () => Promise<Json>): Promise<Json>;
  /** Answers that it has for requests to come. */
  readonly ahead?: readonly AnsweredRequest[];
}

/** A request of a run that came to its answer. */
export interface AnsweredRequest {
  /** JSON Pointer of its command. */
  readonly pointer: string;
  /** Whether it may have changed something. */
  readonly write: boolean;
  /** What the answer says; absent where that was too large to be kept. */
  readonly body?: Json;
}
