import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type ViteUserConfig } from "vitest/config";
import { writeSources } from "../scripts/run-sources.mjs";
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
 * Tests that drive a browser get a second try in CI, on machines that may stand still for seconds. The reporter names those that
 * took it. In slow suites whole files do (scripts/vitest.mjs); everything else passes at once or fails.
 */
export const secondTry = { retry: process.env["CI"] ? 1 : 0 } as const;

const watching = process.argv.includes("watch") || process.argv.includes("--watch");

/**
 * Our sources are loaded by Node itself, as JavaScript: tests take a fifth less time, and loading them a tenth. While vitest watches them,
 * and where they are mocked, it loads them.
 */
export function nativeSources(): Plugin {
  let runnable: (path: string) => string | undefined = () => undefined;
  return {
    name: "native-sources",
    enforce: "pre",
    async buildStart() {
      if (!watching) runnable = await writeSources();
    },
    async resolveId(name, importer) {
      if (!name.endsWith(".ts")) return undefined;
      return runnable(isAbsolute(name) || importer === undefined ? name : join(dirname(importer), name));
    },
  };
}

/**
 * The configuration of a suite beside `npm test`.
 *
 * @param isolate whether each file has a process of its own: loading our sources takes seconds
 */
export function suite(include: readonly string[], isolate = true): ViteUserConfig {
  return defineConfig({
    resolve: { alias: sources },
    plugins: [nativeSources()],
    test: {
      include: [...include],
      globalSetup: temporaryFolder,
      ...patience,
      maxWorkers: "100%",
      isolate,
    },
  });
}
