import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { sources } from "./scripts/sources.mjs";
import { nativeSources, patience, temporaryFolder } from "./test/suite-config.ts";
import { attackTests, fleetTests, longTests } from "./test/suites.ts";

/** Tests of what is one for a whole process: the order in which types were first seen. Each has a process, and loads our sources anew. */
const alone = [
  "packages/compiler/test/types/{declarations,examples}.test.ts",
  "packages/jq/test/types/written.test.ts",
];

export default defineConfig({
  resolve: { alias: sources },
  test: {
    globalSetup: temporaryFolder,
    ...patience,
    // Most code runs a few times only: without this a fifth of the CPU goes into optimising what is hardly used again. Later engines than that
    // of Node 20 don't have it, and Node doesn't start with a flag that it doesn't know.
    execArgv: process.versions.v8.startsWith("11.3.") ? ["--interrupt-budget=1056000"] : [],
    // A worker waits for half of its time, for processes and clocks.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    projects: [
      {
        extends: true,
        plugins: [nativeSources()],
        test: {
          name: "shared",
          include: ["packages/*/test/**/*.test.ts", "extension/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [
            "**/node_modules/**",
            "**/dist/**",
            ...alone,
            ...attackTests,
            ...fleetTests,
            ...longTests,
          ],
          // Loading our sources anew for each file takes as long as half of the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [nativeSources()],
        test: { name: "alone", include: alone, exclude: ["**/node_modules/**", ...longTests] },
      },
    ],
  },
});
