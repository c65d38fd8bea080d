import { systemClock } from "@configc/host";
import { onTestFinished } from "vitest";
import { DbosEngine, type EngineOptions } from "../../src/engine/dbos-engine.ts";
import { Database } from "../../src/postgres/database.ts";

export function dbosEngine(url: string, more: Partial<EngineOptions> = {}): DbosEngine {
  const database = new Database({ url, connections: 3 });
  onTestFinished(() => database.close());
  return new DbosEngine({
    url,
    slot: "one",
    works: true,
    clock: systemClock,
    queueInterval: 20,
    connections: 8,
    keepIdle: 60_000,
    database,
    held: async () => false,
    log: { info() {}, debug() {}, warn() {}, error() {} },
    ...more,
  });
}
