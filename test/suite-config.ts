import { defineConfig, type ViteUserConfig } from "vitest/config";
import { sources } from "../scripts/sources.mjs";

/** The configuration of a suite beside `npm test`. */
export function suite(include: readonly string[]): ViteUserConfig {
  return defineConfig({
    resolve: { alias: sources },
    test: { include: [...include], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: "100%" },
  });
}
