import type { Expression, Json } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { fieldWithDefault } from "../../../flow/left-out.ts";
import { bare, defines, isExpression, nodesOfKind } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { madeBefore } from "../../../flow/step-members.ts";
import { memberBehind, valueBehind } from "../../../flow/value-behind.ts";
import { inputSources } from "../../../flow/value-sources.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const negativeIndex = defineRule<{ text: string; instead: string; always: boolean }>({
  id: "jq/negative-index",
  severity: "warning",
  summary: "An index is compared with -1",
  why: "`index` and `rindex` give null if there is nothing, and never a negative number. So the comparison is the same for every record, and one branch never runs.",
  guards: ["D23"],
  message: ({ text, always }) =>
    `\`${text}\` is always ${always}: where nothing is found, the index is null.`,
  because: ({ always }) => ["nothing is found: null", `null == -1 is ${!always ? "false" : "false, too"}`],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": ".status as $status | if «([\\"open\\", \\"new\\"] | index($status)) == -1» then null else {email: .email} end"}',
      good: '{"!jq": ".status as $status | if ([\\"open\\", \\"new\\"] | index($status)) == null then null else {email: .email} end"}',
      fixed:
        '{"!jq": ".status as $status | if ([\\"open\\", \\"new\\"] | index($status)) == null then null else {email: .email} end"}',
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const comparedBoolean = defineRule<{ text: string; call: string }>({
  id: "jq/compared-boolean",
  severity: "warning",
  summary: "What is true or false is compared with a value",
  why: "`any`, `all`, `test`, `has` and the like give true or false, which no text, number or choice is equal to. The comparison was most likely meant as their condition.",
  guards: ["D23"],
  message: ({ text, call }) => `\`${text}\` is never true: \`${call}\` gives true or false.`,
  because: ({ call }) => [`\`${call}\` is true or false`, "a text is neither"],
  help: ({ call }) =>
    call === "any" || call === "all"
      ? `Write the comparison as its condition: \`${call}(. == …)\`.`
      : "Use it as the condition by itself.",
  examples: [
    {
      ...place,
      bad: '{"!jq": "if «(.tags | any) == ${custom_data.form.value}» then {email: .email} else null end"}',
      good: '{"!jq": "if (.tags | any(. == ${custom_data.form.value})) then {email: .email} else null end"}',
    },
  ],
});

