import type { Expression, Postfix, Suffix } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partAround } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, isExpression, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
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
    taken === 0
      ? `Nothing takes piece 0 of \`${split}\`: \`${text}\` is the second piece, with which the rest begins.`
      : `Nothing takes piece ${taken} of \`${split}\`: one part ends with piece ${taken - 1}, and \`${text}\` begins with piece ${from}.`,
  because: ({ taken }) => [
    "pieces are counted from 0",
    taken === 0
      ? "the first word of a text is lost, and the second is taken twice"
      : taken === 1
        ? "of a text with two words, the second one is lost"
        : `of a text with ${taken + 1} words, the last one is lost`,
  ],
  help: ({ taken }) => (taken === 0 ? "Write `[0]` for the first word." : `Write \`[${taken}:]\`.`),
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
    {
      title: "The second word for the first",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "(.name | split(\\" \\")) as $words | {email: .email, first_name: «$words[1]», last_name: ($words[1:] | join(\\" \\"))}"}',
      good: '{"!jq": "(.name | split(\\" \\")) as $words | {email: .email, first_name: $words[0], last_name: ($words[1:] | join(\\" \\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [skippedPiece],
  checks: {
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !/[1-9]\d*\s*:\s*\]/.test(program.node.value)) return;
      if (!mayTakeWords(program, model)) return;
      for (const [split, pieces] of piecesIn(program, model)) {
        const skipped = skippedIn(pieces);
        if (skipped === undefined) continue;
        if (commentsAround(program.node, []).some(({ value }) => saysLeftOut(value))) continue;
        const { node, from, taken } = skipped;
        const text = excerpt(textAt(node, program), 40);
        report(skippedPiece, partAt(program, node), { text, from, taken, split: excerpt(split, 40) });
      }
    },
  },
};
export default module;

/** Whether a program splits a text, or an earlier one of the same part does. */
function mayTakeWords({ node }: JqProgram, model: Model): boolean {
  const mayBeSplit = /\bsplits?\b|\/\s*" "/;
  if (mayBeSplit.test(node.value)) return true;
  return partAround(node, model)?.programs.some((each) => mayBeSplit.test(each.node.value)) === true;
}

/** The piece before which a word is lost, and the number of that word. */
function skippedIn(pieces: readonly Piece[]): (Piece & { readonly taken: number }) | undefined {
  const open = pieces.filter(({ to }) => to === undefined);
  const [rest] = open;
  const others = pieces.filter(({ to }) => to !== undefined);
  const [other] = others;
  // Negative places, and all that isn't counted, may mean any word.
  if (rest === undefined || open.length > 1 || other === undefined) return undefined;
  if (pieces.some(({ isKnown }) => !isKnown)) return undefined;
  const taken = Math.max(...others.map(({ to }) => to!));
  if (rest.from > taken) return { ...rest, taken };
  const isSecond = rest.from === 1 && others.every(({ from, to }) => from === 1 && to === 2);
  return isSecond ? { ...other, taken: 0 } : undefined;
}

/** Some words of a text: from a place on, up to another. */
interface Piece {
  readonly node: Expression;
  readonly from: number;
  readonly to: number | undefined;
  readonly isKnown: boolean;
}

