import { type Lens, lensesOf, spanOf } from "@configc/compiler/internal";
import {
  type CodeLens,
  type Command,
  LSPErrorCodes,
  ResponseError,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensDelta,
} from "vscode-languageserver";
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

/** In `configc/lenses`, a lens is told by the number of its kind. */
const lensKinds: readonly Lens["kind"][] = [
  "run-step",
  "run-pipe",
  "run-poll",
  "simulate",
  "edit-jq",
  "show-type",
  "references",
];

/** What a lens is known by besides its place. */
interface LensAddress {
  readonly uri: string;
  readonly kind: Lens["kind"];
}

/**
 * "Run step" and its like above commands, counts of uses above declarations. The client has the commands. What a count leads to is
 * told when it is resolved, and so is all of a lens of `configc/lenses`: of thousands, a client shows a few.
 */
export const lenses: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: true } },
  register({ connection, config, onClose }) {
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
    /** By document: what the client was told last, so that it is told of changes only. */
    const told = new Map<string, SemanticTokensBuilder>();
    onClose((uri) => void told.delete(uri));
    connection.onRequest("configc/lenses", ({ textDocument, previousResultId }: LensesParams): unknown => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const builder = told.get(textDocument.uri) ?? new SemanticTokensBuilder();
      told.set(textDocument.uri, builder);
      // One that isn't known any more gets all of them.
      builder.previousResult(previousResultId ?? "");
      return encode(builder, open).buildEdits() satisfies LensesResult;
    });
  },
};

interface LensesParams {
  readonly textDocument: { readonly uri: string };
  /** The `resultId` of the answer that the client has. */
  readonly previousResultId?: string;
}

/** As colours are: line and character after the one before, length, number of the kind, 0. */
export type LensesResult = SemanticTokens | SemanticTokensDelta;

function encode(
  builder: SemanticTokensBuilder,
  { document, compilation }: OpenConfig,
): SemanticTokensBuilder {
  for (const { kind, span } of lensesOf(compilation.model)) {
    const { line, character } = document.positionAt(span.start);
    builder.push(line, character, span.end - span.start, lensKinds.indexOf(kind), 0);
  }
  return builder;
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
