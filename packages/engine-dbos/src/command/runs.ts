import { systemClock } from "@configc/host";
import { DbosEngine } from "../engine/dbos-engine.ts";
import { journalError } from "../engine/journal.ts";
import { Database } from "../postgres/database.ts";
import { type RecordedStep, type Run, Runs } from "../runs/runs.ts";
import { postgresStore } from "../store/index.ts";
import { checkSchema } from "../store/migrate.ts";
import { savedFailures, storyLines, toldOf } from "../stories/index.ts";
import { assignCustomer } from "../worker/assign.ts";
import { vaultAtHand } from "./answers/database.ts";
import { readConfiguration } from "./configuration.ts";
import { print } from "./output.ts";
import { type Arguments, type Environment, UsageError } from "./usage.ts";

async function withRuns<R>(
  { config }: Arguments,
  environment: Environment,
  work: (runs: Runs, database: Database, url: string) => Promise<R>,
): Promise<R> {
  const { database: url } = await readConfiguration(config, environment);
  const database = new Database({ url, connections: 2 });
  try {
    await checkSchema(database);
    const runs = await Runs.open(url, database);
    try {
      return await work(runs, database, url);
    } catch (error) {
      throw journalError(error);
    } finally {
      await runs.close();
    }
  } finally {
    await database.close();
  }
}

/** Shows a run with its steps, or the newest ones. */
export async function inspect(args: Arguments, environment: Environment): Promise<number> {
  const [id] = args.operands;
  await withRuns(args, environment, async (runs, database) => {
    if (id === undefined) {
      const list = await runs.list();
      if (args.json) return print(JSON.stringify(list, undefined, 2));
      for (const run of list) print(lineOf(run));
      if (list.length === 0) print("There are no runs.");
      return;
    }
    const run = await runs.inspect(id);
    const told = await toldOf(database, await vaultAtHand(environment), id);
    const saved = (await savedFailures(database, run.installation)).filter((one) => one.run === id);
    if (args.json) return print(JSON.stringify({ ...run, ...told, saved }, undefined, 2));
    print(lineOf(run));
    print(`  app version ${run.version}, worker ${run.worker ?? "none yet"}, ${begunOften(run.attempts)}`);
    for (const step of run.steps) print(stepLine(step));
    if (run.output !== undefined) print(`  gave ${JSON.stringify(run.output)}`);
    if (run.error !== undefined) print(`  failed: ${run.error}`);
    if (told.stories === undefined) print(`  ${told.untold}`);
    for (const story of told.stories ?? []) for (const line of storyLines(story)) print(`  ${line}`);
    for (const { node } of saved)
      print(`  ${node} can be replayed: configc-host saved-run ${run.installation} ${node}`);
  });
  return 0;
}

/** Has runs taken up: one that was ended, or all those of workers that have died. */
export async function resume(args: Arguments, environment: Environment): Promise<number> {
  const [id] = args.operands;
  await withRuns(args, environment, async (runs, database, url) => {
    if (id !== undefined) {
      await runs.resume(id);
      return print(`${id} waits for a worker.`);
    }
    const silent = await database.query<{ slot: string }>(
      "SELECT slot FROM configc.workers WHERE seen < clock_timestamp() - interval '12 s'",
    );
    const known = await database.query<{ slot: string }>("SELECT slot FROM configc.workers");
    const running = await runs.list({ status: "running", limit: 10_000 });
    const alive = new Set(
      known.map(({ slot }) => slot).filter((slot) => !silent.some((each) => each.slot === slot)),
    );
    const dead = new Set(running.map(({ worker = "" }) => worker).filter((worker) => !alive.has(worker)));
    const engine = new DbosEngine({
      url,
      slot: `resume-${crypto.randomUUID()}`,
      works: false,
      clock: systemClock,
      queueInterval: 1_000,
      connections: 2,
      keepIdle: 60_000,
      database,
      held: async () => false,
      log: { info() {}, debug() {}, warn() {}, error() {} },
    });
    await engine.serve([]);
    try {
      for (const slot of dead) {
        const runs = await engine.takeOver(slot);
        print(`${slot}: ${runs === 1 ? "1 run waits" : `${runs} runs wait`} for a worker.`);
      }
    } finally {
      await engine.close(0);
    }
    if (dead.size === 0) print("No worker has left a run behind.");
  });
  return 0;
}

export async function cancel(args: Arguments, environment: Environment): Promise<number> {
  const [id = ""] = args.operands;
  await withRuns(args, environment, (runs) => runs.cancel(id));
  print(`${id} ends before its next step.`);
  return 0;
}

export async function fork(args: Arguments, environment: Environment): Promise<number> {
  const [id = "", text = ""] = args.operands;
  const step = Number(text);
  if (!Number.isInteger(step) || step < 0)
    throw new UsageError(`\`${text}\` isn't a step; \`inspect RUN\` numbers them, from 0.`);
  print(await withRuns(args, environment, (runs) => runs.fork(id, step)));
  return 0;
}

/** Says whose an installation is. */
export async function assign(args: Arguments, environment: Environment): Promise<number> {
  const [app = "", installation = "", customer = ""] = args.operands;
  if (customer === "") throw new UsageError("A customer's id can't be empty.");
  await withRuns(args, environment, async (_runs, database, url) => {
    const store = await postgresStore({ url, connections: 2 });
    try {
      await assignCustomer(database, store, { app, installation, customer });
    } finally {
      await store.close();
    }
  });
  print(`${installation} of ${app} is ${customer}'s.`);
  return 0;
}

function begunOften(attempts: number): string {
  if (attempts === 0) return "not begun yet";
  return attempts === 1 ? "begun once" : `begun ${attempts} times`;
}

function lineOf({ id, status, enqueued, begun, ended }: Run): string {
  const took = begun === undefined || ended === undefined ? "" : ` in ${ended - begun} ms`;
  return `${new Date(enqueued).toISOString()}  ${status}${took}  ${id}`;
}

function stepLine({ number, name, output, error, begun, ended }: RecordedStep): string {
  const took = begun === undefined || ended === undefined ? "" : `${ended - begun} ms`;
  const gave = error ?? (output === undefined ? "" : JSON.stringify(output));
  const shown = gave.length > 120 ? `${gave.slice(0, 120)}…` : gave;
  return `  ${`${number}`.padStart(4)}  ${took.padStart(8)}  ${name}  ${shown}`.trimEnd();
}
