import type { Model } from "../../bind/model.ts";
import { cursorAt } from "../cursor.ts";
import { describedNames, describedValues } from "../openapi/completions.ts";
import type { Completion } from "./completion.ts";
import { expansionCompletions } from "./expansion.ts";
import { jqCompletions } from "./jq.ts";
import { documentCompletions, nameCompletions, valueCompletions } from "./structure.ts";

export type { Completion, CompletionKind } from "./completion.ts";
export { withoutPlaces } from "./shape.ts";

/**
 * What can be written at an offset, in half-typed and broken documents too.
 *
 * @param offset UTF-16, of the cursor
 */
export function completionsAt(model: Model, offset: number): readonly Completion[] {
  // Within an escape that isn't whole nothing can be written, and no part of the text around it taken away.
  return candidates(model, offset).filter(({ replace }) => replace.start <= offset && offset <= replace.end);
}

function candidates(model: Model, offset: number): readonly Completion[] {
  if (model.document.root === undefined) return documentCompletions(model, offset);
  const cursor = cursorAt(model, offset);
  if (cursor === undefined) return [];
  switch (cursor.kind) {
    case "name":
      return [...describedNames(model, cursor), ...nameCompletions(model, cursor)];
    case "value":
      return [...describedValues(model, cursor), ...valueCompletions(model, cursor)];
    case "text":
      if (cursor.expansion !== undefined) return expansionCompletions(model, cursor);
      if (cursor.program !== undefined) return jqCompletions(model, cursor);
      return [...describedValues(model, cursor), ...valueCompletions(model, cursor)];
  }
}
