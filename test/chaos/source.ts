import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { APART } from "./clocks.ts";

/** Milliseconds: how long an access token lives, and how much sooner it ends by what its owner is told. */
export const TOKEN_LIFE = 15_000;
const EARLY = 1_000;

/** Requests that a connection may make in a period of seconds. */
export const QUOTA = { requests: 6, period: 2 } as const;

/** Milliseconds after the fleet's state went back in which somebody may still do by what he knew of before. */
const STALE = 10_000;

/** A time of which the fleet's database knows nothing any more, in milliseconds since 1970. */
export interface Lost {
  readonly from: number;
  readonly to: number;
}

/** `silent`: no request is answered. `slow`: each answer takes that many milliseconds. */
export type Mood = "well" | "silent" | { readonly slow: number };

interface Token {
  readonly connection: string;
  readonly issued: number;
  readonly until: number;
  /** Somebody has used it: so its owner has got it, and need not have asked for another one. */
  used: boolean;
}

/**
 * A third party whose lists grow with time, with tokens that live for seconds and a limit for each connection; and the keyed sink that
 * items are delivered to. It notes every breach.
 */
export class Source {
  readonly #server: Server;
  readonly #tokens = new Map<string, Token>();
  readonly #latest = new Map<string, Token>();
  readonly #arrivals = new Map<string, number[]>();
  readonly #begun = Date.now();
  /** When it stopped to grow. */
  #grown: number | undefined;
  /** Of the third party; the sink is always well. */
  mood: Mood = "well";
  /** Cycles that were begun, by installation. */
  readonly cycles = new Map<string, { readonly number: number; readonly at: number }[]>();
  /** By key: what arrived, and when it did for the first time. */
  readonly sunk = new Map<string, { readonly item: string; readonly at: number }>();
  readonly lost: Lost[] = [];
  readonly breaches: string[] = [];
  readonly counts = { requests: 0, refreshes: 0, repeats: 0, unauthorized: 0 };

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Source> {
    const server = createServer();
    const source = new Source(server);
    server.on("request", async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const url = new URL(request.url ?? "/", "http://source");
      if (url.pathname !== "/sink" && source.mood !== "well") {
        if (source.mood === "silent") return;
        await sleep(source.mood.slow);
      }
      const { status, body } = source.#answer(
        url,
        Buffer.concat(chunks).toString(),
        request.headers.authorization?.replace("Bearer ", ""),
      );
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return source;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A token that has expired: the first thing that a connection does is to refresh it. */
  expiredToken(connection: string): { access_token: string; refresh_token: string; expires_at: number } {
    return { access_token: `none ${connection}`, refresh_token: connection, expires_at: 1 };
  }

  /** The lists don't grow any more. */
  stop(): void {
    this.#grown = Date.now();
  }

  /** The fleet's database went back to what it was then: nobody can know what happened since. */
  wentBack(from: number): void {
    this.lost.push({ from, to: Date.now() });
  }

  /** How many items an installation's list has: some to begin with, then one in five to ten seconds. */
  size(installation: string): number {
    const seconds = ((this.#grown ?? Date.now()) - this.#begun) / 1_000;
    return 3 + Math.floor(seconds / (5 + (Number(installation.replace(/\D/g, "")) % 6)));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #wentBackAt(): number {
    return this.lost.at(-1)?.to ?? 0;
  }

  #answer(url: URL, text: string, bearer: string | undefined): { status: number; body: object } {
    if (url.pathname === "/sink") {
      const { key, item } = JSON.parse(text) as { readonly key: string; readonly item: string };
      const before = this.sunk.get(key);
      if (before === undefined) this.sunk.set(key, { item, at: Date.now() });
      else if (before.item === item) this.counts.repeats++;
      else this.breaches.push(`${key} was delivered as ${before.item}, then as ${item}`);
      return { status: 200, body: {} };
    }
    if (url.pathname === "/oauth/token")
      return this.#refresh(new URLSearchParams(text).get("refresh_token") ?? "");
    this.counts.requests++;
    const token = this.#tokens.get(bearer ?? "");
    if (token !== undefined) this.#arrived(token.connection);
    if (token === undefined || token.until < Date.now()) {
      this.counts.unauthorized++;
      return { status: 401, body: { error: "invalid_token" } };
    }
    token.used = true;
    const installation = url.searchParams.get("installation") ?? "";
    if (url.pathname === "/begin") {
      const number = Number(url.searchParams.get("n"));
      const known = this.cycles.get(installation) ?? [];
      // One that was interrupted before it was kept begins again under its number.
      if (known.at(-1)?.number !== number) known.push({ number, at: Date.now() });
      this.cycles.set(installation, known);
      return { status: 200, body: {} };
    }
    const since = Number(url.searchParams.get("since"));
    const size = this.size(installation);
    const ids = Array.from(
      { length: Math.max(0, Math.min(5, size - since)) },
      (_, index) => since + index + 1,
    );
    return {
      status: 200,
      body: {
        items: ids.map((id) => ({ id: `${installation} ${id}`, email: `p${id}@example.com` })),
        next: since + ids.length,
        more: size - since > 5,
      },
    };
  }

  #refresh(connection: string): { status: number; body: object } {
    this.counts.refreshes++;
    const latest = this.#latest.get(connection);
    // A new token that was used has reached its owner: nobody has a reason to ask for another.
    const isKnown = latest?.used === true && latest.issued > this.#wentBackAt;
    // Who asks may be ahead of who wrote down when it ends.
    if (isKnown && latest.until - EARLY - 2 * APART > Date.now() + 100)
      this.breaches.push(
        `${connection} was refreshed though its token is good for ${latest.until - Date.now()} ms`,
      );
    const token: Token = { connection, issued: Date.now(), until: Date.now() + TOKEN_LIFE, used: false };
    const text = `${connection} ${crypto.randomUUID()}`;
    this.#tokens.set(text, token);
    this.#latest.set(connection, token);
    // As it is told, it ends a little before it does.
    return {
      status: 200,
      body: { access_token: text, refresh_token: connection, expires_in: TOKEN_LIFE / 1_000 - 1 },
    };
  }

  #arrived(connection: string): void {
    const now = performance.now();
    const recent = (this.#arrivals.get(connection) ?? []).filter((at) => at > now - QUOTA.period * 1_000);
    recent.push(now);
    this.#arrivals.set(connection, recent);
    // Who counts doesn't know of the requests from before.
    const isCounted = Date.now() > this.#wentBackAt + STALE;
    if (recent.length > QUOTA.requests && isCounted)
      this.breaches.push(`${connection} made ${recent.length} requests within ${QUOTA.period} s`);
  }
}
