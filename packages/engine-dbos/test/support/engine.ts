import { systemClock } from "@configc/host";
import { DbosEngine, type EngineOptions } from "../../src/engine/dbos-engine.ts";

export function dbosEngine(url: string, more: Partial<EngineOptions> = {}): DbosEngine {
  return new DbosEngine({
    url,
    slot: "one",
    works: true,
    clock: systemClock,
    queueInterval: 20,
    connections: 8,
    held: async () => false,
    log: { info() {}, debug() {}, warn() {}, error() {} },
    ...more,
  });
}
