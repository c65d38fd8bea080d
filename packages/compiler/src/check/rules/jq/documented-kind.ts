import { type Expression, type Type, types } from "@configc/jq";
import { failureCodes } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { isParsedBefore, jsonTextsAt } from "../../../flow/documented-json.ts";
import { type DocumentedValue, documentedAt, documentedKind } from "../../../flow/documented-records.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { stepsOf, type ValuePath } from "../../../flow/value-path.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { type Given, givenAt } from "./fails-on-null.ts";

const cures: Readonly<Record<string, string>> = {
  "a number": "Make a text of it first: `tostring`.",
  "a text": "Make a number of it first: `tonumber`.",
  "a JSON text": "Parse it first, with `fromjson` or an `!extract` with `to_json`.",
  "an object": "Read the member of it that is meant.",
  "a list": "Read its items.",
};

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
  help: ({ kind }) => cures[kind] ?? "",
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
    {
      title: "The object around a number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"A booking: {id, email, fee: {amount: \\"120.50\\", currency}}"',
      },
      bad: '{"!jq": "{email: .email, fee: (.fee | «tonumber»)}"}',
      good: '{"!jq": "{email: .email, fee: (.fee.amount | tonumber)}"}',
    },
    {
      title: "D26: JSON text that isn't parsed",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"{id, email, answers}; answers is JSON text."' },
      bad: '{"!pipe": [{"!extract": {"item_keys": ["email", "answers"], "to_json": false}}, {"!jq": "{email: .email, weeks: .answers«.weeks»}"}]}',
      good: '{"!jq": "{email: .email, weeks: (.answers | fromjson | .weeks)}"}',
    },
  ],
});

const kinds = { number: "a number", text: "a text", object: "an object", list: "a list" } as const;
const typesShown = {
  number: types.number,
  text: types.string,
  object: types.anyObject,
  list: types.array(types.unknown),
} as const;

const module: RuleModule = {
  rules: [documentedKindRule],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || program.diagnostics.length > 0) return;
      // Where nothing is reckoned, put together or handed to a function, nothing fails.
      if (!/[-+*/%|]|\bas \$|\.\w+\s*[.[]/.test(program.node.value)) return;
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
        const { name, value, isJson } = each;
        const text = excerpt(program.node.value.slice(at.from, at.to));
        const kind = isJson ? "a JSON text" : kinds[value.kind!];
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
  /** Whether it is a text of JSON, by a comment. */
  readonly isJson: boolean;
}

/** The members that a program reads as the service sent them, and that comments show as a number or a text. */
function shownIn(program: JqProgram, model: Model): readonly Shown[] {
  const documented = documentedAt(program.command, model);
  const jsonTexts = jsonTextsAt(program.command, model);
  if (documented.size === 0 && jsonTexts.size === 0) return [];
  const found = new Map<string, Shown>();
  for (const node of nodesOfKind(program, "Postfix")) {
    const last = node.suffixes.at(-1);
    const name = last === undefined ? undefined : stepsOf([last])?.[0];
    if (name === undefined) continue;
    for (const each of jsonTexts.size === 0 ? [] : jsonAbove(node, program, jsonTexts))
      if (!found.has(each.name) && isAsSent(each.name, node, each.below, program, model))
        found.set(each.name, each);
    if (found.has(name)) continue;
    const json = jsonTexts.get(name);
    const value =
      json === undefined ? documentedKind(name, documented) : { ...jsonText, name, comment: json };
    if (value === undefined) continue;
    if (value.kind === "text" && json === undefined && namesKinds.test(value.comment.value)) continue;
    // What is around the records of several answers is a list in one of them and an object in another.
    if (hasParts(value) && isWrapper.test(name)) continue;
    // A record elsewhere of which only the name is shown may have something else.
    if (hasParts(value) && documented.get(name)?.every(({ kind }) => kind === value.kind) !== true) continue;
    const given = givenAt(node, program);
    if (given === undefined || given.path.at(-1) !== name) continue;
    if (isAsSent(name, node, 0, program, model))
      found.set(name, { name, value, given, isJson: json !== undefined });
  }
  return [...found.values()];
}

/** Whether what is read is a member of that name as the service sent it, or stands so many levels below one. */
function isAsSent(name: string, node: Expression, below: number, program: JqProgram, model: Model): boolean {
  if (isParsedBefore(name, program.command)) return false;
  const trails = trailsOf(flowOf(model), program, node);
  return (
    trails.every(({ origin }) => "path" in origin && origin.path.at(-1 - below) === name) &&
    isAsItCame(trails)
  );
}

/** The JSON text that something is read of: `.form.answers` of `.form.answers.weeks`. */
function jsonAbove(
  node: Expression,
  program: JqProgram,
  jsonTexts: ReadonlyMap<string, StringNode>,
): readonly (Shown & { readonly below: number })[] {
  const given = givenAt(node, program);
  const at = given?.path.slice(0, -1).findIndex((each) => jsonTexts.has(each)) ?? -1;
  const name = given?.path[at];
  if (given === undefined || name === undefined) return [];
  const value = { ...jsonText, name, comment: jsonTexts.get(name)! };
  const below = given.path.length - 1 - at;
  return [{ name, value, below, isJson: true, given: { ...given, path: given.path.slice(0, at + 1) } }];
}

const jsonText = { kind: "text", isNullable: false, members: undefined } as const;

const hasParts = ({ kind }: DocumentedValue): boolean => kind === "object" || kind === "list";

const isWrapper =
  /^(?:data|items?|results?|records?|rows?|entries|entry|values?|objects?|body|payload|response|content|meta|attributes|included|relationships|links|_embedded)$/i;

/** `{count: "number"}` shows no text. */
const namesKinds =
  /"(?:string|text|number|numeric|int|integer|float|double|decimal|bool|boolean|timestamp|unix|epoch|cents?|pence|seconds|\.\.\.|…)\b[^"]*"/i;

/** What certainly fails where members are what comments show, and nothing else is known. */
function failure(shown: readonly Shown[], program: JqProgram): StringPart | undefined {
  const typeAt = (at: number | undefined): Type =>
    typeOf(
      shown
        .filter(({ given }) => given.hole === at)
        .map(({ given, value }) => [given.path, typesShown[value.kind!]]),
    );
  const holes = program.holes.map((_, hole) => typeAt(hole));
  const { diagnostics } = inferNodes(program, typeAt(undefined), holes);
  const found = diagnostics.find(({ code }) => failureCodes.has(code));
  return found === undefined ? undefined : partAt(program, found);
}

/** An object that has members of these types, some levels down, and may have others. */
function typeOf(members: readonly (readonly [ValuePath, Type])[]): Type {
  if (members.length === 0) return types.unknown;
  // What is read of an object, `.fee.amount` beside `.fee`, says more than that it is one.
  const deeper = members.filter(([path]) => path.length > 0);
  const whole = members.find(
    ([path, type]) => path.length === 0 && (deeper.length === 0 || type.kind !== "object"),
  );
  if (whole !== undefined) return whole[1];
  const names = new Set(deeper.map(([[name]]) => name!));
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
