import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../extension/", import.meta.url));

/** Where `scripts/package-extension.mjs` writes the package. @param variant `web-` for the one with `--web` */
export function packed(variant: "" | "web-" = ""): string {
  const { name, version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  return `${folder}${name}-${variant}${version}.vsix`;
}
