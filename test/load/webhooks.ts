import { compile } from "@configc/compiler";
import { createFleetWorker, type FleetWorker, migrateFleet } from "@configc/engine-dbos";
import { embeddedPlatform } from "@configc/host";
import pg from "pg";
import { startPostgres } from "../support/postgres.ts";
import { cpuOf } from "./measure.ts";

/*
 * `node scripts/ts.mjs test/load/webhooks.ts [DELIVERIES]`: what a server of a fleet needs to look up, keep and enqueue webhook deliveries, with so
 * many of them at once. Nobody delivers them meanwhile.
 */

const [deliveries = 2_000] = process.argv.slice(2).map(Number);
/** Each with a webhook of its own. */
const INSTALLATIONS = 20;

let sent = 0;

const { app } = compile(
  JSON.stringify({
    $version: "2",
    data_intake: [{ type: "webhook", name: "told", scope: "workflow", create: { "!jq": "{}" } }],
    workflows: [
      {
        name: "told",
        label: "Told",
        type: "generic",
        data_intake: "told",
        setup: {},
        data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
      },
    ],
  }),
);

const server = await startPostgres();
try {
  const database = await server.createDatabase();
  await migrateFleet(database);
  const host = await createFleetWorker({
    database,
    works: false,
    apps: { load: app },
    key: new Uint8Array(32),
    effects: { platform: embeddedPlatform() },
    publicUrl: "https://hooks.example.com/in",
  });
  const hooks = await install(host);
  const client = new pg.Client(database);
  await client.connect();
  console.log(
    "| at once | a second | median, most ms | our CPU ms | Postgres CPU ms | transactions | rolled back |",
  );
  console.log("|---|---|---|---|---|---|---|");
  // The first round warms up.
  for (const atOnce of [16, 1, 16, 200]) await measure(host, client, hooks, atOnce);
  await client.end();
  await host.close(0);
} finally {
  await server.stop();
}

async function install({ store, runtime }: FleetWorker): Promise<readonly string[]> {
  for (let n = 0; n < INSTALLATIONS; n++) {
    await store.transaction((transaction) =>
      transaction.put("installations", {
        id: `i${n}`,
        app: "load",
        workflow: "told",
        status: "paused",
        settings: { customData: {} },
        createdAt: 1,
        changedAt: 1,
      }),
    );
    await runtime("load")?.activate(`i${n}`);
  }
  return (await store.transaction((transaction) => transaction.list("hooks", {}))).map(({ id }) => id);
}

async function deliver(host: FleetWorker, hooks: readonly string[]): Promise<void> {
  const number = sent++;
  const body = new TextEncoder().encode(JSON.stringify({ email: `p${number}@example.com`, number }));
  const headers = { "content-type": "application/json" };
  const hook = hooks[number % hooks.length] ?? "";
  const given = await host
    .runtime("load")
    ?.receive({ hook, method: "POST", headers, query: "", body }, { answers: true });
  if (given?.status !== 200) throw new Error(`It was answered ${given?.status}.`);
  await given.answered?.();
  for (const installation of given.installations) host.deliver("load", installation);
}

async function measure(
  host: FleetWorker,
  client: pg.Client,
  hooks: readonly string[],
  atOnce: number,
): Promise<void> {
  const before = await transactions(client);
  const [cpu, its, begun] = [process.cpuUsage(), cpuOf(server.pid) ?? 0, performance.now()];
  const times: number[] = [];
  let left = deliveries;
  const line = async (): Promise<void> => {
    while (left-- > 0) {
      const since = performance.now();
      await deliver(host, hooks);
      times.push(performance.now() - since);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const theirs = (cpuOf(server.pid) ?? 0) - its;
  const after = await transactions(client);
  times.sort((a, b) => a - b);
  const cells = [
    atOnce,
    (deliveries / seconds).toFixed(0),
    `${times[times.length >> 1]?.toFixed(0)}, ${times.at(-1)?.toFixed(0)}`,
    ((user + system) / 1_000 / deliveries).toFixed(1),
    (theirs / deliveries).toFixed(1),
    ((after.commits - before.commits) / deliveries).toFixed(1),
    ((after.rollbacks - before.rollbacks) / deliveries).toFixed(2),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

async function transactions(client: pg.Client): Promise<{ commits: number; rollbacks: number }> {
  // What connections counted is told a second later at the latest.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { rows } = await client.query<{ commits: string; rollbacks: string }>(
    "SELECT xact_commit AS commits, xact_rollback AS rollbacks FROM pg_stat_database WHERE datname = current_database()",
  );
  return { commits: Number(rows[0]?.commits), rollbacks: Number(rows[0]?.rollbacks) };
}
