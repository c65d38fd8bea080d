import { type Lens, lensesOf, spanOf } from "@configc/compiler/internal";
import { type CodeLens, type Command, LSPErrorCodes, type Range, ResponseError } from "vscode-languageserver";
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

/** What a lens is known by besides its place. */
interface LensAddress {
  readonly uri: string;
  readonly kind: Lens["kind"];
}

/**
 * "Run step" and its like above commands, counts of uses above declarations. The client has the commands. What a count leads to is
 * told when it is resolved. A document of a megabyte has thousands of lenses, so a client can ask for those of a few hundred lines.
 */
export const lenses: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: true } },
  register({ connection, config }) {
    connection.onCodeLens(({ textDocument }) => {
      const open = config(textDocument.uri);
      return open === undefined
        ? null
        : lensesOf(open.compilation.model).map((lens) => toCodeLens(open, lens));
    });
    connection.onCodeLensResolve((lens) => {
      if (lens.data === undefined) return lens;
      const { uri, kind } = lens.data as LensAddress;
      const open = config(uri);
      const at = open?.document.offsetAt(lens.range.start);
      const found =
        open && lensesOf(open.compilation.model).find((each) => each.kind === kind && each.span.start === at);
      if (open === undefined || found === undefined)
        return new ResponseError(LSPErrorCodes.ContentModified, "The document has changed since then.");
      return { range: lens.range, command: commandOf(open, found) };
    });
    connection.onRequest("configc/lenses", ({ textDocument, range }: LensesParams): CodeLens[] | null => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const [from, to] = [range.start, range.end].map((at) => open.document.offsetAt(at)) as [number, number];
      return lensesOf(open.compilation.model)
        .filter(({ span }) => from <= span.start && span.start <= to)
        .map((lens) => toCodeLens(open, lens));
    });
  },
};

interface LensesParams {
  readonly textDocument: { readonly uri: string };
  /** Only the lenses that begin here are told. */
  readonly range: Range;
}

/** A lens with its command, unless that would have to be looked up. */
function toCodeLens(open: OpenConfig, lens: Lens): CodeLens {
  const { document } = open;
  const range = toRange(document, lens.span);
  if (lens.kind !== "references") return { range, command: commandOf(open, lens) };
  const data: LensAddress = { uri: document.uri, kind: lens.kind };
  return { range, data };
}

function commandOf({ document, compilation }: OpenConfig, lens: Lens): Command {
  const { uri } = document;
  if (lens.kind !== "references")
    return { ...actions[lens.kind], arguments: [{ uri, pointer: lens.pointer }] };
  const { length } = lens.references;
  const locations = lens.references.map((at) => ({
    uri,
    range: toRange(document, spanOf(compilation.model.document, at)),
  }));
  return {
    title: length === 1 ? "1 reference" : `${length} references`,
    command: "configc.showReferences",
    arguments: [uri, document.positionAt(lens.span.start), locations],
  };
}
