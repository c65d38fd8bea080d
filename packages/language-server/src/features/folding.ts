import type { JsonNode } from "@configc/compiler";
import { type FoldingRange, FoldingRangeKind } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";

/** Objects and lists that go over several lines, and comments of a `.jsonc` source. */
export const folding: Feature = {
  capabilities: { foldingRangeProvider: true },
  register(server) {
    const { connection, config } = server;
    connection.onFoldingRanges(({ textDocument }) => {
      const open = config(textDocument.uri);
      const limit = server.client.textDocument?.foldingRange?.rangeLimit;
      return open === undefined ? null : foldsOf(open, limit);
    });
  },
};

/** The outermost first: of more than the client takes, it gets those. */
function foldsOf({ document, compilation }: OpenConfig, limit = Number.POSITIVE_INFINITY): FoldingRange[] {
  const { root } = compilation.model.document;
  const found: FoldingRange[] = [];
  const nodes: JsonNode[] = root === undefined ? [] : [root];
  // Editors fold lines: of what begins on the same one, the outermost.
  const started = new Set<number>();
  // It grows while it is gone through.
  for (const node of nodes) {
    if (found.length >= limit) return found;
    if (node.kind !== "object" && node.kind !== "array") continue;
    const startLine = document.positionAt(node.start).line;
    // The closing bracket stays visible.
    const endLine = document.positionAt(node.end - 1).line - 1;
    if (endLine > startLine && !started.has(startLine)) {
      started.add(startLine);
      found.push({ startLine, endLine });
    }
    nodes.push(...(node.kind === "array" ? node.items : node.members.flatMap(({ value }) => value ?? [])));
  }
  for (const [start, end] of comments(document.getText())) {
    const startLine = document.positionAt(start).line;
    const endLine = document.positionAt(end).line;
    if (endLine > startLine) found.push({ startLine, endLine, kind: FoldingRangeKind.Comment });
  }
  return found.slice(0, limit);
}

const ends = { '"': /\\.|["\n]|$/g, "//": /\n|$/g, "/*": /\*\/|$/g } as const;

/** Block comments; a string may contain what looks like one. */
function* comments(text: string): Generator<readonly [number, number]> {
  const opener = /"|\/\/|\/\*/g;
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const kind = found[0] as keyof typeof ends;
    const end = ends[kind];
    end.lastIndex = opener.lastIndex;
    while (end.exec(text)?.[0].startsWith("\\")) {
      // What is escaped ends no string.
    }
    opener.lastIndex = end.lastIndex;
    if (kind === "/*") yield [found.index, end.lastIndex];
  }
}
