// The command as npm would publish it: installed in an empty folder, and used there as a newcomer would.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kilobytes, node, npm, root } from "./run.mjs";

/**
 * Bytes. With the pages of the rules, which tell of more mistakes now than fitted into 3 MB, the debugger, the tools of coding agents, the rules that
 * run pipelines and next cycles or know the roles of values, what simulations take from OpenAPI documents, and compiled code of all that checks of
 * real configs run (scripts/code-cache.mjs), which makes a first check 7 % faster.
 */
const LIMIT = 7_800_000;
const hooks = ["preinstall", "install", "postinstall", "prepare"];

/** @returns {string} what was shown */
export function useCommand(folder) {
  const [{ filename, files }] = JSON.parse(
    npm(["pack", "--json", "--pack-destination", folder, "-w", "configc"]),
  );
  const size = statSync(join(folder, filename)).size;
  if (size > LIMIT) throw new Error(`${filename} has ${size} bytes, more than ${LIMIT}`);
  const manifest = JSON.parse(readFileSync(`${root}packages/cli/package.json`, "utf8"));
  for (const hook of hooks)
    if (manifest.scripts?.[hook] !== undefined) throw new Error(`the package has the install script ${hook}`);
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  if (needed.length > 0) throw new Error(`the command isn't self-contained: it needs ${needed.join(", ")}`);
  for (const wanted of ["README.md", "LICENSE", "dist/THIRD-PARTY-NOTICES.txt"])
    if (!files.some(({ path }) => path === wanted))
      throw new Error(`${filename} is packed without ${wanted}`);
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  npm(["install", "--no-audit", "--no-fund", "--offline", "--omit=optional", `./${filename}`], {
    cwd: folder,
  });
  const configc = join(folder, "node_modules/configc/bin/configc.js");
  const use = (args, expected = 0) => node([configc, ...args], { cwd: folder, expected });
  if (use(["--version"]).trim() !== `configc ${manifest.version}`)
    throw new Error("--version gives another version");
  for (const template of ["outbound", "inbound-webhook", "inbound-polling", "historical-sync"]) {
    use(["init", template, "--template", template]);
    use(["check", "--max-warnings", "0", `${template}.app.json`]);
  }
  if (!use(["graph", "outbound.app.json", "--format", "svg"]).startsWith("<svg"))
    throw new Error("the picture isn't one");
  const path = join(folder, "outbound.app.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"!http"', '"!htp"'));
  const report = JSON.parse(use(["check", "--format", "json", "outbound.app.json"], 1));
  const rules = report.files[0].diagnostics.map(({ rule }) => rule);
  if (!rules.includes("command/unknown-command"))
    throw new Error(`a misspelled command gave ${rules.join(", ")}`);
  return `${filename}: ${kilobytes(size)} of ${kilobytes(LIMIT)}, ${files.length} files; installed and used in an empty folder`;
}
