import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "./postgres.ts";

// A process that is killed while its Postgres runs: for the test of that.
console.log((await startPostgres()).url);
await sleep(60_000);
