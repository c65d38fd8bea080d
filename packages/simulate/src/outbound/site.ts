import type { App } from "@configc/compiler";
import { mayWrite } from "@configc/compiler/internal";
import type { Json } from "@configc/jq";
import { percentDecoded } from "@configc/jq/internal";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import { type Collection, latest, type ServiceRecord } from "../service/collection.ts";
import { valueAt } from "../service/json.ts";
import { MARK, PHONE, type Telling, tell } from "../service/leaf.ts";
import { type Answered, bodyOf, type Route, Routes, response } from "../service/routes.ts";
import type { Shape } from "../service/shape.ts";

/** Something that a service did because it was asked to. */
export interface Deed {
  readonly step: number;
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly body: string;
  /** JSON Pointer of the command that asked for it. */
  readonly pointer: string;
  /** By which the service knows that it has done it. */
  readonly key: string | undefined;
  /** Contacts that the address and the body are about. */
  readonly addressed: number | undefined;
  readonly about: number | undefined;
}

/** The third party of an outbound workflow: it does what it is asked to, and finds what it has. */
export class ContactSite {
  readonly deeds: Deed[] = [];
  /** What wasn't done, for the service had seen its key with something else. */
  readonly swallowed: { readonly deed: Deed; readonly by: Deed }[] = [];
  step = 1;
  #routes: Routes;
  readonly #contacts: Collection;
  readonly #known = new Set<number>();
  readonly #hypotheses: Telling["hypotheses"];

  /** @param known contacts up to this number are there before */
  constructor(
    app: App,
    answered: readonly Answered[],
    contacts: Collection,
    known: number,
    hypotheses: Telling["hypotheses"],
  ) {
    this.#routes = new Routes(app, answered);
    this.#contacts = contacts;
    this.#hypotheses = hypotheses;
    for (let number = 1; number <= known; number++) this.#known.add(number);
  }

  /** From now on another version of the app asks: the service has what it had. */
  takeOver(app: App, answered: readonly Answered[]): void {
    this.#routes = new Routes(app, answered);
  }

  answer(request: HttpRequest, now: number): HttpResponse {
    const route = this.#routes.find(request);
    const addressed = this.#contactIn(this.#routes.named(request.url));
    const about = this.#contactIn(request.body ?? "");
    const contact = addressed ?? about;
    if (isWrite(request)) {
      this.#do(request, route, { addressed, about, now });
      if (contact !== undefined) this.#known.add(contact);
      return response(200, this.#told(route, contact, now));
    }
    // A list that is asked for nobody has everybody.
    const [somebody] = hasList(route?.answer) ? this.#known : [];
    const told = this.#told(route, contact ?? somebody, now);
    // A search finds nobody whom the service doesn't know.
    const finds = contact === undefined || this.#known.has(contact);
    return response(200, finds ? told : withoutItems(told));
  }

  #do(
    { method, url, headers, body = "" }: HttpRequest,
    route: Route | undefined,
    { addressed, about, now }: { addressed: number | undefined; about: number | undefined; now: number },
  ): void {
    const name = Object.keys(headers).find((each) => /idempotency-(?:key|token)$/.test(each));
    const key = name === undefined ? undefined : headers[name];
    const pointer = route?.exchange.command.pointer ?? "";
    const deed: Deed = { step: this.step, at: now, method, url, body, pointer, key, addressed, about };
    const before = this.deeds.find((each) => key !== undefined && each.key === key && each.url === url);
    if (before === undefined) this.deeds.push(deed);
    else if (before.body !== body) this.swallowed.push({ deed, by: before });
  }

  #told(route: Pick<Answered, "answer"> | undefined, contact: number | undefined, now: number): Json {
    if (route === undefined) return {};
    const record: ServiceRecord = this.#contacts.records[(contact ?? 1) - 1] ?? {
      number: 1,
      versions: [{ number: 1, at: now, shownFrom: now }],
      deletedAt: undefined,
    };
    return tell(route.answer, {
      format: "iso-seconds",
      hypotheses: this.#hypotheses,
      isOnlyEmail: false,
      record,
      version: latest(record),
      ...(contact === undefined ? { called: "thing-1" } : {}),
    });
  }

  #contactIn(text: string): number | undefined {
    const plain = percentDecoded(text.replaceAll("+", " "));
    for (const [, number] of [...plain.matchAll(MARK), ...plain.matchAll(PHONE)])
      if (this.#contacts.records[Number(number) - 1] !== undefined) return Number(number);
    return undefined;
  }
}

function hasList(shape: Shape | undefined): boolean {
  if (shape === undefined) return false;
  return shape.kind === "list" || (shape.kind === "object" && Object.values(shape.members).some(hasList));
}

/** Whether a request asks for something to be done. */
function isWrite({ method, url, body }: Pick<HttpRequest, "method" | "url" | "body">): boolean {
  const query = valueAt(bodyOf(body), ["query"]);
  return mayWrite({ method, address: url, query: typeof query === "string" ? query : undefined });
}

function withoutItems(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutItems(each as Json)]));
}