/** What is taken of each text that a program splits into words, by how the split is written. */
function piecesIn(program: JqProgram, model: Model): ReadonlyMap<string, readonly Piece[]> {
  const found = new Map<string, Piece[]>();
  const add = (split: string | undefined, piece: Piece): void => {
    if (split === undefined) return;
    const known = found.get(split);
    if (known === undefined) found.set(split, [piece]);
    else known.push(piece);
  };
  const named = new Set<Expression>();
  const kept = new Map<string, string | undefined>();
  // What is only removed takes none of the words.
  const removed = nodesOfKind(program, "Call").filter(({ name }) => name.text === "del");
  const addKept = (node: Postfix): void => {
    const names = namesBefore(node);
    if (names.length === 0 || removed.some(({ start, end }) => start < node.start && node.end < end)) return;
    const path = program.node.value.slice(node.start, node.suffixes[names.length - 1]!.end);
    if (!kept.has(path))
      kept.set(path, isTakenApart(path, program) ? keptSplit(node, names, path) : undefined);
    add(kept.get(path), pieceOf(node, node.suffixes.slice(names.length)));
  };
  const keptSplit = ({ head }: Postfix, names: readonly string[], path: string): string | undefined => {
    // What isn't there has no words.
    const [made, ...others] = trailsOf(flowOf(model), program, head, names).flatMap(({ origin }) =>
      origin.kind === "made" && constantOf(origin.node) === null ? [] : [origin],
    );
    if (made?.kind !== "made" || !isSplit(made.node)) return undefined;
    if (others.some((other) => other.kind !== "made" || other.node !== made.node)) return undefined;
    const maker = made.program;
    const name = names.at(-1)!;
    const countOf = (text: string): number => program.node.value.split(text).length;
    // Others may take what is left.
    const isOnly =
      countOf(name) === countOf(path) + (maker === program ? 1 : 0) &&
      partAround(program.node, model)?.programs.every(
        (each) => each === program || each === maker || !each.node.value.includes(name),
      ) !== false;
    return isOnly ? path : undefined;
  };
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
      if (split !== undefined) {
        named.add(node.head);
        add(split, pieceOf(node, node.suffixes));
      } else addKept(node);
    }
  }
  // What takes all of the words, or counts them, may see to the rest.
  for (const node of nodesIn(program.tree))
    if (node.kind === "Variable" && !named.has(node))
      add(splitOf(node, program), { node, from: 0, to: undefined, isKnown: false });
  return found;
}

/** `names` of `.names[0]` and `$person.names[1:]`. */
function namesBefore({ head, suffixes }: Postfix): readonly string[] {
  if (head.kind !== "Identity" && head.kind !== "Variable" && head.kind !== "Hole") return [];
  const end = suffixes.findIndex(({ kind }) => kind !== "Field");
  const names = suffixes.slice(0, end < 0 ? suffixes.length : end).flatMap((suffix) => {
    const key = suffix.kind === "Field" ? suffix.key : undefined;
    return key?.kind === "Name" ? [key.text] : [];
  });
  return names.length === (end < 0 ? suffixes.length : end) ? names : [];
}

/** Whether a program takes both a piece and the rest of what stands there. */
function isTakenApart(path: string, { node }: JqProgram): boolean {
  const own = escapedPattern(path);
  return (
    new RegExp(`${own}\\s*\\[\\s*\\d+\\s*\\]`).test(node.value) &&
    new RegExp(`${own}\\s*\\[\\s*\\d+\\s*:\\s*\\]`).test(node.value)
  );
}

function splitOf(head: Expression, program: JqProgram): string | undefined {
  const bound = head.kind === "Variable" ? boundTo(program, head) : head.kind === "Group" ? head : undefined;
  const made = bound === undefined ? undefined : bare(bound);
  const last =
    made?.kind === "Pipeline" ? made.stages.at(-1) : made?.kind === "Arithmetic" ? made : undefined;
  return made !== undefined && last !== undefined && isExpression(last) && isSplit(last)
    ? textAt(made, program)
    : undefined;
}

/** `split(" ")`, and `. / " "`, which is the same. */
function isSplit(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Arithmetic") {
    const [step, ...others] = node.rest;
    return others.length === 0 && step?.operator === "/" && constantOf(step.operand) === " ";
  }
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

/** A word that nobody wants: `“First M. Last”: the initial is left out` */
const saysLeftOut = (comment: string): boolean =>
  comment
    .split(/[.;]\s+(?=[A-Z])/)
    .some(
      (sentence) =>
        namesPiece.test(sentence) ||
        (isDropped.test(sentence) && /\b(?:names?|words?|parts?|letters?)\b/i.test(sentence)),
    );

const namesPiece = /\b(?:initials?|middle (?:names?|words?)|second (?:names?|words?|parts?))\b/i;
const isDropped = /\b(?:(?:left|leave|leaves) out|dropped|skipped)\b/i;
