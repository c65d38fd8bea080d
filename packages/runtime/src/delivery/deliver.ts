import type { Json } from "@configc/jq";
import { AnsweredRequests } from "../answered-requests.ts";
import { RunError } from "../errors.ts";
import { type Installed, runOptionsOf, type Writable } from "../intake/installed.ts";
import { exclusively, type Services, throwIfCancelled, type Work } from "../intake/services.ts";
import { waitOrPutOff } from "../intake/wait-or-put-off.ts";
import { valueCost } from "../memory/json-cost.ts";
import { ownerOf, type Room, takeRoom } from "../memory/memory.ts";
import { type PipelineResult, runPipeline } from "../pipeline/run-pipeline.ts";
import type { RunOptions } from "../run-options.ts";
import type { RunContext } from "../step.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Where } from "../store/store.ts";
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

/** Rows that are read at once, and characters of them: memory stays flat however many wait, and however large they are. */
const BATCH = 50;
const BATCH_BYTES = 256 * 1024;
/** No text is more than so many times as long as what its value costs. */
const LEAST_COST = 4;

/** Tries after which an item that a service answers with 5xx, or that the platform fails with, is suspected of being the reason itself. */
const MANY_TRIES = 5;

/**
 * Runs the pipeline for the items that wait for an installation, in the order in which they came. One line per installation works
 * at a time. An item that fails for its own reasons is kept, and the next one goes on (D35).
 *
 * Where a rate limit would keep an item waiting for long, the run is put off, and the line with it.
 *
 * One that was answered with 5xx again and again, or with which the platform failed, is set aside: if the next one is taken, it was the item's own fault.
 *
 * @param origin only items from there
 * @throws RunError of the surroundings; the item and those behind it go on waiting
 */
export function deliverWaiting(
  services: Services,
  installed: Installed,
  given: Work,
  origin?: DeliveryOrigin,
): Promise<DeliveryCounts> {
  const { id } = installed.installation;
  const where =
    origin === undefined
      ? ({ installation: id, status: "waiting" } as const)
      : ({ installation: id, origin, status: "waiting" } as const);
  let counts = nothingDelivered;
  const deliver = async (work: Work, patience: number | undefined): Promise<DeliveryCounts> => {
    const pause = new Pause();
    for (;;) {
      const line = new Line(services, installed, work, patience);
      const waiting = await services.engine.step("waiting", () => line.read(where));
      let suspect: { readonly id: string; readonly error: unknown } | undefined;
      for (const { id, attempts } of waiting) {
        throwIfCancelled(work);
        const rest = pause.ifDue();
        if (rest !== undefined) await rest;
        let outcome: Outcome;
        try {
          outcome = await services.engine.step(`deliver ${id}`, () => line.deliver(id));
        } catch (error) {
          if (suspect !== undefined || !isStubborn(error, attempts + 1)) throw error;
          suspect = { id, error };
          continue;
        }
        if (outcome !== "gone") counts = { ...counts, [outcome]: counts[outcome] + 1 };
        if (suspect === undefined || outcome !== "delivered") continue;
        const { id: stubborn } = suspect;
        await services.engine.step(`set aside ${stubborn}`, () => line.setAside(stubborn));
        suspect = undefined;
        counts = { ...counts, failed: counts.failed + 1 };
      }
      if (suspect !== undefined) throw suspect.error;
      if (waiting.length < BATCH && waiting.at(-1)?.more !== true) return counts;
    }
  };
  return exclusively(services, `deliveries ${id}`, given, (work) =>
    waitOrPutOff(
      services,
      work,
      (patience) => deliver(work, patience),
      (until) => hold(services, where, until),
    ),
  );
}

/** Keeps until when a line waits. */
function hold({ store }: Services, where: Where<"deliveries">, heldUntil: number): Promise<void> {
  return store.transaction(async (transaction) => {
    const [first] = await transaction.list("deliveries", where, { limit: 1 });
    if (first !== undefined) await transaction.put("deliveries", { ...first, heldUntil });
  });
}

