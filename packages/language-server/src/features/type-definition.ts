import { typePlacesAt } from "@configc/compiler/internal";
import type { Feature } from "../feature.ts";
import { locate } from "../range.ts";

/** Where it is said what a value is like: an operation, samples, a form field, or the command that gives it. */
export const typeDefinition: Feature = {
  capabilities: { typeDefinitionProvider: true },
  register({ connection, part }) {
    connection.onTypeDefinition(({ textDocument, position }) => {
      const open = part(textDocument.uri);
      if (open === undefined) return null;
      const places = typePlacesAt(open.compilation.model, open.document.offsetAt(position));
      if (places.length === 0) return null;
      return places.map((place) => {
        if (!("line" in place)) return locate(open, place);
        const start = { line: place.line, character: 0 };
        return { uri: place.uri, range: { start, end: start } };
      });
    });
  },
};
