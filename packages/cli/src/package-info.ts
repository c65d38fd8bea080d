import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TemplateName } from "./template-names.ts";

// This file stands one level below the package in the sources and in the build alike.
const packageFolder = new URL("../", import.meta.url);

interface PackageInfo {
  readonly version: string;
  /** Where the documentation of a release stands. */
  readonly homepage?: string;
}

/** What our package.json says. */
export function packageInfo(): PackageInfo {
  return JSON.parse(readFileSync(new URL("package.json", packageFolder), "utf8")) as PackageInfo;
}

/** The text of a template of `configc init`. The extension, which brings the command along, has them among what was built. */
export function readTemplate(name: TemplateName): string {
  const urls = ["", "dist/"].map((folder) => new URL(`${folder}templates/${name}.app.json`, packageFolder));
  return readFileSync(urls.find(existsSync) ?? urls[0]!, "utf8");
}

/** The text of a file that `configc init --agents` writes. */
export function readAgentsFile(name: "AGENTS.md" | "SKILL.md"): string {
  return readFileSync(new URL(`agents/${name}`, packageFolder), "utf8");
}

/** The text of a file that `scripts/build.mjs` makes. */
export function readBuilt(name: string): string {
  return readFileSync(new URL(`dist/${name}`, packageFolder), "utf8");
}

/** The file that starts the command. */
export const commandFile = fileURLToPath(new URL("bin/configc.js", packageFolder));
