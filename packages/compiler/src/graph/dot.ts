import type { EdgeKind, Graph, GraphNode, NodeKind } from "./graph.ts";
import { cut, DETAIL_COLUMNS } from "./text.ts";

/** A graph in the language of Graphviz. */
export function toDot({ nodes, edges }: Graph): string {
  const lines = [
    "digraph app {",
    '  graph [rankdir=LR, fontname="Helvetica", nodesep=0.4, ranksep=0.9];',
    '  node [shape=plain, fontname="Helvetica", fontsize=11];',
    '  edge [fontname="Helvetica", fontsize=10, color="#64748b"];',
    ...nodes.map((node) => `  ${node.id} [label=<${table(node)}>];`),
    ...edges.map(
      ({ from, to, kind, label }) =>
        `  ${from} -> ${to} [style=${styles[kind]}${label === undefined ? "" : `, label=${quoted(label)}`}];`,
    ),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

const styles: Readonly<Record<EdgeKind, string>> = {
  data: "solid",
  requests: "dashed",
  saves: "dotted",
  reads: "dotted",
};

const colours: Readonly<Record<NodeKind, string>> = {
  host: "#e2e8f0",
  platform: "#ede9fe",
  intake: "#d1fae5",
  workflow: "#dbeafe",
  saved: "#ffedd5",
};

function table({ kind, title, subtitle, rows }: GraphNode): string {
  const head = `<tr><td colspan="2" align="left" bgcolor="${colours[kind]}"><b>${escaped(title)}</b><br align="left"/><font point-size="9">${escaped(subtitle)}</font><br align="left"/></td></tr>`;
  const body = rows.map(({ name, details }) => {
    const lines = details.map((line) => `${escaped(cut(line, DETAIL_COLUMNS))}<br align="left"/>`).join("");
    return `<tr><td align="left" valign="top"><b>${escaped(name)}</b></td><td align="left" valign="top">${lines === "" ? " " : lines}</td></tr>`;
  });
  return `<table border="1" cellborder="0" cellspacing="0" cellpadding="4" color="#94a3b8" style="rounded">${head}${body.join("")}</table>`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replace(/\s+/g, " ")}"`;
}

function escaped(text: string): string {
  const plain = text.replace(/[\u0000-\u001f]+/g, " ");
  // An empty text isn't allowed between tags.
  return plain === ""
    ? " "
    : plain
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;");
}
