import type { Graph } from "./graph.ts";

/**
 * What has to do with one workflow: its own card, the cards that it has lines to, those that give data to its intake, and the lines
 * between them.
 *
 * @param workflow its name
 * @returns undefined where there is no such workflow
 */
export function partOf(graph: Graph, workflow: string): Graph | undefined {
  const own = graph.nodes.find(({ kind, title }) => kind === "workflow" && title === workflow);
  if (own === undefined) return undefined;
  const kinds = new Map(graph.nodes.map(({ id, kind }) => [id, kind]));
  const kept = new Set([own.id]);
  const follow = (id: string): void => {
    for (const { from, to } of graph.edges) {
      if (from !== id && to !== id) continue;
      const other = from === id ? to : from;
      // Of other workflows nothing is shown.
      if (kinds.get(other) !== "workflow") kept.add(other);
    }
  };
  follow(own.id);
  for (const id of [...kept]) if (kinds.get(id) === "intake") follow(id);
  return {
    nodes: graph.nodes.filter(({ id }) => kept.has(id)),
    edges: graph.edges.filter(({ from, to }) => kept.has(from) && kept.has(to)),
  };
}

/**
 * The same picture with some of its cards closed: they keep their titles and lines, and have no rows.
 *
 * @param pointers JSON Pointers of what the cards stand for
 */
export function withClosed(graph: Graph, pointers: readonly string[]): Graph {
  const closed = new Set(pointers);
  return {
    ...graph,
    nodes: graph.nodes.map((node) =>
      node.source !== undefined && closed.has(node.source.pointer) ? { ...node, rows: [] } : node,
    ),
  };
}
