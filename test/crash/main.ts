// Ends a service at random points: `npm run crash -- POINTS SEED`.
import { crash } from "./crash.ts";

const [points = 200, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
console.log(`${points} points from seed ${seed}`);
const { problems } = await crash({
  points,
  seed,
  progress: (done) => process.stderr.write(`\r${done} of ${points}`),
});
process.stderr.write("\n");
for (const problem of problems) console.log(problem);
console.log(
  problems.length === 0 ? "Nothing was lost, nothing was delivered twice." : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
