import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "../api/api.ts";
import type { Target } from "./announce.ts";
import type { WorkerArguments } from "./crash-worker.ts";
import type { Phase, Point } from "./phases.ts";
import { freePort, Worker } from "./process.ts";
import { type Expected, orphansOf, problemsOf } from "./verify.ts";

/** A process that was ended. */
export interface Kill {
  readonly phase: Phase;
  readonly point: Point;
}

/** From the first start of a service to its last end. */
export interface Life {
  readonly kills: readonly Kill[];
  /** Targets that no process came to, for what they wait for was over. */
  readonly missed: readonly Target[];
  /** How often each phase was announced in the last process, which wasn't ended. */
  readonly counts: Partial<Record<Phase, number>>;
  /** How often the customer had to connect again (E13). */
  readonly reconnected: number;
  /** Webhooks that the third party still has although nobody needs them; each is reported with its reason. */
  readonly orphans: readonly string[];
  readonly problems: readonly string[];
}

export interface LifeOptions {
  readonly bundle: string;
  readonly targets: readonly Target[];
  /** How many the third party has: the amount of work. */
  readonly people: number;
  readonly contacts: number;
}

/** Starts a service, ends it at each target in turn, lets it finish, and compares what has arrived with what was sent. */
export async function live({ bundle, targets, people, contacts }: LifeOptions): Promise<Life> {
  const directory = mkdtempSync(join(tmpdir(), "configc-crash-"));
  // Tokens live shortly, so that some are renewed in the middle of everything.
  const api = await Api.start({ people, tokenLifetime: 1 });
  const expected: Expected = {
    people: api.people.all.map(({ email }) => email),
    events: [],
    contacts: Array.from({ length: contacts }, (_, index) => `contact${index + 1}@example.com`),
  };
  const given = {
    directory,
    origin: api.origin,
    port: await freePort(),
    issued: api.oauth.issue(),
    contacts,
  };
  const kills: Kill[] = [];
  const missed: Target[] = [];
  let reconnected = 0;
  const events = emitting(api, expected.events);
  let worker: Worker | undefined;
  /** Waits for one of these words; meanwhile the customer connects again when asked to. */
  const until = async (...words: readonly string[]): Promise<string> => {
    for (;;) {
      const line = await worker!.says(...words, "broken");
      if (line !== "broken") return line;
      reconnected++;
      worker!.ask(JSON.stringify(api.oauth.issue()));
    }
  };
  try {
    for (const target of targets) {
      worker = new Worker(bundle, { ...given, target } satisfies WorkerArguments);
      const [, phase, point] = (await until("standing", "done")).split(" ");
      await worker.kill();
      if (phase === undefined) missed.push(target);
      else kills.push({ phase: phase as Phase, point: point as Point });
    }
    worker = new Worker(bundle, given);
    const counts = JSON.parse((await until("counts")).slice("counts ".length)) as Life["counts"];
    await until("done");
    await events.stop();
    // What came last is still on its way through the pipeline.
    worker.ask("finish");
    await until("settled");
    await worker.kill();
    const problems = await problemsOf(directory, api, expected);
    return { kills, missed, counts, reconnected, problems, orphans: await orphansOf(directory, api) };
  } finally {
    await worker?.kill();
    await events.stop();
    await api.close();
    rmSync(directory, { recursive: true, force: true });
  }
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
