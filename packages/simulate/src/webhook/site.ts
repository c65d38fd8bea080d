import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import { type Collection, latest, type ServiceRecord, shownAt } from "../service/collection.ts";
import { put, valueAt, without } from "../service/json.ts";
import { MARK, type Telling, tell } from "../service/leaf.ts";
import { type Answered, Routes, response } from "../service/routes.ts";
import type { Service } from "../service/service.ts";
import { customerIn } from "../stage/account.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import { Hooks, nameOf, numberOf, type ServiceHook } from "./hooks.ts";
import type { WebhookProtocol } from "./protocol.ts";
import type { Ping } from "./subject.ts";

/** The third party of an app with a webhook. */
export class Site {
  readonly hooks: Hooks;
  /** Texts that answers called a secret. */
  readonly secrets: string[] = [];
  /** The same by the number of the webhook that they were given for. */
  readonly #given = new Map<number, readonly string[]>();
  readonly #protocol: WebhookProtocol;
  readonly #collection: Collection;
  readonly #hypotheses: Telling["hypotheses"];
  readonly #routes: Routes;
  readonly #removes: Routes;
  readonly #history: Service | undefined;
  readonly #challenge: Ping | undefined;

  /**
   * @param history the same service as an import reads it
   * @param challenge what registrations are asked
   */
  constructor(
    app: App,
    protocol: WebhookProtocol,
    collection: Collection,
    hypotheses: Telling["hypotheses"],
    history: Service | undefined,
    challenge: Ping | undefined,
  ) {
    this.#challenge = challenge;
    this.#protocol = protocol;
    this.#collection = collection;
    this.#hypotheses = hypotheses;
    this.#history = history;
    this.hooks = new Hooks(protocol);
    this.#routes = new Routes(app, protocol.answered);
    this.#removes = new Routes(
      app,
      answersOf(
        protocol.removes.map(({ request }) => request),
        protocol.answered,
      ),
    );
  }

  /** The same service, as another version of the app took it: its webhooks are still there. */
  takeOver(before: Site): void {
    this.hooks.all.push(...before.hooks.all);
    this.secrets.push(...before.secrets);
    for (const [number, given] of before.#given) this.#given.set(number, given);
  }

  /** @param onRegistered is asked before a registration is answered: it may refuse */
  async answer(
    request: HttpRequest,
    now: number,
    onRegistered: (hook: ServiceHook) => Promise<boolean>,
  ): Promise<HttpResponse> {
    if (this.#history?.isList(request) === true) return this.#history.answer(request, now);
    const removal = this.#removes.find(request);
    const customer = customerIn(request);
    const isByUrl = this.#protocol.removes.some((each) => each.isByUrl && each.request === removal?.exchange);
    const change = this.hooks.take(request, customer, { isRemoval: removal !== undefined, isByUrl }, now);
    if (change?.what === "unknown") return response(404, { error: "there is no such webhook" });
    if (change?.what === "registered" && !(await onRegistered(change.hook))) {
      change.hook.removedAt = now;
      return response(400, { error: "the URL didn't answer the challenge" });
    }
    const route = this.#routes.find(request);
    if (change !== undefined) {
      const { number } = change.hook;
      const told = this.#told(route, nameOf(number), numberOf(number), now);
      const given = secretsIn(told);
      if (given.length > 0) this.#given.set(number, given);
      return response(200, told);
    }
    const record = this.#recordIn(request);
    if (record === undefined)
      return response(200, this.#told(route, `account-${customer ?? 1}`, 8_000_000 + (customer ?? 1), now));
    return response(200, this.#toldOf(route, record, now));
  }

  /** What answers about a webhook called a secret. */
  secretsOf({ number }: ServiceHook): readonly string[] {
    return this.#given.get(number) ?? [];
  }

  /** What a delivery says of a version of a record. */
  payload(record: ServiceRecord, number: number): Json {
    const version = record.versions[number - 1] ?? latest(record);
    return this.#delivery(tell(this.#protocol.payload, { ...this.#telling, record, version }));
  }

  /** A delivery is no challenge, whatever the app looks for. */
  #delivery(payload: Json): Json {
    if (this.#challenge === undefined) return payload;
    const { place, literals } = this.#challenge;
    const body = literals
      .filter(({ part }) => part === "body")
      .reduce((json, { path, text }) => {
        // A delivery says something else in its place, which the app knows if there is one.
        if (place === undefined && valueAt(json, path) !== text) return json;
        const others = this.#protocol.literals.filter(
          (each) => each.part === "body" && each.path.join("\0") === path.join("\0"),
        );
        const other = others.find((each) => !literals.some((aside) => aside.text === each.text));
        return put(json, path, place === undefined ? (other?.text ?? "event") : "event");
      }, payload);
    return place?.part === "body" ? without(body, place.path) : body;
  }

  /** What a stranger writes, who knows what deliveries look like. */
  stranger(number: number): Json {
    const version = { number: 1, at: 0, shownFrom: 0 };
    return this.#delivery(
      tell(this.#protocol.payload, {
        ...this.#telling,
        record: { number, versions: [version], deletedAt: undefined },
        version,
        called: `forged-${number}`,
      }),
    );
  }

  get #telling(): Pick<Telling, "format" | "hypotheses" | "isOnlyEmail"> {
    return { format: "iso-seconds", hypotheses: this.#hypotheses, isOnlyEmail: false };
  }

  #told(route: Pick<Answered, "answer"> | undefined, called: string, number: number, now: number): Json {
    if (route === undefined) return {};
    const version = { number: 1, at: now, shownFrom: now };
    const told = tell(route.answer, {
      ...this.#telling,
      // What it makes up itself, ids and secrets, is plain.
      hypotheses: { ...this.#hypotheses, gaps: false, texts: "plain" },
      record: { number, versions: [version], deletedAt: undefined },
      version,
      called,
    });
    this.secrets.push(...secretsIn(told));
    return told;
  }

  #toldOf(route: Pick<Answered, "answer"> | undefined, record: ServiceRecord, now: number): Json {
    if (route === undefined) return {};
    const version = shownAt(record, now)?.version ?? latest(record);
    return tell(route.answer, { ...this.#telling, record, version });
  }

  #recordIn({ url, body = "" }: HttpRequest): ServiceRecord | undefined {
    for (const [, number] of `${this.#routes.named(url)} ${body}`.matchAll(MARK)) {
      const record = this.#collection.records[Number(number) - 1];
      if (record !== undefined) return record;
    }
    return undefined;
  }
}

function answersOf(templates: readonly RequestTemplate[], all: readonly Answered[]): readonly Answered[] {
  return all.filter(({ exchange }) => templates.includes(exchange));
}

/** Members that are called a secret. */
function secretsIn(value: Json, name = ""): readonly string[] {
  if (typeof value === "string") return /secret|token|signing/i.test(name) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    secretsIn(member, Array.isArray(value) ? name : key),
  );
}
