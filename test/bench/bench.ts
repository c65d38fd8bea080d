import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compile as compileConfig } from "@configc/compiler";
import { compile as compileJq } from "@configc/jq";
import { debugRow } from "./debug.ts";
import { editorRows } from "./editor.ts";
import { app12k, appWith } from "./generate.ts";
import { comparePrograms } from "./jq/compare.ts";
import { growthOfRegexes } from "./jq/regex-growth.ts";
import { compareRegexes } from "./jq/regexes.ts";
import { memoryRows, memoryTable } from "./memory.ts";
import { compareProcesses, median, medianTime, type Time, timed } from "./processes.ts";
import { machine, type Row, table } from "./rows.ts";
import { runtimeRows } from "./runtime/runtime.ts";
import { simulationTable } from "./simulate.ts";

/** The rows of the budget table (`design.md`), as ratios to a reference in the same run. */

const only = process.argv[2];
const bin = resolve("packages/cli/bin/configc.js");
const folder = mkdtempSync(join(tmpdir(), "configc-bench-"));
const rows: Row[] = [];
const begun = machine("at the beginning");

/** Where `check` keeps what it found; without it, each run is the first. */
const cache = join(folder, "cache");
process.env["CONFIGC_CACHE_DIR"] = cache;
const forgetFirst = (name: string): void => {
  if (name === "first") rmSync(cache, { recursive: true, force: true });
};
/** Two times as a row. */
function row(what: string, ours: Time, reference: Time, budget: number): Row {
  const cpu = { ours: ours.cpu, reference: reference.cpu };
  return { what, ours: ours.wall, reference: reference.wall, cpu, unit: "ms", budget };
}

/** A check for the first time and again, each against the same reference. */
function checkRows(what: string, times: Readonly<Record<string, Time>>, first: number, again: number): Row[] {
  return [
    row(`${what}, for the first time`, times["first"]!, times["reference"]!, first),
    row(`${what}, again`, times["again"]!, times["reference"]!, again),
  ];
}

function section(name: string, measure: () => Row[]): void {
  if (only !== undefined && !name.includes(only)) return;
  process.stderr.write(`${name} …\n`);
  rows.push(...measure());
}

section("check one", () => {
  writeFileSync(join(folder, "one.app.json"), app12k(1));
  writeFileSync(join(folder, "empty.mjs"), "");
  const check = [bin, "check", join(folder, "one.app.json")];
  const times = compareProcesses(
    { first: check, again: check, reference: [join(folder, "empty.mjs")] },
    15,
    forgetFirst,
  );
  return checkRows("check, one 12 kB config, whole process", times, 2, 2);
});

/** So many files at once, how often that is measured, and the budget of a first run. */
const manies = [
  { files: 10, runs: 15, budget: 2.5 },
  { files: 50, runs: 11, budget: 4 },
  { files: 200, runs: 9, budget: 8 },
  { files: 1000, runs: 7, budget: 10 },
];

for (const { files, runs, budget } of manies)
  section(`check many ${files}`, () => {
    const many = join(folder, `many-${files}`);
    mkdirSync(many);
    for (let i = 0; i < files; i++) writeFileSync(join(many, `app-${i}.app.json`), app12k(i));
    const script = join(folder, `parse-${files}.mjs`);
    writeFileSync(
      script,
      `import {readdirSync,readFileSync} from "node:fs"; for (const f of readdirSync(${JSON.stringify(many)})) JSON.parse(readFileSync(${JSON.stringify(many)} + "/" + f, "utf8"));`,
    );
    const check = [bin, "check", many];
    const times = compareProcesses({ first: check, again: check, reference: [script] }, runs, forgetFirst);
    return checkRows(`check, ${files} configs of 12 kB, whole process`, times, budget, 1.3);
  });

section("check warm", () => {
  // Documents never seen: the same ones again would be found in caches by text.
  for (let i = 0; i < 1000; i++) compileConfig(app12k(i)).diagnostics;
  const texts = Array.from({ length: 1000 }, (_, index) => app12k(1000 + index));
  const ours = texts.map((text) => timed(() => compileConfig(text).diagnostics));
  const reference = texts.map((text) => timed(() => JSON.parse(text)));
  const what = "a new config of 12 kB in a process that has compiled 1,000 others, to `JSON.parse`";
  return [row(what, medianTime(ours), medianTime(reference), Number.POSITIVE_INFINITY)];
});

