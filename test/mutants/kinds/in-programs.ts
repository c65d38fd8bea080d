import type { CommandSite, Config } from "../config.ts";
import type { Kind, Mutant } from "../kind.ts";

export type Change = (source: string) => Iterable<readonly [from: number, to: number, newText: string]>;

/** A change in the programs of some place, found anywhere in the program. */
export function inPrograms(
  name: string,
  what: string,
  isMeant: (site: CommandSite, config: Config) => boolean,
  change: Change,
  expects: Kind["expects"] = "warning",
): Kind {
  return {
    name: `meaning/${name}`,
    what,
    expects,
    *mutants(config) {
      for (const { node, site } of config.programs()) {
        if (!isMeant(site, config)) continue;
        const source = config.text.slice(node.start + 1, node.end - 1);
        for (const [from, to, newText] of change(source)) {
          const start = node.start + 1;
          yield { edits: [{ start: start + from, end: start + to, newText }], at: [node] } satisfies Mutant;
        }
      }
    },
  };
}

export const everywhere = (): boolean => true;
export const inRequest = ({ place }: CommandSite): boolean =>
  place[0] === "data_intake" && place[2] === "request";
export const inVerification = ({ place }: CommandSite): boolean =>
  place[0] === "data_intake" && place[2] === "verification";

/** Replaces each match that a pattern finds. */
export const each = (pattern: RegExp, newText: string | ((match: RegExpMatchArray) => string)): Change =>
  function* (source) {
    for (const match of source.matchAll(pattern)) {
      const text = typeof newText === "string" ? newText : newText(match);
      if (text !== match[0]) yield [match.index, match.index + match[0].length, text];
    }
  };
