import pg from "pg";
import { pause } from "./database.ts";

/**
 * One connection on which a process is told of what it waits for, whatever that is. While there is none (the database is away, or
 * a pooler is in between) nothing is told: who waits has to look by himself now and then, too.
 */
export class Listener {
  readonly #url: string;
  readonly #heard = new Map<string, Set<() => void>>();
  #client: pg.Client | undefined;
  #closed = false;
  #running: Promise<void> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Calls back at each message of that text, until the returned function is called. */
  on(message: string, callback: () => void): () => void {
    this.#running ??= this.#run();
    let callbacks = this.#heard.get(message);
    if (callbacks === undefined) this.#heard.set(message, (callbacks = new Set()));
    callbacks.add(callback);
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0 && this.#heard.get(message) === callbacks) this.#heard.delete(message);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let tries = 1; !this.#closed; tries++) {
      const client = new pg.Client({
        connectionString: this.#url,
        keepAlive: true,
        application_name: "configc listener",
        connectionTimeoutMillis: 10_000,
      });
      const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
      client.on("error", () => undefined);
      client.on("notification", ({ payload = "" }) => {
        for (const callback of [...(this.#heard.get(payload) ?? [])]) callback();
      });
      try {
        await client.connect();
        this.#client = client;
        await client.query(`LISTEN ${CHANNEL}`);
        if (this.#closed) await client.end();
        tries = 1;
        await ended;
      } catch {
        await client.end().catch(() => undefined);
      }
      this.#client = undefined;
      if (!this.#closed) await pause(tries);
    }
  }
}

/** What is said is a word for what it is about and the id of it: `lock …`, `limit …`. */
const CHANNEL = "configc";