function isStubborn(error: unknown, attempts: number): boolean {
  if (!(error instanceof RunError) || attempts < MANY_TRIES) return false;
  const { kind, status = 0 } = error;
  return (
    kind === "PlatformError" || (kind === "HttpError" && (status >= 500 || (status > 0 && status < 300)))
  );
}

/** `gone`: it doesn't wait any more, and nothing is left that says what became of it. */
type Outcome = keyof DeliveryCounts | "gone";

/** An item of a batch. */
type WaitingItem = {
  readonly id: string;
  readonly attempts: number;
  /** On the last of a batch: others may wait that were left out for their size. */
  readonly more?: true;
};

/** A batch of items that wait. Rows are read again only by a run that is taken up: the lock keeps others away. */
class Line {
  readonly #services: Services;
  readonly #installed: Installed;
  readonly #work: Work;
  readonly #patience: number | undefined;
  readonly #rows = new Map<string, Delivery>();
  readonly #traces = new Map<string, HeldTrace>();
  #options: ReturnType<typeof runOptionsOf> | undefined;

  constructor(services: Services, installed: Installed, work: Work, patience: number | undefined) {
    this.#services = services;
    this.#installed = installed;
    this.#work = work;
    this.#patience = patience;
  }

  async read(where: Where<"deliveries">): Promise<readonly WaitingItem[]> {
    const { store, effects } = this.#services;
    const waiting = await store.transaction((transaction) =>
      transaction.list("deliveries", where, { limit: BATCH, bytes: BATCH_BYTES }),
    );
    const now = effects.clock.now();
    const held = waiting.findIndex(({ heldUntil = 0 }) => heldUntil > now);
    const rows = held < 0 ? waiting : waiting.slice(0, held);
    let cost = 0;
    for (const row of rows) {
      this.#rows.set(row.id, row);
      cost += valueCost(row.input);
    }
    const more = held < 0 && cost > BATCH_BYTES / LEAST_COST ? (true as const) : undefined;
    return rows.map(({ id, attempts }, at) => ({
      id,
      attempts,
      ...(more === undefined || at < rows.length - 1 ? {} : { more }),
    }));
  }

