import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Fault, Faults, type Paths } from "./faults.ts";
import { type Answer, type Exchange, readRequest, send } from "./request.ts";

/** How a server behaves; everything can be changed while it runs. */
export interface ServerOptions {
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

/** A real HTTP server on loopback that counts, refuses and fails as it is told; what it answers otherwise, its kinds say. */
export abstract class LoopbackServer {
  /** Every request that arrived, refused ones too. */
  readonly requests: Exchange[] = [];
  quota: Quota | undefined;
  readonly now: () => number;
  readonly #faults = new Faults();
  readonly #server: Server = createServer();
  #recent: number[] = [];

  protected constructor({ now = Date.now }: ServerOptions) {
    this.now = now;
    this.#server.on("request", async (incoming, response) => {
      const exchange = await readRequest(incoming);
      this.requests.push(exchange);
      try {
        const fault = this.#faults.take(exchange);
        const answer = async (): Promise<Answer> => await this.answer(exchange);
        if (fault !== undefined) await fault(exchange, response, answer);
        else send(response, await answer());
      } catch (error) {
        send(response, { status: 500, json: { error: String(error) } });
      }
    });
  }

  protected abstract answer(exchange: Exchange): Answer | Promise<Answer>;

  protected async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
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

  /** Counts a request, and refuses it if there were too many. */
  protected overQuota(): Answer | undefined {
    if (this.quota === undefined) return undefined;
    const { requests, period, retryAfter } = this.quota;
    const now = this.now();
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
