import type { Runtime } from "@configc/runtime";
import { Collection } from "../service/collection.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { Service } from "../service/service.ts";
import { Stage, WEBHOOKS } from "../stage/stage.ts";
import { tryAgain } from "../stage/tries.ts";
import { watchedStore } from "../stage/watched-store.ts";
import { kindest } from "../world/hypotheses.ts";
import { Deliveries } from "./deliveries.ts";
import type { ServiceHook } from "./hooks.ts";
import type { StepLog, WebhookLog } from "./log.ts";
import { Outbox } from "./outbox.ts";
import { Sender } from "./sender.ts";
import { Site } from "./site.ts";
import type { InstallationFacts, WebhookSubject } from "./subject.ts";
import type { WebhookWorld } from "./world.ts";

/** Another version of an app that goes on with what the first one kept. */
interface WebhookTakeover {
  readonly subject: WebhookSubject;
  /** Events that are sent to the first version. */
  readonly after: number;
}

/** Registers, delivers, sets up again and removes, in one world. */
export async function runWebhook(
  subject: WebhookSubject,
  world: WebhookWorld,
  takeover?: WebhookTakeover,
): Promise<WebhookLog> {
  return await new WebhookRun(subject, world).run(takeover);
}

class WebhookRun {
  readonly #subject: WebhookSubject;
  readonly #world: WebhookWorld;
  readonly #collection = new Collection();
  readonly #stage: Stage;
  readonly #outbox: Outbox;
  readonly #deliveries: Deliveries;
  readonly #steps: StepLog[] = [];
  readonly #unanswered: { at: number; status: number }[] = [];
  readonly #sender: Sender;
  #service: Service | undefined;
  #site: Site;
  #runtime: Runtime;
  #listRequests = 0;
  #duringImport: (() => Promise<void>)[] = [];

