import { hoverAt } from "@configc/compiler";
import type { Feature } from "../feature.ts";
import { markup } from "../markup.ts";
import { toRange } from "../range.ts";

/** What the language, the types and the declarations say of a thing. */
export const hover: Feature = {
  capabilities: { hoverProvider: true },
  register(server) {
    const { connection, part } = server;
    connection.onHover(({ textDocument, position }) => {
      const open = part(textDocument.uri);
      const found =
        open === undefined ? undefined : hoverAt(open.compilation.model, open.document.offsetAt(position));
      if (open === undefined || found === undefined) return null;
      return {
        contents: markup(found.markdown, server.client.textDocument?.hover?.contentFormat),
        range: toRange(open.document, found.span),
      };
    });
  },
};
