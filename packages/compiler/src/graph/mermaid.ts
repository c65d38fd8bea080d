import type { EdgeKind, Graph, GraphNode, NodeKind } from "./graph.ts";
import { cut, DETAIL_COLUMNS } from "./text.ts";

/** A graph as a Mermaid flowchart, which GitHub, GitLab and many editors draw in Markdown. */
export function toMermaid({ nodes, edges }: Graph): string {
  const lines = [
    "flowchart LR",
    ...nodes.map(nodeLine),
    ...edges.map(({ from, to, kind, label }) => {
      const text = label === undefined ? "" : `|${quoted(label)}|`;
      return `  ${from} ${arrows[kind]}${text} ${to}`;
    }),
    ...(Object.keys(fills) as NodeKind[])
      .filter((kind) => nodes.some((node) => node.kind === kind))
      .map((kind) => `  classDef ${kind} ${fills[kind]}`),
  ];
  return `${lines.join("\n")}\n`;
}

const arrows: Readonly<Record<EdgeKind, string>> = {
  data: "-->",
  requests: "-.->",
  saves: "-.->",
  reads: "-.->",
};

const shapes: Readonly<Record<NodeKind, readonly [string, string]>> = {
  host: ["([", "])"],
  platform: ["([", "])"],
  intake: ["(", ")"],
  workflow: ["[", "]"],
  saved: ["[(", ")]"],
};

/** Colours that stand on light and on dark. */
const fills: Readonly<Record<NodeKind, string>> = {
  host: "fill:#64748b22,stroke:#64748b",
  platform: "fill:#7c3aed22,stroke:#7c3aed",
  intake: "fill:#05966922,stroke:#059669",
  workflow: "fill:#2563eb22,stroke:#2563eb",
  saved: "fill:#d9770622,stroke:#d97706",
};

function nodeLine({ id, kind, title, subtitle, rows }: GraphNode): string {
  const [open, close] = shapes[kind];
  const lines = [
    `<b>${escaped(title)}</b>`,
    `<i>${escaped(subtitle)}</i>`,
    ...rows.map(({ name, details }) =>
      [name, ...details.slice(0, 3)]
        .map((text) => escaped(cut(text, DETAIL_COLUMNS)))
        .join(details.length === 0 ? "" : " · "),
    ),
  ];
  return `  ${id}${open}"${lines.join("<br/>")}"${close}:::${kind}`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** Mermaid reads entities written with `#`; a line break would end the statement. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[^\p{L}\p{N} .,:/·_-]/gu, (character) => `#${character.codePointAt(0)};`);
}
