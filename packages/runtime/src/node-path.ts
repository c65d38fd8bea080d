import type { App, CommandId } from "@configc/compiler";
import { RunError } from "./errors.ts";

/**
 * The command that a path names: a JSON Pointer, or names joined by dots
 * (`workflows.NAME.setup.connect.describe_connection`, `data_intake."requester.created".create`). Items of a list are called by
 * their name or id. A name with dots is quoted; unquoted, the longest declared name wins.
 *
 * @throws RunError `NotFound`, with what there is instead
 */
export function commandAt(app: App, path: string): CommandId {
  if (path === "" || path.startsWith("/")) return path;
  const lists = namedLists(app);
  let pointer = "";
  let rest = path;
  while (rest !== "") {
    const named = lists.get(pointer);
    const known = [...(named?.keys() ?? []), ...segmentsBelow(app, pointer)];
    const quoted = /^"((?:[^"\\]|\\.)*)"(?:\.|$)/.exec(rest);
    const name = quoted === null ? longest(known, rest) : unquoted(quoted[1] ?? "");
    if (name === undefined || !known.includes(name)) throw notFound(path, name ?? rest, named, known);
    pointer += `/${named?.get(name) ?? name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    rest = rest.slice(quoted?.[0].length ?? name.length + 1);
  }
  return pointer;
}

/** By the list's pointer: the index of each item by what it is called. */
function namedLists({ intakes, workflows }: App): Map<string, Map<string, string>> {
  const lists = new Map<string, Map<string, string>>();
  const add = (name: string, pointer: string): void => {
    const slash = pointer.lastIndexOf("/");
    const list = pointer.slice(0, slash);
    const items = lists.get(list) ?? new Map<string, string>();
    if (!items.has(name)) items.set(name, pointer.slice(slash + 1));
    lists.set(list, items);
  };
  for (const { name, pointer } of [...intakes, ...workflows]) add(name, pointer);
  for (const { setup } of workflows)
    for (const { id, pointer } of setup.select?.fields ?? []) add(id, pointer);
  return lists;
}

/** The members and indexes at a place that lead to a command. */
function segmentsBelow({ commands }: App, pointer: string): string[] {
  const found = new Set<string>();
  for (const id of Object.keys(commands)) {
    if (!id.startsWith(`${pointer}/`)) continue;
    const [segment = ""] = id.slice(pointer.length + 1).split("/", 1);
    found.add(segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return [...found];
}

function longest(known: readonly string[], rest: string): string | undefined {
  const fitting = known.filter((name) => rest === name || rest.startsWith(`${name}.`));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}

function notFound(
  path: string,
  written: string,
  named: ReadonlyMap<string, string> | undefined,
  known: readonly string[],
): RunError {
  // An item's name says more than its index.
  const shown = [...(named?.keys() ?? known)].slice(0, 12).map((name) => `\`${name}\``);
  const instead = shown.length === 0 ? "It leads to no command." : `There is ${shown.join(", ")}.`;
  return new RunError("NotFound", `\`${written}\` of \`${path}\` isn't in the app. ${instead}`, undefined);
}
