import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import fc from "fast-check";
import { type Reached, soundness } from "./soundness.ts";

// The long run: `node scripts/ts.mjs packages/jq/test/types/soundness-main.ts [SECONDS] [SEED]`. Each seed has a worker of
// its own, which is ended if it takes too long: that a program hangs the inference is a finding too.
const RUNS = 500;
/** Milliseconds of CPU: on a busy machine a worker may wait for minutes. */
const LONGEST = 120_000;

interface Verdict {
  readonly failure?: string;
  readonly reached: Reached;
}

function checkSeed(seed: number): Verdict {
  const reached: Reached = { outputs: 0, counted: 0, fails: 0, findings: 0, alarms: 0 };
  const { failed, errorInstance } = fc.check(soundness(reached), { numRuns: RUNS, seed });
  if (!failed) return { reached };
  return { reached, failure: errorInstance instanceof Error ? errorInstance.message : String(errorInstance) };
}

function inWorker(seed: number): Promise<Verdict | "hangs"> {
  const self = fileURLToPath(import.meta.url);
  const worker = new Worker(new URL("../../../../scripts/ts.mjs", import.meta.url), {
    argv: [self],
    workerData: { seed },
  });
  return new Promise((settle, reject) => {
    const begun = cpuTime();
    const watchdog = setInterval(() => {
      if (cpuTime() - begun < LONGEST) return;
      clearInterval(watchdog);
      settle("hangs");
      void worker.terminate();
    }, 1000);
    worker.once("message", (verdict: Verdict) => {
      clearInterval(watchdog);
      settle(verdict);
    });
    worker.once("error", reject);
  });
}

/** Milliseconds that this process has used, with all its threads. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function main(seconds: number, first: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const sum: Reached = { outputs: 0, counted: 0, fails: 0, findings: 0, alarms: 0 };
  let [seed, failures] = [first, 0];
  process.stdout.write(`from seed ${first}\n`);
  for (; performance.now() < end; seed++) {
    const verdict = await inWorker(seed);
    const failure = verdict === "hangs" ? "takes too long" : verdict.failure;
    if (failure !== undefined) {
      failures++;
      process.stdout.write(`seed ${seed}: ${failure}\n`);
    }
    if (verdict === "hangs") continue;
    for (const name of Object.keys(sum) as (keyof Reached)[]) sum[name] += verdict.reached[name];
  }
  const counts = Object.entries(sum).map(([name, count]) => `${name} ${count}`);
  process.stdout.write(`${(seed - first) * RUNS} programs (${counts.join(", ")}), ${failures} failures\n`);
  process.exitCode = failures === 0 ? 0 : 1;
}

if (isMainThread) {
  const [seconds = "60", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  await main(Number(seconds), Number(seed));
} else parentPort!.postMessage(checkSeed((workerData as { seed: number }).seed));
