// Builds the site: node docs/site/build.mjs [--base /PATH/] [--repository URL] [--serve]
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({
  options: { base: { type: "string" }, repository: { type: "string" }, serve: { type: "boolean" } },
});

/** Installs VitePress where the lock file has changed since the last time. */
function install() {
  const lock = createHash("sha256")
    .update(readFileSync(`${here}package-lock.json`))
    .digest("hex");
  const stamp = `${here}node_modules/.installed`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing VitePress …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status, error } = spawnSync(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, lock);
}

/** Editors that know JSON Schema read them by the address that SchemaStore has. */
function writeSchemas() {
  const script = ["scripts/ts.mjs", "scripts/registries/write-schemas.ts", `${here}.pages/public/schemas`];
  const { status } = spawnSync(process.execPath, script, { cwd: `${here}../..`, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** What the first screen offers to try. */
async function writePlayground() {
  const { buildPlayground } = await import("../../scripts/playground-build.mjs");
  await buildPlayground({
    root: fileURLToPath(new URL("../..", import.meta.url)),
    dist: `${here}.pages/public/try`,
  });
}

install();
const { stage } = await import("./stage.mjs");
console.error(`${stage({ repository: values.repository })} pages`);
writeSchemas();
await writePlayground();
const { build, serve } = await import("vitepress");
await build(here, values.base === undefined ? {} : { base: values.base });
if (values.serve) await serve({ root: here, ...(values.base === undefined ? {} : { base: values.base }) });
