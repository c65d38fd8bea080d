import type { Config } from "../mutants/config.ts";
import { applyMutant, type Kind, type TextEdit } from "../mutants/kind.ts";
import { judge } from "../mutants/run.ts";

/** Changes count as told wherever the finding is. */
const anywhere: Kind = { name: "operator", what: "", expects: "warning", mutants: () => [] };

/** Whether a change of a right config brings an error or a warning. */
export const isTold = (config: Config, edits: readonly TextEdit[]): boolean =>
  judge(anywhere, config, { edits, at: [] }).found;

/** So many of a list, spread over it. */
export const spread = <T>(all: readonly T[], limit: number): readonly T[] =>
  all.length <= limit
    ? all
    : Array.from({ length: limit }, (_, at) => all[Math.floor(((at + 0.5) * all.length) / limit)]!);

/** So many characters are shown around a change. */
const AROUND = 70;

/** The text before and after a change. */
export function excerpt(config: Config, edits: readonly TextEdit[]): string {
  const start = Math.min(...edits.map((edit) => edit.start));
  const end = Math.max(...edits.map((edit) => edit.end));
  const { text } = applyMutant(config.text, { edits, at: [] });
  const grown = text.length - config.text.length;
  return [
    `  - ${line(config.text.slice(start - AROUND, end + AROUND))}`,
    `  + ${line(text.slice(start - AROUND, end + grown + AROUND))}`,
  ].join("\n");
}

const line = (text: string): string => text.replace(/\s+/g, " ").slice(0, 6 * AROUND);
