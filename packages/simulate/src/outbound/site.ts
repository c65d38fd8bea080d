import type { App } from "@configc/compiler";
import { mayWrite } from "@configc/compiler/internal";
import type { Json } from "@configc/jq";
import { percentDecoded } from "@configc/jq/internal";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import { readMethods } from "@configc/runtime/internal";
import { type Collection, latest, type ServiceRecord } from "../service/collection.ts";
import { valueAt } from "../service/json.ts";
import { MARK, PHONE, type Telling, tell } from "../service/leaf.ts";
import { countNames, hasWord } from "../service/names.ts";
import { type Answered, bodyOf, type Route, Routes, response, textsOf } from "../service/routes.ts";
import type { Shape } from "../service/shape.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import { atomsOf, isPlaceOf } from "../symbolic/value.ts";

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
  /** The contact that is handed over. */
  own = 1;
  #routes: Routes;
  #answered: readonly Answered[];
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
    this.#answered = answered;
    this.#contacts = contacts;
    this.#hypotheses = hypotheses;
    for (let number = 1; number <= known; number++) this.#known.add(number);
  }

  /** From now on another version of the app asks: the service has what it had. */
  takeOver(app: App, answered: readonly Answered[]): void {
    this.#routes = new Routes(app, answered);
    this.#answered = answered;
  }

  answer(request: HttpRequest, now: number): HttpResponse {
    const route = this.#routes.find(request);
    const addressed = this.#contactIn(this.#routes.named(request.url));
    const about = this.#contactIn(request.body ?? "");
    // What the app makes of the contact, such as digits of a number, names it though it bears no mark.
    const sought = isWrite(request) || !looksFor(route?.exchange) ? undefined : this.own;
    const contact = addressed ?? about ?? sought;
    if (isWrite(request)) {
      this.#do(request, route, { addressed, about, now });
      if (contact !== undefined) this.#known.add(contact);
      return response(200, this.#told(route, contact, now));
    }
    // A list that is asked for nobody has everybody, where it is one of contacts.
    const [somebody] = route !== undefined && this.#hasContacts(route) ? this.#known : [];
    const told = this.#told(route, contact ?? somebody, now);
    // A search finds nobody whom the service doesn't know.
    const finds = contact === undefined || this.#known.has(contact);
    return response(200, counted(finds ? told : withoutItems(told)));
  }

  /**
   * Whether a list that is asked for nobody may be one of contacts. It is one of other things (slots, people on duty) where its records have
   * no address, and the app looks for the contact elsewhere, or has told of it there.
   */
  #hasContacts({ exchange, answer }: Route): boolean {
    if (!hasList(answer)) return false;
    if (hasAddress(answer)) return true;
    const own = kindOf(exchange);
    // It has just been told of the contact at another address.
    const isTold = this.deeds.some(
      ({ step, addressed, about, url }) =>
        step === this.step && [addressed, about].includes(this.own) && !new URL(url).pathname.includes(own),
    );
    if (isTold) return false;
    const others = this.#answered.filter(({ exchange: each }) => looksFor(each));
    return others.length === 0 || others.some(({ exchange: each }) => textsOf(each).join("/").includes(own));
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

/** Whether a request that reads asks for something by what the app knows of the contact. */
function looksFor(exchange: RequestTemplate | undefined): boolean {
  return exchange !== undefined && readMethods.has(exchange.method) && tellsOfContact(exchange);
}

function tellsOfContact({ url, parameters }: RequestTemplate): boolean {
  return [...url, ...parameters.map(({ value }) => value)].some((value) =>
    atomsOf(value).some((atom) => isPlaceOf(atom, "input") || isPlaceOf(atom, "resource")),
  );
}

/** What an address names last: `slots` in `/workshops/…/slots`. */
function kindOf(exchange: RequestTemplate): string {
  const segments = textsOf(exchange)
    .join("/")
    .split("/")
    .filter((segment) => segment !== "");
  return `/${segments.at(-1) ?? ""}`;
}

/** Whether records tell an email address or a telephone number. */
function hasAddress(shape: Shape): boolean {
  if (shape.kind === "list") return hasAddress(shape.item);
  if (shape.kind === "object") return Object.values(shape.members).some(hasAddress);
  return shape.kind === "email" || shape.kind === "phone";
}

/** An answer whose counts are those of its one list. */
function counted(answer: Json): Json {
  const lists = listsIn(answer);
  return lists.length === 1 ? withCounts(answer, lists[0]!.length) : answer;
}

function listsIn(value: Json): readonly (readonly Json[])[] {
  if (Array.isArray(value)) return [value as readonly Json[]];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((each) => listsIn(each as Json))
    : [];
}

function withCounts(value: Json, count: number): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === "number" && hasWord(name, countNames) ? count : withCounts(each as Json, count),
    ]),
  );
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
