import { defineConfig } from "vitest/config";
import { sources } from "./scripts/sources.mjs";

export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ["packages/*/test/**/*.test.ts", "extension/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    // The default leaves a core free for a person at the machine; on two cores that doubles the time.
    maxWorkers: "100%",
  },
});
