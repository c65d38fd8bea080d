import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import type { Protocol } from "../protocol/protocol.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import type { World } from "../world/world.ts";
import { type Collection, latest, type ServiceRecord, shownAt } from "./collection.ts";
import { put } from "./json.ts";
import { MARK, tell } from "./leaf.ts";
import { List, type Page } from "./list.ts";
import { parameterText } from "./query.ts";
import type { Shape } from "./shape.ts";

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
  readonly #routes: readonly Route[];
  readonly #protocol: Protocol;
  readonly #collection: Collection;
  readonly #list: List;
  readonly #hypotheses: Hypotheses;

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
    this.#routes = routesOf(app, protocol);
  }

  /** Whether a request reads the polled list. */
  isList(request: Pick<HttpRequest, "method" | "url" | "body">): boolean {
    return this.#routeOf(request)?.exchange === this.#protocol.exchange;
  }

  answer(request: Pick<HttpRequest, "method" | "url" | "body">, now: number): HttpResponse {
    const url = new URL(request.url);
    const body = jsonOf(request.body);
    const route = this.#routeOf(request);
    if (route?.exchange === this.#protocol.exchange) {
      const page = this.#list.answer({ query: url.searchParams, body }, url, now);
      this.#note(request, { at: now, url, body, status: 200, exchange: route.exchange, page });
      return response(200, page.json);
    }
    const { opening } = this.#protocol;
    if (opening !== undefined && route?.exchange === opening.exchange) {
      const id = this.#list.open({ query: url.searchParams, body }, now);
      this.#note(request, { at: now, url, body, status: 200, exchange: route.exchange, page: undefined });
      return response(200, put(this.#told(route.answer, this.#collection.records[0], now), opening.id, id));
    }
    const named = this.#recordIn(url);
    const isGone =
      named !== undefined &&
      named.deletedAt !== undefined &&
      isNamedByPath(url, named) &&
      this.#isOfList(url, named);
    const status = isGone ? 404 : 200;
    this.#note(request, { at: now, url, body, status, exchange: route?.exchange, page: undefined });
    if (isGone) return response(404, { error: "not found" });
    if (route === undefined) return response(200, {});
    return response(200, this.#told(route.answer, named ?? this.#collection.records[0], now));
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

  #note({ method }: Pick<HttpRequest, "method">, rest: Omit<Exchanged, "method">): void {
    this.exchanged.push({ method, ...rest });
  }

  /** The command that sends a request; of several to one path, the one whose parameters it has. */
  #routeOf({
    method,
    url: address,
    body: text,
  }: Pick<HttpRequest, "method" | "url" | "body">): Route | undefined {
    const url = new URL(address);
    const path = decoded(url.pathname);
    const all = this.#routes.filter((route) => route.method === method && route.pattern.test(path));
    if (all.length < 2) return all[0];
    const given = { query: url.searchParams, body: jsonOf(text) };
    const missing = ({ exchange }: Route): number =>
      exchange.parameters.filter(({ place, path: at, value }) => {
        const found = parameterText(given, { place, path: at });
        return value.kind === "literal"
          ? found !== String(value.value) && value.value !== null
          : found === undefined;
      }).length;
    return all.sort(
      (a, b) => missing(a) - missing(b) || b.exchange.parameters.length - a.exchange.parameters.length,
    )[0];
  }

  /** Whether a path such as `/v1/deals/r3` names a record of the polled list, `/v2/deals`. */
  #isOfList({ pathname }: URL, { number }: ServiceRecord): boolean {
    const segments = decoded(pathname).split("/");
    const kind = segments[segments.indexOf(`r${number}`) - 1];
    const list = textsOf(this.#protocol.exchange)
      .join("")
      .split("/")
      .filter((segment) => segment !== "");
    return kind !== undefined && list.at(-1) === kind;
  }

  /** The record that a URL names, in a segment or a parameter. */
  #recordIn(url: URL): ServiceRecord | undefined {
    for (const [, number] of decoded(`${url.pathname}${url.search}`).matchAll(MARK)) {
      const record = this.#collection.records[Number(number) - 1];
      if (record !== undefined) return record;
    }
    return undefined;
  }
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly exchange: RequestTemplate;
  readonly answer: Shape;
}

/** The routes of all requests, those with the most literal text first. */
function routesOf(app: App, { exchanges, exchange }: Protocol): readonly Route[] {
  const base = String(app.api.baseUrl?.filter((part) => typeof part === "string").join("") ?? "").replace(
    /^https?:\/\/[^/]*/,
    "",
  );
  return exchanges
    .map(({ exchange: each, answer }) => ({
      method: each.method,
      exchange: each,
      answer,
      texts: textsOf(each),
    }))
    .sort(
      (a, b) =>
        b.texts.join("").length - a.texts.join("").length ||
        Number(b.exchange === exchange) - Number(a.exchange === exchange),
    )
    .map(({ texts, ...route }) => {
      const path = route.exchange.isAbsolute
        ? texts.join(HOLE).replace(/^https?:\/\/[^/]*/, "")
        : `${base.replace(/\/$/, "")}/${texts.join(HOLE).replace(/^\//, "")}`;
      const pattern = path.split(HOLE).map(escaped).join("[^/]+");
      const isAny = route.exchange.url.length === 1 && route.exchange.url[0]!.kind === "place";
      return { ...route, pattern: isAny ? /^/ : new RegExp(`^${pattern}/?$`) };
    });
}

/** Stands for what an expansion gives; no path has it. */
const HOLE = "\u0000";

function textsOf({ url }: RequestTemplate): string[] {
  const texts = [""];
  for (const part of url) {
    if (part.kind === "literal") texts[texts.length - 1] += String(part.value);
    else texts.push("");
  }
  return texts;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isNamedByPath({ pathname }: URL, { number }: ServiceRecord): boolean {
  return decoded(pathname).split("/").includes(`r${number}`);
}

function jsonOf(body: string | undefined): Json {
  if (body === undefined) return null;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

const encoder = new TextEncoder();

function response(status: number, body: Json): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: encoder.encode(JSON.stringify(body)),
  };
}
