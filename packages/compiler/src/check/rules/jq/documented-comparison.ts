import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { type DocumentedValues, documentedAt, documentedKind } from "../../../flow/documented-records.ts";
import { documentedWords, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { isSaidOtherwise } from "../../../flow/said/taken-back.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { type Given, givenAt } from "./fails-on-null.ts";

const documentedComparison = defineRule<{ name: string; kind: string; text: string; always: string }>({
  id: "jq/documented-comparison",
  severity: "warning",
  summary: "A value is compared with one of another kind than a comment shows",
  why: "In jq a text never equals a number or a boolean, and each text is greater than every number. So the comparison is the same for every record, and one of the two ways is never taken. Nothing fails.",
  guards: ["command.!jq", "command.!switch", "D3", "D23"],
  message: ({ name, kind, text, always }) =>
    `A comment shows \`${name}\` as ${kind}, so \`${text}\` is always ${always}.`,
  because: ({ name, kind, text, always }) => [
    `\`${name}\` is ${kind}`,
    `\`${text}\` is ${always} for every record`,
  ],
  help: ({ kind }) => (kind === "a number" ? "Compare it with a number." : "Compare it with a text."),
  examples: [
    {
      title: "A text and a boolean",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"A tenant: {email, pets: \\"none\\" | \\"some\\"}"' },
      bad: '{"!jq": "{email: .email, pets: («.pets == true»)}"}',
      good: '{"!jq": "{email: .email, pets: (.pets == \\"some\\")}"}',
    },
    {
      title: "A number and a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"A hire: {email, state: 20}"' },
      bad: '{"!jq": "{email: .email, out: («.state == \\"20\\"»)}"}',
      good: '{"!jq": "{email: .email, out: (.state == 20)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedComparison],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!/[<>]|[!=]=/.test(program.node.value) || !hasComments(model) || program.diagnostics.length > 0)
        return;
      const shown = shownIn(program, model);
      const compared = shown.length === 0 ? [] : comparedOtherwise(shown, program);
      if (compared.length === 0) return;
      const known = flowOf(model).program(program).diagnostics;
      for (const { node, name, value, always } of compared) {
        // What is so with any value is told as that.
        if (known.some(({ start, end }) => start < node.end && node.start < end)) continue;
        const kind = value.kind === "number" ? "a number" : "a text";
        const text = excerpt(textAt(node, program));
        report(documentedComparison, partAt(program, node), { name, kind, text, always }, [
          { message: "the comment", at: value.comment },
        ]);
      }
    },
  },
};
export default module;

/** What comments show a member as. */
interface Kind {
  readonly kind: "number" | "text";
  readonly comment: StringNode;
}

/** A member that a program compares, and what comments show of it. */
interface Shown {
  readonly name: string;
  readonly value: Kind;
  readonly given: Given;
}

/** The members that a program compares as the service sent them, and that comments show as a number or a text. */
function shownIn(program: JqProgram, model: Model): readonly Shown[] {
  const documented = documentedAt(program.command, model);
  const compared = comparedWithBooleans(program);
  if (documented.size === 0 && compared.size === 0) return [];
  const found = new Map<string, Shown>();
  for (const node of nodesOfKind(program, "Postfix")) {
    const last = node.suffixes.at(-1);
    const name = last === undefined ? undefined : stepsOf([last])?.[0];
    if (name === undefined || found.has(name)) continue;
    const shown = documentedKind(name, documented);
    const isShown =
      shown?.kind === "number" || (shown?.kind === "text" && !namesKinds.test(shown.comment.value));
    const value = isShown
      ? { kind: shown.kind as Kind["kind"], comment: shown.comment }
      : compared.has(node)
        ? textSaid(name, documented, program)
        : undefined;
    if (value === undefined) continue;
    const given = givenAt(node, program);
    if (given === undefined || given.path.at(-1) !== name) continue;
    const trails = trailsOf(flowOf(model), program, node);
    const isMember = trails.every(({ origin }) => "path" in origin && origin.path.at(-1) === name);
    if (isMember && isAsItCame(trails)) found.set(name, { name, value, given });
  }
  return [...found.values()];
}

/** What is compared with a boolean: of that, the words that a comment lists say enough. */
const comparedWithBooleans = (program: JqProgram): ReadonlySet<Expression> =>
  new Set(
    nodesOfKind(program, "Comparison")
      .slice(0, MOST)
      .flatMap(({ left, right, operator }) =>
        /^[<>]/.test(operator)
          ? []
          : [
              ...(typeof constantOf(bare(right)) === "boolean" ? [bare(left)] : []),
              ...(typeof constantOf(bare(left)) === "boolean" ? [bare(right)] : []),
            ],
      ),
  );

/** For each, comments are read again. */
const MOST = 200;

/** The words of a member that comments list. */
function textSaid(
  name: string,
  documented: DocumentedValues,
  { node, command }: JqProgram,
): Kind | undefined {
  // A record of that name may have another kind.
  if ((documented.get(name) ?? []).some(({ kind }) => kind !== undefined)) return undefined;
  const words = documentedWords(name, node, intakesAround(command.unit));
  // `A house: {pets: "none" | "some"}. A tenant: {pets: true}`
  const isFlagToo =
    words !== undefined &&
    (new RegExp(`(?<![\\w-])${escapedPattern(name)}["\`]?(?:: | is )(?:true|false)\\b`).test(
      words.comment.value,
    ) ||
      isSaidOtherwise(name, [words.comment]));
  return words === undefined || isFlagToo ? undefined : { kind: "text", comment: words.comment };
}

/** `{count: "number"}` shows no text. */
const namesKinds =
  /"(?:string|text|number|numeric|int|integer|float|double|decimal|bool|boolean|timestamp|unix|epoch|cents?|pence|seconds|\.\.\.|…)\b[^"]*"/i;

/** Comparisons of a shown member itself with what is of another kind: they are the same for every record. */
function comparedOtherwise(shown: readonly Shown[], program: JqProgram) {
  // Who asks for the type is ready for several.
  if (/\btype\b/.test(program.node.value)) return [];
  const sides = nodesOfKind(program, "Comparison").flatMap((node) =>
    [[node.left, node.right] as const, [node.right, node.left] as const].flatMap(([member, other]) => {
      const name = lastName(bare(member));
      const each = shown.find((one) => one.name === name);
      if (each === undefined || !isGiven(member, each.given, program)) return [];
      return [{ node, member, constant: constantOf(bare(other)), ...each }];
    }),
  );
  return sides.flatMap(({ node, member, constant, name, value }) => {
    const { operator, left } = node;
    const own = value.kind === "number" ? "number" : "string";
    const isOrder = /^[<>]/.test(operator);
    // It may be null at times, whatever it is else, and how booleans are ordered is used on purpose.
    const isOther =
      typeof constant === "string" || typeof constant === "number" || typeof constant === "boolean";
    if (!isOther || typeof constant === own || (isOrder && typeof constant === "boolean")) return [];
    // Who compares it with the same of its own kind, too, is ready for both.
    const isBoth = sides.some(
      (side) => side.name === name && typeof side.constant === own && `${side.constant}` === `${constant}`,
    );
    if (isBoth) return [];
    // Each text is greater than every number.
    const isLeftGreater = (value.kind === "text") === (member === left);
    const always = isOrder ? operator.startsWith(">") === isLeftGreater : operator === "!=";
    return [{ node, name, value, always: `${always}` }];
  });
}

/** Whether an expression is what another one reads. */
function isGiven(node: Expression, given: Given, program: JqProgram): boolean {
  const own = givenAt(bare(node), program);
  return own !== undefined && own.hole === given.hole && own.path.join("\n") === given.path.join("\n");
}
