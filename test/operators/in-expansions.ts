import type { Model } from "@configc/compiler";
import { inString, type Operator, type Rewriting } from "./operator.ts";

type Expansion = Model["expansions"][number];

/** An operator on the expansions of a document, those in programs too. */
function onExpansions(
  name: string,
  what: string,
  rewritings: (expansion: Expansion, all: readonly Expansion[]) => readonly Rewriting[],
): Operator {
  return {
    name,
    what,
    *changes(target) {
      const { expansions } = target.model;
      for (const expansion of expansions)
        for (const [part, newText] of rewritings(expansion, expansions))
          yield [inString(target, expansion.node, part, newText)];
    },
  };
}

const names = ({ syntax: { path } }: Expansion): readonly string[] => path.map(({ text }) => text);

/** Moves the index of `piped_content`. */
const moved =
  (by: number) =>
  ({ syntax: { path } }: Expansion): readonly Rewriting[] => {
    const [root, index] = path;
    const to = Number(index?.text) + by;
    return root?.text === "piped_content" && index !== undefined && to >= 0 ? [[index, `${to}`]] : [];
  };

/** Another name that stands beside the last one elsewhere in the document. */
function sibling(expansion: Expansion, all: readonly Expansion[], at: number): readonly Rewriting[] {
  const path = names(expansion);
  const part = expansion.syntax.path[at];
  const other = all
    .map(names)
    .find(
      (each) =>
        each[at] !== undefined &&
        each[at] !== path[at] &&
        each.slice(0, at).join() === path.slice(0, at).join(),
    );
  return part === undefined || other === undefined ? [] : [[part, other[at]!]];
}

const another = (word: string, other: string) => (expansion: Expansion) => {
  const [root, , part] = expansion.syntax.path;
  return root?.text === "custom_data" && part?.text === word ? [[part, other] as const] : [];
};

/** Operators on `${…}`. */
export const expansionOperators: readonly Operator[] = [
  onExpansions("step-before", "The step before is read.", moved(-1)),
  onExpansions("step-behind", "The step behind is read.", moved(1)),
  onExpansions("other-field", "Another field of the form is read.", (expansion, all) =>
    names(expansion)[0] === "custom_data" ? sibling(expansion, all, 1) : [],
  ),
  onExpansions(
    "other-key",
    "Another key of the state, the saved values or a step's output is read.",
    (expansion, all) =>
      ["polling_state", "data", "piped_content"].includes(names(expansion)[0]!) && names(expansion).length > 1
        ? sibling(expansion, all, names(expansion).length - 1).filter(([, text]) => !/^\d+$/.test(text))
        : [],
  ),
  onExpansions(
    "display-for-value",
    "What is shown is read for what identifies.",
    another("value", "display"),
  ),
  onExpansions(
    "value-for-display",
    "What identifies is read for what is shown.",
    another("display", "value"),
  ),
  onExpansions("filters-dropped", "`| default` is missing.", ({ syntax: { path, filters } }) => {
    const [last, filter] = [path.at(-1), filters.at(-1)];
    return last === undefined || filter === undefined ? [] : [[{ start: last.end, end: filter.end }, ""]];
  }),
];
