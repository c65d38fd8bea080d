import { insertableOperations } from "@configc/compiler/internal";
import type { Position, Range, TextDocumentIdentifier, TextEdit } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** What `configc/operations` takes. */
export interface OperationsParams {
  readonly textDocument: TextDocumentIdentifier;
  /** Where one is to be written. */
  readonly position: Position;
}

/** An operation of an OpenAPI document, and the edits that write it at the place that was asked for. */
export interface DescribedOperation {
  /** `GET /lists` */
  readonly label: string;
  readonly summary: string;
  /** Markdown. */
  readonly documentation: string;
  readonly edits: readonly TextEdit[];
}

/** `configc/operations`: the operations that can be written at a place; none where no command is, or no document is named. */
export const operations: Feature = {
  capabilities: {},
  register({ connection, config }) {
    connection.onRequest(
      "configc/operations",
      ({ textDocument, position }: OperationsParams): DescribedOperation[] => {
        const open = config(textDocument.uri);
        if (open === undefined) return [];
        const { document, compilation } = open;
        const range = (span: { start: number; end: number }): Range => toRange(document, span);
        return insertableOperations(compilation.model, document.offsetAt(position)).map(
          ({ edits, ...operation }) => ({
            ...operation,
            edits: edits.map(({ newText, ...span }) => ({ range: range(span), newText })),
          }),
        );
      },
    );
  },
};
