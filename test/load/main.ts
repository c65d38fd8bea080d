import { parseArgs } from "node:util";
import { startPostgres } from "../support/postgres.ts";
import { bundleLoadWorker, type Measured, measure } from "./measure.ts";

/*
 * `node scripts/ts.mjs test/load/main.ts [--workers 1,2,4] [--installations 200] [--items 5] [--parallel 8,64] [--answer 100]`: what a fleet
 * does on this machine, with a third party that takes its time. docs/scale.md says what the numbers mean.
 */

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "1,2,4" },
    parallel: { type: "string", default: "8,64" },
    installations: { type: "string", default: "200" },
    items: { type: "string", default: "5" },
    answer: { type: "string", default: "100" },
  },
});
const numbers = (text: string): number[] => text.split(",").map(Number);

bundleLoadWorker();
const server = await startPostgres();
try {
  console.log(
    "| workers | at once | items/s | cycle p50, p99 ms | worker CPU ms/item | Postgres CPU ms/item | transactions/item | rollbacks/item | log kB/item | MB |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const parallel of numbers(values.parallel))
    for (const workers of numbers(values.workers))
      console.log(
        row(
          await measure(server, {
            workers,
            parallel,
            installations: Number(values.installations),
            items: Number(values.items),
            answer: Number(values.answer),
          }),
        ),
      );
} finally {
  await server.stop();
}

function row({ load, ...m }: Measured): string {
  const cells = [
    load.workers,
    load.parallel,
    m.itemsPerSecond.toFixed(1),
    `${m.cycle.p50.toFixed(0)}, ${m.cycle.p99.toFixed(0)}`,
    m.workerCpu.toFixed(1),
    m.databaseCpu?.toFixed(1) ?? "?",
    m.transactions.toFixed(1),
    m.rollbacks.toFixed(2),
    (m.log / 1_024).toFixed(1),
    (m.memory / 1e6).toFixed(0),
  ];
  const wrong = m.doubles + m.failures === 0 ? "" : ` ${m.doubles} doubled, ${m.failures} failed`;
  return `| ${cells.join(" | ")} |${wrong}`;
}
