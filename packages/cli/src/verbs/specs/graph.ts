import type { VerbSpec } from "../../command-line/verb.ts";

export const graph: VerbSpec = {
  name: "graph",
  summary: "Draws an app: intakes, workflows, the hosts that they ask, what is saved",
  operands: "FILE",
  atLeast: 1,
  atMost: 1,
  completes: "files",
  details: [
    "mermaid is for Markdown, as GitHub and GitLab draw it; dot is for Graphviz; svg is a picture that needs nothing else and follows the reader's light or dark. Data flows from left to right.",
  ],
  options: [
    {
      name: "format",
      value: "FORMAT",
      choices: ["mermaid", "dot", "svg"],
      summary: "mermaid (default), dot or svg.",
    },
    {
      name: "workflow",
      value: "NAME",
      summary: "Draw this workflow alone, with what it has to do with.",
    },
    {
      name: "output",
      value: "FILE",
      completes: "files",
      summary: "Write to FILE instead of standard output.",
    },
  ],
  examples: {
    "configc graph shop.app.json --format svg --output shop.svg": "Draws a picture.",
    "configc graph shop.app.json >> README.md": "Appends a flowchart, to be put between Mermaid fences.",
  },
  exit: { 0: "it was drawn", 2: "wrong usage, or a file that can't be read or written" },
  load: async () => (await import("../modules.ts")).graph,
};
