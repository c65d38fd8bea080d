import type { Json } from "@configc/jq";
import { type Delivery, isHttpFailure, RunError, type Runtime, type Store } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import { Collection } from "../service/collection.ts";
import { errorBodyOf } from "../service/error-body.ts";
import { put } from "../service/json.ts";
import { bodyOf } from "../service/routes.ts";
import { Service } from "../service/service.ts";
import { type PlatformWrite, Stage, WEBHOOKS } from "../stage/stage.ts";
import { kindest } from "../world/hypotheses.ts";
import type { ServiceHook } from "./hooks.ts";
import { filledIn } from "./proof.ts";
import { Sender } from "./sender.ts";
import { Site } from "./site.ts";
import type { WebhookSubject } from "./subject.ts";
import type { Call } from "./verifier.ts";
import type { Forgery, WebhookEvent, WebhookWorld } from "./world.ts";

/** A delivery as it was sent, and what became of it. */
export interface Sent {
  /** Index among the events. */
  readonly event: number;
  readonly record: number;
  readonly version: number;
  readonly forged: Forgery | undefined;
  /** Whose record it is. */
  readonly installation: string;
  readonly hook: number;
  /** The payloads that were sent, one a try: by them it is known in the store. */
  readonly texts: readonly string[];
  readonly at: number;
  /** Statuses that the app answered, one a try. */
  readonly answers: readonly number[];
  /** What it said with the last one. */
  readonly said: string;
}

/** What became of an item in the outbox. */
export interface Kept {
  readonly origin: Delivery["origin"];
  readonly installation: string | undefined;
  readonly text: string;
  readonly status: Delivery["status"];
  readonly failure: string | undefined;
  readonly isApps: boolean;
  readonly at: number;
  readonly id: string;
}

/** One step of a world: a registration, an event, a setup, a removal. */
export interface StepLog {
  readonly number: number;
  readonly what: "registration" | "import" | "event" | "setup" | "removal";
  readonly at: number;
  readonly event: number | undefined;
  /** Why the app couldn't do it, after all tries. */
  readonly failure: { readonly message: string; readonly pointer: string } | undefined;
  readonly exchanges: readonly Exchange[];
  /** Whether the process ended in it. */
  readonly hasDied: boolean;
  /** URLs that the service calls after it, and those that the app counts on. */
  readonly called: readonly string[];
  readonly inForce: readonly string[];
}

/** Everything that a world made of an app with a webhook. */
export interface WebhookLog {
  readonly world: WebhookWorld;
  readonly collection: Collection;
  readonly steps: readonly StepLog[];
  readonly sent: readonly Sent[];
  /** What was settled, in that order; the last one of an id counts. */
  readonly kept: readonly Kept[];
  readonly hooks: readonly ServiceHook[];
  /** URLs of hooks of which the runtime said that they may be left behind. */
  readonly reported: ReadonlySet<string>;
  readonly writes: readonly PlatformWrite[];
  readonly exchanges: readonly Exchange[];
  /** What nobody but the service may see. */
  readonly secrets: readonly string[];
  /** Challenges that the app didn't answer. */
  readonly unanswered: readonly { readonly at: number; readonly status: number }[];
}

/** Registers, delivers, sets up again and removes, in one world. */
export async function runWebhook(subject: WebhookSubject, world: WebhookWorld): Promise<WebhookLog> {
  return await new WebhookRun(subject, world).run();
}

/** Tries of something that fails for the surroundings' sake, and the time between them. */
const TRIES = 6;
const BETWEEN = 900_000;

class WebhookRun {
  readonly #subject: WebhookSubject;
  readonly #world: WebhookWorld;
  readonly #collection = new Collection();
  readonly #site: Site;
  readonly #stage: Stage;
  readonly #sender: Sender;
  readonly #steps: StepLog[] = [];
  readonly #sent: Sent[] = [];
  readonly #kept: Kept[] = [];
  readonly #inputs = new Map<string, string>();
  readonly #unanswered: { at: number; status: number }[] = [];
  #runtime: Runtime;
  #step = 0;
  #listRequests = 0;
  #duringImport: (() => Promise<void>)[] = [];

