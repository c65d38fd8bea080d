import type { App } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { escapedPattern, percentDecoded } from "@configc/jq/internal";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import type { RequestTemplate } from "../symbolic/command.ts";
import { parameterText } from "./query.ts";
import type { Shape } from "./shape.ts";

/** A request of an app with the shape of what it is answered. */
export interface Answered {
  readonly exchange: RequestTemplate;
  readonly answer: Shape;
}

/** A request as a service reads it. */
export type Asked = Pick<HttpRequest, "method" | "url" | "body">;

/** The requests that a service answers. */
export class Routes {
  readonly #routes: readonly Route[];
  readonly #base: string;

  /** @param first of several templates of equal length the one that is taken */
  constructor(app: App, answered: readonly Answered[], first?: RequestTemplate) {
    this.#base = basePathOf(app);
    this.#routes = routesOf(this.#base, answered, first);
  }

  /** What an address says beside the API's own: a version such as `/r4` names no record. */
  named(address: string | URL): string {
    const { pathname, search } = new URL(address);
    const own = pathname.startsWith(`${this.#base}/`) ? pathname.slice(this.#base.length) : pathname;
    return percentDecoded(`${own}${search}`);
  }

  /** The command that sends a request; of several to one path, the one whose parameters it has. */
  find({ method, url: address, body: text }: Asked): Route | undefined {
    const url = new URL(address);
    const path = percentDecoded(url.pathname);
    const all = this.#routes.filter((route) => route.method === method && route.pattern.test(path));
    if (all.length < 2) return all[0];
    const given = { query: url.searchParams, body: bodyOf(text) };
    const fits = new Map(all.map((route) => [route, fitOf(route.exchange, given)]));
    const by = (kind: keyof Fit, a: Route, b: Route): number => fits.get(a)![kind] - fits.get(b)![kind];
    return all.sort((a, b) => by("contrary", a, b) || by("given", b, a) || by("missing", a, b))[0];
  }
}

/** Whether a command could have sent a request: it has the fixed parameters of the command, such as the text of a query. */
export function couldSend(exchange: RequestTemplate, { url, body }: Asked): boolean {
  return fitOf(exchange, { query: new URL(url).searchParams, body: bodyOf(body) }).contrary === 0;
}

/** How the parameters of a request are those of a command. */
interface Fit {
  /** Fixed ones that are another value. */
  readonly contrary: number;
  readonly given: number;
  /** What a first page has none of, such as a cursor. */
  readonly missing: number;
}

function fitOf({ parameters }: RequestTemplate, given: Parameters<typeof parameterText>[0]): Fit {
  const fit = { contrary: 0, given: 0, missing: 0 };
  for (const { place, path, value } of parameters) {
    const found = parameterText(given, { place, path });
    const isContrary = value.kind === "literal" && value.value !== null && found !== String(value.value);
    fit[isContrary ? "contrary" : found === undefined ? "missing" : "given"]++;
  }
  return fit;
}

export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly exchange: RequestTemplate;
  readonly answer: Shape;
}

/** The routes of all requests, those with the most literal text first. */
function routesOf(
  base: string,
  exchanges: readonly Answered[],
  exchange?: RequestTemplate,
): readonly Route[] {
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
        : `${base}/${texts.join(HOLE).replace(/^\//, "")}`;
      const pattern = path.split(HOLE).map(escapedPattern).join("[^/]+");
      const isAny = route.exchange.url.length === 1 && route.exchange.url[0]!.kind === "place";
      return { ...route, pattern: isAny ? /^/ : new RegExp(`^${pattern}/?$`) };
    });
}

/** The path of `api.base_url`, without a slash at its end. */
function basePathOf({ api }: App): string {
  const literals = api.baseUrl?.filter((part) => typeof part === "string").join("") ?? "";
  return literals.replace(/^https?:\/\/[^/]*/, "").replace(/\/$/, "");
}

/** Stands for what an expansion gives; no path has it. */
const HOLE = "\u0000";

/** The literal texts of an address; expansions stand between them. */
export function textsOf({ url }: RequestTemplate): string[] {
  const texts = [""];
  for (const part of url) {
    if (part.kind === "literal") texts[texts.length - 1] += String(part.value);
    else texts.push("");
  }
  return texts;
}

/** What a body says: JSON, or the fields of a form. */
export function bodyOf(body: string | undefined): Json {
  if (body === undefined) return null;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body.includes("=") ? Object.fromEntries(new URLSearchParams(body)) : body;
  }
}

const encoder = new TextEncoder();

/** An answer of JSON. */
export function response(status: number, body: Json): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: encoder.encode(JSON.stringify(body)),
  };
}
