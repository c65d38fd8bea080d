import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { sources } from "../scripts/sources.mjs";

/** What each suite runs before its first test and after its last. */
export const temporaryFolder = fileURLToPath(new URL("support/temporary-folder.ts", import.meta.url));

/** How long is waited for what must happen in the end, in ms: long, for machines that are busy with other things. */
export const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

/**
 * Tests that drive a browser or a database server get a second try in CI, on machines that may stand still for seconds.
 * The reporter names those that took it. Everything else passes at once or fails.
 */
export const secondTry = { retry: process.env["CI"] ? 1 : 0 } as const;

/** The configuration of a suite beside `npm test`. */
export function suite(include: readonly string[]): ViteUserConfig {
  return defineConfig({
    resolve: { alias: sources },
    test: {
      include: [...include],
      globalSetup: temporaryFolder,
      ...patience,
      maxWorkers: "100%",
    },
  });
}
