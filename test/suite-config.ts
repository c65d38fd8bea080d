import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { sources } from "../scripts/sources.mjs";

/** What each suite runs before its first test and after its last. */
export const temporaryFolder = fileURLToPath(new URL("support/temporary-folder.ts", import.meta.url));

/** The configuration of a suite beside `npm test`. */
export function suite(include: readonly string[]): ViteUserConfig {
  return defineConfig({
    resolve: { alias: sources },
    test: {
      include: [...include],
      globalSetup: temporaryFolder,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      maxWorkers: "100%",
    },
  });
}
