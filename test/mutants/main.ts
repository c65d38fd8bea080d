// Applies single mistakes to every valid example and template and checks that each is found where it is.
//
//   npm run mutants                          every kind, as a table
//   npm run mutants -- --verbose KIND        prints the missed mutants of kinds whose name begins so ("" is all)
//   npm run mutants -- --only KIND           runs only those kinds
//   npm run mutants -- --limit N             at most N mutants of a kind in each document; all of kinds with a threshold of their own
import { parseArgs } from "node:util";
import { documents, documentsFor } from "./documents.ts";
import { kinds } from "./kinds/index.ts";
import { missText, percent, table, tally, total } from "./report.ts";
import { baseOf, isLoud, judge, mutantsOf, passed } from "./run.ts";
import { thresholds } from "./thresholds.ts";

const { values } = parseArgs({
  options: { verbose: { type: "string" }, only: { type: "string" }, limit: { type: "string" } },
});
const { overall, ofKind, exceptions } = thresholds;
/** Thresholds of single kinds are made for all of their mutants, which are few: one of ten is another share than one of fifteen. */
const limitOf = (kind: string): number | undefined =>
  values.limit === undefined || exceptions[kind] !== undefined ? undefined : Number(values.limit);
for (const config of documents) {
  const loud = baseOf(config).filter(isLoud);
  for (const { severity, rule, message } of loud) {
    console.log(`${config.path} isn't clean: ${severity} ${rule} ${message}`);
    process.exitCode = 1;
  }
}

const tallies = kinds
  .filter(({ name }) => values.only === undefined || name.startsWith(values.only))
  .map((kind) => {
    const results = documentsFor(kind).flatMap((config) =>
      [...mutantsOf(kind, config, limitOf(kind.name))].map((mutant) => judge(kind, config, mutant)),
    );
    if (values.verbose !== undefined && kind.name.startsWith(values.verbose)) {
      for (const result of results) if (!passed(result)) console.log(`${missText(result)}\n`);
    }
    return tally(kind, results);
  });

console.log(table(tallies));
const sum = total(tallies);
console.log(
  `\n${sum.passed} of ${sum.mutants} mutants found as they should be: ${percent(sum.passed, sum.mutants)}`,
);

for (const each of tallies) {
  const wanted = exceptions[each.kind.name] ?? ofKind;
  if (each.mutants > 0 && each.passed / each.mutants >= wanted) continue;
  console.log(
    each.mutants === 0
      ? `${each.kind.name} has no mutant`
      : `${each.kind.name} is below ${percent(wanted, 1)}: ${percent(each.passed, each.mutants)}`,
  );
  process.exitCode = 1;
}
if (sum.passed / sum.mutants < overall) {
  console.log(`The total is below ${percent(overall, 1)}.`);
  process.exitCode = 1;
}
