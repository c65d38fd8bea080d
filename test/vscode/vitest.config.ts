import { defineConfig } from "vitest/config";
import { sources } from "../../scripts/sources.mjs";
import { patience, temporaryFolder } from "../suite-config.ts";

/** Slow, and it needs a browser: a suite of its own (`npm run test:vscode`). */
export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ["test/vscode/*.e2e.ts"],
    globalSetup: [temporaryFolder, "test/vscode/support/global-setup.ts"],
    expect: patience.expect,
    testTimeout: 150_000,
    hookTimeout: 240_000,
    fileParallelism: false,
    // Each file has a window and a folder of its own; what they import is read once.
    isolate: false,
  },
});
