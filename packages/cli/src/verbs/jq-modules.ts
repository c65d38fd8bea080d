import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { type FoundModule, type Json, JsonSyntaxError, type ModuleRequest, parseInputs } from "@configc/jq";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";

/** The modules in the folders of the command line, found as jq finds them. */
export class ModuleFolders {
  /** Of the command line, or jq's own. */
  readonly folders: readonly string[];
  private readonly programFolder: string;

  /** @param programFolder what `search` in the program itself is relative to */
  constructor(folders: readonly string[], programFolder: string) {
    this.folders = folders.length === 0 ? ["~/.jq"] : folders.map((folder) => resolve(folder));
    this.programFolder = programFolder;
  }

  /** @throws UsageError for a file that can't be read, and for data that isn't JSON */
  readonly find = ({ path, isData, search, from }: ModuleRequest): FoundModule | undefined => {
    if (path.split("/").includes("..")) return undefined;
    const suffix = isData ? ".json" : ".jq";
    for (const folder of this.searched(search, from)) {
      for (const name of [path, `${path}/jq/main`, `${path}/${basename(path)}`]) {
        const file = resolve(folder, `${name}${suffix}`);
        const text = read(file);
        if (text !== undefined)
          return isData ? { name: file, data: valuesOf(file, text) } : { name: file, text };
      }
    }
    return undefined;
  };

  private searched(search: ModuleRequest["search"], from: string | undefined): readonly string[] {
    if (search === undefined) return [".", ...this.folders.map(atHome)];
    const origin = from === undefined ? this.programFolder : dirname(from);
    return (Array.isArray(search) ? search : [search])
      .filter((folder) => typeof folder === "string")
      .map(atHome)
      .map((folder) => (folder === "." || isAbsolute(folder) ? folder : join(origin, folder)));
  }
}

function atHome(folder: string): string {
  return folder === "~" || folder.startsWith("~/") ? join(homedir(), folder.slice(1)) : folder;
}

/** Undefined for a file that doesn't exist. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${file} can't be read: ${reasonOf(error)}.`);
  }
}

/** The values in a file. @throws UsageError that says where its text is no JSON */
export function valuesOf(file: string, text: string): Json[] {
  try {
    return [...parseInputs(text)];
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${file}: ${error.message}.`, "jq");
  }
}
