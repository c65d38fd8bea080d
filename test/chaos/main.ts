// Disorder in a fleet for some minutes: `npm run chaos -- SECONDS SEED`.
import { chaos } from "./chaos.ts";
import { names } from "./strokes.ts";

const [seconds = 180, seed = Date.now() % 1_000_000, installations = 200, workers = 4] = process.argv
  .slice(2)
  .map(Number);
console.log(`${workers} workers, ${installations} installations, ${seconds} s from seed ${seed}`);
const begun = Date.now();
const { problems, ...report } = await chaos({
  workers,
  installations,
  seconds,
  every: 8,
  seed,
  progress: (text) => process.stderr.write(`${Math.round((Date.now() - begun) / 1_000)} s: ${text}\n`),
});
const missing = names.filter((name) => report.strokes[name] === undefined);
if (missing.length > 0) console.log(`The time was too short for: ${missing.join(", ")}.`);
for (const problem of problems.slice(0, 60)) console.log(problem);
console.log(JSON.stringify(report));
console.log(
  problems.length === 0
    ? "Nothing was lost, and nothing was doubled but what the database had forgotten."
    : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
