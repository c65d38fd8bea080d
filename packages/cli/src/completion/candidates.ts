import { rules } from "@configc/compiler";
import type { OptionSpec } from "../command-line/option.ts";
import type { VerbSpec } from "../command-line/verb.ts";
import { commonOptions } from "../verbs/specs/options.ts";

/** What a shell offers at a place: words, or files. */
export type Offer =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "levels"; readonly rules: readonly string[] }
  | { readonly kind: "nothing" };

export interface CompletedOption {
  readonly spec: OptionSpec;
  /** For its value; undefined for a flag. */
  readonly offer: Offer | undefined;
}

export interface CompletedVerb {
  readonly name: string;
  readonly summary: string;
  readonly operand: Offer;
  readonly options: readonly CompletedOption[];
}

export const levels = ["error", "warning", "info", "hint", "off"];

/** The table of verbs, as completion scripts need it. */
export function completedVerbs(verbs: readonly VerbSpec[]): CompletedVerb[] {
  return verbs.map(({ name, summary, choices, completes, options }) => ({
    name,
    summary,
    operand: offer(choices, completes),
    options: [...options, ...commonOptions].map((spec) => ({ spec, offer: valueOffer(spec) })),
  }));
}

function valueOffer(spec: OptionSpec): Offer | undefined {
  if (spec.value === undefined) return undefined;
  if (spec.completes === "rules") return { kind: "levels", rules: rules.map(({ id }) => id) };
  return offer(spec.choices, spec.completes);
}

function offer(choices: readonly string[] | undefined, completes: OptionSpec["completes"]): Offer {
  if (choices !== undefined) return { kind: "words", words: choices };
  if (completes === "rules") return { kind: "words", words: rules.map(({ id }) => id) };
  return completes === "files" ? { kind: "files" } : { kind: "nothing" };
}