  constructor(subject: WebhookSubject, world: WebhookWorld) {
    this.#subject = subject;
    this.#world = world;
    const { app, protocol, history } = subject;
    const hypotheses = {
      ...kindest,
      rounding: 1_000,
      gaps: world.gaps,
      texts: world.isForeign ? "foreign" : "plain",
    } as const;
    const service =
      history === undefined
        ? undefined
        : new Service(app, history, this.#collection, { hypotheses, page: PAGE });
    this.#site = new Site(app, protocol, this.#collection, hypotheses, service, subject.challenge);
    this.#stage = new Stage(subject, {
      seed: world.seed,
      faults: world.faults,
      errorBody: protocol.answered
        .map(({ answer }) => errorBodyOf(answer))
        .find((body) => body !== undefined),
      customers: Math.max(1, ...subject.installations.map(({ customer }) => customer)),
      watched: (store) => this.#watched(store),
      serve: async (request) => {
        if (service?.isList(request) === true) await this.#duringImport[this.#listRequests++]?.();
        return await this.#site.answer(request, this.#stage.now, (hook) => this.#challenge(hook));
      },
    });
    this.#runtime = this.#stage.runtime();
    this.#sender = new Sender(subject, this.#stage, () => this.#runtime);
  }

  async run(): Promise<WebhookLog> {
    const { first, events, duringImport, isSetUpAgain } = this.#world;
    const installations = this.#subject.installations.slice(0, this.#world.installations);
    const start = this.#stage.now;
    for (let index = 0; index < first; index++)
      this.#collection.create(start - (first - index) * 47_000 - 600_000);
    for (const each of installations) await this.#stage.keep({ ...each, status: "paused" });
    for (const { id } of installations)
      await this.#do("registration", undefined, () => this.#runtime.activate(id));
    const { queue, sendings } = this.#schedule(events);
    const during = this.#subject.history === undefined ? 0 : duringImport;
    if (this.#subject.history !== undefined) {
      this.#duringImport = queue.slice(0, during).map((index) => () => this.#send(index, sendings));
      for (const { id } of installations) await this.#do("import", undefined, () => this.#runtime.poll(id));
      // What was to be sent during a request that was never made is sent afterwards.
      for (const send of this.#duringImport.slice(this.#listRequests)) await send();
    }
    for (const index of queue.slice(during)) {
      this.#stage.now += 60_000;
      await this.#do(
        "event",
        index,
        () => this.#deliver(),
        () => this.#send(index, sendings),
      );
    }
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
      sent: this.#sent,
      kept: this.#kept,
      hooks: this.#site.hooks.all,
      reported: await this.#reported(),
      writes: this.#stage.writes,
      exchanges: this.#stage.exchanges,
      secrets: [...this.#stage.accounts.flatMap(({ secrets }) => secrets), ...this.#site.secrets],
      unanswered: this.#unanswered,
    };
  }

  /** The order in which events are sent, and what is sent with each. */
  #schedule(events: readonly WebhookEvent[]): {
    readonly queue: readonly number[];
    readonly sendings: Map<number, { record: number; version: number }>;
  } {
    const places = events.map(({ later }, index) => ({ index, at: index + later + (later > 0 ? 0.5 : 0) }));
    return {
      queue: places.sort((a, b) => a.at - b.at).map(({ index }) => index),
      sendings: new Map(),
    };
  }

  /** Does one thing, again and again while its surroundings fail, and again after the process ended. */
  async #do(
    what: StepLog["what"],
    event: number | undefined,
    act: () => Promise<unknown>,
    before?: () => Promise<void>,
  ): Promise<void> {
    this.#step++;
    const number = this.#step;
    this.#stage.begin(number);
    const at = this.#stage.now;
    const from = this.#stage.exchanges.length;
    let failure: StepLog["failure"];
    let hasDied = false;
    await before?.();
    for (let tries = 0; tries < TRIES; tries++) {
      failure = undefined;
      try {
        await act();
        break;
      } catch (error) {
        if (this.#stage.isDead) {
          hasDied = true;
          await this.#revive();
          continue;
        }
        if (!(error instanceof RunError) && !isHttpFailure(error)) throw error;
        failure = { message: error.message, pointer: error instanceof RunError ? error.pointer : "" };
        this.#stage.now += BETWEEN;
      }
    }
    const exchanges = this.#stage.exchanges.slice(from);
    const called = this.#site.hooks.live.map(({ url }) => url);
    const inForce = await this.#inForce();
    this.#steps.push({ number, what, at, event, failure, exchanges, hasDied, called, inForce });
  }

  async #revive(): Promise<void> {
    this.#runtime = this.#stage.runtime();
    await this.#runtime.resume();
  }

  /** Lets an event happen, and sends it as often as the world says. */
  async #send(index: number, happened: Map<number, { record: number; version: number }>): Promise<void> {
    const event = this.#world.events[index]!;
    if (event.forged !== undefined) return await this.#forge(index, event.forged);
    let known = happened.get(index);
    // It happens before those that come later in the list, whenever it is sent.
    for (let each = 0; known === undefined && each <= index; each++) {
      if (!happened.has(each) && this.#world.events[each]?.forged === undefined) {
        const what = this.#happen(this.#world.events[each]!);
        if (what !== undefined) happened.set(each, what);
      }
      known = happened.get(index);
    }
    if (known === undefined) return;
    const { record, version } = known;
    const facts = this.#factsOf(record);
    for (const hook of this.#hearing(facts.id)) {
      const body = this.#body(record, version);
      const answers: number[] = [];
      const texts: string[] = [];
      let said = "";
      for (let times = 0; times < event.times; times++)
        said = await this.#call(hook, index, body, { answers, texts }, times > 0);
      this.#sent.push({
        event: index,
        record,
        version,
        forged: undefined,
        installation: facts.id,
        hook: hook.number,
        texts,
        at: this.#stage.now,
        answers,
        said,
      });
    }
  }

  #happen({ what, record }: WebhookEvent): { record: number; version: number } | undefined {
    const now = this.#stage.now;
    if (what === "create") {
      const { number } = this.#collection.create(now);
      return { record: number, version: 1 };
    }
    const { live } = this.#collection;
    if (live.length === 0) return undefined;
    const { number } = live[record % live.length]!;
    // A deletion is told with what the record was; it says so by its own version.
    this.#collection.update(number, now);
    const version = this.#collection.records[number - 1]!.versions.length;
    if (what === "delete") this.#collection.delete(number, now);
    return { record: number, version };
  }

  /** Calls until the app has it, as a service does; @returns what the app said at last */
  async #call(
    hook: ServiceHook,
    event: number,
    body: Json,
    { answers, texts }: { readonly answers: number[]; readonly texts: string[] },
    isAgain: boolean,
  ): Promise<string> {
    for (let tries = 1; tries <= TRIES; tries++) {
      const number = { event, tries: tries + (isAgain ? TRIES : 0) };
      const call = await this.#sender.prove(this.#sender.call(body, this.#world, number), hook);
      texts.push(textOf(bodyOf(call.body)));
      let answer: { readonly status: number; readonly body: string };
      try {
        answer = await this.#sender.deliver(hook, call);
      } catch (error) {
        if (!this.#stage.isDead) throw error;
        await this.#revive();
        this.#stage.now += 60_000;
        continue;
      }
      answers.push(answer.status);
      if (answer.status < 500) return answer.body;
      this.#stage.now += 60_000;
    }
    return "";
  }

  async #forge(index: number, forged: Forgery): Promise<void> {
    const { proof } = this.#subject;
    const [hook] = this.#site.hooks.live;
    if (hook === undefined || proof === undefined) return;
    const record = STRANGER + index;
    const facts = this.#subject.installations[0]!;
    const body = this.#routed(this.#site.stranger(record), facts.id);
    const own = this.#sender.call(body, this.#world, { event: STRANGER + index, tries: 1 });
    const call = await this.#forged(own, hook, forged);
    const { status, body: said } = await this.#sender.deliver(hook, call);
    this.#sent.push({
      event: index,
      record,
      version: 1,
      forged,
      installation: facts.id,
      hook: hook.number,
      texts: [textOf(bodyOf(call.body))],
      at: this.#stage.now,
      answers: [status],
      said,
    });
  }

  async #forged(own: Call, hook: ServiceHook, forged: Forgery): Promise<Call> {
    const { proof } = this.#subject;
    switch (forged) {
      case "unsigned":
        return own;
      case "signature":
        return filledIn(this.#sender.wrong(proof!), own, "ab".repeat(32), this.#stage.now);
      case "body": {
        if (proof!.kind === "token") return own;
        // Somebody has seen a genuine delivery, and sends another body with its headers.
        const genuine = await this.#sender.prove(
          { ...own, body: own.body.replace(/\s*}\s*$/, ',"seen":true}') },
          hook,
        );
        return { ...genuine, body: own.body };
      }
    }
  }

  async #challenge(hook: ServiceHook): Promise<boolean> {
    const { challenge } = this.#subject;
    if (challenge === undefined) return true;
    const { status, isAnswered } = await this.#sender.challenge(hook, challenge);
    if (!isAnswered) this.#unanswered.push({ at: this.#stage.now, status });
    return isAnswered;
  }

  /** Hooks that a service calls for what happens to a customer's resource. */
  #hearing(installation: string): readonly ServiceHook[] {
    const { installations } = this.#subject;
    const own = installations.find(({ id }) => id === installation)!;
    const mine = choicesOf(own);
    const others = installations.filter((each) => each !== own).flatMap(choicesOf);
    return this.#site.hooks.live.filter(
      ({ customer, given }) =>
        (customer === undefined || customer === own.customer) &&
        !given.some((text) => others.includes(text) && !mine.includes(text)),
    );
  }

  #factsOf(record: number): WebhookSubject["installations"][number] {
    const { installations } = this.#subject;
    return installations[(record - 1) % this.#world.installations] ?? installations[0]!;
  }

  #body(record: number, version: number): Json {
    return this.#routed(
      this.#site.payload(this.#collection.records[record - 1]!, version),
      this.#factsOf(record).id,
    );
  }

  #routed(payload: Json, installation: string): Json {
    const { protocol, installations } = this.#subject;
    const { account, resource } = installations.find(({ id }) => id === installation)!;
    let body = payload;
    if (protocol.accountAt !== undefined && account !== undefined)
      body = put(body, protocol.accountAt, account);
    if (protocol.resourceAt !== undefined && resource !== undefined)
      body = put(body, protocol.resourceAt, resource);
    return body;
  }

  async #deliver(): Promise<void> {
    for (const { id } of this.#subject.installations.slice(0, this.#world.installations)) {
      const waiting = await this.#stage.kept.transaction((transaction) =>
        transaction.list("deliveries", { installation: id, status: "waiting" }),
      );
      if (waiting.length > 0) await this.#runtime.deliver(id);
    }
  }

  /** What waits is delivered, sooner or later. */
  async #drain(): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      this.#stage.now += BETWEEN;
      try {
        await this.#deliver();
        return;
      } catch (error) {
        if (this.#stage.isDead) await this.#revive();
        else if (!(error instanceof RunError)) throw error;
      }
    }
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

  #watched(store: Store): Store {
    return {
      ...store,
      transaction: (work, options) =>
        store.transaction(
          (transaction) =>
            work({
              ...transaction,
              put: async (table, row) => {
                await transaction.put(table, row);
                if (table === "deliveries") this.#settled(row as Delivery);
              },
            }),
          options,
        ),
    };
  }

  #settled({ id, installation, origin, status, input, failure }: Delivery): void {
    if (input !== undefined) this.#inputs.set(id, textOf(input));
    const text = this.#inputs.get(id) ?? "";
    this.#kept.push({
      id,
      origin,
      installation,
      text,
      status,
      failure: failure?.message,
      isApps: failure?.kind === "AppError",
      at: this.#stage.now,
    });
  }
}

/** Records of a stranger's deliveries begin here. */
const STRANGER = 900;

/** Records on a page of an import. */
const PAGE = 2;

/** A payload as it is known again, however it was written. */
function textOf(payload: Json): string {
  return JSON.stringify(payload);
}

function choicesOf({ form }: WebhookSubject["installations"][number]): readonly string[] {
  return Object.values(form).flatMap((choice) => {
    const { value } = (choice ?? {}) as { readonly value?: Json };
    return (Array.isArray(value) ? value : [value]).filter(
      (each): each is string => typeof each === "string",
    );
  });
}
