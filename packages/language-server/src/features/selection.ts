import { cursorAt, selectionSpans } from "@configc/compiler/internal";
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
        const offset = document.offsetAt(position);
        const cursor = cursorAt(compilation.model, offset);
        // Behind the end of a broken document, or within an escape, some of it doesn't reach the cursor.
        const spans = (cursor === undefined ? [] : selectionSpans(compilation.model, cursor)).filter(
          ({ start, end }) => start <= offset && offset <= end,
        );
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
