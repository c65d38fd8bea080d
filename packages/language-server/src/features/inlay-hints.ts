import { hintsIn } from "@configc/compiler/internal";
import { InlayHintKind } from "vscode-languageserver";
import type { Feature } from "../feature.ts";

/** What steps of a pipe give, and which step an index means. */
export const inlayHints: Feature = {
  capabilities: { inlayHintProvider: { resolveProvider: false } },
  register({ connection, config }) {
    connection.languages.inlayHint.on(({ textDocument, range }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const { document, compilation } = open;
      const part = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
      return hintsIn(compilation.model, part).map(({ offset, label, tooltip }) => ({
        position: document.positionAt(offset),
        label,
        kind: InlayHintKind.Type,
        tooltip: { kind: "markdown" as const, value: tooltip },
        paddingLeft: !label.startsWith(":"),
      }));
    });
  },
};
