import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";

interface LaterMonth {
  readonly node: Comparison;
  readonly text: string;
  /** The month as the comment names it. */
  readonly sample: string;
  readonly comment: StringNode;
}

const months = "January February March April May June July August September October November December".split(
  " ",
);

/** `(now | gmtime)[1] >= 9` where a comment speaks of September: the months of `gmtime` and `strptime` count from 0. */
export function laterMonths(program: JqProgram): readonly LaterMonth[] {
  if (!/\[1\]/.test(program.node.value)) return [];
  return nodesOfKind(program, "Comparison").flatMap((node) => {
    const number = isMonth(node.left, program) ? constantOf(node.right) : undefined;
    if (typeof number !== "number" || !Number.isInteger(number)) return [];
    // `> 8` begins with the month behind 8.
    const [month, before] = [months[number], months[number - 1]];
    if (before === undefined) return [];
    for (const comment of commentsAround(program.node, [])) {
      const says = (name: string | undefined): boolean =>
        name !== undefined && new RegExp(`\\b${name}\\b`).test(comment.value);
      if (says(month)) return [];
      if (says(before) && /^(?:>=|<|==|!=)$/.test(node.operator))
        return [{ node, text: textAt(node, program), sample: before, comment }];
    }
    return [];
  });
}

/** `$d[1]`, where `$d` is the time in its parts. */
function isMonth(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  const [suffix, ...others] = node.kind === "Postfix" ? node.suffixes : [];
  if (node.kind !== "Postfix" || suffix?.kind !== "Index" || others.length > 0) return false;
  if (constantOf(suffix.index) !== 1) return false;
  const value = valueBehind(node.head as Expression, program);
  const last = value.kind === "Pipeline" ? stagesOf(value).at(-1) : value;
  return last?.kind === "Call" && /^(?:gmtime|localtime|strptime)$/.test(last.name.text);
}
