import { type Type, types } from "@configc/jq";
import { failureCodes } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { type DocumentedValue, documentedAt, documentedKind } from "../../../flow/documented-records.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { stepsOf, type ValuePath } from "../../../flow/value-path.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { type Given, givenAt } from "./fails-on-null.ts";

const documentedKindRule = defineRule<{ name: string; kind: string; text: string }>({
  id: "jq/documented-kind",
  severity: "warning",
  summary: "A program fails on the kind of value that a comment shows",
  why: "jq adds text to text and number to number, and has functions for either. A comment shows what the service sends: with the other kind the program fails for every record, and none arrives.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ name, kind, text }) =>
    `A comment shows \`${name}\` as ${kind}, and \`${text}\` fails with one.`,
  because: ({ name, kind, text }) => [
    `\`${name}\` is ${kind}`,
    `\`${text}\` fails: the record doesn't arrive`,
  ],
  help: ({ kind }) =>
    kind === "a number" ? "Make a text of it first: `tostring`." : "Make a number of it first: `tonumber`.",
  examples: [
    {
      title: "A number in a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"{id: \\"912\\", number: 4711, email}"' },
      bad: '{"!jq": "{email: .email, ref: («\\"CB-\\" + .number»)}"}',
      good: '{"!jq": "{email: .email, ref: (\\"CB-\\" + (.number | tostring))}"}',
    },
    {
      title: "A text in a sum",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"{id, email, price: \\"12.50\\", shipping: \\"3.00\\"}"' },
      bad: '{"!jq": "{email: .email, total: («.price + 3»)}"}',
      good: '{"!jq": "{email: .email, total: ((.price | tonumber) + 3)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedKindRule],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || program.diagnostics.length > 0) return;
      // Where nothing is reckoned, put together or handed to a function, nothing fails.
      if (!/[-+*/%|]/.test(program.node.value)) return;
      const shown = shownIn(program, model);
      if (shown.length === 0) return;
      if (failure(shown, program) === undefined) return;
      // What fails with any value is told as that.
      if (
        flowOf(model)
          .program(program)
          .diagnostics.some(({ code }) => failureCodes.has(code))
      )
        return;
      for (const each of shown) {
        const at = failure([each], program);
        if (at === undefined) continue;
        const { name, value } = each;
        const text = excerpt(program.node.value.slice(at.from, at.to));
        const kind = value.kind === "number" ? "a number" : "a text";
        report(documentedKindRule, at, { name, kind, text }, [{ message: "the comment", at: value.comment }]);
        return;
      }
    },
  },
};
export default module;

/** A member that a program reads, and what comments show of it. */
interface Shown {
  readonly name: string;
  readonly value: DocumentedValue;
  readonly given: Given;
}

/** The members that a program reads as the service sent them, and that comments show as a number or a text. */
function shownIn(program: JqProgram, model: Model): readonly Shown[] {
  const documented = documentedAt(program.command, model);
  if (documented.size === 0) return [];
  const found = new Map<string, Shown>();
  for (const node of nodesOfKind(program, "Postfix")) {
    const last = node.suffixes.at(-1);
    const name = last === undefined ? undefined : stepsOf([last])?.[0];
    const value = name === undefined ? undefined : documentedKind(name, documented);
    if (name === undefined || value === undefined || found.has(name)) continue;
    if (value.kind !== "number" && (value.kind !== "text" || namesKinds.test(value.comment.value))) continue;
    const given = givenAt(node, program);
    if (given === undefined || given.path.at(-1) !== name) continue;
    const trails = trailsOf(flowOf(model), program, node);
    const isMember = trails.every(({ origin }) => "path" in origin && origin.path.at(-1) === name);
    if (isMember && isAsItCame(trails)) found.set(name, { name, value, given });
  }
  return [...found.values()];
}

/** `{count: "number"}` shows no text. */
const namesKinds =
  /"(?:string|text|number|numeric|int|integer|float|double|decimal|bool|boolean|timestamp|unix|epoch|cents?|pence|seconds|\.\.\.|…)\b[^"]*"/i;

/** What certainly fails where members are what comments show, and nothing else is known. */
function failure(shown: readonly Shown[], program: JqProgram): StringPart | undefined {
  const typeAt = (at: number | undefined): Type =>
    typeOf(
      shown
        .filter(({ given }) => given.hole === at)
        .map(({ given, value }) => [given.path, value.kind === "number" ? types.number : types.string]),
    );
  const holes = program.holes.map((_, hole) => typeAt(hole));
  const { diagnostics } = inferNodes(program, typeAt(undefined), holes);
  const found = diagnostics.find(({ code }) => failureCodes.has(code));
  return found === undefined ? undefined : partAt(program, found);
}

/** An object that has members of these types, some levels down, and may have others. */
function typeOf(members: readonly (readonly [ValuePath, Type])[]): Type {
  if (members.length === 0) return types.unknown;
  const whole = members.find(([path]) => path.length === 0);
  if (whole !== undefined) return whole[1];
  const names = new Set(members.map(([[name]]) => name!));
  return types.object(
    [...names].map((name) => {
      const below = members.flatMap(([[first, ...rest], type]) =>
        first === name ? [[rest, type] as const] : [],
      );
      return [name, { type: typeOf(below), optional: false }] as const;
    }),
    types.unknown,
  );
}
