import type { App, WorldFile } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import type { AroundRun, RunContext } from "@configc/runtime";
import type { Exchange } from "./exchange.ts";
import { fit, withVariants } from "./fit.ts";
import { runOutbound } from "./outbound/run.ts";
import { outboundSubjectOf } from "./outbound/subject.ts";
import type { OutboundWorld } from "./outbound/world.ts";
import { runWorld, type Subject, setUpIn } from "./polling/run.ts";
import type { AnyWorld } from "./report.ts";
import { runSetup } from "./setup/run.ts";
import { setupSubjectOf } from "./setup/subject.ts";
import type { SetupWorld } from "./setup/world.ts";
import { subjectOf } from "./subject.ts";
import { webhookSubjectOf } from "./webhook/probe.ts";
import { runWebhook } from "./webhook/run.ts";
import type { WebhookWorld } from "./webhook/world.ts";
import type { World } from "./world/world.ts";

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
): Promise<Replayed | Unreplayed> {
  if (world.kind !== "polling")
    return {
      reason: `what happens there isn't a cycle of polling, but ${{ webhook: "deliveries to a webhook", outbound: "contacts of the platform", setup: "a guided setup" }[world.kind]}`,
    };
  const workflow = app.workflows.find((each) => each.name === name);
  if (workflow === undefined) return { reason: `the app has no workflow ${name}` };
  const derived = subjectOf(app, workflow, known);
  if ("reason" in derived) return derived;
  const subject = await setUpAs(derived, world, known);
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

/** The app as the customer of a world set it up, with the service as it fits the app. */
async function setUpAs(derived: Subject, world: World, known: WorldFile | undefined): Promise<Subject> {
  const fitted = await fit(derived);
  if ("reason" in fitted) return derived;
  if (world.form === "") return fitted.subject;
  return setUpIn((await withVariants(fitted.subject, known)).subject, world);
}

/**
 * Runs a workflow with a webhook, an outbound one, or a guided setup in one world once more.
 *
 * @param world of a `Failure`
 * @param around is around each run of a command, in the order in which they happen: a host's `savingRunsBy` makes files of them
 * @returns a sentence that says why not, where it can't be run
 */
export async function recordWorld(
  app: App,
  name: string,
  world: WebhookWorld | OutboundWorld | SetupWorld,
  { around, known }: { readonly around: AroundRun; readonly known?: WorldFile | undefined },
): Promise<Unreplayed | undefined> {
  const workflow = app.workflows.find((each) => each.name === name);
  if (workflow === undefined) return { reason: `the app has no workflow ${name}` };
  if (world.kind === "setup") {
    const subject = setupSubjectOf(app, workflow);
    if ("reason" in subject) return subject;
    await runSetup({ ...subject, around }, world);
    return undefined;
  }
  if (world.kind === "outbound") {
    await runOutbound({ ...outboundSubjectOf(app, workflow), around }, world);
    return undefined;
  }
  const found = await webhookSubjectOf(app, workflow, known);
  if ("reason" in found) return found;
  await runWebhook({ ...found.subject, around }, world);
  return undefined;
}

/** Why a world can't be run again. */
export interface Unreplayed {
  readonly reason: string;
}
