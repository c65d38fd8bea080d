import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";
import { fleetTests } from "./files.ts";

export default defineConfig({
  resolve: base.resolve ?? {},
  test: { include: [...fleetTests], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: "100%" },
});
