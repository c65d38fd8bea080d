import type { Kind } from "../kind.ts";
import { each, everywhere, inPrograms } from "./in-programs.ts";

/** Mistakes in how answers are read: beside their wrapper, or as what they never are. */

export const answerKinds: readonly Kind[] = [
  inPrograms(
    "place-as-true",
    "A place in a list is compared with true.",
    everywhere,
    each(/(?<=\| index\([^()]*\)\)) != null/g, " == true"),
  ),
  inPrograms(
    "beside-wrapper",
    "The id is read beside the wrapper, by which the same program reads another member.",
    everywhere,
    function* (source) {
      for (const match of source.matchAll(/(?<=\w: )\.(\w+)\.id(?=[,}])/g)) {
        const others = source.replace(match[0], "");
        if (others.includes(` .${match[1]}.`))
          yield [match.index, match.index + match[0].length, ".id"] as const;
      }
    },
  ),
];
