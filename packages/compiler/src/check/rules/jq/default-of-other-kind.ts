import type { Alternative, Comparison, Expression, ObjectEntry } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { defaultOf } from "../../../flow/left-out.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, countedBy, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { definitionOf, stagesOf } from "../../../flow/protocol/dependence.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { spanOf } from "../../../parse/document.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

type Reason = "skipped" | "never" | "order" | "table" | "member" | "list";

const defaultOfOtherKind = defineRule<{
  value: string;
  given: string;
  other: string;
  reason: Reason;
  instead: string | undefined;
}>({
  id: "jq/default-of-other-kind",
  severity: "warning",
  summary: "The default of a value is of another kind than the value is used as",
  why: 'A default stands for what is missing. `(.email // "") == ""` takes a missing email for an empty one. With another default, `(.email // 0) == ""`, a missing email counts as one that is there. In jq any text is greater than any number.',
  guards: ["D23", "command.!jq", "command.!switch"],
  message: ({ value, given, other, reason }) =>
    reason === "skipped"
      ? `Where a customer skips \`${value}\`, the text \`"${given}"\` is compared with the number \`${other}\`, and a number is always the lesser one.`
      : reason === "list"
        ? `\`${value}\` is a list, but \`${given}\` behind it stands for a number.`
        : reason === "member"
          ? `Where \`${value}\` is missing, \`${other}\` becomes \`${given}\`, which is no text.`
          : reason === "table"
            ? `All values of this table are texts, but a value that it lacks becomes \`${given}\`.`
            : reason === "order"
              ? `Where \`${value}\` is missing, \`${given}\` is compared with the number \`${other}\`, and a number is always the lesser one.`
              : `Where \`${value}\` is missing, \`${given}\` is compared with \`${other}\`, and they are never equal.`,
  because: ({ value, given, other, reason }) => [
    reason === "skipped"
      ? `\`${value}\` is skipped: the text \`"${given}"\` stands for it`
      : reason === "list"
        ? `\`${value}\` is a list: an empty one isn't null, so \`${given}\` isn't taken for it`
        : reason === "table"
          ? "a value that the table lacks"
          : `\`${value}\` is missing: \`${given}\` stands for it`,
    reason === "skipped"
      ? "the comparison is the same, whatever the number"
      : reason === "never"
        ? `\`${given}\` isn't \`${other}\`: the value counts as one that is there`
        : reason === "order"
          ? "the comparison is the same, whatever the number"
          : reason === "list"
            ? "the list is given on where a number is wanted"
            : `\`${given}\` is given on instead of a text`,
  ],
  help: ({ instead, reason }) =>
    reason === "skipped"
      ? "Make a number of it first: `tonumber`."
      : reason === "list"
        ? "Make one number of the list first, such as with `add` or `length`."
        : instead === undefined
          ? "Give a default of the same kind."
          : `Write \`// ${instead}\`.`,
  fixes: ({ at, args: { instead } }, { document }) =>
    instead === undefined
      ? []
      : [
          {
            title: `Change to \`${instead}\``,
            safe: false,
            edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
          },
        ],
  examples: [
    {
      title: "Compared with the empty text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "if (.email // «0») == \\"\\" then null else {email: .email} end"}',
      good: '{"!jq": "if (.email // \\"\\") == \\"\\" then null else {email: .email} end"}',
      fixed: '{"!jq": "if (.email // \\"\\") == \\"\\" then null else {email: .email} end"}',
    },
    {
      title: "Compared with a number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, _tags: (if (.orders // «\\"\\"») > 3 then [\\"regular\\"] else [] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if (.orders // 0) > 3 then [\\"regular\\"] else [] end)}"}',
      fixed: '{"!jq": "{email: .email, _tags: (if (.orders // 0) > 3 then [\\"regular\\"] else [] end)}"}',
    },
    {
      title: "A table of texts",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, ticket: ({a: \\"Adult\\", c: \\"Child\\"}[.ticket] // «0»)}"}',
      good: '{"!jq": "{email: .email, ticket: ({a: \\"Adult\\", c: \\"Child\\"}[.ticket] // \\"Other\\")}"}',
    },
    {
      title: "A name",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, first_name: (.given_name // «0»)}"}',
      good: '{"!jq": "{email: .email, first_name: (.given_name // \\"\\")}"}',
      fixed: '{"!jq": "{email: .email, first_name: (.given_name // \\"\\")}"}',
    },
    {
      title: "A list that should be a sum",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, guests: ([.bookings[] | .guests] // «0»)}"}',
      good: '{"!jq": "{email: .email, guests: ([.bookings[] | .guests] | add // 0)}"}',
    },
    {
      title: "D13: a skipped field is a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"id": "least", "label": "Least", "type": "dropdown", "required": false, "options": [{"display": "20", "value": 20}, {"display": "100", "value": 100}]}',
      },
      bad: '{"!jq": "if .cents / 100 < «${custom_data.least.value | default:0}» then null else {email: .email} end"}',
      good: '{"!jq": "if .cents / 100 < (${custom_data.least.value | default:0} | tonumber) then null else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [defaultOfOtherKind],
  checks: {
    program(program, report) {
      tellSkipped(program, report);
      if (nodesOfKind(program, "Alternative").length === 0) return;
      for (const comparison of nodesOfKind(program, "Comparison"))
        for (const [side, other] of sidesOf(comparison)) {
          const filled = filledIn(side);
          const reason = filled === undefined ? undefined : reasonOf(filled.kind, comparison.operator, other);
          if (filled === undefined || reason === undefined) continue;
          const text = textAt(other, program);
          report(defaultOfOtherKind, partAt(program, filled.by), {
            value: excerpt(textAt(filled.value, program)),
            given: textAt(filled.by, program),
            other: text,
            reason,
            instead: reason === "never" ? text : "0",
          });
        }
      for (const node of nodesOfKind(program, "Alternative")) {
        const filled = filledIn(node);
        if (filled?.kind !== "number") continue;
        const reason = isTextTable(filled.value)
          ? "table"
          : isList(filled.value, program)
            ? "list"
            : undefined;
        if (reason === undefined) continue;
        const [value, given] = [excerpt(textAt(filled.value, program)), textAt(filled.by, program)];
        report(defaultOfOtherKind, partAt(program, filled.by), {
          value,
          given,
          other: "",
          reason,
          instead: undefined,
        });
      }
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const entry of entries) {
          const filled = entry.value === undefined ? undefined : filledIn(entry.value);
          const name = nameOf(entry.key);
          if (filled?.kind !== "number" || name === undefined || isTextTable(filled.value)) continue;
          if (!isText(name, entries)) continue;
          report(defaultOfOtherKind, partAt(program, filled.by), {
            value: excerpt(textAt(filled.value, program)),
            given: textAt(filled.by, program),
            other: name,
            reason: "member",
            instead: '""',
          });
        }
    },
  },
};
export default module;

/** `.cents / 100 < ${custom_data.least.value | default:0}`, where the options are numbers: the default is a text. */
function tellSkipped(program: JqProgram, report: Report): void {
  if (!program.holes.some(isNumberWithDefault)) return;
  for (const comparison of nodesOfKind(program, "Comparison")) {
    if (!/^[<>]/.test(comparison.operator)) continue;
    for (const [side, other] of sidesOf(comparison)) {
      const source = valueBehind(side, program);
      const hole = source.kind === "Hole" ? program.holes[source.hole] : undefined;
      // An expansion between quotes is told as a text.
      if (hole === undefined || bare(side).kind === "String" || !isNumberWithDefault(hole)) continue;
      const reckoned = bare(other);
      if (
        reckoned.kind !== "Arithmetic" &&
        typeof constantOf(other) !== "number" &&
        countedBy(other) === undefined
      )
        continue;
      if (reckoned.kind === "Arithmetic" && reckoned.rest.some(({ operator }) => operator === "+")) continue;
      report(defaultOfOtherKind, partAt(program, side), {
        value: hole.fields[0]?.id ?? "",
        given: defaultOf(hole),
        other: excerpt(textAt(other, program)),
        reason: "skipped",
        instead: undefined,
      });
    }
  }
}

/** Whether an expansion is what was chosen of several numbers, or a default, which is a text. */
function isNumberWithDefault({ root, fieldExact, fields, syntax }: Expansion): boolean {
  const [field, ...others] = root === "custom_data" && fieldExact === true ? fields : [];
  if (field === undefined || others.length > 0 || field.required || syntax.path[2]?.text !== "value")
    return false;
  if (syntax.filters[0]?.name !== "default") return false;
  const options = field.node.get("options");
  const values = options?.kind === "array" ? objectItems(options).map((option) => option.get("value")) : [];
  return values.length > 0 && values.every((value) => value?.kind === "number");
}

const sidesOf = ({ left, right }: Comparison): readonly (readonly [Expression, Expression])[] => [
  [left, right],
  [right, left],
];

type Kind = "null" | "boolean" | "number" | "string" | "list" | "object";

/** `.email` and `0` of `.email // 0`, where nothing else stands between. */
function filledIn(
  node: Expression,
): { readonly value: Expression; readonly by: Expression; readonly kind: Kind } | undefined {
  const { kind: form, operands } = bare(node) as Alternative;
  const [value, by] = form === "Alternative" && operands.length === 2 ? operands : [];
  const kind = by === undefined ? undefined : kindOf(by);
  return value === undefined || by === undefined || kind === undefined ? undefined : { value, by, kind };
}

/** The kind of a constant. */
function kindOf(node: Expression): Kind | undefined {
  const inner = bare(node);
  if (inner.kind === "Array") return inner.body === undefined ? "list" : undefined;
  if (inner.kind === "Object") return inner.entries.length === 0 ? "object" : undefined;
  const value = constantOf(inner);
  if (value === null) return "null";
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? (typeof value as Kind)
    : undefined;
}

/** Why a default of a kind doesn't fit a comparison: of what is empty, it is never equal; of a number, it is always greater. */
function reasonOf(kind: Kind, operator: string, other: Expression): Reason | undefined {
  if (operator === "==" || operator === "!=") {
    const against = kindOf(other);
    const isEmpty = against === "list" || against === "object" || constantOf(other) === "";
    // `false` stands beside a flag that is a text now and then.
    return isEmpty && against !== kind && kind !== "boolean" ? "never" : undefined;
  }
  const isNumber = typeof constantOf(other) === "number" || countedBy(other) !== undefined;
  return isNumber && (kind === "string" || kind === "list" || kind === "object") ? "order" : undefined;
}

/** `[.lines[].count]`, `.lines | map(.count)`: a list, whatever comes in. */
function isList(node: Expression, program: JqProgram): boolean {
  const value = valueBehind(node, program);
  if (value.kind === "Array") return true;
  const last = value.kind === "Pipeline" ? stagesOf(value).at(-1) : value;
  if (last?.kind === "Array") return true;
  // A definition of the same name may give anything.
  return last?.kind === "Call" && givesList.has(last.name.text) && definitionOf(program, last) === undefined;
}

const givesList: ReadonlySet<string> = new Set(
  "map sort sort_by group_by unique unique_by keys to_entries".split(" "),
);

/** `{a: "Adult", c: "Child"}[.ticket]` */
function isTextTable(node: Expression): boolean {
  const inner = bare(node);
  if (inner.kind !== "Postfix" || inner.suffixes.length !== 1 || inner.suffixes[0]?.kind !== "Index")
    return false;
  const table = bare(inner.head as Expression);
  return (
    table.kind === "Object" &&
    table.entries.length > 1 &&
    table.entries.every(({ value }) => value !== undefined && typeof constantOf(value) === "string") &&
    // `"1"` and 0 may be codes alike.
    table.entries.some(({ value }) => !/^-?\d+(?:\.\d+)?$/.test(`${constantOf(value!)}`))
  );
}

/** Whether a member is a text by its name: that of a person, or of what somebody writes where others beside it become the empty text. */
function isText(name: string, entries: readonly ObjectEntry[]): boolean {
  const role = roleOf(name);
  if (role === "name" || role === "email") return true;
  if (
    !/(?:^|_)(?:note|notes|remark|remarks|comment|message|words|text|description|language|city|street|reason)$/i.test(
      name,
    )
  )
    return false;
  return entries.some(({ value }) => {
    const filled = value === undefined ? undefined : filledIn(value);
    return filled !== undefined && constantOf(filled.by) === "";
  });
}
