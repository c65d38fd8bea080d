import { Hooks } from "./hooks.ts";
import { OAuthServer } from "./oauth.ts";
import { type People, peopleOf } from "./people.ts";
import type { Answer, Exchange } from "./request.ts";
import { LoopbackServer, type ServerOptions } from "./server.ts";

export type { Quota } from "./server.ts";

export interface ApiOptions extends ServerOptions {
  /** How many people it has at first. */
  readonly people?: number;
  /** Seconds that an access token lives; 0 is none. */
  readonly tokenLifetime?: number;
}

/**
 * A third party of our own: a real HTTP server on loopback with OAuth, three ways to go through pages, webhooks that call back,
 * quotas, and answers that are slow, broken or hostile. Tests of flows run against it.
 */
export class Api extends LoopbackServer {
  readonly oauth: OAuthServer;
  readonly hooks: Hooks;
  readonly people: People;
  /** False: requests carry no credentials and none are asked for. */
  requiresToken = true;

  private constructor({ people = 25, tokenLifetime = 3600, ...options }: ApiOptions) {
    super(options);
    this.people = peopleOf(people);
    this.oauth = new OAuthServer(this.now, { lifetime: tokenLifetime });
    this.hooks = new Hooks();
  }

  static async start(options: ApiOptions = {}): Promise<Api> {
    return await new Api(options).listen();
  }

  protected async answer(exchange: Exchange): Promise<Answer> {
    const { path } = exchange;
    if (path.startsWith("/oauth/")) return this.oauth.answer(exchange);
    if (this.requiresToken && !this.oauth.accepts(exchange.headers.authorization))
      return { status: 401, json: { error: "invalid_token" }, headers: { "www-authenticate": "Bearer" } };
    const refusal = this.overQuota();
    if (refusal !== undefined) return refusal;
    if (path === "/me") return { json: { id: 7, name: "Ada's shop", company: { id: "c-1" } } };
    return (
      this.hooks.answer(exchange) ??
      this.people.answer(exchange) ?? { status: 404, json: { error: "not_found" } }
    );
  }
}
