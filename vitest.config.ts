import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (name: string) => fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@configc/language-server/samples": fileURLToPath(
        new URL("./packages/language-server/src/samples/index.ts", import.meta.url),
      ),
      "@configc/host/portable": fileURLToPath(
        new URL("./packages/host/src/portable/index.ts", import.meta.url),
      ),
      "@configc/jq": source("jq"),
      "@configc/compiler/graph": fileURLToPath(
        new URL("./packages/compiler/src/graph/index.ts", import.meta.url),
      ),
      "@configc/compiler": source("compiler"),
      "@configc/runtime": source("runtime"),
      "@configc/host": source("host"),
      "@configc/language-server": source("language-server"),
    },
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "extension/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    // The default leaves a core free for a person at the machine; on two cores that doubles the time.
    maxWorkers: "100%",
  },
});
