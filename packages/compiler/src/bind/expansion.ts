import { nearest } from "@configc/jq/internal";
import { isRootName, ROOT_NAMES, type RootName } from "../language/expansion-names.ts";
import type { StringNode } from "../parse/syntax-tree.ts";
import type { ExpansionSyntax } from "../parse/template.ts";
import type { Command, Expansion, ExpansionPosition, Unit } from "./bound-nodes.ts";

/** An expansion at its place, with the root that it names or most likely means. */
export function bindExpansion(
  syntax: ExpansionSyntax,
  node: StringNode,
  position: ExpansionPosition,
  command: Command | undefined,
  unit: Unit | undefined,
): Expansion {
  const written = syntax.path[0]?.text;
  const rootExact = isRootName(written);
  const root = rootExact ? written : written === undefined ? undefined : nearest(written, ROOT_NAMES);
  return {
    kind: "expansion",
    syntax,
    node,
    position: position === "url" && command === undefined ? "baseUrl" : position,
    command,
    unit,
    root: root as RootName | undefined,
    rootExact,
    fields: [],
    fieldExact: false,
  };
}
