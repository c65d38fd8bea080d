import { type Completion, hoverAt, recompile } from "@configc/compiler";
import { withoutPlaces } from "@configc/compiler/internal";
import type { OpenConfig } from "../open-config.ts";

/** Characters that may have been typed since a list was made. */
const TYPED = 100;

/**
 * What is told of a completion: its own text, or for a member of a value what a hover tells once it is written: its type, where it
 * comes from, what samples and documents of the API say of it.
 *
 * @param open the document as it is now
 * @param length of its text when the completion was offered: what was typed since then is replaced as well
 */
export function documentationOf(
  open: OpenConfig | undefined,
  { documentation, kind, replace, snippet }: Completion,
  length: number,
): string | undefined {
  if (documentation !== undefined || (kind !== "key" && kind !== "field")) return documentation;
  if (open === undefined) return undefined;
  const { model } = open.compilation;
  const { text, uri } = model.document;
  const typed = text.length - length;
  const end = replace.end + typed;
  if (Math.abs(typed) > TYPED || end < replace.start) return undefined;
  const written = withoutPlaces(snippet);
  const { settings, samples } = model;
  const after = text.slice(0, replace.start) + written + text.slice(end);
  const next = recompile(open.compilation, after, { uri, settings, samples });
  return hoverAt(next.model, replace.start + written.length)?.markdown;
}
