import type { App, WorldFile } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import type { RunContext } from "@configc/runtime";
import type { Exchange } from "./exchange.ts";
import { runWorld } from "./polling/run.ts";
import type { AnyWorld } from "./report.ts";
import { subjectOf } from "./subject.ts";

/** What a world asked of an app and told it: enough to run each cycle by itself. Plain JSON. */
export interface Replayed {
  /** JSON Pointers. */
  readonly intake: string;
  readonly workflow: string;
  /** Name of the auth entry whose credentials were sent. */
  readonly auth: string | undefined;
  /** What the customer chose; without the polling state. */
  readonly context: RunContext;
  /** Iterations that a cycle could have. */
  readonly requests: number;
  readonly cycles: readonly ReplayedCycle[];
}

/** One cycle of it. */
export interface ReplayedCycle {
  /** From 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Why it ended, or `failed`. */
  readonly reason: string;
  /** After it. */
  readonly state: JsonObject;
  /** Those of the pipeline too. */
  readonly exchanges: readonly Exchange[];
  /** Nothing happens at the service any more. */
  readonly isQuiet: boolean;
}

/**
 * Runs a workflow in one world once more, to keep what was sent and answered.
 *
 * @param world of a `Failure`
 * @returns a sentence that says why not, where it can't be told as cycles
 */
export async function replayWorld(
  app: App,
  name: string,
  world: AnyWorld,
  known?: WorldFile,
): Promise<Replayed | { readonly reason: string }> {
  if (world.kind !== "polling")
    return {
      reason: `what happens there isn't a cycle of polling, but ${world.kind === "webhook" ? "deliveries to a webhook" : "contacts of the platform"}`,
    };
  const workflow = app.workflows.find((each) => each.name === name);
  if (workflow === undefined) return { reason: `the app has no workflow ${name}` };
  const subject = subjectOf(app, workflow, known);
  if ("reason" in subject) return subject;
  const { cycles } = await runWorld(subject, world);
  const { form, mapping, protocol } = subject;
  return {
    intake: protocol.intake.pointer,
    workflow: workflow.pointer,
    auth: workflow.auth,
    context: {
      custom_data: form,
      subdomain: "customer",
      ...(mapping === undefined ? {} : { mapping: mapping as unknown as JsonObject }),
    } as RunContext,
    requests: world.requests,
    cycles: cycles.map(({ number, startedAt, reason, state, exchanges, isQuiet }) => ({
      number,
      startedAt,
      reason,
      state,
      exchanges,
      isQuiet,
    })),
  };
}
