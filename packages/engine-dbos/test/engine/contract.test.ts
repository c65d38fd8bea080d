import { EmbeddedEngine, systemClock } from "@configc/host";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { fleetDatabase } from "../support/database.ts";
import { dbosEngine } from "../support/engine.ts";
import { engineContract } from "./contract.ts";

engineContract("embedded", async () => new EmbeddedEngine(systemClock));
if (noPostgres === undefined) engineContract("on Postgres", async () => dbosEngine(await fleetDatabase()));
