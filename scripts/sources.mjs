// Our packages by name → their sources, for everything that bundles or runs them without building them first.
import { fileURLToPath } from "node:url";

const entries = {
  "@configc/jq": "jq/src/index.ts",
  "@configc/jq/run": "jq/src/run.ts",
  "@configc/jq/types": "jq/src/types.ts",
  "@configc/jq/editor": "jq/src/editor/index.ts",
  "@configc/jq/internal": "jq/src/internal.ts",
  "@configc/compiler": "compiler/src/index.ts",
  "@configc/compiler/internal": "compiler/src/internal.ts",
  "@configc/compiler/graph": "compiler/src/graph/index.ts",
  "@configc/runtime": "runtime/src/index.ts",
  "@configc/runtime/internal": "runtime/src/internal.ts",
  "@configc/simulate": "simulate/src/index.ts",
  "@configc/debug": "debug/src/index.ts",
  "@configc/debug/adapter": "debug/src/adapter/index.ts",
  "@configc/debug/node": "debug/src/node/index.ts",
  "@configc/scaffold": "scaffold/src/index.ts",
  "@configc/host": "host/src/index.ts",
  "@configc/host/internal": "host/src/internal.ts",
  "@configc/engine-dbos": "engine-dbos/src/index.ts",
  "@configc/engine-dbos/telemetry": "engine-dbos/src/telemetry/index.ts",
  "@configc/host/portable": "host/src/portable/index.ts",
  "@configc/language-server": "language-server/src/index.ts",
  "@configc/language-server/samples": "language-server/src/samples/index.ts",
};

/** @type {Readonly<Record<string, string>>} */
export const sources = Object.fromEntries(
  Object.entries(entries)
    // A name before those that it begins: vitest takes the first that fits.
    .sort(([a], [b]) => b.length - a.length)
    .map(([name, path]) => [name, fileURLToPath(new URL(`../packages/${path}`, import.meta.url))]),
);
