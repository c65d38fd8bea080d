import { get } from "../config.ts";
import type { Kind } from "../kind.ts";
import { each, everywhere, inPrograms } from "./in-programs.ts";

/** A record in place of its id, and an update that removes. */
export const slipsOfMeaning: readonly Kind[] = [
  inPrograms(
    "record-as-id",
    "The first record is given for its id.",
    everywhere,
    each(/(?<=\bid: (?:\.\w+\[0\]|\(?\[[^\]]*\] \| first)) ?\.id\b/g, ""),
  ),
  {
    name: "meaning/update-deletes",
    what: "`update` removes what it should change. Where it has cases, another one may make it anew.",
    expects: "warning",
    *mutants(config) {
      const updates = config.commands.filter(
        ({ place }) => place[0] === "data_intake" && place[2] === "update",
      );
      for (const { key, argument, unit } of updates) {
        const hasCases = updates.some((other) => other.unit === unit && other.key === "!switch");
        if (key !== "!http" || hasCases) continue;
        const method = get(argument, "method");
        const isChange = method?.kind === "string" && /^(?:PUT|PATCH)$/.test(method.value);
        if (!isChange || get(argument, "body") === undefined) continue;
        yield { edits: [{ start: method.start, end: method.end, newText: '"DELETE"' }], at: [argument!] };
      }
    },
  },
];
