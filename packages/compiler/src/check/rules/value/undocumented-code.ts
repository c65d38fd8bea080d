import type { Command, FieldSymbol, JqProgram, MapSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Compared, comparedIn, mayBeOf, type Order } from "../../../flow/compared-constants.ts";
import { codesIn, type DocumentedCodes, documentedCodes, isOf } from "../../../flow/documented-codes.ts";
import { commentsBelow, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { type JsonNode, objectItems, type SyntaxNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const undocumentedCode = defineRule<{ code: string; name: string; codes: readonly string[] }>({
  id: "value/undocumented-code",
  severity: "warning",
  summary: "A number isn't among the codes that a comment lists",
  why: "A comment says what each code of a severity, a role or a state means. No record has another code: a comparison with one is false for all of them, and a list that is asked for by it is empty. No error says so.",
  guards: ["D3", "command.!jq", "field_option.value"],
  message: ({ code, name, codes }) => `\`${name}\` is never \`${code}\`: a comment lists ${allNames(codes)}.`,
  because: ({ code, codes }) => [`the comment lists ${allNames(codes)}`, `\`${code}\` is none of them`],
  help: () => "Write one of the codes that the comment lists, or add this one there.",
  examples: [
    {
      title: "In a condition",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment": '"severity: 1 notice, 2 warning, 3 alarm."',
      },
      bad: '{"!jq": "{email: .email, _tags: (if .severity == «4» then [\\"Alarm\\"] else [] end)}"}',
      good: '{"!jq": "{email: .email, _tags: (if .severity == 3 then [\\"Alarm\\"] else [] end)}"}',
    },
    {
      title: "An option",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/_comment": '"severity: 1 notice, 2 warning, 3 alarm."',
        "/workflows/0/data_pipeline/source":
          '{"!jq": "if .severity < (${custom_data.severity.value} | tonumber) then null else {email: .email} end"}',
      },
      bad: '{"label": "Severity", "id": "severity", "type": "dropdown", "options": [{"display": "Warnings and alarms", "value": "2"}, {"display": "Alarms only", "value": «"4"»}]}',
      good: '{"label": "Severity", "id": "severity", "type": "dropdown", "options": [{"display": "Warnings and alarms", "value": "2"}, {"display": "Alarms only", "value": "3"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [undocumentedCode],
  checks: {
    reach: "linked",
    program(program, report, model) {
      if (!hasCodes(model) || !/\d/.test(program.node.value)) return;
      for (const compared of comparedIn(program)) tellCompared(compared, program, report);
    },
    command: {
      "!http": ({ argument, unit }, report, model) => {
        if (argument?.kind !== "object" || !hasCodes(model)) return;
        for (const part of ["params", "body"]) tellSent(argument.get(part), unit, report);
      },
    },
    field(field, report, model) {
      if (hasCodes(model)) tellOffered(field, report);
    },
    map({ node, workflow }, report, model) {
      if (hasCodes(model)) tellFixed(node, workflow, report);
    },
  },
};
export default module;

/** Whether any comment lists codes: most documents have none. */
const hasCodes = derived(
  (model: Model): boolean =>
    hasComments(model) &&
    [...commentsBelow(model.document.root!)].some((comment) => codesIn(comment).length > 0),
);

/** What a program compares with a code, or looks up by one. */
function tellCompared(
  { name, owner, values, order, node }: Compared,
  program: JqProgram,
  report: Report,
): void {
  const codes = values.map(String);
  if (!codes.every(isCode)) return;
  const listed = closedCodes(name, program.node, intakesAround(program.command.unit));
  if (listed === undefined || (owner !== undefined && !mayBeOf(owner, listed))) return;
  // A table is for one vocabulary.
  if (codes.length > 1 && !codes.some((each) => has(listed, each))) return;
  for (const [index, code] of codes.entries())
    if (order === undefined ? !has(listed, code) && !isSaid(code, listed) : isNever(order, code, listed))
      tell(code, name, listed, partAt(program, node(values[index]!)), report);
}

/** What a request sends as a member. */
function tellSent(value: JsonNode | undefined, unit: Command["unit"], report: Report): void {
  if (value?.kind !== "object") return;
  for (const { name, value: sent } of value.members) {
    tellSent(sent, unit, report);
    if (sent?.kind === "number" || sent?.kind === "string")
      tellStatic(name, sent, `${sent.value}`, documentedIn(name, sent, unit), report);
  }
}

/** What customers may set a mapped field to. */
function tellFixed(node: MapSymbol["node"], workflow: MapSymbol["workflow"], report: Report): void {
  const target = node.get("describe_target");
  for (const option of objectItems(target?.kind === "object" ? target.get("options") : undefined)) {
    const name = textOf(option, "id");
    const fixed = objectItems(option.get("source_fields")).map((each) => each.get("id"));
    if (name === undefined || fixed.length < 2) continue;
    const listed = documentedIn(name, option, workflow);
    for (const each of fixed)
      if (each?.kind === "number" || each?.kind === "string")
        tellStatic(name, each, `${each.value}`, listed, report);
  }
}

/** What customers choose among, where another option is one of the codes. */
function tellOffered({ id = "", node, workflow }: FieldSymbol, report: Report): void {
  const options = objectItems(node.get("options"));
  const values = options.map((option) => textOf(option, "value") ?? "");
  if (options.length < 2 || !values.every(isCode)) return;
  const names = [id, textOf(node, "label") ?? ""].map((name) => wordsOf(name).map(singular));
  const all = [workflow.node, ...intakesAround(workflow)].flatMap((each) =>
    [...commentsBelow(each)].flatMap(codesIn),
  );
  const [listed, ...others] = all.filter(({ subject }) => names.some((name) => isOf(subject, name)));
  if (listed === undefined || others.length > 0 || !isClosed(listed)) return;
  if (!values.some((value) => has(listed, value))) return;
  for (const [index, code] of values.entries()) {
    const shown = textOf(options[index], "display") ?? "";
    const at = options[index]!.get("value");
    if (at !== undefined && !has(listed, code) && !isSaid(code, listed) && !own.test(shown))
      tell(code, wordsOf(id).join(" ") === "" ? listed.subject.join(" ") : id, listed, at, report);
  }
}

/** Options that stand for all, or for none, are the app's own. */
const own = /\b(?:all|any|every\w*|none?|never|no matter|whatever|default|unknown|other)\b/i;

function tellStatic(
  name: string,
  at: JsonNode,
  code: string,
  listed: DocumentedCodes | undefined,
  report: Report,
): void {
  if (listed !== undefined && isCode(code) && !has(listed, code) && !isSaid(code, listed))
    tell(code, name, listed, at, report);
}

function tell(
  code: string,
  name: string,
  { pairs, comment }: DocumentedCodes,
  at: Parameters<Report>[1],
  report: Report,
): void {
  const codes = pairs.map(([each]) => each);
  report(undocumentedCode, at, { code, name, codes }, [{ message: "the comment", at: comment }]);
}

const documentedIn = (name: string, place: SyntaxNode, unit: Command["unit"]): DocumentedCodes | undefined =>
  closedCodes(name, place, intakesAround(unit));

function closedCodes(...of: Parameters<typeof documentedCodes>): DocumentedCodes | undefined {
  const listed = documentedCodes(...of);
  return listed !== undefined && isClosed(listed) ? listed : undefined;
}

/** Whether a list has all codes there are: numbers in a row, and nothing says that it goes on. */
function isClosed({ pairs, goesOn }: DocumentedCodes): boolean {
  const codes = pairs.map(([code]) => Number(code));
  const step = codes[1]! - codes[0]!;
  return !goesOn && step > 0 && codes.every((code, at) => code === codes[0]! + at * step);
}

const isCode = (text: string): boolean => /^\d{1,3}$/.test(text);

const has = ({ pairs }: DocumentedCodes, code: string): boolean => pairs.some(([each]) => each === code);

/** Whether the comment speaks of a code elsewhere, or another line of it does, which names what the codes are of or begins with it. */
function isSaid(code: string, { comment, subject }: DocumentedCodes): boolean {
  const mentions = new RegExp(`(?<![\\w.,])${code}(?![\\w]|[.,]\\d)`);
  const name = subject.at(-1) ?? "";
  const counted = ordinals[Number(code)];
  if (counted !== undefined && new RegExp(`\\b(?:${counted})\\b`, "i").test(comment.value)) return true;
  return (
    mentions.test(comment.value) ||
    linesBeside(comment).some(
      (line) =>
        mentions.test(line) && (line.search(mentions) <= 1 || wordsOf(line).map(singular).includes(name)),
    )
  );
}

/** How people say a code in words: `since May there is a fourth`. */
const ordinals: readonly string[] =
  "zero|nought,first,second|two,third|three,fourth|four,fifth|five,sixth|six,seventh|seven,eighth|eight,ninth|nine".split(
    ",",
  );

/** The other lines of a comment that has several. */
const linesBeside = ({ parent }: DocumentedCodes["comment"]): readonly string[] =>
  parent?.kind === "array"
    ? parent.items.flatMap((item) => (item.kind === "string" ? [item.value] : []))
    : [];

/** Whether no code is on that side: `> 4` of 1 to 4. */
function isNever(order: Order, code: string, { pairs }: DocumentedCodes): boolean {
  const codes = pairs.map(([each]) => Number(each));
  const limit = Number(code);
  const [least, most] = [Math.min(...codes), Math.max(...codes)];
  if (order === ">") return limit >= most;
  if (order === ">=") return limit > most;
  return order === "<" ? limit <= least : limit < least;
}