const neverNull = defineRule<{ text: string; instead: string | undefined; always: boolean }>({
  id: "jq/never-null",
  severity: "warning",
  summary: "A value that is never null is compared with null",
  why: "A value with a default, a text that is put together, a list that is filtered and what `tostring` gives are never null. So the comparison is the same for every record, and one branch never runs: what should be left out goes on.",
  guards: ["D23"],
  message: ({ text, always }) => `\`${text}\` is always ${always}: this value is never null.`,
  because: ({ always }) => [
    "a missing value becomes the default, a text or an empty list, never null",
    `so the comparison is always ${always}`,
  ],
  help: ({ instead }) =>
    instead === undefined
      ? "Compare with what stands for nothing here, or test the value before."
      : `Write \`${instead}\`.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": "if «(.email // \\"\\") == null» then null else {email: .email} end"}',
      good: '{"!jq": "if (.email // \\"\\") == \\"\\" then null else {email: .email} end"}',
      fixed: '{"!jq": "if (.email // \\"\\") == \\"\\" then null else {email: .email} end"}',
    },
    {
      ...place,
      bad: '{"!jq": "if «\\"${custom_data.form.value}\\" == null» then null else {email: .email} end"}',
      good: '{"!jq": "if \\"${custom_data.form.value}\\" == \\"\\" then null else {email: .email} end"}',
    },
    {
      title: "A list that is filtered",
      ...place,
      bad: '{"!jq": "if «(.tags | map(select(. == ${custom_data.form.value}))) == null» then null else {email: .email} end"}',
      good: '{"!jq": "if (.tags | map(select(. == ${custom_data.form.value}))) == [] then null else {email: .email} end"}',
      fixed:
        '{"!jq": "if (.tags | map(select(. == ${custom_data.form.value}))) == [] then null else {email: .email} end"}',
    },
    {
      title: "An earlier step gives the default",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{known: (.people[0].id // \\"\\"), list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if «.known == null» then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.2.list}"}}}, {"!http": {"method": "PATCH", "path": "/people", "body": {"id": "${piped_content.2.known}", "list": "${piped_content.2.list}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{known: (.people[0].id // \\"\\"), list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if .known == \\"\\" then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.2.list}"}}}, {"!http": {"method": "PATCH", "path": "/people", "body": {"id": "${piped_content.2.known}", "list": "${piped_content.2.list}"}}}]}}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{known: (.people[0].id // \\"\\"), list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if .known == \\"\\" then 0 else 1 end", "cases": [{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "list": "${piped_content.2.list}"}}}, {"!http": {"method": "PATCH", "path": "/people", "body": {"id": "${piped_content.2.known}", "list": "${piped_content.2.list}"}}}]}}]}',
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const listAsItem = defineRule<{ text: string; list: string; instead: string }>({
  id: "jq/list-as-item",
  severity: "warning",
  summary: "`IN` compares a value with a list instead of its items",
  why: "`IN` compares with each value that its argument gives, and a list is one value. An id or a text is never equal to a list, so nothing counts as chosen, for every record.",
  guards: ["D12", "D23"],
  message: ({ text, list }) =>
    `\`${text}\` is always false: \`${list}\` is one list, which no id or text is equal to.`,
  because: ({ list }) => [`\`${list}\` gives one value, the list`, "an id or a text isn't equal to it"],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": "(.plans | map(.id)) as $plans | if (.plan_id | «IN($plans)») then {email: .email} else null end"}',
      good: '{"!jq": "(.plans | map(.id)) as $plans | if (.plan_id | IN($plans[])) then {email: .email} else null end"}',
      fixed:
        '{"!jq": "(.plans | map(.id)) as $plans | if (.plan_id | IN($plans[])) then {email: .email} else null end"}',
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const module: RuleModule = {
  rules: [negativeIndex, comparedBoolean, neverNull, listAsItem],
  checks: {
    program(program, report) {
      const { node } = program;
      tellLists(program, report);
      if (nodesOfKind(program, "Comparison").length === 0) return;
      if (!/\b(?:r?index|any|all|test|has|contains|startswith|endswith|not|null)\b/.test(node.value)) return;
      for (const each of nodesOfKind(program, "Comparison")) {
        const { operator, left, right, start, end } = each;
        if (operator !== "==" && operator !== "!=") continue;
        const text = node.value.slice(start, end);
        const at = { node, from: start, to: end };
        for (const [side, other] of [
          [left, right],
          [right, left],
        ] as const) {
          const isNever =
            constantOf(other) === null &&
            constantOf(side) === undefined &&
            (isNeverNull(side, program) || (side.kind === "Identity" && isPiece(side, program)));
          if (isNever) {
            const fallback = fallbackOf(side, program);
            const own = node.value.slice(side.start, side.end);
            const empty = fallback ?? (isMadeList(side, program) ? [] : undefined);
            const instead = empty === undefined ? undefined : `${own} ${operator} ${JSON.stringify(empty)}`;
            report(neverNull, at, { text: excerpt(text, 50), instead, always: operator === "!=" });
            break;
          }
          const call = lastCall(side);
          if (call === undefined || defines(program, call)) continue;
          const limit = constantOf(other);
          if (/^r?index$/.test(call) && typeof limit === "number" && limit < 0) {
            const own = node.value.slice(side.start, side.end);
            report(negativeIndex, at, {
              text: excerpt(text, 50),
              instead: `${own} ${operator} null`,
              always: operator === "!=",
            });
          } else if (operator === "==" && isBoolean.has(call) && isChosen(other, program))
            report(comparedBoolean, at, { text: excerpt(text, 50), call });
        }
      }
    },
  },
};
export default module;

/** `.plan_id | IN($plans)` */
function tellLists(program: JqProgram, report: Report): void {
  const { node } = program;
  if (!node.value.includes("IN(")) return;
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      if (stage.kind !== "Call" || stage.name.text !== "IN" || before === undefined) continue;
      const [list, ...others] = stage.arguments;
      if (list === undefined || others.length > 0 || !isList(list, program)) continue;
      if (!isExpression(before) || !isRead(before) || isList(before, program)) continue;
      const own = node.value.slice(list.start, list.end);
      const instead = `IN(${bare(list).kind === "Pipeline" ? `(${own})` : own}[])`;
      const text = node.value.slice(before.start, stage.end);
      report(
        listAsItem,
        { node, from: stage.start, to: stage.end },
        { text: excerpt(text, 50), list: excerpt(own, 40), instead },
      );
    }
}

/** A member, an expansion or a variable, without its items. */
function isRead(node: Expression): boolean {
  const read = bare(node);
  if (read.kind === "Postfix") return read.suffixes.every(({ kind }) => kind === "Field");
  return read.kind === "Variable" || read.kind === "Hole";
}

/** Whether a value is certainly a list, or what customers chose of several. */
function isList(node: Expression, program: JqProgram): boolean {
  const value = valueBehind(node, program);
  if (value.kind === "If" && value.otherwise !== undefined)
    return [...value.branches.map(({ body }) => body), value.otherwise].every((each) =>
      isList(each, program),
    );
  if (value.kind === "Hole") {
    const { root, fields = [], syntax } = program.holes[value.hole] ?? {};
    const isField = root === "custom_data" && syntax?.path.length === 3 && fields.length > 0;
    return isField && fields.every(({ type }) => type === "multiselect");
  }
  return isMadeList(value, program);
}

/** Whether a value is a list that the program makes, empty or not. */
function isMadeList(node: Expression, program: JqProgram): boolean {
  const value = valueBehind(node, program);
  if (value.kind === "Array") return true;
  const call = lastCall(value);
  return call !== undefined && isListing.has(call) && !defines(program, call);
}

const isListing: ReadonlySet<string> = new Set([
  "map",
  "keys",
  "split",
  "sort",
  "sort_by",
  "unique",
  "unique_by",
  "to_entries",
]);

/** Whether a value is never null, whatever comes in: it has a default, or is put together. */
function isNeverNull(node: Expression, program: JqProgram): boolean {
  // What a customer may leave out is told as a contradiction.
  if (fieldWithDefault(node, program) !== undefined) return false;
  // An expansion in quotes is a text too, whatever it gives.
  const written = node.kind === "Group" ? node.body : node;
  const value = memberBehind(node, program);
  if (written.kind === "String" || value.kind === "String") return true;
  if (fallbackOf(value, program) !== undefined || isMadeList(value, program)) return true;
  const call = lastCall(value);
  if (call !== undefined && isMade.has(call) && !defines(program, call)) return true;
  // An object for a record that wasn't found is told by what is read of it (`pipeline/nothing-found`).
  const made = madeBefore(value, program) ?? [];
  return (
    made.length > 0 &&
    made.every(
      ({ entry, program: other }) =>
        entry.value !== undefined &&
        fieldWithDefault(entry.value, other) === undefined &&
        isMadeText(entry.value, other),
    )
  );
}

/** Whether a value is a text or a number that a builtin makes, which fails where it can't. */
function isMadeText(node: Expression, program: JqProgram): boolean {
  const call = lastCall(valueBehind(node, program));
  return call !== undefined && isMade.has(call) && !defines(program, call);
}

/** Whether `.` is a part of a text that was split, with or without what a text stays a text by: `split(",") | map(ltrimstr(" ") | select(. != null))`. */
function isPiece(node: Expression, program: JqProgram, depth = 0): boolean {
  const sources = depth > MOST_STAGES ? [] : inputSources(program, node, []);
  return (
    sources.length > 0 &&
    sources.every((source) => {
      if (source.kind !== "made" || source.node.kind !== "Call") return false;
      const { text } = source.node.name;
      if (defines(program, text) || isPickedBetween(source.node, node, program)) return false;
      return (
        isMade.has(text) ||
        /^splits?$/.test(text) ||
        (isKept.has(text) && isPiece(source.node, program, depth + 1))
      );
    })
  );
}

/** `split("-") | .[2]`: there may be fewer. */
const isPickedBetween = ({ end }: Expression, { start }: Expression, { node }: JqProgram): boolean =>
  /\.\[(?!\])|\b(?:first|last|nth|min|max|limit|until|capture|getpath)\b|\/\//.test(
    node.value.slice(end, start),
  ) || end > start;

