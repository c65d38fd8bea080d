import type { Command } from "../bind/bound-nodes.ts";
import { textOf } from "../parse/syntax-tree.ts";

/** Whether a request only looks something up, by its method or by what its path is called: `POST /clients/match`. */
export const isLookup = ({ argument }: Command): boolean =>
  /^(?:GET)?$/i.test(textOf(argument, "method") ?? "") ||
  asks.test((textOf(argument, "path") ?? textOf(argument, "url") ?? "").split("?")[0]!);

const asks =
  /(?:search|query|find|lookup|look-up|filter|match|resolve|identify)$|(?:search|query|find|lookup|filter)\b/i;
