import type { Json, JsonObject } from "@configc/jq";
import type { Delivery, Runtime } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { Collection } from "../service/collection.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { MARK } from "../service/leaf.ts";
import { type Exchanged, Service } from "../service/service.ts";
import { BEGINNING, CUSTOMER, type Installed, Stage } from "../stage/stage.ts";
import { failureOf, type StepFailure } from "../stage/tries.ts";
import { watchedStore } from "../stage/watched-store.ts";
import type { Happening, World } from "../world/world.ts";

/** What an app is that is simulated, with what its customer chose. */
export interface Subject extends Installed {
  readonly protocol: Protocol;
  /** What is polled is imported once; what changes afterwards comes by webhook. */
  readonly isHistory: boolean;
  /** The same app, as another customer set it up, by what is different of the form. */
  readonly variants?: ReadonlyMap<string, Subject>;
}

/** An app as the customer of a world set it up. */
export function setUpIn(subject: Subject, { form }: Pick<World, "form">): Subject {
  const variant = subject.variants?.get(form);
  return variant === undefined ? subject : { ...variant, coverage: subject.coverage };
}

/** An item that was handed to the pipeline. */
export interface Arrival {
  readonly record: number;
  /** Undefined where the item only names its record. */
  readonly version: number | undefined;
  readonly status: "delivered" | "skipped" | "failed";
  readonly failure: string | undefined;
}

/** What one page or one item took. */
export interface Share {
  readonly of: "page" | "item";
  readonly requests: number;
  /** Of the pages that were answered meanwhile. */
  readonly records: number;
}

/** One cycle, as it went. */
export interface CycleLog {
  readonly number: number;
  readonly startedAt: number;
  readonly reason: string;
  readonly requests: number;
  readonly failure: StepFailure | undefined;
  readonly state: JsonObject;
  readonly exchanged: readonly Exchanged[];
  /** All that was sent, also what failed and what the pipeline asked. */
  readonly exchanges: readonly Exchange[];
  readonly happened: readonly {
    readonly at: number;
    readonly happening: Happening;
    readonly records: readonly number[];
    readonly afterRequest: number;
  }[];
  readonly arrivals: readonly Arrival[];
  /** The requests of each page and of each item, in the order in which they were kept. */
  readonly shares: readonly Share[];
  /** Nothing happens at the service any more. */
  readonly isQuiet: boolean;
}

/** Everything that a world made of an app. */
export interface WorldLog {
  readonly world: World;
  readonly collection: Collection;
  readonly cycles: readonly CycleLog[];
  readonly exchanges: readonly Exchange[];
  /** Those of the customer's account. */
  readonly secrets: readonly string[];
  /** How often the process ended. */
  readonly deaths: number;
}

/** Seconds between two cycles (D43). */
export const PERIOD = 1_800;
/** Cycles in which nothing happens, before what hasn't arrived counts as lost. */
const MOST_QUIET = 12;
/** The same while each cycle still brings something new: a long backlog is late, and not lost. */
const MOST_DRAINING = 48;

/** Another version of an app that goes on with what the first one kept. */
interface Takeover {
  readonly subject: Subject;
  /** The last cycle of the first version. */
  readonly after: number;
}

/** Lets an app poll the service of a world until all is read that ever will be. */
export async function runWorld(subject: Subject, world: World, takeover?: Takeover): Promise<WorldLog> {
  return await new PollingWorld(setUpIn(subject, world), world).run(takeover);
}

class PollingWorld {
  readonly #subject: Subject;
  readonly #world: World;
  readonly #collection: Collection;
  #service: Service;
  readonly #stage: Stage;
  readonly #arrivals: Arrival[] = [];
  readonly #inputs = new Map<string, Json>();
  #listRequests = 0;
  #pending: Happening[] = [];
  #shares: Share[] = [];
  #shared = { sent: 0, asked: 0 };
  #happened: { at: number; happening: Happening; records: number[]; afterRequest: number }[] = [];

