import { type Lens, lensesOf } from "@configc/compiler/internal";
import type { CodeLens, Command } from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { toRange } from "../range.ts";

const actions = {
  "run-step": { title: "Run step", command: "configc.runStep" },
  "run-pipe": { title: "Run pipe to here", command: "configc.runPipeTo" },
  "run-poll": { title: "Run poll", command: "configc.runPoll" },
  simulate: { title: "Simulate", command: "configc.simulate" },
  "edit-jq": { title: "Edit jq", command: "configc.editJq" },
  "show-type": { title: "Show type", command: "configc.showType" },
} as const;

/** "Run step" and its like above commands, counts of uses above declarations. The client has the commands. */
export const lenses: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: false } },
  register({ connection, config }) {
    connection.onCodeLens(({ textDocument }) => {
      const open = config(textDocument.uri);
      return open === undefined
        ? null
        : lensesOf(open.compilation.model).map((lens) => toCodeLens(open, lens));
    });
  },
};

function toCodeLens(open: OpenConfig, lens: Lens): CodeLens {
  return { range: toRange(open.document, lens.span), command: commandOf(open, lens) };
}

function commandOf({ document }: OpenConfig, lens: Lens): Command {
  const { uri } = document;
  if (lens.kind !== "references")
    return { ...actions[lens.kind], arguments: [{ uri, pointer: lens.pointer }] };
  const title = lens.count === 1 ? "1 reference" : `${lens.count} references`;
  const locations = lens.references.map((span) => ({ uri, range: toRange(document, span) }));
  return {
    title,
    command: "configc.showReferences",
    arguments: [uri, document.positionAt(lens.span.start), locations],
  };
}
