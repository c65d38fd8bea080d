import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, a text as it is. */
  readonly body?: unknown;
  /** The connection is cut instead. */
  readonly cut?: true;
}

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of the account whose token was sent. */
  readonly account: string | undefined;
  /** What the shop would answer. */
  readonly usual: () => Reply;
}

/** A request as it came. */
interface Sent extends Omit<Asked, "usual"> {
  readonly method: string;
  readonly text: string;
  readonly authorization: string;
}

export interface Order {
  readonly id: number;
  email: string | null;
}

/** A shop with accounts, tokens and webhooks, and the keyed sink of the platform, both over HTTP. */
export class Shop {
  readonly #api: Server;
  readonly #sink: Server;
  #apiPort = 0;
  readonly orders = new Map<string, Order[]>();
  readonly #tokens = new Map<string, string>();
  readonly #refreshTokens = new Map<string, string>();
  #issued = 0;
  #deliveries = 0;
  /** What it answers instead of the usual. */
  mood: ((asked: Asked) => Reply | undefined | Promise<Reply | undefined>) | undefined;
  /** The app's secret, as the shop knows it. */
  appSecret = "app-secret";
  readonly hooks = new Map<number, { readonly url: string; readonly account: string; secret: string }>();
  /** By key: what arrived at the platform. */
  readonly sunk = new Map<string, string>();
  /** What came under a key that was known as something else. */
  readonly breaches: string[] = [];
  /** Before the platform answers; what it throws is a 503. */
  platformMood: (() => Promise<void>) | undefined;
  /** Listens again, after `leave`. */
  back: (() => Promise<void>) | undefined;

  private constructor() {
    this.#api = createServer((request, response) => void this.#answer(request, response));
    this.#sink = createServer((request, response) => void this.#take(request, response));
  }

  static async open(): Promise<Shop> {
    const shop = new Shop();
    for (const server of [shop.#api, shop.#sink])
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    shop.#apiPort = (shop.#api.address() as AddressInfo).port;
    return shop;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#apiPort}`;
  }

  get sinkUrl(): string {
    return `http://127.0.0.1:${(this.#sink.address() as AddressInfo).port}/contacts`;
  }

  /** Nobody listens at its address any more. @returns listens again */
  async leave(): Promise<() => Promise<void>> {
    this.#api.closeAllConnections();
    await new Promise((resolve) => this.#api.close(resolve));
    return () => new Promise<void>((resolve) => this.#api.listen(this.#apiPort, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    for (const server of [this.#api, this.#sink]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** A new order of an account; its address is its own. */
  order(account: string, email?: string | null): Order {
    const known = this.orders.get(account) ?? [];
    const id = known.length + 1;
    const order: Order = { id, email: email === undefined ? `${account}-${id}@example.com` : email };
    this.orders.set(account, [...known, order]);
    return order;
  }

  credential(account: string): { access_token: string; refresh_token: string; expires_at: number } {
    const refresh = `r ${account} ${++this.#issued}`;
    this.#refreshTokens.set(refresh, account);
    return { ...this.#access(account), refresh_token: refresh, expires_at: Date.now() + 3_600_000 * 24 };
  }

  /** No token of an account is good any more. */
  revoke(account: string): void {
    for (const tokens of [this.#tokens, this.#refreshTokens])
      for (const [token, whose] of tokens) if (whose === account) tokens.delete(token);
  }

  /** Access tokens are good no more, so they are renewed. */
  expire(account?: string): void {
    for (const [token, whose] of this.#tokens)
      if (account === undefined || whose === account) this.#tokens.delete(token);
  }

  /** Tells a webhook of an order. @returns the statuses of its answers; 0 without one */
  async tell(account: string, order: Order, { times = 1, forged = false } = {}): Promise<readonly number[]> {
    const statuses: number[] = [];
    const number = `d${++this.#deliveries}`;
    for (const { url, secret } of [...this.hooks.values()].filter((hook) => hook.account === account)) {
      const body = JSON.stringify({ id: order.id });
      const signature = createHmac("sha256", forged ? "guessed" : secret)
        .update(body)
        .digest("hex");
      const headers = {
        "content-type": "application/json",
        "x-shop-signature": signature,
        "x-shop-delivery": number,
      };
      const send = async (): Promise<number> =>
        await fetch(url, { method: "POST", body, headers }).then(
          ({ status }) => status,
          () => 0,
        );
      statuses.push(...(await Promise.all(Array.from({ length: times }, send))));
    }
    return statuses;
  }

  #access(account: string): { access_token: string } {
    const token = `t ${account} ${++this.#issued}`;
    this.#tokens.set(token, account);
    return { access_token: token };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const url = new URL(request.url ?? "/", "http://shop");
    const { authorization = "" } = request.headers;
    const account = this.#tokens.get(authorization.replace("Bearer ", ""));
    const { pathname: path, searchParams: query } = url;
    const usual = (): Reply =>
      this.#usual({ method: request.method ?? "", path, query, account, text, authorization });
    const reply = (await this.mood?.({ path, query, account, usual })) ?? usual();
    if (reply.cut === true) return void response.destroy();
    const { status = 200, headers = {}, body = {} } = reply;
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }

  #usual({ method, path, query, account, text, authorization }: Sent): Reply {
    if (path === "/token") return this.#renew(new URLSearchParams(text), authorization);
    if (account === undefined) return { status: 401, body: { error: "invalid_token" } };
    if (path === "/me") return { body: { account } };
    if (path === "/hooks" && method === "POST") {
      const { url } = JSON.parse(text) as { readonly url: string };
      const id = this.hooks.size + 1;
      const secret = `s${id}`;
      this.hooks.set(id, { url, account, secret });
      return { status: 201, body: { id, secret } };
    }
    if (path.startsWith("/hooks/")) {
      this.hooks.delete(Number(path.slice(7)));
      return { status: 204, body: "" };
    }
    const all = this.orders.get(account) ?? [];
    if (path === "/orders") {
      const since = Number(query.get("since"));
      const page = all.filter(({ id }) => id > since).slice(0, 50);
      const until = page.at(-1)?.id ?? since;
      return { body: { orders: page.map(({ id }) => ({ id })), until, more: until < all.length } };
    }
    const found = all.find(({ id }) => id === Number(path.slice("/orders/".length)));
    return found === undefined ? { status: 404, body: { error: "no such order" } } : { body: found };
  }

  /** Tokens rotate: a refresh token is good once. */
  #renew(form: URLSearchParams, authorization: string): Reply {
    const [, basic = ""] = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");
    const secret = form.get("client_secret") ?? basic;
    const known = form.get("refresh_token") ?? "";
    const account = this.#refreshTokens.get(known);
    if (secret !== this.appSecret) return { status: 401, body: { error: "invalid_client" } };
    if (account === undefined) return { status: 400, body: { error: "invalid_grant" } };
    this.#refreshTokens.delete(known);
    const { access_token, refresh_token } = this.credential(account);
    return { body: { access_token, refresh_token, expires_in: 86_400 } };
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { key, email } = JSON.parse(await bodyOf(request)) as {
      readonly key: string;
      readonly email: string;
    };
    try {
      await this.platformMood?.();
    } catch {
      return void response.writeHead(503).end("{}");
    }
    const before = this.sunk.get(key);
    if (before !== undefined && before !== email)
      this.breaches.push(`${key} came as ${before}, then as ${email}`);
    this.sunk.set(key, email);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** For a service that is slow. */
export const later = sleep;
