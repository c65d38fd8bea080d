import type { Json } from "@configc/jq";
import type { Collection } from "../service/collection.ts";
import { bodyOf } from "../service/routes.ts";
import type { Stage } from "../stage/stage.ts";
import { TRIES } from "../stage/tries.ts";
import { hearing, ownerOf, routed } from "./audience.ts";
import { forgedCall } from "./forged.ts";
import type { ServiceHook } from "./hooks.ts";
import type { Sent } from "./log.ts";
import { textOf } from "./outbox.ts";
import type { Sender } from "./sender.ts";
import type { Site } from "./site.ts";
import type { WebhookSubject } from "./subject.ts";
import type { Forgery, WebhookEvent, WebhookWorld } from "./world.ts";

/** What the events of a world happen on. */
interface Scene {
  readonly subject: WebhookSubject;
  readonly world: WebhookWorld;
  readonly collection: Collection;
  readonly stage: Stage;
  readonly sender: Sender;
  /** As it is now: another version of the app may have taken over. */
  readonly site: () => Site;
  /** Makes the next process, after one ended. */
  readonly revive: () => Promise<void>;
}

/** A version of a record. */
interface Happened {
  readonly record: number;
  readonly version: number;
}

/** Lets events happen, and sends each as often and as late as the world says. */
export class Deliveries {
  readonly sent: Sent[] = [];
  readonly #scene: Scene;
  readonly #happened = new Map<number, Happened>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Indexes of the events, in the order in which they are sent. */
  get order(): readonly number[] {
    return this.#scene.world.events
      .map(({ later }, index) => ({ index, at: index + later + (later > 0 ? 0.5 : 0) }))
      .sort((a, b) => a.at - b.at)
      .map(({ index }) => index);
  }

  async send(index: number): Promise<void> {
    const event = this.#scene.world.events[index]!;
    if (event.forged !== undefined) return await this.#forge(index, event.forged);
    const known = this.#happenedBy(index);
    if (known === undefined) return;
    const { subject, world, collection, stage, site } = this.#scene;
    const { record, version } = known;
    const own = ownerOf(subject, record, world.installations);
    for (const hook of hearing(site().hooks.live, subject, own)) {
      const body = routed(subject, site().payload(collection.records[record - 1]!, version), own);
      const answers: number[] = [];
      const texts: string[] = [];
      let said = "";
      for (let times = 0; times < event.times; times++)
        said = await this.#call(hook, index, body, { answers, texts }, times > 0);
      this.sent.push({
        event: index,
        record,
        version,
        forged: undefined,
        installation: own.id,
        hook: hook.number,
        texts,
        at: stage.now,
        answers,
        said,
      });
    }
  }

  /** What an event made: it happens before those that come later in the list, whenever it is sent. */
  #happenedBy(index: number): Happened | undefined {
    const { events } = this.#scene.world;
    for (let each = 0; each <= index && !this.#happened.has(index); each++) {
      if (this.#happened.has(each) || events[each]?.forged !== undefined) continue;
      const what = this.#happen(events[each]!);
      if (what !== undefined) this.#happened.set(each, what);
    }
    return this.#happened.get(index);
  }

  #happen({ what, record }: WebhookEvent): Happened | undefined {
    const { collection, stage } = this.#scene;
    if (what === "create") return { record: collection.create(stage.now).number, version: 1 };
    const { live } = collection;
    if (live.length === 0) return undefined;
    const { number } = live[record % live.length]!;
    // A deletion is told with what the record was; it says so by its own version.
    collection.update(number, stage.now);
    const version = collection.records[number - 1]!.versions.length;
    if (what === "delete") collection.delete(number, stage.now);
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
    const { sender, stage, world, revive } = this.#scene;
    for (let tries = 1; tries <= TRIES; tries++) {
      const number = { event, tries: tries + (isAgain ? TRIES : 0) };
      const call = await sender.prove(sender.call(body, world, number), hook);
      texts.push(textOf(bodyOf(call.body)));
      let answer: { readonly status: number; readonly body: string };
      try {
        answer = await sender.deliver(hook, call);
      } catch (error) {
        if (!stage.isDead) throw error;
        await revive();
        stage.now += 60_000;
        continue;
      }
      answers.push(answer.status);
      if (answer.status < 500) return answer.body;
      stage.now += 60_000;
    }
    return "";
  }

  async #forge(index: number, forged: Forgery): Promise<void> {
    const { subject, world, stage, sender, site } = this.#scene;
    const { proof } = subject;
    const [hook] = site().hooks.live;
    if (hook === undefined || proof === undefined) return;
    const record = STRANGER + index;
    const own = subject.installations[0]!;
    const body = routed(subject, site().stranger(record), own);
    const plain = sender.call(body, world, { event: record, tries: 1 });
    const call = await forgedCall(sender, plain, hook, { forged, proof, now: stage.now });
    const { status, body: said } = await sender.deliver(hook, call);
    this.sent.push({
      event: index,
      record,
      version: 1,
      forged,
      installation: own.id,
      hook: hook.number,
      texts: [textOf(bodyOf(call.body))],
      at: stage.now,
      answers: [status],
      said,
    });
  }
}

/** Records of a stranger's deliveries begin here. */
const STRANGER = 900;
