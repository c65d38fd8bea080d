import { runDifferential, summaryText } from "./run.ts";

// The long comparison with jq: `npm run differential -- [SECONDS] [SEED]`.
const [seconds = "60", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
process.stdout.write(`seed ${seed}\n`);
const summary = await runDifferential(Number(seed), { milliseconds: Number(seconds) * 1000 }, (difference) =>
  process.stdout.write(`${JSON.stringify(difference)}\n`),
);
process.stdout.write(`${summaryText(summary)}\n`);
process.exitCode = summary.differences.length > 0 ? 1 : 0;
