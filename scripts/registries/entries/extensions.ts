import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type Entry, missingAddresses } from "../entry.ts";
import { root } from "../facts.ts";

interface ExtensionManifest {
  readonly icon?: string;
  readonly publisher?: string;
  readonly license?: string;
  readonly categories?: readonly string[];
}

/** One .vsix for both: the Marketplace of VS Code, and Open VSX, which VSCodium, Cursor, Theia and Gitpod use. */
export const extensions: Entry = {
  id: "extensions",
  name: "VS Code Marketplace and Open VSX",
  goes: "`npm run package` packs the .vsix; the workflow uploads it to both",
  files: () => ({}),
  problems() {
    const manifest = JSON.parse(readFileSync(`${root}extension/package.json`, "utf8")) as ExtensionManifest;
    const problems: string[] = [];
    if (manifest.publisher === undefined) problems.push("`publisher` is missing");
    if (manifest.license === undefined)
      problems.push("`license` is missing, without which Open VSX takes nothing");
    if (!existsSync(`${root}extension/${manifest.icon}`)) problems.push("the icon is missing");
    if (!existsSync(`${root}extension/README.md`)) problems.push("the readme is missing");
    return problems;
  },
  missing(facts) {
    const missing = missingAddresses(facts);
    if (!readdirSync(`${root}extension`).some((file) => file.endsWith(".vsix") && !file.includes("-web-")))
      missing.push("the .vsix: `npm run package`");
    missing.push("the publisher `configc` at the Marketplace, with the secret VSCE_PAT");
    missing.push("an account at the Eclipse Foundation that has signed its Publisher Agreement");
    missing.push("the namespace `configc` at Open VSX, with the secret OVSX_PAT");
    return missing;
  },
};
