import pg from "pg";
import type { Fault } from "../fault.ts";
import { later } from "../shop.ts";

let taken: pg.Client[] = [];

export const postgresFaults: readonly Fault[] = [
  {
    name: "disk-full",
    broken: "The disk of Postgres is full",
    disk: "configc",
    async breaks(day) {
      day.disk.fill();
      // Some rows still fit in the pages that there are.
      for (const id of ["i1", "i2", "i3", "i4"]) await day.order(40, id);
    },
    signal: { alert: "ConfigcStoreFails" },
    within: 60,
    answer: { verb: ["runs", "--status", "failed"], says: /could not extend file|No space left on device/ },
    mended: "There is room again.",
    async mends(day) {
      day.disk.empty();
    },
    acts: [["retry", "shop"]],
  },
  {
    name: "journal-full",
    broken: "The disk of the journal is full, in the middle of deliveries",
    disk: "dbos",
    async breaks(day) {
      day.shop.platformMood = async () => await later(300);
      await day.order(6);
      await day.pass(35);
      day.disk.fill();
      await day.order(1);
    },
    signal: { alert: "ConfigcNobodyLooks" },
    within: 120,
    answer: { log: "No space left on device" },
    mended: "There is room again.",
    async mends(day) {
      day.shop.platformMood = undefined;
      day.disk.empty();
    },
    acts: [["retry", "shop"]],
    nextCycle: true,
  },
  {
    name: "postgres-restarted",
    broken: "Postgres is away for some seconds, and is started again",
    options: { workers: 2 },
    async breaks(day) {
      await day.order(3);
      await day.postgres.kill();
    },
    signal: { readyz: 503 },
    within: 0,
    answer: { verb: ["--version"], says: /configc-host/ },
    mended: "Postgres is there again.",
    async mends(day) {
      await day.postgres.restart();
      await day.reopen();
    },
    acts: [["retry", "shop"]],
    nextCycle: true,
  },
  {
    name: "connections-exhausted",
    broken: "Others have taken all connections of Postgres",
    async breaks(day) {
      await day.order(1);
      taken = [];
      const own = await day.client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      for (;;) {
        const client = new pg.Client(day.database);
        client.on("error", () => undefined);
        try {
          await client.connect();
        } catch {
          // Full: what the workers have is taken from them, and by others at once.
          const { rowCount } = await day.client.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'configc%' AND pid <> $1",
            [own.rows[0]?.pid],
          );
          if ((rowCount ?? 0) === 0) break;
          continue;
        }
        taken.push(client);
        if (taken.length > 400) throw new Error("Postgres has no end of connections.");
      }
    },
    signal: { readyz: 503 },
    within: 5,
    answer: { verb: ["--version"], says: /configc-host/ },
    mended: "They give them back.",
    async mends() {
      for (const client of taken) await client.end().catch(() => undefined);
    },
    acts: [["retry", "shop"]],
    nextCycle: true,
  },
];
