import { linksOf } from "@configc/compiler";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** URLs that can be opened as they stand. */
export const links: Feature = {
  capabilities: { documentLinkProvider: { resolveProvider: false } },
  register({ connection, config }) {
    connection.onDocumentLinks(({ textDocument }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      return linksOf(open.compilation.model).map(({ span, target }) => ({
        range: toRange(open.document, span),
        target,
      }));
    });
  },
};
