import { renameEdits, renameProblem } from "@configc/compiler";
import {
  namedSymbolAt,
  type Occurrence,
  operationPlaceAt,
  samplesAt,
  spanOf,
} from "@configc/compiler/internal";
import {
  DocumentHighlightKind,
  ErrorCodes,
  type Location,
  type Position,
  type Range,
  ResponseError,
} from "vscode-languageserver";
import type { Feature, OpenConfig } from "../feature.ts";
import { changesOf, locate, toRange } from "../range.ts";
import { versioned } from "../versioned.ts";

/** Definition, references, highlights and rename: all that follows a name. */
export const names: Feature = {
  capabilities: {
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
  },
  register(server) {
    const { connection, part } = server;
    connection.onDefinition(({ textDocument, position }) => {
      const open = part(textDocument.uri);
      const found = lookUp(open, position);
      if (found !== undefined) return found.thing.declarations.map((at) => found.location(at));
      const samples = open === undefined ? [] : sampleLocations(open, position);
      return samples.length === 0 ? null : samples;
    });
    connection.onReferences(({ textDocument, position, context }) => {
      const found = lookUp(part(textDocument.uri), position);
      if (found === undefined) return null;
      const { declarations, references } = found.thing;
      return [...(context.includeDeclaration ? declarations : []), ...references].map((at) =>
        found.location(at),
      );
    });
    connection.onDocumentHighlight(({ textDocument, position }) => {
      const found = lookUp(part(textDocument.uri), position);
      if (found === undefined) return null;
      const { declarations, references } = found.thing;
      return [
        ...declarations
          .filter(found.isHere)
          .map((at) => ({ range: found.range(at), kind: DocumentHighlightKind.Write })),
        ...references
          .filter(found.isHere)
          .map((at) => ({ range: found.range(at), kind: DocumentHighlightKind.Read })),
      ];
    });
    connection.onPrepareRename(({ textDocument, position }) => {
      const found = lookUp(part(textDocument.uri), position);
      if (found === undefined) return null;
      const { obstacle, name } = found.thing;
      if (obstacle !== undefined) return new ResponseError(ErrorCodes.InvalidParams, obstacle);
      return { range: found.range(found.at), placeholder: name };
    });
    connection.onRenameRequest(({ textDocument, position, newName }) => {
      const open = part(textDocument.uri);
      const found = lookUp(open, position);
      if (open === undefined || found === undefined) return null;
      const { model } = open.compilation;
      const problem = renameProblem(model, found.thing, newName);
      if (problem !== undefined) return new ResponseError(ErrorCodes.InvalidParams, problem);
      return versioned(server, { changes: changesOf(open, renameEdits(model, found.thing, newName)) });
    });
  },
};

/** The files that types of a request or a webhook are learned from. */
function sampleLocations({ document, compilation }: OpenConfig, position: Position): Location[] {
  const operation = operationPlaceAt(compilation.model, document.offsetAt(position));
  if (operation !== undefined) {
    const start = { line: operation.line, character: 0 };
    return [{ uri: operation.uri, range: { start, end: start } }];
  }
  const top = { line: 0, character: 0 };
  return samplesAt(compilation.model, document.offsetAt(position)).map((uri) => ({
    uri,
    range: { start: top, end: top },
  }));
}

function lookUp(open: OpenConfig | undefined, position: Position) {
  if (open === undefined) return undefined;
  const { document, compilation, view } = open;
  const found = namedSymbolAt(compilation.model, document.offsetAt(position));
  if (found === undefined) return undefined;
  const range = (at: Occurrence): Range => toRange(document, spanOf(compilation.model.document, at));
  const location = (at: Occurrence): Location => locate(open, spanOf(compilation.model.document, at));
  /** Of those in this document. */
  const isHere = (at: Occurrence): boolean =>
    view?.contains(spanOf(compilation.model.document, at)) !== false;
  return { ...found, range, location, isHere };
}