  /** @throws RunError of the surroundings: the item waits on, unless it turns out to be the reason */
  async deliver(id: string): Promise<Outcome> {
    const { effects, name } = this.#services;
    const room = effects.memory?.open(ownerOf(name, this.#installed.settings.connection));
    try {
      return await this.#deliverIn(room, id);
    } finally {
      room?.close();
    }
  }

  async #deliverIn(room: Room | undefined, id: string): Promise<Outcome> {
    const delivery = this.#rows.get(id) ?? (await this.#row(id));
    if (delivery === undefined) return "gone";
    const { status: before } = delivery;
    // It was done, and the process ended before that was remembered.
    if (before !== "waiting") return before === "unroutable" ? "gone" : before;
    const { effects, run } = this.#services;
    const trace = new HeldTrace(effects.clock, this.#work.tracer);
    const options = this.#options ?? (await this.#runOptions());
    const journal = new AnsweredRequests(delivery.answered);
    let result: PipelineResult;
    try {
      const waiting = this.#hold(room, delivery);
      if (waiting !== undefined) await waiting;
      const given: Writable<RunOptions> = {
        ...options,
        input: delivery.input ?? null,
        context: contextOf(this.#installed, options.context, delivery),
        trace,
        idempotencyKey: id,
        journal,
      };
      if (room !== undefined) given.room = room;
      if (this.#patience !== undefined) given.putOff = { patience: this.#patience, sent: false };
      result = await runPipeline({ run }, this.#installed.workflow, given);
    } catch (error) {
      if (isCancelled(error)) {
        await this.#keepChanges(delivery, journal);
        throw error;
      }
      const failure = failureOf(error, effects.clock.now(), this.#services.version);
      if (!isOwnFailure(error)) {
        this.#traces.set(id, trace);
        const { changes } = journal;
        await this.#settle(
          delivery,
          {
            failure,
            failingSince: delivery.failingSince ?? failure.at,
            ...(changes === undefined ? {} : { answered: changes }),
          },
          true,
        );
        throw error;
      }
      await this.#settle(
        delivery,
        { status: "failed", failure, trace: trace.events(), settledAt: failure.at },
        true,
      );
      return "failed";
    }
    const status = result.source === null ? "skipped" : "delivered";
    await this.#settle(delivery, { status, settledAt: effects.clock.now() }, false);
    return status;
  }

  /**
   * @returns undefined if there is room, which is the usual
   * @throws RunError if there is no room for the item and what it is written as
   */
  #hold(room: Room | undefined, { input = null }: Delivery): Promise<void> | undefined {
    return room === undefined
      ? undefined
      : takeRoom(room, 2 * valueCost(input), "The item", this.#work.signal);
  }

  /** Gives up an item that is the reason of its failures. */
  async setAside(id: string): Promise<undefined> {
    const delivery = await this.#row(id);
    if (delivery?.status !== "waiting") return undefined;
    const trace = this.#traces.get(id)?.events();
    const { failure, answered } = delivery;
    await this.#settle(
      { ...delivery, attempts: delivery.attempts - 1 },
      {
        status: "failed",
        settledAt: this.#services.effects.clock.now(),
        ...(failure === undefined ? {} : { failure }),
        ...(answered === undefined ? {} : { answered }),
        ...(trace === undefined ? {} : { trace }),
      },
      true,
    );
    return undefined;
  }

  async #row(id: string): Promise<Delivery | undefined> {
    const { store } = this.#services;
    return (
      this.#rows.get(id) ?? (await store.transaction((transaction) => transaction.get("deliveries", id)))
    );
  }

  async #runOptions(): Promise<ReturnType<typeof runOptionsOf>> {
    this.#options ??= runOptionsOf(
      this.#installed,
      await storedValues(this.#services.store, this.#installed.owners),
      this.#work,
    );
    return this.#options;
  }

  /** A try that was cancelled counts as none, but what it changed is changed (E20). */
  async #keepChanges(delivery: Delivery, { changes: answered }: AnsweredRequests): Promise<void> {
    if (answered === undefined) return;
    const put = this.#services.store.transaction((transaction) =>
      transaction.put("deliveries", { ...delivery, answered }),
    );
    // Without it the next try does as one after the end of the process.
    await put.catch(() => undefined);
  }

  async #settle(delivery: Delivery, changes: Partial<Delivery>, keepInput: boolean): Promise<void> {
    const row: Writable<Delivery> = Object.assign(lasting(delivery), changes);
    if (keepInput && delivery.input !== undefined) row.input = delivery.input;
    // The machine may lose it: then the item is delivered again under the same key, which its target knows (D33).
    await this.#services.store.transaction((transaction) => transaction.put("deliveries", row), {
      durable: false,
    });
    this.#rows.set(row.id, row);
  }
}

/** What stays of an item after a try, whatever comes of it: member by member, for the same reason as `Writable`. */
function lasting(delivery: Delivery): Writable<Delivery> {
  const { id, app, installation, intake, origin, hook, status, attempts, receivedAt, settledAt } = delivery;
  const row: Writable<Delivery> = { id, app, intake, origin, status, attempts: attempts + 1, receivedAt };
  if (installation !== undefined) row.installation = installation;
  if (hook !== undefined) row.hook = hook;
  if (settledAt !== undefined) row.settledAt = settledAt;
  return row;
}

/** What the pipeline's expansions read: the item of an outbound workflow is a contact. */
function contextOf(
  { settings }: Installed,
  roots: RunContext,
  { input = null, origin }: Delivery,
): RunContext {
  const mapping = settings.mapping as unknown as Json | undefined;
  const context = mapping === undefined ? roots : { ...roots, mapping };
  return origin === "contact" ? { ...context, contact: input } : context;
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
