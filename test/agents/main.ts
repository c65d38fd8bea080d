import { spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { callsOf } from "./calls.ts";
import { verdictOf } from "./judge/verdict.ts";
import { environment, prepare } from "./prepare.ts";
import { type Row, tableOf } from "./table.ts";
import { tasks } from "./tasks.ts";
import { tokensIn } from "./usage.ts";

// How well coding agents write apps, with our tools and without.
// Usage: npm run agents -- --agent COMMAND [--task ID]… [--tools with|without|both] [--out FOLDER] [--minutes 15]
//        npm run agents -- --prepare FOLDER | --judge FOLDER, for an agent that somebody starts by hand
// COMMAND is run by a shell in the folder of a task and gets the task on its standard input. If it prints JSON with `usage`, tokens are told.

const { values } = parseArgs({
  options: {
    agent: { type: "string" },
    task: { type: "string", multiple: true },
    tools: { type: "string", default: "both" },
    out: { type: "string" },
    minutes: { type: "string", default: "15" },
    prepare: { type: "string" },
    judge: { type: "string" },
  },
});
const chosen = tasks.filter(({ id }) => values.task === undefined || values.task.includes(id));
const ways = values.tools === "both" ? [true, false] : [values.tools === "with"];
const rows: Row[] = [];

if (values.prepare !== undefined) {
  each(values.prepare, (task, folder, withTools) => void prepare(task, folder, withTools));
  console.log(
    `Prepared: ${chosen.map(({ id }) => id).join(", ")}. Then: npm run agents -- --judge ${values.prepare}`,
  );
} else if (values.judge !== undefined) {
  for (const [task, folder, withTools] of places(values.judge))
    if (existsSync(folder))
      rows.push({ verdict: await verdictOf(task, folder), withTools, calls: callsOf(folder) });
  console.log(tableOf(rows));
} else if (values.agent !== undefined) {
  const out = values.out ?? mkdtempSync(join(tmpdir(), "configc-agents-"));
  console.error(`Folders of tasks are kept in ${out}.`);
  for (const [task, folder, withTools] of places(out)) {
    const start = Date.now();
    const output = await run(values.agent, folder, prepare(task, folder, withTools), withTools);
    const seconds = Math.round((Date.now() - start) / 1_000);
    const verdict = await verdictOf(task, folder);
    rows.push({ verdict, withTools, tokens: tokensIn(output), seconds, calls: callsOf(folder) });
    console.error(`${task.id}: ${verdict.passed ? "passed" : `failed: ${verdict.problems[0]}`}`);
  }
  console.log(tableOf(rows));
} else {
  console.error("It takes --agent COMMAND, --prepare FOLDER or --judge FOLDER.");
  process.exitCode = 2;
}

function* places(folder: string) {
  for (const withTools of ways)
    for (const task of chosen)
      yield [task, join(resolve(folder), withTools ? "with" : "without", task.id), withTools] as const;
}

function each(folder: string, work: (...place: Parameters<typeof prepare>) => void): void {
  for (const place of places(folder)) work(...place);
}

/** @returns what the agent printed; one that takes too long is ended, and judged by what it has written */
function run(command: string, cwd: string, prompt: string, withTools: boolean): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, {
      cwd,
      shell: true,
      env: environment(withTools),
      stdio: ["pipe", "pipe", "inherit"],
      timeout: Number(values.minutes) * 60_000,
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    child.on("error", fail);
    child.on("close", () => done(output));
    // An agent may not read its task to the end.
    child.stdin.on("error", () => undefined).end(prompt);
  });
}
