import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { type Installed, runOptionsOf } from "../intake/installed.ts";
import { type Services, throwIfCancelled, type Work } from "../intake/services.ts";
import { personalize } from "../personalize/personalize.ts";
import { type PipelineResult, runPipeline } from "../pipeline/run-pipeline.ts";
import type { RunContext } from "../step.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Delivery, DeliveryOrigin } from "../store/tables.ts";
import { failureOf, isCancelled, isOwnFailure } from "./failure.ts";
import { HeldTrace } from "./held-trace.ts";
import { Pause } from "./pause.ts";

/** What became of the items of a line. */
export interface DeliveryCounts {
  readonly delivered: number;
  /** The source gave null. */
  readonly skipped: number;
  /** Kept with input and trace; they can be retried (D35). */
  readonly failed: number;
}

export const nothingDelivered: DeliveryCounts = { delivered: 0, skipped: 0, failed: 0 };

export function addCounts(a: DeliveryCounts, b: DeliveryCounts): DeliveryCounts {
  return {
    delivered: a.delivered + b.delivered,
    skipped: a.skipped + b.skipped,
    failed: a.failed + b.failed,
  };
}

/** Rows that are read at once: memory stays flat however many wait. */
const BATCH = 50;

/** Tries after which an item that a service answers with 5xx is suspected of being the reason itself. */
const MANY_TRIES = 5;

/**
 * Runs the pipeline for the items that wait for an installation, in the order in which they came. One line per installation works
 * at a time. An item that fails for its own reasons is kept, and the next one goes on (D35).
 *
 * One that was answered with 5xx again and again is set aside: if the service takes the next one, it was the item's own fault.
 *
 * @param origin only items from there
 * @throws RunError of the surroundings; the item and those behind it go on waiting
 */
export function deliverWaiting(
  services: Services,
  installed: Installed,
  work: Work,
  origin?: DeliveryOrigin,
): Promise<DeliveryCounts> {
  const { store } = services;
  const { id } = installed.installation;
  const where =
    origin === undefined
      ? ({ installation: id, status: "waiting" } as const)
      : ({ installation: id, origin, status: "waiting" } as const);
  const deliver = async (): Promise<DeliveryCounts> => {
    let counts = nothingDelivered;
    const pause = new Pause();
    for (;;) {
      const waiting = await store.transaction((transaction) =>
        transaction.list("deliveries", where, { limit: BATCH }),
      );
      if (waiting.length === 0) return counts;
      const options = runOptionsOf(installed, await storedValues(store, installed.owners), work);
      let suspect: Stopped | undefined;
      for (const delivery of waiting) {
        throwIfCancelled(work);
        await pause.ifDue();
        const outcome = await deliverOne(services, installed, options, work, delivery);
        if (typeof outcome !== "string") {
          if (suspect !== undefined || !isStubborn(outcome)) throw outcome.error;
          suspect = outcome;
          continue;
        }
        counts = { ...counts, [outcome]: counts[outcome] + 1 };
        if (suspect === undefined || outcome !== "delivered") continue;
        await suspect.giveUp();
        suspect = undefined;
        counts = { ...counts, failed: counts.failed + 1 };
      }
      if (suspect !== undefined) throw suspect.error;
    }
  };
  return store.exclusive(`deliveries ${id}`, deliver, work.signal);
}

/** A failure of the surroundings: the item waits on, unless it turns out to be the reason. */
interface Stopped {
  readonly error: unknown;
  readonly attempts: number;
  giveUp(): Promise<void>;
}

function isStubborn({ error, attempts }: Stopped): boolean {
  const status = error instanceof RunError && error.kind === "HttpError" ? error.status : undefined;
  return status !== undefined && status >= 500 && attempts >= MANY_TRIES;
}

async function deliverOne(
  services: Services,
  installed: Installed,
  options: ReturnType<typeof runOptionsOf>,
  { tracer }: Work,
  delivery: Delivery,
): Promise<keyof DeliveryCounts | Stopped> {
  const { effects, store, run } = services;
  const trace = new HeldTrace(effects.clock, tracer);
  const attempts = delivery.attempts + 1;
  const settle = async (changes: Partial<Delivery>, keepInput: boolean): Promise<void> => {
    const { input, failure: _, trace: __, ...rest } = delivery;
    const kept = keepInput && input !== undefined ? { input } : {};
    // The machine may lose it: then the item is delivered again under the same key, which its target knows (D33).
    await store.transaction(
      (transaction) => transaction.put("deliveries", { ...rest, ...kept, attempts, ...changes }),
      { durable: false },
    );
  };
  let result: PipelineResult;
  try {
    result = await runPipeline({ run }, installed.workflow, {
      ...options,
      ...inputOf(services, installed, options.context, delivery),
      trace,
      idempotencyKey: delivery.id,
    });
  } catch (error) {
    if (isCancelled(error)) throw error;
    const failure = failureOf(error, effects.clock.now());
    const giveUp = (): Promise<void> =>
      settle({ status: "failed", failure, trace: trace.events(), settledAt: failure.at }, true);
    if (isOwnFailure(error)) {
      await giveUp();
      return "failed";
    }
    await settle({ failure }, true);
    return { error, attempts, giveUp };
  }
  const status = result.source === null ? "skipped" : "delivered";
  await settle({ status, settledAt: effects.clock.now() }, false);
  return status;
}

/** The item, and what the pipeline's expansions read: an outbound one has a contact, which fills in personalised texts (D38). */
function inputOf(
  { effects }: Services,
  { workflow, settings }: Installed,
  roots: RunContext,
  { input = null, origin }: Delivery,
): { readonly input: Json; readonly context: RunContext } {
  const mapping = settings.mapping as unknown as Json | undefined;
  const context = mapping === undefined ? roots : { ...roots, mapping };
  if (origin !== "contact") return { input, context };
  const fields = workflow.setup.select?.fields ?? [];
  const filled = personalize(settings.customData, fields, input, (unknown, { id, pointer }) =>
    effects.log.write({
      pointer,
      message: `\`%${unknown}%\` in \`${id}\` is no field of the contact, so it stays as it was typed.`,
    }),
  );
  return { input, context: { ...context, contact: input, custom_data: filled ?? {} } };
}

/**
 * Lets a failed item wait again, for the next delivery.
 *
 * @throws RunError `NotFound` if there is no such item, or it hasn't failed
 */
export function retryDelivery({ store, name }: Services, id: string): Promise<Delivery> {
  return store.transaction(async (transaction) => {
    const delivery = await transaction.get("deliveries", id);
    if (delivery === undefined || delivery.app !== name || delivery.status !== "failed")
      throw new RunError("NotFound", `There is no failed delivery \`${id}\`.`, undefined);
    const { settledAt: _, trace: __, ...rest } = delivery;
    const waiting: Delivery = { ...rest, status: "waiting", attempts: 0 };
    await transaction.put("deliveries", waiting);
    return waiting;
  });
}
