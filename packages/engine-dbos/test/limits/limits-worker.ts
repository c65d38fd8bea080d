import { Agent, get } from "node:http";
import { postgresStore } from "../../src/index.ts";

/** A process that sends as many requests as its limits allow, several at a time: for the test of that. */
export interface LimitsWorker {
  readonly url: string;
  /** Where the requests go. */
  readonly server: string;
  readonly requests: number;
  /** Seconds. */
  readonly period: number;
  readonly parallel: number;
  /** Milliseconds for which it sends. */
  readonly lasts: number;
}

const [given] = process.argv.slice(2);
// Without arguments it was only to be bundled.
if (given !== undefined) await work(JSON.parse(given) as LimitsWorker);

async function work({ url, server, requests, period, parallel, lasts }: LimitsWorker): Promise<void> {
  const store = await postgresStore({ url });
  const agent = new Agent({ keepAlive: true });
  const stop = AbortSignal.timeout(lasts);
  const line = async (): Promise<void> => {
    for (;;) {
      const release = await store.rateLimits.acquire(
        "app/read",
        { requests, period },
        { signal: stop, longest: 1_000, onWait: () => undefined },
      );
      await new Promise<void>((resolve, reject) => {
        get(server, { agent }, (response) => response.resume().on("end", () => resolve())).on(
          "error",
          reject,
        );
      }).finally(release);
    }
  };
  await Promise.allSettled(Array.from({ length: parallel }, line));
  await store.close();
  agent.destroy();
}