  constructor(subject: WebhookSubject, world: WebhookWorld) {
    this.#subject = subject;
    this.#world = world;
    this.#service = this.#serviceOf(subject);
    this.#site = this.#siteOf(subject);
    const stage: Stage = new Stage(subject, {
      seed: world.seed,
      faults: world.faults,
      errorBody: subject.protocol.answered
        .map(({ answer }) => errorBodyOf(answer))
        .find((body) => body !== undefined),
      customers: Math.max(1, ...subject.installations.map(({ customer }) => customer)),
      watched: (store) => watchedStore(store, (row) => this.#outbox.take(row)),
      serve: async (request) => {
        if (this.#service?.isList(request) === true) await this.#duringImport[this.#listRequests++]?.();
        return await this.#site.answer(request, stage.now, (hook) => this.#challenge(hook));
      },
    });
    this.#stage = stage;
    this.#outbox = new Outbox(() => stage.now);
    this.#runtime = stage.runtime();
    this.#sender = new Sender(
      subject,
      stage,
      () => this.#runtime,
      (hook) => this.#site.secretsOf(hook),
    );
    this.#deliveries = new Deliveries({
      subject,
      world,
      collection: this.#collection,
      stage,
      sender: this.#sender,
      site: () => this.#site,
      revive: () => this.#revive(),
    });
  }

  async run(takeover: WebhookTakeover | undefined): Promise<WebhookLog> {
    const { first, isSetUpAgain } = this.#world;
    const installations = this.#installations;
    const start = this.#stage.now;
    for (let index = 0; index < first; index++)
      this.#collection.create(start - (first - index) * 47_000 - 600_000);
    for (const each of installations) await this.#stage.keep({ ...each, status: "paused" });
    for (const { id } of installations)
      await this.#do("registration", undefined, () => this.#runtime.activate(id));
    await this.#sendAll(takeover);
    await this.#drain();
    if (isSetUpAgain)
      for (const { id } of installations)
        await this.#do("setup", undefined, async () => {
          await this.#setUpAgain(id);
          await this.#runtime.activate(id);
        });
    for (const { id } of installations) await this.#do("removal", undefined, () => this.#remove(id));
    return {
      world: this.#world,
      collection: this.#collection,
      steps: this.#steps,
      sent: this.#deliveries.sent,
      kept: this.#outbox.kept,
      hooks: this.#site.hooks.all,
      reported: await this.#reported(),
      writes: this.#stage.writes,
      exchanges: this.#stage.exchanges,
      secrets: [...this.#stage.accounts.flatMap(({ secrets }) => secrets), ...this.#site.secrets],
      unanswered: this.#unanswered,
    };
  }

  get #installations(): readonly InstallationFacts[] {
    return this.#subject.installations.slice(0, this.#world.installations);
  }

  #serviceOf({ app, history }: WebhookSubject): Service | undefined {
    return history === undefined
      ? undefined
      : new Service(app, history, this.#collection, { hypotheses: this.#hypotheses, page: PAGE });
  }

  #siteOf({ app, protocol, challenge, ping }: WebhookSubject): Site {
    return new Site(app, protocol, this.#collection, this.#hypotheses, this.#service, challenge ?? ping);
  }

  get #hypotheses() {
    const { gaps, isForeign } = this.#world;
    return { ...kindest, rounding: 1_000, gaps, texts: isForeign ? "foreign" : "plain" } as const;
  }

  /** Imports what is there, and sends the events: some of them meanwhile. */
  async #sendAll(takeover: WebhookTakeover | undefined): Promise<void> {
    const { order } = this.#deliveries;
    const hasHistory = this.#subject.history !== undefined;
    const during = hasHistory ? this.#world.duringImport : 0;
    if (hasHistory) {
      this.#duringImport = order.slice(0, during).map((index) => () => this.#deliveries.send(index));
      for (const { id } of this.#installations)
        await this.#do("import", undefined, () => this.#runtime.poll(id));
      // What was to be sent during a request that was never made is sent afterwards.
      for (const send of this.#duringImport.slice(this.#listRequests)) await send();
    }
    const next = Math.max(takeover?.after ?? 0, during);
    for (const [at, index] of order.entries()) {
      if (at < during) continue;
      if (at === next && takeover !== undefined) this.#takeOver(takeover.subject);
      this.#stage.now += 60_000;
      await this.#do(
        "event",
        index,
        () => this.#deliver(),
        () => this.#deliveries.send(index),
      );
    }
  }

  /** From now on another version of the app runs, over what the first one kept. */
  #takeOver(subject: WebhookSubject): void {
    const before = this.#site;
    this.#service = this.#serviceOf(subject);
    this.#site = this.#siteOf(subject);
    this.#site.takeOver(before);
    this.#stage.replace(subject.app);
    this.#runtime = this.#stage.runtime();
  }

  /** Does one thing, until it is done or its surroundings have failed too often. */
  async #do(
    what: StepLog["what"],
    event: number | undefined,
    act: () => Promise<unknown>,
    before?: () => Promise<void>,
  ): Promise<void> {
    const number = this.#steps.length + 1;
    this.#stage.begin(number);
    const at = this.#stage.now;
    const from = this.#stage.exchanges.length;
    await before?.();
    const { failure, hasDied } = await tryAgain(this.#stage, act, () => this.#revive());
    const exchanges = this.#stage.exchanges.slice(from);
    const called = this.#site.hooks.live.map(({ url }) => url);
    const inForce = await this.#inForce();
    this.#steps.push({ number, what, at, event, failure, exchanges, hasDied, called, inForce });
  }

  async #revive(): Promise<void> {
    this.#runtime = this.#stage.runtime();
    await this.#runtime.resume();
  }

  async #challenge(hook: ServiceHook): Promise<boolean> {
    const { challenge } = this.#subject;
    if (challenge === undefined) return true;
    const { status, isAnswered } = await this.#sender.challenge(hook, challenge);
    if (!isAnswered) this.#unanswered.push({ at: this.#stage.now, status });
    return isAnswered;
  }

  async #deliver(): Promise<void> {
    for (const { id } of this.#installations) {
      const waiting = await this.#stage.kept.transaction((transaction) =>
        transaction.list("deliveries", { installation: id, status: "waiting" }),
      );
      if (waiting.length > 0) await this.#runtime.deliver(id);
    }
  }

  /** What waits is delivered, sooner or later. */
  async #drain(): Promise<void> {
    this.#stage.now += BEFORE_DRAIN;
    await tryAgain(
      this.#stage,
      () => this.#deliver(),
      () => this.#revive(),
    );
  }

  async #setUpAgain(id: string): Promise<void> {
    await this.#stage.kept.transaction(async (transaction) => {
      const row = await transaction.get("installations", id);
      if (row?.settings === undefined || row.status !== "active") return;
      await transaction.put("installations", { ...row, draft: { step: "ready", settings: row.settings } });
    });
  }

  async #remove(id: string): Promise<void> {
    const row = await this.#stage.kept.transaction((transaction) => transaction.get("installations", id));
    if (row?.status !== "removed") await this.#runtime.remove(id);
  }

  async #inForce(): Promise<readonly string[]> {
    const rows = await this.#stage.kept.transaction((transaction) => transaction.list("registrations", {}));
    return rows.flatMap(({ hook }) => (hook === undefined ? [] : [`${WEBHOOKS}${hook}`]));
  }

  async #reported(): Promise<ReadonlySet<string>> {
    const hooks = await this.#stage.kept.transaction((transaction) => transaction.list("hooks", {}));
    return new Set(hooks.flatMap(({ id, orphan }) => (orphan === undefined ? [] : [`${WEBHOOKS}${id}`])));
  }
}

/** Milliseconds after the last event. */
const BEFORE_DRAIN = 900_000;

/** Records on a page of an import. */
const PAGE = 2;
