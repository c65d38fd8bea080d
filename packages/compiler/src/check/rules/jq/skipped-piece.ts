import type { Expression, Suffix } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { bare, isExpression, nodesIn, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const skippedPiece = defineRule<{ text: string; from: number; taken: number; split: string }>({
  id: "jq/skipped-piece",
  severity: "warning",
  summary: "A text is taken apart, and one of its words is in none of the parts",
  why: "Words are counted from 0, so the rest behind the first one begins at 1. Of a name with two words, the second is lost, and the family name stays empty.",
  guards: ["command.!jq", "D23"],
  message: ({ text, from, taken, split }) =>
    `Nothing takes piece ${taken} of \`${split}\`: one part ends with piece ${taken - 1}, and \`${text}\` begins with piece ${from}.`,
  because: ({ taken }) => [
    "pieces are counted from 0",
    taken === 1
      ? "of a text with two words, the second one is lost"
      : `of a text with ${taken + 1} words, the last one is lost`,
  ],
  help: ({ taken }) => `Write \`[${taken}:]\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, first_name: (.name | split(\\" \\") | .[0]), last_name: (.name | split(\\" \\") | «.[2:]» | join(\\" \\"))}"}',
      good: '{"!jq": "{email: .email, first_name: (.name | split(\\" \\") | .[0]), last_name: (.name | split(\\" \\") | .[1:] | join(\\" \\"))}"}',
    },
    {
      title: "By a variable",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "(.name | split(\\" \\")) as $words | {email: .email, first_name: $words[0], last_name: («$words[2:]» | join(\\" \\"))}"}',
      good: '{"!jq": "(.name | split(\\" \\")) as $words | {email: .email, first_name: $words[0], last_name: ($words[1:] | join(\\" \\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [skippedPiece],
  checks: {
    program(program, report) {
      const { value } = program.node;
      if (program.diagnostics.length > 0 || !value.includes("split") || !/[1-9]\d*\s*:\s*\]/.test(value))
        return;
      for (const [split, pieces] of piecesIn(program)) {
        const open = pieces.filter(({ to }) => to === undefined);
        const [rest] = open;
        const others = pieces.filter(({ to }) => to !== undefined);
        // Negative places, and all that isn't counted, may mean any word.
        if (rest === undefined || open.length > 1 || others.length === 0) continue;
        const taken = Math.max(...others.map(({ to }) => to!));
        if (rest.from <= taken || pieces.some(({ isKnown }) => !isKnown)) continue;
        if (commentsAround(program.node, []).some(({ value }) => isLeftOut.test(value))) continue;
        const { node, from } = rest;
        const text = excerpt(textAt(node, program), 40);
        report(skippedPiece, partAt(program, node), { text, from, taken, split: excerpt(split, 40) });
      }
    },
  },
};
export default module;

/** Some words of a text: from a place on, up to another. */
interface Piece {
  readonly node: Expression;
  readonly from: number;
  readonly to: number | undefined;
  readonly isKnown: boolean;
}

/** What is taken of each text that a program splits into words, by how the split is written. */
function piecesIn(program: JqProgram): ReadonlyMap<string, readonly Piece[]> {
  const found = new Map<string, Piece[]>();
  const add = (split: string | undefined, piece: Piece): void => {
    if (split === undefined) return;
    const known = found.get(split);
    if (known === undefined) found.set(split, [piece]);
    else known.push(piece);
  };
  const named = new Set<Expression>();
  for (const node of nodesIn(program.tree)) {
    if (node.kind === "Pipeline") {
      const at = node.stages.findIndex((stage) => isExpression(stage) && isSplit(stage));
      const [behind] = node.stages.slice(at + 1);
      if (at < 1 || behind === undefined || !isExpression(behind)) continue;
      const split = program.node.value.slice(node.start, node.stages[at]!.end);
      const take = bare(behind);
      const isOfWords = take.kind === "Postfix" && take.head.kind === "Identity";
      add(split, pieceOf(take, isOfWords ? take.suffixes : []));
    } else if (node.kind === "Postfix") {
      const split = splitOf(node.head, program);
      if (split === undefined) continue;
      named.add(node.head);
      add(split, pieceOf(node, node.suffixes));
    }
  }
  // What takes all of the words, or counts them, may see to the rest.
  for (const node of nodesIn(program.tree))
    if (node.kind === "Variable" && !named.has(node))
      add(splitOf(node, program), { node, from: 0, to: undefined, isKnown: false });
  return found;
}

function splitOf(head: Expression, program: JqProgram): string | undefined {
  const bound = head.kind === "Variable" ? boundTo(program, head) : head.kind === "Group" ? head : undefined;
  const made = bound === undefined ? undefined : bare(bound);
  const last = made?.kind === "Pipeline" ? made.stages.at(-1) : undefined;
  return made !== undefined && last !== undefined && isExpression(last) && isSplit(last)
    ? textAt(made, program)
    : undefined;
}

/** `split(" ")` */
function isSplit(node: Expression): boolean {
  const [by] = node.kind === "Call" && node.name.text === "split" ? node.arguments : [];
  return by !== undefined && constantOf(by) === " ";
}

function pieceOf(node: Expression, [suffix, ...others]: readonly Suffix[]): Piece {
  const unknown = { node, from: 0, to: undefined, isKnown: false };
  if (node.kind === "Call" && node.name.text === "first") return { node, from: 0, to: 1, isKnown: true };
  if (suffix === undefined || others.some(({ kind }) => kind !== "Optional")) return unknown;
  if (suffix.kind === "Index") {
    const place = constantOf(suffix.index);
    return typeof place === "number" && place >= 0
      ? { node, from: place, to: place + 1, isKnown: true }
      : unknown;
  }
  if (suffix.kind !== "Slice") return unknown;
  const [from, to] = [suffix.from, suffix.to].map((each) =>
    each === undefined ? undefined : constantOf(each),
  );
  const isKnown =
    (suffix.from === undefined || (typeof from === "number" && from >= 0)) &&
    (suffix.to === undefined || (typeof to === "number" && to > 0));
  return isKnown
    ? {
        node,
        from: typeof from === "number" ? from : 0,
        to: typeof to === "number" ? to : undefined,
        isKnown,
      }
    : unknown;
}

/** A word that nobody wants: `“First M. Last”: the initial is left out`. */
const isLeftOut =
  /\b(?:initials?|middle (?:names?|words?)|second (?:names?|words?|parts?)|(?:left|leave|leaves) out|dropped|skipped)\b/i;
