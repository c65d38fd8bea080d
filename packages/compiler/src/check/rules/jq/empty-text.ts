import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, finalObject } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { resultsOf } from "../../../flow/result.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const emptyText = defineRule<{ text: string; evidence: string; isEqual: boolean; instead: string }>({
  id: "jq/empty-text",
  severity: "warning",
  summary: "An id or a time that is null where there is none is compared with an empty text",
  why: 'Null isn\'t `""`, and neither is an id or a time. So the comparison has the same outcome for every record: nothing counts as missing, or nothing counts as there.',
  guards: ["D23", "command.!switch", "command.!jq"],
  message: ({ text, isEqual }) =>
    `\`${text}\` is null where there is none, never \`""\`: this is always ${isEqual ? "false" : "true"}.`,
  because: ({ text, evidence, isEqual }) => [
    evidence,
    `\`${text}\` is compared with \`""\`: ${isEqual ? "false" : "true"} for each record`,
  ],
  help: () => "Compare it with `null`.",
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      title: "The id of a record that may not be there",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!jq": "if .id == «\\"\\"» then error(\\"nobody\\") else {person: .id} end"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.3}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!jq": "if .id == null then error(\\"nobody\\") else {person: .id} end"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.3}"}}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id}"}, {"!jq": "if .id == null then error(\\"nobody\\") else {person: .id} end"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.3}"}}]}',
    },
    {
      title: "A time, where others are null",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if .deleted_at != «\\"\\"» then null else {email: .email, seen_on: (if .seen_at == null then null else .seen_at[:10] end)} end"}',
      good: '{"!jq": "if .deleted_at != null then null else {email: .email, seen_on: (if .seen_at == null then null else .seen_at[:10] end)} end"}',
      fixed:
        '{"!jq": "if .deleted_at != null then null else {email: .email, seen_on: (if .seen_at == null then null else .seen_at[:10] end)} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [emptyText],
  checks: {
    document(model, report) {
      for (const { program, value, empty, isEqual } of comparedWithNothing(model)) {
        const evidence = firstRecord(value, program) ?? timeElsewhere(value, model);
        if (evidence === undefined) continue;
        report(
          emptyText,
          { node: program.node, from: empty.start, to: empty.end },
          { text: textAt(value, program), evidence, isEqual, instead: "null" },
        );
      }
    },
  },
};
export default module;

/** What is compared with an empty text. */
const comparedWithNothing = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (!program.node.value.includes('""')) return [];
    return nodesOfKind(program, "Comparison").flatMap(({ left, right, operator }) => {
      if (operator !== "==" && operator !== "!=") return [];
      const [value, empty] = constantOf(left) === "" ? [right, left] : [left, right];
      if (constantOf(empty) !== "" || isAskedForNull(value, program)) return [];
      return [{ program, value, empty, isEqual: operator === "==" }];
    });
  }),
);

/** `.deleted_at == null or .deleted_at == ""`: who asks for both knows that either may come. */
function isAskedForNull(value: Expression, program: JqProgram): boolean {
  const asked = textAt(bare(value), program);
  return nodesOfKind(program, "Logical").some(
    ({ start, end, operands }) =>
      start <= value.start &&
      value.end <= end &&
      operands.map(bare).some(
        (other) =>
          other.kind === "Comparison" &&
          [
            [other.left, other.right],
            [other.right, other.left],
          ].some(
            ([one, constant]) => constantOf(constant!) === null && textAt(bare(one!), program) === asked,
          ),
      ),
  );
}

/** Whether a value is the id of the first of a list, written here, bound to a variable or made by the step before. */
function firstRecord(given: Expression, program: JqProgram): string | undefined {
  const value = bare(given);
  const name = nameOfValue(value);
  if (value.kind === "Variable") {
    const source = boundTo(program, value);
    return source === undefined ? undefined : firstRecord(source, program);
  }
  if (value.kind !== "Alternative" && isFirstMessage(textAt(value, program)))
    return `\`${textAt(value, program)}\` is a message, or null where the list is empty`;
  if (value.kind !== "Postfix" || name === undefined || !isIdName(name)) return undefined;
  if (value.suffixes.some(({ kind }) => kind === "Index"))
    return `\`${textAt(value, program)}\` is the id of a record, or null where the list is empty`;
  if (value.suffixes.length > 1 || value.head.kind !== "Identity") return undefined;
  const made = before(program.command);
  const sources = made === undefined ? [] : resultsOf(made).filter(({ key }) => key !== "!error");
  const [reason, ...others] = sources.map((each) => {
    const object = each.program === undefined || each.key !== "!jq" ? undefined : finalObject(each.program);
    const entry = object === undefined ? undefined : entryOf(object, name)?.value;
    // What is read there in turn isn't asked.
    return entry !== undefined && bare(entry).kind === "Postfix" && /\]/.test(textAt(entry, each.program!))
      ? firstRecord(entry, each.program!)
      : undefined;
  });
  return others.length === 0 ? reason : undefined;
}

/** `[.results[].errors[]?.message][0]`, `first(.errors[].message)` and `.errors[0].message`: what tells of a problem, if there is one. */
const isFirstMessage = (text: string): boolean =>
  /\[0\]|^first\(/.test(text) &&
  /(?:error|problem|failure|violation)/i.test(text) &&
  /\.(?:message|reason|detail|text|code|error)\)?\]?(?:\[0\])?$/i.test(text);

/** The step before a command, or before the `!switch` that it decides. */
const before = ({ pipe, parent, stepsRun }: Command): Command | undefined =>
  parent === pipe && stepsRun > 0 ? pipe?.children[stepsRun - 1] : undefined;

/** Whether a value is a time by its name, and the document takes another one, and none for a text, as null. */
function timeElsewhere(given: Expression, { programs }: Model): string | undefined {
  const name = nameOfValue(bare(given));
  if (name === undefined || roleOf(name) !== "time") return undefined;
  let other: string | undefined;
  for (const program of programs) {
    for (const { left, right } of nodesOfKind(program, "Comparison")) {
      const [value, constant] = constantOf(right) === undefined ? [right, left] : [left, right];
      const compared = nameOfValue(bare(value));
      if (constantOf(constant) === "" && compared !== name && roleOf(compared ?? "") === "time")
        return undefined;
      if (constantOf(constant) === null && (roleOf(compared ?? "") === "time" || isFormatted(value, program)))
        other ??= textAt(value, program);
    }
    if (new RegExp(`\\b${name} *// *""`).test(program.node.value)) return undefined;
  }
  return other === undefined
    ? undefined
    : `\`${name}\` is a time by its name; of another one the app asks whether it is null`;
}

/** `.last_lesson | if . == null then null else strftime("%Y-%m-%d") end` */
const isFormatted = (value: Expression, { node }: JqProgram): boolean =>
  bare(value).kind === "Identity" &&
  /\b(?:strftime|todate|fromdate)\b/.test(node.value.slice(value.end, value.end + 60));
