import { existsSync, readFileSync } from "node:fs";
import { type Manifest, publishedPackages, root } from "../registries/facts.ts";

/** Something that is published. */
export interface Part {
  readonly name: string;
  readonly version: string;
  readonly type: "library" | "application";
  readonly purl: string;
  /** What stands inside of it, as `NAME@VERSION`, read from its notices. */
  readonly bundled: readonly string[];
  /** The names of what is installed beside it. */
  readonly needed: readonly string[];
}

/** The packages on npm and the extension. Bundles have to be built: their notices say what is in them. */
export function publishedParts(): Part[] {
  const packages = [...publishedPackages()].map(([folder, manifest]) =>
    partOf(`${folder}/dist`, manifest, manifest.name === "configc" ? "application" : "library"),
  );
  const extension = JSON.parse(readFileSync(`${root}extension/package.json`, "utf8")) as Manifest;
  const { dependencies: _bundled, ...shipped } = extension;
  return [...packages, partOf("extension/dist", shipped, "application")];
}

function partOf(
  folder: string,
  { name, version, dependencies = {} }: Pick<Manifest, "name" | "version" | "dependencies">,
  type: Part["type"],
): Part {
  const notices = `${root}${folder}/THIRD-PARTY-NOTICES.txt`;
  return {
    name,
    version,
    type,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    bundled: existsSync(notices) ? inNotices(readFileSync(notices, "utf8")) : [],
    needed: Object.keys(dependencies),
  };
}

/** Each part of the notices begins with `NAME VERSION – LICENCE`. */
function inNotices(text: string): string[] {
  return text
    .split(/\n\n={80}\n\n/)
    .slice(1)
    .map((notice) => /^(\S+) (\S+) – /.exec(notice))
    .flatMap((match) => (match === null ? [] : [`${match[1]}@${match[2]}`]));
}
