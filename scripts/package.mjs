// Packs the command as it would be published, installs it in an empty folder, and uses it there as a newcomer would.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const LIMIT = 3 * 1024 * 1024;

function run(command, args, cwd, expected = 0) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== expected)
    throw new Error(
      `${command} ${args.join(" ")}: status ${status}, expected ${expected}\n${stdout}${stderr}`,
    );
  return stdout;
}

const folder = mkdtempSync(join(tmpdir(), "configc-package-"));
try {
  const [{ filename, files }] = JSON.parse(
    run(npm, ["pack", "--json", "--pack-destination", folder, "-w", "configc"], root),
  );
  const size = statSync(join(folder, filename)).size;
  if (size > LIMIT) throw new Error(`${filename} has ${size} bytes, more than ${LIMIT}`);
  const manifest = JSON.parse(readFileSync(`${root}packages/cli/package.json`, "utf8"));
  for (const hook of ["preinstall", "install", "postinstall", "prepare"]) {
    if (manifest.scripts?.[hook] !== undefined) throw new Error(`the package has the install script ${hook}`);
  }
  writeFileSync(join(folder, "package.json"), '{"private": true}');
  run(npm, ["install", "--no-audit", "--no-fund", "--offline", `./${filename}`], folder);
  const configc = join(folder, "node_modules/configc/bin/configc.js");
  const use = (args, expected) => run(process.execPath, [configc, ...args], folder, expected);
  if (use(["--version"]).trim() !== `configc ${manifest.version}`)
    throw new Error("--version gives another version");
  for (const template of ["outbound", "inbound-webhook", "inbound-polling", "historical-sync"]) {
    use(["init", template, "--template", template]);
    use(["check", "--max-warnings", "0", `${template}.app.json`]);
  }
  const path = join(folder, "outbound.app.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"!http"', '"!htp"'));
  const report = JSON.parse(use(["check", "--format", "json", "outbound.app.json"], 1));
  const rules = report.files[0].diagnostics.map(({ rule }) => rule);
  if (!rules.includes("command/unknown-command"))
    throw new Error(`a misspelled command gave ${rules.join(", ")}`);
  console.log(
    `${filename}: ${(size / 1024).toFixed(0)} kB, ${files.length} files; installed and used in an empty folder`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
