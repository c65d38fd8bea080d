import type { Span } from "@configc/compiler";
import type { Config } from "./config.ts";

/** Replaces `[start, end)` of the unharmed text. */
export interface TextEdit extends Span {
  readonly newText: string;
}

/** One mistake in one document. */
export interface Mutant {
  readonly edits: readonly TextEdit[];
  /**
   * Where the finding must be, in offsets of the unharmed text; text that an edit puts there belongs to it. Where a mistake
   * can fairly be seen from two sides (a bracket and its partner, two names that should differ), both are listed.
   */
  readonly at: readonly Span[];
  /** The same in offsets of the mutant, where an edit moved the text that must be reported. */
  readonly landed?: readonly Span[];
}

/** A kind of mistake that people make. */
export interface Kind {
  /** `family/kebab-name` */
  readonly name: string;
  /** The mistake, for people; also which mutants are left out because they aren't mistakes. */
  readonly what: string;
  /** The level that `design.md` ("Severity") and the decisions ask for. */
  readonly expects: "error" | "warning" | "hint";
  /** Every place of a document where the mistake can be made. */
  mutants(config: Config): Iterable<Mutant>;
}

/** A kind whose mutants replace one span by a text, and must be found there. */
export function replacing(
  name: string,
  expects: Kind["expects"],
  what: string,
  sites: (config: Config) => Iterable<readonly [Span, string]>,
): Kind {
  return {
    name,
    what,
    expects,
    *mutants(config) {
      for (const [span, newText] of sites(config)) yield replaced(span, newText);
    },
  };
}

export function replaced({ start, end }: Span, newText: string): Mutant {
  return { edits: [{ start, end, newText }], at: [{ start, end }] };
}

/** The mutant's text and where in it the finding must be. Edits must not overlap. */
export function applyMutant(
  text: string,
  { edits, at, landed = [] }: Mutant,
): { text: string; at: readonly Span[] } {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let done = 0;
  for (const { start, end, newText } of sorted) {
    result += text.slice(done, start) + newText;
    done = end;
  }
  result += text.slice(done);
  const moved = at.map(({ start, end }) => ({
    start: start + growth(sorted, (edit) => edit.end < start || (edit.end === start && edit.start < start)),
    end: end + growth(sorted, (edit) => edit.start < end || edit.end <= end),
  }));
  return { text: result, at: [...moved, ...landed] };
}

function growth(edits: readonly TextEdit[], counts: (edit: TextEdit) => boolean): number {
  return edits
    .filter(counts)
    .reduce((sum, { start, end, newText }) => sum + newText.length - (end - start), 0);
}
