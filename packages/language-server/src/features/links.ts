import { docsOf } from "@configc/compiler";
import { type Link, linksOf } from "@configc/compiler/internal";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** URLs that can be opened as they stand, and the pages of rules that comments silence. */
export const links: Feature = {
  capabilities: { documentLinkProvider: { resolveProvider: false } },
  register(server) {
    server.connection.onDocumentLinks(({ textDocument }) => {
      const open = server.config(textDocument.uri);
      if (open === undefined) return null;
      return linksOf(open.compilation.model).flatMap((link) => {
        const target = targetOf(link, server.docsBase);
        return target === undefined ? [] : [{ range: toRange(open.document, link.span), target }];
      });
    });
  },
};

function targetOf(link: Link, docsBase: string | undefined): string | undefined {
  if ("url" in link) return link.url;
  return docsBase === undefined ? undefined : new URL(docsOf(link.rule), docsBase).href;
}
