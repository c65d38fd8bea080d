import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Fault, Faults, type Paths } from "./faults.ts";
import { Hooks } from "./hooks.ts";
import { OAuthServer } from "./oauth.ts";
import { type People, peopleOf } from "./people.ts";
import { type Exchange, readRequest, send } from "./request.ts";

/** How the service behaves; everything can be changed while it runs. */
export interface ApiOptions {
  /** How many people it has at first. */
  readonly people?: number;
  /** Seconds that an access token lives; 0 is none. */
  readonly tokenLifetime?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface Quota {
  readonly requests: number;
  /** Milliseconds. */
  readonly period: number;
  /** How `Retry-After` is written. */
  readonly retryAfter: "seconds" | "date" | "none";
}

/**
 * A third party of our own: a real HTTP server on loopback with OAuth, three ways to go through pages, webhooks that call back,
 * quotas, and answers that are slow, broken or hostile. Tests of flows run against it.
 */
export class Api {
  readonly oauth: OAuthServer;
  readonly hooks: Hooks;
  readonly people: People;
  /** Every request that arrived, refused ones too. */
  readonly requests: Exchange[] = [];
  /** Undefined: requests carry no credentials and none are asked for. */
  requiresToken = true;
  quota: Quota | undefined;
  readonly #faults = new Faults();
  readonly #server: Server;
  readonly #now: () => number;
  #recent: number[] = [];

  private constructor(server: Server, { people = 25, tokenLifetime = 3600, now = Date.now }: ApiOptions) {
    this.#server = server;
    this.#now = now;
    this.people = peopleOf(people);
    this.oauth = new OAuthServer(now, tokenLifetime);
    this.hooks = new Hooks();
  }

  static async start(options: ApiOptions = {}): Promise<Api> {
    const server = createServer();
    const api = new Api(server, options);
    server.on("request", async (incoming, response) => {
      const exchange = await readRequest(incoming);
      api.requests.push(exchange);
      try {
        const fault = api.#faults.take(exchange);
        if (fault !== undefined) await fault(exchange, response);
        else send(response, await api.#answer(exchange));
      } catch (error) {
        send(response, { status: 500, json: { error: String(error) } });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return api;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next requests to a path are answered so, one fault each. */
  fault(path: Paths, ...faults: readonly Fault[]): void {
    this.#faults.add(path, faults);
  }

  /** Forgets the faults that nobody has met. */
  clearFaults(): void {
    this.#faults.clear();
  }

  /** How often a path was asked for. */
  count(method: string, path: string | RegExp): number {
    return this.requests.filter(
      (each) =>
        each.method === method && (typeof path === "string" ? each.path === path : path.test(each.path)),
    ).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(exchange: Exchange) {
    const { path } = exchange;
    if (path.startsWith("/oauth/")) return this.oauth.answer(exchange);
    if (this.requiresToken && !this.oauth.accepts(exchange.headers.authorization))
      return { status: 401, json: { error: "invalid_token" }, headers: { "www-authenticate": "Bearer" } };
    const refusal = this.#overQuota();
    if (refusal !== undefined) return refusal;
    if (path === "/me") return { json: { id: 7, name: "Ada's shop", company: { id: "c-1" } } };
    return (
      this.hooks.answer(exchange) ??
      this.people.answer(exchange) ?? { status: 404, json: { error: "not_found" } }
    );
  }

  #overQuota() {
    if (this.quota === undefined) return undefined;
    const { requests, period, retryAfter } = this.quota;
    const now = this.#now();
    this.#recent = this.#recent.filter((at) => at > now - period);
    if (this.#recent.length < requests) {
      this.#recent.push(now);
      return undefined;
    }
    const free = (this.#recent[0] ?? now) + period;
    const header: Record<string, string> =
      retryAfter === "none"
        ? {}
        : {
            "retry-after":
              retryAfter === "seconds"
                ? `${Math.ceil((free - now) / 1_000)}`
                : new Date(Math.ceil(free / 1_000) * 1_000).toUTCString(),
          };
    return { status: 429, json: { error: "slow_down" }, headers: header };
  }
}