  constructor(subject: Subject, world: World) {
    this.#subject = subject;
    this.#world = world;
    this.#collection = new Collection(world.only);
    this.#service = new Service(subject.app, subject.protocol, this.#collection, world);
    this.#stage = new Stage(subject, {
      seed: world.seed,
      faults: world.faults,
      errorBody: errorBodyOf(subject.protocol.answer),
      limits: { pollingRequests: world.requests },
      watched: (store) =>
        watchedStore(
          store,
          (row) => this.#settled(row),
          () => this.#share("page"),
        ),
      serve: (request) => {
        if (this.#service.isList(request)) {
          const number = this.#listRequests + 1;
          for (const each of this.#pending.filter((happening) => happening.request === number))
            this.#happen(each, this.#now + 1);
          this.#listRequests = number;
        }
        return this.#service.answer(request, this.#now);
      },
    });
  }

  async run(takeover: Takeover | undefined): Promise<WorldLog> {
    this.#populate();
    let runtime = this.#stage.runtime();
    await this.#stage.install();
    const cycles: CycleLog[] = [];
    let idle = 0;
    let deaths = 0;
    const { cycles: busy } = this.#world;
    // An import is one reading, unless something goes wrong with it.
    const isOneReading = this.#subject.isHistory && this.#world.faults.length === 0;
    const most = isOneReading ? 1 : busy + MOST_QUIET;
    let isDraining = false;
    const goesOn = (number: number): boolean =>
      number <= most ? number <= busy || idle < 2 : isDraining && number <= busy + MOST_DRAINING;
    for (let number = 1; goesOn(number); number++) {
      if (number === (takeover?.after ?? 0) + 1 && takeover !== undefined) {
        const { app, protocol } = takeover.subject;
        this.#service = new Service(app, protocol, this.#collection, this.#world, this.#service);
        this.#stage.replace(app);
        runtime = this.#stage.runtime();
      }
      const log = await this.#runCycle(number, async () => {
        try {
          return await runtime.poll(CUSTOMER);
        } catch (error) {
          if (!this.#stage.isDead) throw error;
          // The next process goes on.
          deaths++;
          runtime = this.#stage.runtime();
          return await runtime.poll(CUSTOMER);
        }
      });
      cycles.push(log);
      // Two cycles that give nothing new, and none is left that lists don't show yet.
      const isNew = log.arrivals.some(
        ({ record, version }) => !this.#wasThere(cycles.slice(0, -1), record, version),
      );
      isDraining = isNew && !isOneReading;
      idle = number > busy && !isNew && !log.reason.startsWith("max-") ? idle + 1 : 0;
    }
    return {
      world: this.#world,
      collection: this.#collection,
      cycles,
      exchanges: this.#stage.exchanges,
      secrets: this.#stage.accounts.flatMap(({ secrets }) => secrets),
      deaths,
    };
  }

  #wasThere(cycles: readonly CycleLog[], record: number, version: number | undefined): boolean {
    return cycles.some(({ arrivals }) =>
      arrivals.some((each) => each.record === record && each.version === version),
    );
  }

  #populate(): void {
    const { first, sameTime } = this.#world;
    for (let index = 0; index < first; index++)
      this.#collection.create(
        sameTime ? BEGINNING - 3_600_000 : BEGINNING - (first - index) * 47_000 - 600_000,
      );
  }

  async #runCycle(number: number, poll: () => ReturnType<Runtime["poll"]>): Promise<CycleLog> {
    this.#stage.begin(number);
    this.#listRequests = 0;
    this.#happened = [];
    this.#pending = this.#world.happenings.filter(({ cycle }) => cycle === number);
    const start = BEGINNING + (number - 1) * PERIOD * 1_000;
    const early = this.#pending.filter(({ request }) => request === 0).sort((a, b) => b.before - a.before);
    for (const each of early) this.#happen(each, Math.max(this.#now, start - each.before * 1_000));
    this.#now = Math.max(this.#now, start);
    const from = this.#service.exchanged.length;
    const arrived = this.#arrivals.length;
    const startedAt = this.#now;
    const sent = this.#stage.exchanges.length;
    this.#shares = [];
    this.#shared = { sent, asked: from };
    let ended: { reason: string; requests: number } = { reason: "failed", requests: 0 };
    let failure: CycleLog["failure"];
    try {
      ended = await poll();
    } catch (error) {
      failure = failureOf(error);
    }
    // What was to happen before a request that was never sent happens after the cycle.
    for (const each of this.#pending.filter(({ request }) => request > this.#listRequests))
      this.#happen(each, this.#now + 1_000);
    const state = await this.#stage.kept.transaction(
      async (transaction) => (await transaction.list("polling", {}))[0]?.state ?? {},
    );
    return {
      number,
      startedAt,
      reason: ended.reason,
      requests: ended.requests,
      failure,
      state,
      exchanged: this.#service.exchanged.slice(from),
      exchanges: this.#stage.exchanges.slice(sent),
      happened: this.#happened,
      arrivals: this.#arrivals.slice(arrived),
      shares: this.#shares,
      isQuiet: number > this.#world.cycles,
    };
  }

  #happen(happening: Happening, at: number): void {
    this.#now = Math.max(this.#now, at);
    const { what, record, times, isLate } = happening;
    const { lag } = this.#world.hypotheses;
    const shownFrom = this.#now + (isLate ? lag : 0);
    const records: number[] = [];
    for (let index = 0; index < times; index++) {
      if (what === "create") {
        records.push(this.#collection.create(this.#now, shownFrom).number);
        continue;
      }
      const live = this.#collection.live;
      if (live.length === 0) break;
      const { number } = live[(record + index) % live.length]!;
      records.push(number);
      if (what === "update") this.#collection.update(number, this.#now, shownFrom);
      else this.#collection.delete(number, this.#now);
    }
    this.#happened.push({ at: this.#now, happening, records, afterRequest: this.#listRequests });
  }

  get #now(): number {
    return this.#stage.now;
  }

  set #now(at: number) {
    this.#stage.now = at;
  }

  #settled({ id, status, input, failure }: Delivery): void {
    if (input !== undefined) this.#inputs.set(id, input);
    if (status !== "delivered" && status !== "skipped" && status !== "failed") return;
    this.#share("item");
    const known = this.#inputs.get(id);
    this.#inputs.delete(id);
    for (const { record, version } of marksIn(known))
      this.#arrivals.push({
        record,
        version: version ?? this.#versionNow(record),
        status,
        failure: failure?.message,
      });
  }

  /** Notes what was sent since the page or the item before this one. */
  #share(of: Share["of"]): void {
    const sent = this.#stage.exchanges.length;
    const { exchanged } = this.#service;
    const pages = exchanged.slice(this.#shared.asked);
    this.#shares.push({
      of,
      requests: sent - this.#shared.sent,
      records: pages.reduce((sum, { page }) => sum + (page?.records.length ?? 0), 0),
    });
    this.#shared = { sent, asked: exchanged.length };
  }

  /** An item that only names its record is read in full by the pipeline: as it is then. */
  #versionNow(record: number): number | undefined {
    return this.#collection.records[record - 1]?.versions.length;
  }
}

/** The records that an item is about, with the version that it shows. */
function marksIn(
  input: Json | undefined,
): readonly { readonly record: number; readonly version: number | undefined }[] {
  const found = new Map<number, number | undefined>();
  for (const [, record, version] of JSON.stringify(input ?? null).matchAll(MARK)) {
    const number = Number(record);
    found.set(number, version === undefined ? found.get(number) : Number(version));
  }
  return [...found].map(([record, version]) => ({ record, version }));
}
