// Ends a service at points of each phase: `npm run crash -- POINTS SEED`.
import { crash } from "./crash.ts";
import { tableOf } from "./table.ts";

const [points = 300, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
console.log(`${points} points from seed ${seed}`);
const report = await crash({
  points,
  seed,
  progress: (done) => process.stderr.write(`\r${done} of ${points}`),
});
const { problems, orphans, reconnected } = report;
process.stderr.write("\n");
console.log(tableOf(report));
console.log(
  `Customers who had to connect again, since a renewed token was lost with its process: ${reconnected}`,
);
console.log(`Webhooks that stayed at the third party and are reported: ${orphans.length}`);
for (const orphan of orphans) console.log(`  ${orphan}`);
for (const problem of problems) console.log(problem);
console.log(
  problems.length === 0 ? "Nothing was lost, nothing was delivered twice." : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
