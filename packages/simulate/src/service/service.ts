import type { App } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { percentDecoded } from "@configc/jq/internal";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import type { Indicator, Inner, Protocol } from "../protocol/protocol.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import type { World } from "../world/world.ts";
import { type Collection, latest, type ServiceRecord, shownAt } from "./collection.ts";
import { indicate } from "./indicate.ts";
import { put, valueAt } from "./json.ts";
import { MARK, tell } from "./leaf.ts";
import { List, type Page } from "./list.ts";
import { bodyOf, couldSend, type Route, Routes, response, textsOf } from "./routes.ts";
import { isWithin, type Shape, shapeAt } from "./shape.ts";

/** What the service was asked, and what it said. */
export interface Exchanged {
  readonly at: number;
  readonly method: string;
  readonly url: URL;
  readonly body: Json;
  readonly status: number;
  readonly exchange: RequestTemplate | undefined;
  /** Of a request to the polled list. */
  readonly page: Page | undefined;
}

/** The third party of an app, as far as the app shows what it takes it for. */
export class Service {
  readonly exchanged: Exchanged[] = [];
  readonly #routes: Routes;
  readonly #protocol: Protocol;
  readonly #collection: Collection;
  readonly #list: List;
  readonly #hypotheses: Hypotheses;
  /** The versions of records that lists gave last, by their numbers. */
  readonly #given = new Map<number, number>();

