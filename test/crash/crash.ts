import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "../api/api.ts";
import { bundled } from "../support/bundled.ts";
import { freePort, Worker } from "./process.ts";
import { type Expected, problemsOf } from "./verify.ts";

/** Kills in one life of a service, before it may finish. */
const KILLS = 8;
/** Milliseconds after the start at which a process is ended at the latest: about as long as all its work takes. */
const LONGEST_LIFE = 350;

export interface CrashOptions {
  /** Processes that are ended. */
  readonly points: number;
  readonly seed: number;
  /** How many the third party has: the amount of work. */
  readonly people?: number;
  readonly progress?: (points: number) => void;
}

export interface CrashReport {
  readonly points: number;
  /** Where a state was wrong, with the seed of its service. */
  readonly problems: readonly string[];
}

/**
 * Ends a service at random points while it registers a webhook, polls, imports history and takes deliveries, starts it again, and
 * in the end compares what its target has got with what the third party has (design.md, "State").
 */
export async function crash({ points, seed, people = 230, progress }: CrashOptions): Promise<CrashReport> {
  const bundle = bundled("test/crash/crash-worker.ts");
  const problems: string[] = [];
  for (let done = 0, life = 0; done < points; life++) {
    const kills = Math.min(KILLS, points - done);
    const found = await oneLife(bundle, kills, seed + life, people);
    problems.push(...found.map((problem) => `seed ${seed + life}: ${problem}`));
    done += kills;
    progress?.(done);
  }
  return { points, problems };
}

async function oneLife(
  bundle: string,
  kills: number,
  seed: number,
  people: number,
): Promise<readonly string[]> {
  const random = randomOf(seed);
  const directory = mkdtempSync(join(tmpdir(), "configc-crash-"));
  const api = await Api.start({ people });
  let worker: Worker | undefined;
  try {
    const { access_token: token } = api.oauth.issue();
    const given = { directory, origin: api.origin, port: await freePort(), token };
    const expected: Expected = { people: api.people.all.map(({ email }) => email), events: [] };
    const events = emitting(api, expected.events);
    for (let kill = 0; kill < kills; kill++) {
      worker = new Worker(bundle, given);
      await worker.says("ready");
      await killPoint(api, random);
      await worker.kill();
    }
    worker = new Worker(bundle, given);
    await worker.says("done");
    await events.stop();
    // What came last is still on its way through the pipeline.
    worker.ask("finish");
    await worker.says("settled");
    await worker.kill();
    return await problemsOf(directory, api, expected);
  } finally {
    await worker?.kill();
    await api.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Either after some time, or when the third party is asked for something: before it answers. */
async function killPoint(api: Api, random: () => number): Promise<void> {
  const life = new Promise<void>((resolve) => setTimeout(resolve, random() * LONGEST_LIFE));
  if (random() < 0.5) return await life;
  const asked = new Promise<void>((resolve) =>
    api.fault(/./, () => {
      resolve();
    }),
  );
  await Promise.race([asked, life]);
  api.clearFaults();
}

/** Sends an event now and then, each until it is taken: as services do. */
function emitting(api: Api, taken: string[]): { stop(): Promise<void> } {
  let stopped = false;
  const run = async (): Promise<void> => {
    for (let number = 1; !stopped; number++) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      const email = `event${number}@example.com`;
      const headers = { "x-people-delivery": `event-${number}` };
      for (;;) {
        const answers = await api.hooks.emit("person.created", { email, name: "E" }, headers);
        if (answers.includes(200)) {
          taken.push(email);
          break;
        }
        if (stopped || answers.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const running = run();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Mulberry32: the same points for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
