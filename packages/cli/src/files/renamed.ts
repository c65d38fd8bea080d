import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseDocument } from "@configc/compiler/internal";
import type { Following, Renamed } from "@configc/language-server";
import { samplesFolder, worldFile } from "@configc/language-server/samples";
import { TEST_NAME } from "../apptest/test-file.ts";
import { SettingsFinder } from "../settings/finder.ts";
import { parseSettings } from "../settings/validate.ts";
import { CONFIG_NAME, discover } from "./discover.ts";
import { pathOf } from "./uri.ts";

/**
 * What has to change with the names of configs, test files and folders, before they are renamed: what is called after a config (its
 * samples and its run contexts), and the `config` of tests, which leads from the test file to the config.
 *
 * @param folders URIs of those that tests may be in
 */
export function followRenames(files: readonly Renamed[], folders: readonly string[]): Following {
  const moved = new Map(
    files.flatMap(({ oldUri, newUri }) => {
      const [from, to] = [pathOf(oldUri), pathOf(newUri)];
      return from === undefined || to === undefined ? [] : [[from, to] as const];
    }),
  );
  const roots = folders.flatMap((folder) => pathOf(folder) ?? []);
  return {
    renames: [...moved].flatMap(([from, to]) => besides(from, to)),
    edited: testsAround([...moved.keys()], roots).flatMap((path) => followed(path, moved) ?? []),
  };
}

/** What is called after a config: nothing that would be in the way of something else. */
function besides(from: string, to: string): Renamed[] {
  if (!CONFIG_NAME.test(from) || !CONFIG_NAME.test(to)) return [];
  const names = [
    samplesFolder,
    worldFile,
    (config: string) => samplesFolder(config).replace(/samples$/, "apprun.json"),
  ];
  return names.flatMap((nameFor) => {
    const [own, next] = [nameFor(from), nameFor(to)];
    if (own === next || !existsSync(own) || existsSync(next)) return [];
    return { oldUri: pathToFileURL(own).href, newUri: pathToFileURL(next).href };
  });
}

/** Test files in the folders of the workspace that something is renamed in, or else beside it. */
function testsAround(paths: readonly string[], roots: readonly string[]): string[] {
  const settings = new SettingsFinder({ kind: "none" }, {}, parseSettings);
  const folders = paths.map((path) => roots.find((root) => path.startsWith(root + sep)) ?? dirname(path));
  const found = [...new Set(folders)].flatMap(
    (folder) => discover(folder, settings, (path) => TEST_NAME.test(path)).sources,
  );
  return [...new Set(found.map(({ absolute }) => absolute))];
}

/** Where a file will be, which may be in a folder that is renamed. */
function movedPath(path: string, moved: ReadonlyMap<string, string>): string {
  for (let at = path; ; at = dirname(at)) {
    const to = moved.get(at);
    if (to !== undefined) return to + path.slice(at.length);
    if (dirname(at) === at) return path;
  }
}

/** The edit of a test file that leads to its config from where both will be; undefined if it needs none. */
function followed(path: string, moved: ReadonlyMap<string, string>): Following["edited"][number] | undefined {
  const text = textOf(path);
  const { root } = parseDocument(text, "");
  const config = root?.kind === "object" ? root.member("config")?.value : undefined;
  if (config?.kind !== "string") return undefined;
  const target = resolve(dirname(path), config.value);
  const [newPath, newTarget] = [movedPath(path, moved), movedPath(target, moved)];
  if (newPath === path && newTarget === target) return undefined;
  const prefix = config.value.startsWith("./") ? "./" : "";
  const value = prefix + relative(dirname(newPath), newTarget).replaceAll(sep, "/");
  if (value === config.value) return undefined;
  const { start, end } = config;
  return { uri: pathToFileURL(path).href, text, edit: { start, end, newText: JSON.stringify(value) } };
}

/** Empty if it can't be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
