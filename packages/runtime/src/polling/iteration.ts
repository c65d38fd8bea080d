import type { AppIntake } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { canonicalText, digest } from "../canonical.ts";
import { RunError } from "../errors.ts";
import { isObject, ownMember } from "../json.ts";
import type { Limits } from "../limits.ts";
import { valueCost } from "../memory/json-cost.ts";
import { megabytes } from "../memory/memory.ts";
import type { PollReason } from "../store/tables.ts";

/** How far a cycle is. */
interface Progress {
  /** Iterations of `request`. */
  readonly requests: number;
  /** Items that were delivered. */
  readonly results: number;
  /** Digests of the last pages, newest last. */
  readonly recent: readonly string[];
}

export const noProgress: Progress = { requests: 0, results: 0, recent: [] };

/** What one iteration of `request` means for its cycle. */
interface Iteration {
  /** To be delivered; none if the page came before. */
  readonly items: readonly Json[];
  readonly progress: Progress;
  /** Why the cycle ends with it; undefined if it goes on. */
  readonly reason: PollReason | undefined;
}

/** Pages that come again after so many others are repeats too. */
const LONGEST_PERIOD = 3;

/**
 * Judges what `request` gave by the exit conditions (D33). More than the most results are still delivered.
 *
 * @throws RunError `DataError` for a result that isn't what the platform takes
 */
export function judgeIteration(
  output: Json | undefined,
  intake: AppIntake,
  before: Progress,
  { pollingRequests, pollingResults }: Pick<Limits, "pollingRequests" | "pollingResults">,
): Iteration {
  const { items, iterate } = readIteration(output, intake);
  const page = digest(canonicalText(items as Json[]));
  const repeated = before.recent.includes(page);
  const progress: Progress = {
    requests: before.requests + 1,
    results: before.results + (repeated ? 0 : items.length),
    recent: [...before.recent, page].slice(-LONGEST_PERIOD),
  };
  const ended = (reason: PollReason | undefined): Iteration => ({ items, progress, reason });
  if (items.length === 0) return ended("empty");
  if (repeated) return { items: [], progress, reason: "repeat" };
  if (!iterate) return ended("iterate");
  if (progress.results > pollingResults) return ended("max-results");
  return ended(progress.requests >= pollingRequests ? "max-requests" : undefined);
}

/**
 * The state that a lifecycle command gives; undefined leaves it as it is.
 *
 * @throws RunError `DataError` if it is no object, `LimitError` if it is more than is kept
 */
export function givenState(
  output: Json | undefined,
  intake: AppIntake,
  { keptBytes }: Pick<Limits, "keptBytes">,
): JsonObject | undefined {
  const state = isObject(output) ? ownMember(output, "polling_state") : undefined;
  if (state === undefined) return undefined;
  if (isObject(state)) {
    if (valueCost(state, keptBytes) <= keptBytes) return state;
    throw new RunError(
      "LimitError",
      `\`polling_state\` would take more than ${megabytes(keptBytes)}, the most that is kept. Keep a cursor, a page or a date in it.`,
      intake,
    );
  }
  throw new RunError(
    "DataError",
    "`polling_state` must be an object, because it replaces the whole state.",
    intake,
  );
}

/** An absent `iterate` is false (D33). */
function readIteration(
  output: Json | undefined,
  intake: AppIntake,
): { readonly items: readonly Json[]; readonly iterate: boolean } {
  if (!isObject(output))
    throw new RunError(
      "DataError",
      "`request` must give an object with `results`, `iterate` and `polling_state`.",
      intake,
    );
  const results = ownMember(output, "results") ?? null;
  if (results !== null && !Array.isArray(results))
    throw new RunError("DataError", "`results` of `request` must be a list.", intake);
  const iterate = ownMember(output, "iterate") ?? false;
  if (typeof iterate !== "boolean")
    throw new RunError("DataError", "`iterate` of `request` must be true or false.", intake);
  return { items: results === null ? [] : (results as readonly Json[]), iterate };
}
