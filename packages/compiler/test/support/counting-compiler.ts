import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { compile, recompile } from "@configc/compiler";
import type { Program } from "@configc/jq";
import { build, type Plugin } from "esbuild";
import { sources } from "../../../../scripts/sources.mjs";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

export interface CountingCompiler {
  readonly compile: typeof compile;
  readonly recompile: typeof recompile;
  /** The programs that were inferred, in their order. Whoever counts empties it. */
  readonly inferred: Program[];
}

/** In place of `infer`, one that writes down what it is asked. */
const counting: Plugin = {
  name: "counting",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@configc\/jq$/ }, ({ namespace }) =>
      namespace === "counting" ? { path: sources["@configc/jq"]! } : { path: "jq", namespace: "counting" },
    );
    onLoad({ filter: /.*/, namespace: "counting" }, () => ({
      resolveDir: root,
      contents: `
        import { infer as real } from "@configc/jq";
        export * from "@configc/jq";
        export const inferred = [];
        export function infer(program, ...more) {
          if (typeof program !== "string") inferred.push(program);
          return real(program, ...more);
        }`,
    }));
  },
};

/** A compiler of its own that says what it infers: bundled, since Node's modules can't be changed, and vitest takes seconds to load ours itself. */
export async function countingCompiler(): Promise<CountingCompiler> {
  const file = join(root, `node_modules/.cache/configc/counting-compiler-${process.pid}.mjs`);
  await build({
    stdin: {
      contents:
        'export { compile, recompile } from "@configc/compiler"; export { inferred } from "@configc/jq";',
      resolveDir: root,
    },
    plugins: [counting],
    alias: sources,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    outfile: file,
  });
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as CountingCompiler;
  } finally {
    rmSync(file);
  }
}
