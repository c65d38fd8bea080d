import { cursorAt, selectionSpans } from "@configc/compiler";
import type { SelectionRange } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** What "expand selection" takes next: jq, expansion, string, member, object … */
export const selection: Feature = {
  capabilities: { selectionRangeProvider: true },
  register({ connection, config }) {
    connection.onSelectionRanges(({ textDocument, positions }) => {
      const open = config(textDocument.uri);
      if (open === undefined) return null;
      const { document, compilation } = open;
      return positions.map((position) => {
        const cursor = cursorAt(compilation.model, document.offsetAt(position));
        const spans = cursor === undefined ? [] : selectionSpans(compilation.model, cursor);
        let selected: SelectionRange | undefined;
        for (const span of spans.toReversed()) {
          selected = {
            range: toRange(document, span),
            ...(selected === undefined ? {} : { parent: selected }),
          };
        }
        return selected ?? { range: { start: position, end: position } };
      });
    });
  },
};
