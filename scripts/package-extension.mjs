// Packs the extension for VS Code as a .vsix, and looks into it. Needs no network.
// Usage: node scripts/package-extension.mjs [--web], which packs what runs in a browser and nothing else, as tests want it.
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX, listFiles } from "@vscode/vsce";

const root = fileURLToPath(new URL("..", import.meta.url));
/** With the debugger, the pages of all rules, and jq for the output beside a program, which runs in a worker of its own. */
const LIMIT = 3.8 * 1024 * 1024;
const parts = ["README.md", "language-configuration.json", "jq-configuration.json", "media", "dist"];
/** Without one of these it wouldn't work, or may not be shipped. */
const required = [
  "LICENSE",
  "THIRD-PARTY-NOTICES.txt",
  "dist/extension.cjs",
  "dist/server.cjs",
  "dist/browser/extension.js",
  "dist/browser/server.js",
  "dist/grammars/appconfig.tmLanguage.json",
  "dist/schemas/configc.config.schema.json",
  "dist/templates/outbound.app.json",
  "media/icon.png",
];

/** What only a desktop can run. */
const desktop = ["dist/extension.cjs", "dist/server.cjs"];

const web = process.argv.includes("--web");
const manifest = JSON.parse(readFileSync(`${root}extension/package.json`, "utf8"));
const output = `${root}extension/${manifest.name}-${web ? "web-" : ""}${manifest.version}.vsix`;
// Packed in a folder of its own: what is in the repository besides doesn't get in by mistake.
const folder = mkdtempSync(join(tmpdir(), "configc-vsix-"));
try {
  for (const part of parts) cpSync(`${root}extension/${part}`, join(folder, part), { recursive: true });
  cpSync(`${root}LICENSE`, join(folder, "LICENSE"));
  cpSync(`${root}extension/dist/THIRD-PARTY-NOTICES.txt`, join(folder, "THIRD-PARTY-NOTICES.txt"));
  rmSync(join(folder, "dist/THIRD-PARTY-NOTICES.txt"));
  const { dependencies: _bundled, devDependencies: _unused, private: _published, ...shipped } = manifest;
  // VS Code in a browser refuses packages of ES modules, although the bundles aren't any.
  delete shipped.type;
  if (web) {
    delete shipped.main;
    for (const file of desktop) rmSync(join(folder, file));
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(shipped, undefined, 2)}\n`);
  const files = await listFiles({ cwd: folder, dependencies: false });
  const missing = required.filter((file) => !files.includes(file) && !(web && desktop.includes(file)));
  if (missing.length > 0) throw new Error(`the package lacks ${missing.join(", ")}`);
  await createVSIX({ cwd: folder, packagePath: output, dependencies: false, allowMissingRepository: true });
  const { size } = statSync(output);
  if (size > LIMIT) throw new Error(`${output} has ${size} bytes, more than ${LIMIT}`);
  console.log(`${output.slice(root.length)}: ${(size / 1024).toFixed(0)} kB, ${files.length} files`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