const MOST_STAGES = 5;
/** What gives anything but a text back as it is. */
const isKept: ReadonlySet<string> = new Set(["ltrimstr", "rtrimstr"]);

/** The constant behind the last `//`, in this program or in the step before of which a member is read. */
function fallbackOf(node: Expression, program: JqProgram): Json | undefined {
  const value = memberBehind(node, program);
  const here = fallbackIn(value);
  if (here !== undefined) return here;
  const [first, ...others] = (madeBefore(value, program) ?? []).map((made) =>
    made.entry.value === undefined ? undefined : fallbackIn(valueBehind(made.entry.value, made.program)),
  );
  // An object for a record that wasn't found is told by what is read of it (`pipeline/nothing-found`).
  return typeof first !== "object" && others.every((each) => each === first) ? first : undefined;
}

const fallbackIn = (value: Expression): Json | undefined =>
  value.kind === "Alternative" ? (constantOf(value.operands.at(-1)!) ?? undefined) : undefined;

const isMade: ReadonlySet<string> = new Set(
  "tostring tonumber tojson length floor round ceil ascii_downcase ascii_upcase type join sub gsub trim ltrim rtrim fromdate todate mktime strftime".split(
    " ",
  ),
);

/** The builtin that gives an expression's value. */
function lastCall(node: Expression): string | undefined {
  const value = bare(node);
  const last = value.kind === "Pipeline" ? stagesOf(value).at(-1) : value;
  return last?.kind === "Call" ? last.name.text : undefined;
}

const isBoolean: ReadonlySet<string> = new Set([
  "any",
  "all",
  "test",
  "has",
  "contains",
  "startswith",
  "endswith",
  "not",
  "inside",
]);

/** Whether a value is certainly neither true nor false: a constant that isn't, or what a customer chose or wrote. */
function isChosen(node: Expression, program: JqProgram): boolean {
  const constant = constantOf(bare(node));
  if (constant !== undefined) return typeof constant === "string" || typeof constant === "number";
  const value = bare(node);
  const source = value.kind === "Variable" ? boundTo(program, value) : undefined;
  if (source !== undefined) return isChosen(source, program);
  const name = nameOfValue(value);
  if (name !== undefined) return isIdName(name);
  const hole = value.kind === "Hole" ? program.holes[value.hole] : undefined;
  return (
    hole?.root === "custom_data" &&
    hole.rootExact === true &&
    /^(?:value|display)$/.test(hole.syntax.path[2]?.text ?? "")
  );
}
