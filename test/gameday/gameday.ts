// An operator's day: `npm run gameday -- [--at-once=N] [FAULT…]`. Each fault happens to a fleet of its own, some of them at a time.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { noSmallDisk, whereDisksGo } from "../support/small-disk.ts";
import { bundleHost } from "./day.ts";
import { needsDisk } from "./fault.ts";
import { faults } from "./faults/index.ts";
import { playOn } from "./play-on.ts";

const AT_ONCE = "--at-once=";
const given = process.argv.slice(2);
// They wait more than they work.
const atOnce = Number(
  given.find((each) => each.startsWith(AT_ONCE))?.slice(AT_ONCE.length) ?? 2 * availableParallelism(),
);
const [first, ...rest] = given.filter((each) => !each.startsWith(AT_ONCE));
const wanted = first === undefined || first === "--one" ? rest : [first, ...rest];
const chosen = faults.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const unknown = wanted.filter((name) => !faults.some((fault) => fault.name === name));
if (unknown.length > 0)
  throw new Error(
    `There is no fault ${unknown.join(", ")}; there are ${faults.map(({ name }) => name).join(", ")}.`,
  );
// Whoever ends it ends its workers.
process.once("SIGTERM", () => process.exit(143));
if (first === "--one") for (const fault of chosen) await playOn(fault);
else {
  bundleHost();
  const skipped = noSmallDisk === undefined ? [] : chosen.filter(needsDisk);
  for (const { name } of skipped) console.log(`skip ${name}: ${noSmallDisk}`);
  const waiting = chosen.filter((fault) => !skipped.includes(fault));
  const played = waiting.length;
  let good = 0;
  const work = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const begun = performance.now();
      const { status, said } = await apart(fault.name);
      const seconds = Math.round((performance.now() - begun) / 1_000);
      if (status === 0) good++;
      console.log(
        `${status === 0 ? "ok  " : "FAIL"} ${fault.name} (${seconds} s)${status === 0 ? "" : `\n${said}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(
    `${good} of ${played} faults were told, named and mended, with nothing lost or doubled${skipped.length === 0 ? "" : `; ${skipped.length} skipped`}`,
  );
  process.exitCode = good === played ? 0 : 1;
}

/** In a process of its own: what an operator does prints to its output. */
function apart(name: string): Promise<{ readonly status: number | null; readonly said: string }> {
  return new Promise((resolve) => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    // As it was when the day began, whatever becomes of the sources meanwhile.
    const bundle = `${root}node_modules/.cache/configc/gameday.mjs`;
    const [command, args] = whereDisksGo(process.execPath, ["--enable-source-maps", bundle, "--one", name]);
    const child = spawn(command, args, { cwd: root });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk;
      });
    const kill = (): void => void child.kill();
    process.once("exit", kill);
    child.on("exit", (status) => {
      process.removeListener("exit", kill);
      resolve({ status, said });
    });
  });
}
