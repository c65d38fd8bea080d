import type { Answer, Exchange } from "./request.ts";
import { LoopbackServer, type ServerOptions } from "./server.ts";
import { isRecord, problemWith, type Shape } from "./shape.ts";

/** Who may ask: the account whose credentials a request carries, or undefined. */
export type Guard = (exchange: Exchange) => string | undefined;

/** A request to a route, as the route declares it. */
export interface Call extends Exchange {
  /** By whose credentials. */
  readonly account: string;
  /** What stands for `:name` in the path. */
  readonly at: Readonly<Record<string, string>>;
  /** Members of the body, JSON or form. */
  readonly given: Readonly<Record<string, unknown>>;
}

export interface Route {
  /** Default: that of the third party. */
  readonly guard?: Guard;
  /** All parameters that there may be. Default: none. */
  readonly query?: Shape;
  /** The body has to be a JSON object of this shape. */
  readonly json?: Shape;
  /** The body has to be a form of this shape. */
  readonly form?: Shape;
  readonly answer: (call: Call) => Answer;
}

/** By method and path, such as `GET /users/:id`. */
export type Routes = Readonly<Record<string, Route>>;

/** A service of others, as its documentation describes it. */
export interface ThirdParty {
  /** By host, such as `api.example.com`. */
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly guard: Guard;
  /** Requests (`METHOD path`) that a second time do a second thing. */
  readonly once: RegExp;
}

/** Anybody. */
export const anyone: Guard = () => "";

export const ok = (json: unknown): Answer => ({ json });
export const created = (json: unknown): Answer => ({ status: 201, json });
export const noContent: Answer = { status: 204 };
export const missing: Answer = { status: 404, json: { error: "not_found" } };

/** A route with what tells whether a request is its own. */
interface KnownRoute {
  readonly host: RegExp;
  readonly method: string;
  readonly path: RegExp;
  /** Without parts that stand for anything: it goes before those that have some. */
  readonly literal: boolean;
  readonly route: Route;
}

interface Found {
  readonly route: Route;
  readonly at: Readonly<Record<string, string>>;
}

/**
 * Serves a third party on loopback. Clients say by the `host` header whom they mean. It is as strict as the strictest of services: what
 * no route declares is refused, and told to the test.
 */
export class ThirdPartyServer<P extends ThirdParty> extends LoopbackServer {
  readonly party: P;
  /** Requests that the third party doesn't know, or that lack what it asks for. */
  readonly surprises: string[] = [];
  /** Is called with each request that arrives, before it is answered. */
  arrived: () => void = () => undefined;

  readonly #routes: readonly KnownRoute[];

  private constructor(party: P, options: ServerOptions) {
    super(options);
    this.party = party;
    this.#routes = knownRoutes(party);
  }

  static async start<P extends ThirdParty>(
    party: P,
    options: ServerOptions = {},
  ): Promise<ThirdPartyServer<P>> {
    return await new ThirdPartyServer(party, options).listen();
  }

  protected answer(exchange: Exchange): Answer {
    this.arrived();
    const found = this.#find(exchange);
    if (!("route" in found)) return this.#surprised(exchange, found);
    const { route, at } = found;
    const account = (route.guard ?? this.party.guard)(exchange);
    if (account === undefined) return { status: 401, json: { error: "unauthorized" } };
    const refusal = this.overQuota();
    if (refusal !== undefined) return refusal;
    const query = Object.fromEntries(exchange.query);
    const given = membersOf(exchange, route);
    const problem =
      typeof given === "string"
        ? given
        : (problemWith(query, route.query ?? {}) ?? problemWith(given, route.json ?? route.form ?? {}));
    if (problem !== undefined || typeof given === "string")
      return this.#surprised(exchange, { status: 400, json: { error: problem } });
    return route.answer({ ...exchange, account, at, given });
  }

  #surprised({ method, host, path, query, body }: Exchange, answer: Answer): Answer {
    this.surprises.push(
      `${method} ${host}${path}?${query} ${body.slice(0, 200)}: ${answer.status} ${JSON.stringify(answer.json)}`,
    );
    return answer;
  }

  #find({ method, host, path }: Exchange): Found | Answer {
    const ofHost = this.#routes.filter((each) => each.host.test(host));
    if (ofHost.length === 0) return { status: 421, json: { error: "no such host" } };
    const ofPath = ofHost.filter((each) => each.path.test(path));
    if (ofPath.length === 0) return missing;
    const fitting = ofPath.filter((each) => each.method === method);
    const best = fitting.find(({ literal }) => literal) ?? fitting[0];
    if (best === undefined) return { status: 405, json: { error: "method_not_allowed" } };
    const parts = Object.entries(best.path.exec(path)?.groups ?? {});
    return {
      route: best.route,
      at: Object.fromEntries(parts.map(([name, value]) => [name, decodeURIComponent(value)])),
    };
  }
}

function knownRoutes({ hosts }: ThirdParty): KnownRoute[] {
  return Object.entries(hosts).flatMap(([host, routes]) =>
    Object.entries(routes).map(([name, route]) => {
      const [method = "", path = ""] = name.split(" ");
      const literal = !path.includes(":");
      return { host: patternOf(host), method, path: patternOf(path), literal, route };
    }),
  );
}

/** `:name` stands for one part of a path. */
function patternOf(template: string): RegExp {
  const source = template.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:([A-Za-z]+)/g, "(?<$1>[^/]+?)");
  return new RegExp(`^${source}$`);
}

/** @returns the members, or why the body can't be read */
function membersOf(exchange: Exchange, { json, form }: Route): Readonly<Record<string, unknown>> | string {
  const type = exchange.headers["content-type"] ?? "";
  if (json !== undefined) {
    if (!type.startsWith("application/json")) return `the content type is ${type}`;
    return isRecord(exchange.json) ? exchange.json : "the body isn't a JSON object";
  }
  if (form !== undefined) {
    if (!type.startsWith("application/x-www-form-urlencoded")) return `the content type is ${type}`;
    return Object.fromEntries(new URLSearchParams(exchange.body));
  }
  return exchange.body === "" ? {} : "there is a body";
}
