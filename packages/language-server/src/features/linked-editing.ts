import { linkedNamesAt } from "@configc/compiler/internal";
import type { Feature } from "../feature.ts";
import { toRange } from "../range.ts";

/** The places of a name that may be typed at once. In a program of its own, those of its variables and functions. */
export const linkedEditing: Feature = {
  capabilities: { linkedEditingRangeProvider: true },
  register({ connection, part }) {
    connection.languages.onLinkedEditingRange(({ textDocument, position }) => {
      const open = part(textDocument.uri);
      if (open === undefined) return null;
      const { document, compilation, view } = open;
      const spans = linkedNamesAt(compilation.model, document.offsetAt(position));
      // What stands in another document can't be typed at the same time.
      if (spans.length === 0 || spans.some((span) => view?.contains(span) === false)) return null;
      return { ranges: spans.map((span) => toRange(document, span)), wordPattern: "[A-Za-z_][A-Za-z0-9_]*" };
    });
  },
};
