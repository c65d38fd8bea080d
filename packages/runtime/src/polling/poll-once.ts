import type { AppIntake } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { defaultLimits } from "../limits.ts";
import type { RunCommand, RunOptions } from "../run-options.ts";
import type { PollReason } from "../store/tables.ts";
import { givenState, judgeIteration, noProgress } from "./iteration.ts";

export type { PollReason };

/** What one polling cycle gave. */
export interface PollResult {
  /** Of all iterations, each item once. */
  readonly results: readonly Json[];
  /** As it would be saved; `{}` if no command gave one (D11). */
  readonly polling_state: Json;
  /** Iterations of `request`. */
  readonly requests: number;
  readonly reason: PollReason;
}

/**
 * Runs one cycle of a polling intake without a store (D33): `initial_setup` if the context has no state, `pre_poll`, iterations of
 * `request` until one of the exit conditions, `post_poll`.
 *
 * @param options as for a command; `context.polling_state` is the state to begin with
 * @throws RunError of the command that fails, or `DataError` for a result that isn't what the platform takes
 */
export async function pollOnce(
  runtime: { readonly run: RunCommand },
  intake: AppIntake,
  options: RunOptions = {},
): Promise<PollResult> {
  const limits = { ...defaultLimits, ...options.limits };
  let state = options.context?.polling_state;
  const run = async (member: string): Promise<Json | undefined> => {
    const command = intake.commands[member];
    if (command === undefined) return undefined;
    const { input: _, ...rest } = options;
    const context = { ...options.context, ...(state === undefined ? {} : { polling_state: state }) };
    const output = await runtime.run(command, { ...rest, context });
    state = givenState(output, intake, limits) ?? state;
    return output;
  };

  if (state === undefined) await run("initial_setup");
  await run("pre_poll");
  const results: Json[] = [];
  let progress = noProgress;
  let reason: PollReason | undefined;
  while (reason === undefined) {
    const iteration = await judgeIteration(await run("request"), intake, progress, limits);
    results.push(...iteration.items);
    ({ progress, reason } = iteration);
  }
  await run("post_poll");
  return {
    results,
    polling_state: state ?? {},
    requests: progress.requests,
    reason,
  };
}
