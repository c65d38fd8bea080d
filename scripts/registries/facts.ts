import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** As much of a package.json as registries ask for. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly private?: boolean;
  readonly homepage?: string;
  readonly repository?: { readonly url: string; readonly directory?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** What every registry is told about configc, read from the manifests, so that it is stated there alone. */
export interface Facts {
  readonly version: string;
  readonly description: string;
  readonly licence: string;
  /** Where people read about it; undefined until the root's package.json has one. */
  readonly homepage: string | undefined;
  /** The address of the repository, `https://…` without `.git`; undefined until the root's package.json has one. */
  readonly repository: string | undefined;
  /** The identifier that editors have for the language. */
  readonly languageId: string;
  /** Names of configs, as globs. */
  readonly patterns: readonly string[];
  /** The command that starts the language server, when configc is on the PATH. */
  readonly server: readonly [command: string, ...args: string[]];
  /** Files that mark a project's folder. */
  readonly rootMarkers: readonly string[];
}

/** What stands in for an address that isn't known yet. */
export const UNKNOWN_ADDRESS = "https://configc.example";

/** @param read a file of the repository by its path; default: from the disk */
export function readFacts(read = (path: string) => readFileSync(`${root}${path}`, "utf8")): Facts {
  const { homepage, repository } = JSON.parse(read("package.json")) as Partial<Manifest>;
  const command = JSON.parse(read("packages/cli/package.json")) as Manifest;
  const { contributes } = JSON.parse(read("extension/package.json")) as Extension;
  const language = contributes.languages.find(({ filenamePatterns }) => filenamePatterns !== undefined);
  if (language?.filenamePatterns === undefined) throw new Error("The extension names no files.");
  return {
    version: command.version,
    description: command.description,
    licence: command.license,
    homepage,
    repository: repository?.url.replace(/^git\+/, "").replace(/\.git$/, ""),
    languageId: language.id,
    patterns: language.filenamePatterns,
    server: ["configc", "lsp", "--stdio"],
    rootMarkers: ["configc.config.json", ".git"],
  };
}

interface Extension {
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly filenamePatterns?: readonly string[] }[];
  };
}

/** The packages that go to npm, by their folder, in the order of the workspaces: what a package needs stands before it. */
export function publishedPackages(): ReadonlyMap<string, Manifest> {
  const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    workspaces: readonly string[];
  };
  const packages = workspaces.map(
    (folder) =>
      [folder, JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8")) as Manifest] as const,
  );
  return new Map(packages.filter(([, manifest]) => manifest.private !== true));
}

/** The paths of all files below a folder of the repository, relative to that folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(`${root}${folder}/`.length));
}