section("check growth", () => {
  const large = appWith(1000);
  const small = Array.from({ length: 100 }, (_, index) => appWith(10, 10 * index));
  const times = { small: [] as Time[], large: [] as Time[] };
  // The same workflows on either side: of a single small document most would be done between two garbage collections, and the one
  // that is compiled again and again finds all its programs known.
  for (let run = 0; run < 9; run++) {
    const { wall, cpu } = timed(() => small.map((text) => compileConfig(text).diagnostics));
    times.small.push({ wall: wall / small.length, cpu: cpu / small.length });
    times.large.push(timed(() => compileConfig(large).diagnostics));
  }
  const [smallFile, largeFile] = ["small.app.json", "large.app.json"].map((name) => join(folder, name));
  writeFileSync(smallFile!, small[0]!);
  writeFileSync(largeFile!, large);
  const processes = compareProcesses(
    { small: [bin, "check", smallFile!], large: [bin, "check", largeFile!] },
    9,
    () => rmSync(cache, { recursive: true, force: true }),
  );
  return [
    row(
      "growth of check from 10 to 1,000 workflows, whole process, for the first time",
      processes["large"]!,
      processes["small"]!,
      120,
    ),
    row(
      "the same in a warm process, without starting",
      medianTime(times.large),
      medianTime(times.small),
      120,
    ),
  ];
});

section("build", () => {
  const built = join(folder, "built.mjs");
  const shop = resolve("examples/shop/shop.app.json");
  spawnSync(process.execPath, [bin, "build", shop, "-o", built], { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(join(folder, "nothing.mjs"), "export const app = 1;");
  for (const name of ["built", "nothing"])
    writeFileSync(join(folder, `import-${name}.mjs`), `import "./${name}.mjs";`);
  const times = compareProcesses(
    { ours: [join(folder, "import-built.mjs")], node: [join(folder, "import-nothing.mjs")] },
    15,
  );
  // 30 ms on top of the 54 ms that Node takes for nothing.
  const what = "import of a module by `configc build`, whole process";
  return [row(what, times["ours"]!, times["node"]!, 1.55)];
});

section("jq", () => {
  const input = { items: Array.from({ length: 100 }, (_, i) => ({ id: i, name: `Name ${i}`, extra: [i] })) };
  const { filter } = compileJq("[.items[] | {display: .name, value: .id}]");
  const closure = (value: typeof input) => value.items.map(({ name, id }) => ({ display: name, value: id }));
  const ours: number[] = [];
  const hand: number[] = [];
  for (let run = 0; run < 20; run++) {
    ours.push(timed(() => repeat(2000, () => filter!.first(input))).wall / 2);
    hand.push(timed(() => repeat(2000, () => closure(input))).wall / 2);
  }
  return [
    {
      what: "jq map of 100 items, compiled once, to a JS closure",
      ours: median(ours),
      reference: median(hand),
      unit: "µs",
      budget: 20,
    },
  ];
});

if (only === undefined || "debug".includes(only)) {
  process.stderr.write("debug …\n");
  const what = "CPU of a debugged run without a breakpoint, to `configc run`";
  rows.push({ what, ...(await debugRow(bin, folder)), unit: "s", budget: 1.2 });
}
rmSync(folder, { recursive: true });
if (only === undefined || "editor".includes(only)) {
  process.stderr.write("editor …\n");
  rows.push(...(await editorRows()));
}
if (only === undefined || "runtime".includes(only)) {
  process.stderr.write("runtime …\n");
  rows.push(...(await runtimeRows()));
}
process.stdout.write(`${begun}\n${machine("at the end")}\n\n${table(rows)}`);
if (only === undefined || "simulate".includes(only)) {
  process.stderr.write("simulate …\n");
  process.stdout.write(`\n${await simulationTable()}\n`);
}
if (only === undefined || "memory".includes(only)) {
  process.stderr.write("memory …\n");
  process.stdout.write(`\n${memoryTable(await memoryRows())}\n`);
}
if (only === undefined || "programs".includes(only)) {
  process.stderr.write("jq programs …\n");
  process.stdout.write(`\n${await comparePrograms()}\n`);
}
if (only === undefined || "regexes".includes(only)) {
  process.stderr.write("regular expressions …\n");
  process.stdout.write(`\n${compareRegexes()}\n\n${growthOfRegexes()}\n`);
}

function repeat(times: number, work: () => unknown): void {
  for (let i = 0; i < times; i++) work();
}
