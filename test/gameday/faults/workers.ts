import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Day } from "../day.ts";
import type { Fault } from "../fault.ts";
import { later } from "../shop.ts";

/** Has items under way at the second worker's hands when something happens to it. */
async function busy(day: Day): Promise<void> {
  day.shop.platformMood = async () => await later(300);
  await day.order(6);
  await day.pass(35);
}

const calm = async ({ shop }: Day): Promise<void> => {
  shop.platformMood = undefined;
};

export const workerFaults: readonly Fault[] = [
  {
    name: "worker-dead",
    broken: "A worker is killed in the middle of deliveries",
    options: { workers: 2 },
    async breaks(day) {
      await busy(day);
      await day.workers[1]?.kill();
    },
    signal: { metric: "max(configc_workers) < 2" },
    within: 180,
    answer: { verb: ["queues"], says: /shop: 5 active installations/ },
    mended: "The orchestrator starts another one.",
    async mends(day) {
      await calm(day);
      await day.startWorker("slot-2");
    },
    acts: [],
  },
  {
    name: "worker-stuck",
    broken: "A worker stands still for a minute, and goes on as if nothing was",
    options: { workers: 2 },
    async breaks(day) {
      await busy(day);
      day.workers[1]?.child.kill("SIGSTOP");
    },
    signal: { metric: "max(configc_workers) < 2" },
    within: 180,
    answer: { verb: ["queues"], says: /shop: 5 active installations/ },
    mended: "It goes on by itself.",
    async mends(day) {
      await calm(day);
      day.workers[1]?.child.kill("SIGCONT");
    },
    acts: [],
  },
  {
    name: "no-workers",
    broken: "All workers are gone, and those that are started don't come up",
    async breaks(day) {
      await day.worker.kill();
      await day.order(1);
    },
    signal: { alert: "ConfigcNoWorkers" },
    within: 30,
    answer: { verb: ["queues"], says: /shop: 5 active installations/ },
    mended: "Workers come up; the service sends again what nobody took.",
    async mends(day) {
      await day.startWorker("slot-1");
      for (const order of day.shop.orders.get("w1") ?? []) await day.shop.tell("w1", order);
    },
    acts: [["retry", "shop"]],
    nextCycle: true,
  },
  {
    name: "wrong-clock",
    broken: "The clock of a worker is ten minutes ahead",
    options: { workers: 2 },
    async breaks(day) {
      const path = join(day.folder, "clock.mjs");
      writeFileSync(
        path,
        `const Real = Date, now = () => Real.now() + 600_000;
globalThis.Date = new Proxy(Real, {
  construct: (_, given) => Reflect.construct(Real, given.length === 0 ? [now()] : given),
  get: (real, name) => (name === "now" ? now : Reflect.get(real, name)),
});`,
      );
      await day.workers[1]?.end();
      await day.startWorker("slot-2", { NODE_OPTIONS: `--import ${path}` });
      await day.order(2);
    },
    signal: { log: "The clock of this worker is" },
    within: 30,
    answer: { verb: ["queues"], says: /shop: 5 active installations/ },
    mended: "The clock is set right.",
    async mends(day) {
      await day.workers[1]?.end();
      await day.startWorker("slot-2");
    },
    acts: [["retry", "shop"]],
    nextCycle: true,
  },
];
