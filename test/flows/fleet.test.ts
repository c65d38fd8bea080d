import { test } from "vitest";
import { noPostgres } from "../support/postgres.ts";
import { endToEnd } from "./end-to-end.ts";

if (noPostgres === undefined) endToEnd("fleet");
else test.skip(`end to end, fleet: ${noPostgres}`, () => undefined);
