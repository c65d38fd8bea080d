import type { AppIntake } from "@configc/compiler";
import { type Json, printExact } from "@configc/jq";
import { RunError } from "../errors.ts";
import { isObject, ownMember } from "../json.ts";
import { defaultLimits } from "../limits.ts";
import type { RunOptions, Runtime } from "../runtime.ts";

/** Why a cycle ended (D33). */
export type PollReason = "iterate" | "empty" | "repeat" | "max-requests" | "max-results";

/** What one polling cycle gave. */
export interface PollResult {
  /** Of all iterations, each item once. */
  readonly results: readonly Json[];
  /** As it would be saved; absent if no command gave one. */
  readonly polling_state?: Json;
  /** Iterations of `request`. */
  readonly requests: number;
  readonly reason: PollReason;
}

/** Pages that come again after so many others are repeats too. */
const LONGEST_PERIOD = 3;

/**
 * Runs one cycle of a polling intake without a store (D33): `initial_setup` if the context has no state, `pre_poll`, iterations of
 * `request` until one of the exit conditions, `post_poll`.
 *
 * @param options as for a command; `context.polling_state` is the state to begin with
 * @throws RunError of the command that fails, or `DataError` for a result that isn't what the platform takes
 */
export async function pollOnce(
  runtime: Runtime,
  intake: AppIntake,
  options: RunOptions = {},
): Promise<PollResult> {
  const { pollingRequests, pollingResults } = { ...defaultLimits, ...options.limits };
  let state = options.context?.polling_state;
  const run = async (member: string): Promise<Json | undefined> => {
    const command = intake.commands[member];
    if (command === undefined) return undefined;
    const { input: _, ...rest } = options;
    const context = { ...options.context, ...(state === undefined ? {} : { polling_state: state }) };
    const output = await runtime.run(command, { ...rest, context });
    const saved = isObject(output) ? ownMember(output, "polling_state") : undefined;
    if (saved !== undefined) state = saved;
    return output;
  };

  if (state === undefined) await run("initial_setup");
  await run("pre_poll");
  const results: Json[] = [];
  const pages: string[] = [];
  let reason: PollReason | undefined;
  for (let count = 1; reason === undefined; count++) {
    const { items, iterate } = readIteration(await run("request"), intake);
    const page = printExact(items as Json[]);
    if (items.length === 0) reason = "empty";
    else if (pages.slice(-LONGEST_PERIOD).includes(page)) reason = "repeat";
    else {
      results.push(...items);
      if (!iterate) reason = "iterate";
      else if (results.length > pollingResults) reason = "max-results";
      else if (count >= pollingRequests) reason = "max-requests";
    }
    pages.push(page);
  }
  await run("post_poll");
  return {
    results,
    ...(state === undefined ? {} : { polling_state: state }),
    requests: pages.length,
    reason,
  };
}

/** An absent `iterate` is false (D33). */
function readIteration(
  output: Json | undefined,
  intake: AppIntake,
): { readonly items: readonly Json[]; readonly iterate: boolean } {
  if (!isObject(output))
    throw new RunError(
      "DataError",
      "`request` has to give an object with `results`, `iterate` and `polling_state`.",
      intake,
    );
  const results = ownMember(output, "results") ?? null;
  if (results !== null && !Array.isArray(results))
    throw new RunError("DataError", "`results` of `request` has to be a list.", intake);
  const iterate = ownMember(output, "iterate") ?? false;
  if (typeof iterate !== "boolean")
    throw new RunError("DataError", "`iterate` of `request` has to be true or false.", intake);
  return { items: results === null ? [] : (results as readonly Json[]), iterate };
}
