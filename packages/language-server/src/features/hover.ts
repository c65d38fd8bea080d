import { hoverAt } from "@configc/compiler";
import { MarkupKind } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** What the language, the types and the declarations say of a thing. */
export const hover: Feature = {
  capabilities: { hoverProvider: true },
  register({ connection, config }) {
    connection.onHover(({ textDocument, position }) => {
      const open = config(textDocument.uri);
      const found =
        open === undefined ? undefined : hoverAt(open.compilation.model, open.document.offsetAt(position));
      if (open === undefined || found === undefined) return null;
      return {
        contents: { kind: MarkupKind.Markdown, value: found.markdown },
        range: toRange(open.document, found.span),
      };
    });
  },
};
