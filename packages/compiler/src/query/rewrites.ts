import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { spanOf } from "../parse/document.ts";

/** Another way to write what is there, with the same meaning. */
export interface Rewrite {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** What can be written otherwise in a range of the document: `$<…>` as `${…}` (D6). */
export function rewritesIn(model: Model, from: number, to: number): readonly Rewrite[] {
  const { document, expansions } = model;
  return expansions.flatMap(({ node, syntax }) => {
    const { start, end, opener, problem, filters } = syntax;
    // What ends the other form would end this one too early.
    const ends = filters.some(({ argument }) => argument?.text.includes("}"));
    if (opener !== "$<" || problem !== undefined || ends) return [];
    const whole = spanOf(document, { node, from: start, to: end });
    if (whole.end < from || to < whole.start) return [];
    const edits = [
      { ...spanOf(document, { node, from: start, to: start + opener.length }), newText: "${" },
      { ...spanOf(document, { node, from: end - 1, to: end }), newText: "}" },
    ];
    return [{ title: "Write as `${…}`", edits }];
  });
}
