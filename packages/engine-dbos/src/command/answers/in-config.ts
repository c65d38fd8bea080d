import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type App, commandTypes, compile, sourceOf } from "@configc/compiler";
import { findNode, layOutType } from "@configc/compiler/internal";
import { versionOf } from "@configc/host/internal";

/** What the compiler knows of a place in a config. */
export interface InConfig {
  /** What stands there, on one line. */
  readonly written: string;
  /** Types of what the command takes and gives. */
  readonly takes?: string;
  readonly gives?: string;
}

/** Characters of a line or a type that are shown. */
const WIDTH = 160;

/**
 * @param path of the config
 * @param version that failed; where the config is another one by now, its lines and types would be those of something else
 * @returns undefined where the config can't be read, is another version, or has nothing there
 */
export async function inConfig(
  path: string,
  name: string,
  version: string | undefined,
  pointer: string,
): Promise<InConfig | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { app, model } = compile(text, { uri: path });
  const published: App = { ...app, source: sourceOf(model, basename(path)) };
  if (version !== undefined && versionOf(name, published) !== version) return undefined;
  const found = findNode(model, pointer);
  if (!("node" in found)) return undefined;
  const { start, end } = found.node;
  const written = cut(text.slice(start, end).replace(/\s+/g, " "));
  const own = commandTypes(model, found.node).find((each) => each.pointer === pointer);
  if (own === undefined) return { written };
  const { input, output } = own;
  const shown = (type: typeof input): string => cut(layOutType(type, WIDTH));
  return {
    written,
    ...(input.kind === "unknown" ? {} : { takes: shown(input) }),
    ...(output.kind === "unknown" ? {} : { gives: shown(output) }),
  };
}

function cut(text: string): string {
  return text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text;
}