  constructor(
    app: App,
    protocol: Protocol,
    collection: Collection,
    { hypotheses, page }: Pick<World, "hypotheses" | "page">,
    before?: Service,
  ) {
    this.#protocol = protocol;
    this.#collection = collection;
    this.#hypotheses = hypotheses;
    this.#list = new List(
      protocol,
      collection,
      hypotheses,
      page,
      before === undefined ? undefined : before.#list,
    );
    this.#routes = new Routes(app, protocol.exchanges, protocol.exchange);
  }

  /** Whether a request reads the polled list. */
  isList(request: Pick<HttpRequest, "method" | "url" | "body">): boolean {
    const { exchange } = this.#protocol;
    return this.#routes.find(request)?.exchange === exchange && couldSend(exchange, request);
  }

  answer(request: Pick<HttpRequest, "method" | "url" | "body">, now: number): HttpResponse {
    const url = new URL(request.url);
    const body = bodyOf(request.body);
    const route = this.#routes.find(request);
    if (route?.exchange === this.#protocol.exchange) {
      const page = this.#list.answer({ query: url.searchParams, body }, url, now);
      this.#note(request, { at: now, url, body, status: 200, exchange: route.exchange, page });
      for (const { record, version } of page.records) this.#given.set(record.number, version.number);
      return response(200, this.#withHeads(page.json, route.exchange, now));
    }
    if (route !== undefined && this.#protocol.acknowledging.includes(route.exchange))
      this.#acknowledge(`${this.#routes.named(url)} ${JSON.stringify(body)}`);
    const { opening } = this.#protocol;
    if (opening !== undefined && route?.exchange === opening.exchange) {
      const id = this.#list.open({ query: url.searchParams, body }, now);
      this.#note(request, { at: now, url, body, status: 200, exchange: route.exchange, page: undefined });
      const made = put(this.#told(route.answer, this.#collection.records[0], now), opening.id, id);
      const told = opening.counts.reduce(
        (json, { path, says }) =>
          put(json, path, this.#list.counted(id)[says === "pages" ? "pages" : "count"]),
        made,
      );
      return response(200, this.#withHeads(told, route.exchange, now));
    }
    const named = this.#recordIn(url);
    if (named === undefined && route !== undefined && this.#readsList(route)) {
      const { json } = this.#list.answer({ query: url.searchParams, body }, url, now);
      this.#note(request, { at: now, url, body, status: 200, exchange: route.exchange, page: undefined });
      return response(200, json);
    }
    const isGone =
      named !== undefined &&
      named.deletedAt !== undefined &&
      isNamedByPath(url, named) &&
      this.#isOfList(url, named);
    const status = isGone ? 404 : 200;
    this.#note(request, { at: now, url, body, status, exchange: route?.exchange, page: undefined });
    if (isGone) return response(404, { error: "not found" });
    if (route === undefined) return response(200, {});
    const told = this.#told(route.answer, named ?? this.#collection.records[0], now);
    const { inner } = this.#protocol;
    if (inner !== undefined && route.exchange === inner.exchange)
      return response(200, innerPage(told, inner, named));
    return response(200, this.#withHeads(told, route.exchange, now));
  }

  /** The answer, with how far the list goes where the app reads that there. */
  #withHeads(told: Json, exchange: RequestTemplate, now: number): Json {
    const heads = this.#protocol.heads.filter((each) => each.exchange === exchange);
    return heads.reduce(
      (json, { path, role }) => put(json, path, this.#list.head(role, now, valueAt(json, path))),
      told,
    );
  }

  /** An answer about one record. */
  #told(answer: Shape, record: ServiceRecord | undefined, now: number): Json {
    const version = (record === undefined
      ? undefined
      : (shownAt(record, now)?.version ?? latest(record))) ?? {
      number: 1,
      at: now,
      shownFrom: now,
    };
    return tell(answer, {
      record: record ?? { number: 1, versions: [version], deletedAt: undefined },
      version,
      format: this.#list.format,
      hypotheses: this.#hypotheses,
      isOnlyEmail: false,
    });
  }

  /** Takes what a request names off the list. */
  #acknowledge(text: string): void {
    for (const [, number] of text.matchAll(MARK)) {
      const version = this.#given.get(Number(number));
      if (version !== undefined) this.#collection.acknowledge(Number(number), version);
    }
  }

  #note({ method }: Pick<HttpRequest, "method">, rest: Omit<Exchanged, "method">): void {
    this.exchanged.push({ method, ...rest });
  }

  /**
   * Whether a request of the pipeline reads all pages of the polled list: one to the same address, whose programs want no more of a record
   * than those of the intake.
   */
  #readsList({ exchange, answer }: Route): boolean {
    const { exchange: polled, list, answer: listed } = this.#protocol;
    return (
      exchange.isPaginated &&
      exchange.method === polled.method &&
      textsOf(exchange).join("/") === textsOf(polled).join("/") &&
      isWithin(shapeAt(answer, list), shapeAt(listed, list))
    );
  }

  /** Whether a path such as `/v1/deals/r3` names a record of the polled list, `/v2/deals`. */
  #isOfList({ pathname }: URL, { number }: ServiceRecord): boolean {
    const segments = percentDecoded(pathname).split("/");
    const kind = segments[segments.indexOf(`r${number}`) - 1];
    const list = textsOf(this.#protocol.exchange)
      .join("")
      .split("/")
      .filter((segment) => segment !== "");
    return kind !== undefined && list.at(-1) === kind;
  }

  /** The record that a URL names, in a segment or a parameter. */
  #recordIn(url: URL): ServiceRecord | undefined {
    for (const [, number] of this.#routes.named(url).matchAll(MARK)) {
      const record = this.#collection.records[Number(number) - 1];
      if (record !== undefined) return record;
    }
    return undefined;
  }
}

/** The one page of a record's own list, which has one item. */
function innerPage(told: Json, { list, indicators }: Inner, record: ServiceRecord | undefined): Json {
  const items = valueAt(told, list);
  const [first] = Array.isArray(items) ? (items as readonly Json[]) : [];
  const isObject = typeof first === "object" && first !== null && !Array.isArray(first);
  const version = record === undefined ? "" : `r${record.number}v${record.versions.length}`;
  const item: Json = isObject ? { version, ...(first as JsonObject) } : (first ?? version);
  let json = put(told, list, record === undefined ? [] : [item]);
  for (const indicator of indicators) {
    const end = { null: null, absent: undefined, blank: "" }[indicator.atEnd];
    json = indicate(json, indicator, ends[indicator.says] ?? end);
  }
  return json;
}

/** What members say of the paging on the last page, which is the first. */
const ends: Readonly<Partial<Record<Indicator["says"], Json>>> = {
  more: false,
  last: true,
  pages: 1,
  count: 1,
  page: 1,
  offset: 0,
  size: 1,
};

function isNamedByPath({ pathname }: URL, { number }: ServiceRecord): boolean {
  return percentDecoded(pathname).split("/").includes(`r${number}`);
}
