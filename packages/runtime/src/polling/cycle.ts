import type { AppIntake } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { addCounts, type DeliveryCounts, deliverWaiting, nothingDelivered } from "../delivery/deliver.ts";
import { failureOf, isCancelled, isOwnFailure } from "../delivery/failure.ts";
import { RunError } from "../errors.ts";
import { type Installed, runOptionsOf } from "../intake/installed.ts";
import { type Services, throwIfCancelled, type Work } from "../intake/services.ts";
import { storedValues } from "../store/saved-data.ts";
import { type Delivery, idOf, type PollingRecord, type PollReason } from "../store/tables.ts";
import { givenState, judgeIteration } from "./iteration.ts";
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

export interface CycleOptions {
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
  const cycle = async (): Promise<CycleResult> => {
    const record = await services.store.transaction((transaction) =>
      readPolling(transaction, installed.installation.id, intake.name),
    );
    return await new Cycle(services, installed, intake, options, work, record).run();
  };
  return services.store.exclusive(`polling ${id}`, cycle, work.signal);
}

class Cycle {
  readonly #services: Services;
  readonly #installed: Installed;
  readonly #intake: AppIntake;
  readonly #options: CycleOptions;
  readonly #work: Work;
  /** As it was committed last. */
  #record: PollingRecord;
  #counts = nothingDelivered;

  constructor(
    services: Services,
    installed: Installed,
    intake: AppIntake,
    options: CycleOptions,
    work: Work,
    record: PollingRecord,
  ) {
    this.#services = services;
    this.#installed = installed;
    this.#intake = intake;
    this.#options = options;
    this.#work = work;
    this.#record = record;
  }

  async run(): Promise<CycleResult> {
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
      if (!this.#record.ready) await this.#lifecycle("initial_setup", { ready: true });
      if (this.#record.phase === "idle") await this.#begin();
      const started = this.#now();
      while (this.#record.phase === "polling") {
        throwIfCancelled(this.#work);
        if (this.#now() - started > this.#services.limits.time)
          await this.#commit({ phase: "ending", reason: "limit" });
        else await this.#iterate();
        await deliver();
      }
      return await this.#end();
    } catch (error) {
      await this.#failed(error, !delivering);
      throw error;
    }
  }

  #now(): number {
    return this.#services.effects.clock.now();
  }

  async #begin(): Promise<void> {
    const cycle = this.#record.cycle + 1;
    await this.#lifecycle("pre_poll", {
      phase: "polling",
      cycle,
      requests: 0,
      results: 0,
      recent: [],
      startedAt: this.#now(),
    });
  }

  async #iterate(): Promise<void> {
    const { pollingResults } = this.#services.limits;
    const { id: installation } = this.#installed.installation;
    const output = await this.#run("request");
    const { items, progress, reason } = await judgeIteration(output, this.#intake, this.#record, {
      pollingRequests: this.#options.requests,
      pollingResults,
    });
    const state = givenState(output, this.#intake) ?? this.#record.state;
    const { cycle, allRequests } = this.#record;
    const at = this.#now();
    const deliveries = items.map(
      (input, index): Delivery => ({
        id: idOf(installation, this.#intake.name, `${cycle}`, `${progress.requests}`, `${index}`),
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
    await this.#commit({ ...progress, ...ended, state, allRequests: allRequests + 1 }, deliveries);
  }

  async #end(): Promise<CycleResult> {
    const { reason = "iterate", requests, results } = this.#record;
    const done = this.#options.doneAfter.includes(reason);
    const { failure: _, ...record } = this.#record;
    this.#record = record;
    await this.#lifecycle("post_poll", { phase: "idle", done, endedAt: this.#now(), failures: 0 });
    return { ...this.#counts, reason, requests, results, done };
  }

  /** Runs a command whose state counts, and commits it together with what it means for the cycle. */
  async #lifecycle(member: string, change: Partial<PollingRecord>): Promise<void> {
    const output = await this.#run(member);
    const state = givenState(output, this.#intake) ?? this.#record.state;
    await this.#commit({ ...change, state });
  }

  async #run(member: string): Promise<Json | undefined> {
    const command = this.#intake.commands[member];
    if (command === undefined) return undefined;
    const saved = await storedValues(this.#services.store, this.#installed.owners);
    const { context, ...options } = runOptionsOf(this.#installed, saved, this.#work);
    return await this.#services.run(command, {
      ...options,
      context: { ...context, polling_state: this.#record.state },
    });
  }

  async #commit(change: Partial<PollingRecord>, deliveries: readonly Delivery[] = []): Promise<void> {
    const record = { ...this.#record, ...change };
    await this.#services.store.transaction(async (transaction) => {
      for (const delivery of deliveries) await transaction.put("deliveries", delivery);
      await transaction.put("polling", record);
    });
    this.#record = record;
  }

  /**
   * Notes a failure. The surroundings may be better next time, and the cycle goes on then; what failed for its own reasons would
   * fail again, so the next cycle begins anew with the state that was committed.
   */
  async #failed(error: unknown, byCommand: boolean): Promise<void> {
    if (isCancelled(error)) return;
    const begun = byCommand && isOwnFailure(error) ? ({ phase: "idle" } as const) : {};
    try {
      await this.#commit({
        ...begun,
        failures: this.#record.failures + 1,
        failure: failureOf(error, this.#now()),
      });
    } catch (unkept) {
      // The first failure is the one to tell; a store that fails says so itself at the next call.
      if (!(unkept instanceof RunError)) throw unkept;
    }
  }
}
