import type { AppIntake } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { addCounts, type DeliveryCounts, deliverWaiting, nothingDelivered } from "../delivery/deliver.ts";
import { failureOf, isCancelled, isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { type Installed, putOffAfter, runOptionsOf } from "../intake/installed.ts";
import { exclusively, type Services, throwIfCancelled, type Work } from "../intake/services.ts";
import { waitOrPutOff } from "../intake/wait-or-put-off.ts";
import { holdText } from "../memory/hold-text.ts";
import { ownerOf, type Room } from "../memory/memory.ts";
import { idOf } from "../store/id.ts";
import { storedValues } from "../store/saved-data.ts";
import type { Delivery, PollingRecord, PollReason } from "../store/tables.ts";
import { givenState, judgeIteration } from "./iteration.ts";
import { isAt, nextStep, type Position, positionOf } from "./position.ts";
import { pollingId, readPolling } from "./record.ts";

/** What one cycle did. */
export interface CycleResult extends DeliveryCounts {
  readonly reason: PollReason;
  /** Iterations of `request`, those before an interruption too. */
  readonly requests: number;
  readonly results: number;
  /** An import that is complete: nothing more is polled. */
  readonly done: boolean;
}

interface CycleOptions {
  readonly origin: "polling" | "historical";
  /** Ends the import with the cycle that ends for these reasons. */
  readonly doneAfter: readonly PollReason[];
  /** Iterations that the cycle may have at most. */
  readonly requests: number;
}

/**
 * Runs a polling cycle from the store (D33), or goes on with the one that was interrupted: after its last committed iteration,
 * without `pre_poll`. An iteration's items and the state after it are committed together; each item is delivered under a key of
 * its own. One cycle runs at a time for an installation and intake.
 *
 * @throws RunError of the command that failed, or of the surroundings; nothing of the failed iteration is kept
 */
export function runCycle(
  services: Services,
  installed: Installed,
  intake: AppIntake,
  options: CycleOptions,
  work: Work,
): Promise<CycleResult> {
  const id = pollingId(installed.installation.id, intake.name);
  return exclusively(services, `polling ${id}`, work, (locked) =>
    new Cycle(services, installed, intake, options, locked).run(),
  );
}

class Cycle {
  readonly #services: Services;
  readonly #installed: Installed;
  readonly #intake: AppIntake;
  readonly #options: CycleOptions;
  readonly #work: Work;
  /** As it was committed last; undefined until it is needed, for steps that were done before give their position. */
  #committed: PollingRecord | undefined;
  #counts = nothingDelivered;
  #started: number | undefined;
  #patience: number | undefined;

  constructor(
    services: Services,
    installed: Installed,
    intake: AppIntake,
    options: CycleOptions,
    work: Work,
  ) {
    this.#services = services;
    this.#installed = installed;
    this.#intake = intake;
    this.#options = options;
    this.#work = work;
  }

  run(): Promise<CycleResult> {
    return waitOrPutOff(
      this.#services,
      this.#work,
      (patience) => {
        this.#patience = patience;
        return this.#goOn();
      },
      async (waitUntil) => void (await this.#commit(await this.#read(), { waitUntil })),
    );
  }

  async #goOn(): Promise<CycleResult> {
    const { engine } = this.#services;
    let delivering = false;
    const deliver = async (): Promise<void> => {
      delivering = true;
      const { origin } = this.#options;
      const counts = await deliverWaiting(this.#services, this.#installed, this.#work, origin);
      this.#counts = addCounts(this.#counts, counts);
      delivering = false;
    };
    try {
      await deliver();
      let at: Position = await engine.step("position", async () => positionOf(await this.#read()));
      for (;;) {
        throwIfCancelled(this.#work);
        const before = at;
        at = await engine.step(nextStep(before), async () => positionOf(await this.#advance(before)));
        if (at.phase === "idle" && (before.phase !== "idle" || at.cycle !== before.cycle))
          return {
            ...this.#counts,
            reason: at.reason,
            requests: at.requests,
            results: at.results,
            done: at.done,
          };
        if (before.phase === "polling") await deliver();
      }
    } catch (error) {
      if (!isCancelled(error)) await engine.step("failed", () => this.#failed(error, !delivering));
      throw error;
    }
  }

  /**
   * Does what comes next and commits it.
   *
   * @returns where the cycle is then; also if it was there already, for a step may have been done and not remembered
   */
  async #advance(from: Position): Promise<PollingRecord> {
    let record = this.#committed;
    if (record === undefined || !isAt(record, from)) record = await this.#read();
    if (!isAt(record, from)) return record;
    if (!record.ready) return await this.#lifecycle(record, "initial_setup", { ready: true });
    switch (record.phase) {
      case "idle":
        return await this.#begin(record);
      case "polling":
        this.#started ??= this.#now();
        if (this.#now() - this.#started > this.#services.limits.time)
          return await this.#commit(record, { phase: "ending", reason: "limit" });
        return await this.#iterate(record);
      default:
        return await this.#end(record);
    }
  }

  async #read(): Promise<PollingRecord> {
    const { id } = this.#installed.installation;
    const record = await this.#services.store.transaction((transaction) =>
      readPolling(transaction, id, this.#intake.name),
    );
    this.#committed = record;
    return record;
  }

  #now(): number {
    return this.#services.effects.clock.now();
  }

  #begin(record: PollingRecord): Promise<PollingRecord> {
    const cycle = record.cycle + 1;
    return this.#lifecycle(record, "pre_poll", {
      phase: "polling",
      cycle,
      requests: 0,
      results: 0,
      recent: [],
      startedAt: this.#now(),
    });
  }

  /** What `request` gave is held until it is kept. */
  async #iterate(record: PollingRecord): Promise<PollingRecord> {
    const { effects, name } = this.#services;
    const room = effects.memory?.open(ownerOf(name, this.#installed.settings.connection));
    try {
      return await this.#iterateIn(room, record);
    } finally {
      room?.close();
    }
  }

  async #iterateIn(room: Room | undefined, record: PollingRecord): Promise<PollingRecord> {
    const { pollingResults } = this.#services.limits;
    const { id: installation } = this.#installed.installation;
    const output = await this.#run(record, "request", room);
    const { signal } = this.#work;
    if (output !== undefined) await holdText({ room, signal }, output, "What `request` gave", this.#intake);
    const { items, progress, reason } = judgeIteration(output, this.#intake, record, {
      pollingRequests: this.#options.requests,
      pollingResults,
    });
    const state = givenState(output, this.#intake, this.#services.limits) ?? record.state;
    const { cycle, allRequests } = record;
    const at = this.#now();
    // Numbers of cycles and iterations come back with an older state; a key that did would be taken for an item that is known (E35).
    const epoch = items.length === 0 ? "" : idOf(this.#services.effects.random.id());
    const page = idOf(installation, this.#intake.name, `${cycle}`, `${progress.requests}`);
    const deliveries = items.map(
      (input, index): Delivery => ({
        id: `${page}/${index}/${epoch}`,
        app: this.#services.name,
        installation,
        intake: this.#intake.name,
        origin: this.#options.origin,
        status: "waiting",
        input,
        attempts: 0,
        receivedAt: at,
      }),
    );
    const ended = reason === undefined ? {} : ({ phase: "ending", reason } as const);
    return await this.#commit(
      record,
      { ...progress, ...ended, state, allRequests: allRequests + 1 },
      deliveries,
    );
  }

  #end({ failure: _, failingSince: __, ...record }: PollingRecord): Promise<PollingRecord> {
    const done = this.#options.doneAfter.includes(record.reason ?? "iterate");
    return this.#lifecycle(record, "post_poll", { phase: "idle", done, endedAt: this.#now(), failures: 0 });
  }

  /** Runs a command whose state counts, and commits it together with what it means for the cycle. */
  async #lifecycle(
    record: PollingRecord,
    member: string,
    change: Partial<PollingRecord>,
  ): Promise<PollingRecord> {
    const output = await this.#run(record, member);
    return await this.#commit(record, {
      ...change,
      state: givenState(output, this.#intake, this.#services.limits) ?? record.state,
    });
  }

  async #run({ state }: PollingRecord, member: string, room?: Room): Promise<Json | undefined> {
    const command = this.#intake.commands[member];
    if (command === undefined) return undefined;
    const saved = await storedValues(this.#services.store, this.#installed.owners);
    const { context, ...options } = runOptionsOf(this.#installed, saved, this.#work);
    return await this.#services.run(command, {
      ...options,
      context: { ...context, polling_state: state },
      ...(room === undefined ? {} : { room }),
      ...putOffAfter(this.#patience),
    });
  }

  /** @throws RunError `Cancelled` if somebody else has gone on with the cycle: nothing is written then */
  async #commit(
    before: PollingRecord,
    change: Partial<PollingRecord>,
    deliveries: readonly Delivery[] = [],
  ): Promise<PollingRecord> {
    const { waitUntil: _, ...rest } = before;
    const record = { ...rest, ...change };
    await this.#services.store.transaction(async (transaction) => {
      const now = await readPolling(transaction, before.installation, before.intake);
      if (!isAt(now, positionOf(before)))
        throw new RunError("Cancelled", "Another process has gone on with the cycle.", this.#intake);
      for (const delivery of deliveries) await transaction.put("deliveries", delivery);
      await transaction.put("polling", record);
    });
    this.#committed = record;
    return record;
  }

  /**
   * Notes a failure. The surroundings may be better next time, and the cycle goes on then; what failed for its own reasons would
   * fail again, so the next cycle begins anew with the state that was committed.
   */
  async #failed(error: unknown, byCommand: boolean): Promise<undefined> {
    const begun = byCommand && isOwnFailure(error) ? ({ phase: "idle" } as const) : {};
    try {
      const record = this.#committed ?? (await this.#read());
      const failure = failureOf(error, this.#now(), this.#services.version);
      await this.#commit(record, {
        ...begun,
        failures: record.failures + 1,
        failure,
        failingSince: record.failingSince ?? failure.at,
      });
    } catch (unkept) {
      // The first failure is the one to tell; a store that fails says so itself at the next call.
      if (!(unkept instanceof RunError)) throw unkept;
    }
    return undefined;
  }
}
