import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver, isAsItCame } from "../../../flow/counted.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import { commentsAround, commentsAt, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { readPath } from "../../../flow/emptiness.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, finalObject, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { isPick } from "../../../flow/picked.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { waysOf as valueWaysOf } from "../../../flow/protocol/forms.ts";
import { isTimeName } from "../../../flow/protocol/time-names.ts";
import { resultsOf } from "../../../flow/result.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { kindInBranch, waysOf } from "./branch-ways.ts";
import { idInPath } from "./id-in-path.ts";
import { oneOfStep } from "./one-of-list.ts";

const emptyText = defineRule<{
  text: string;
  given: string;
  evidence: string;
  isEqual: boolean;
  instead: string;
}>({
  id: "jq/empty-text",
  severity: "warning",
  summary: "What is null where there is none is compared with an empty text, list or object",
  why: 'Null isn\'t `""`, and neither is an id, a time, a number or an object. So the comparison has the same outcome for every record: nothing counts as missing, or nothing counts as there.',
  guards: ["D23", "command.!switch", "command.!jq"],
  message: ({ text, given, isEqual }) =>
    `\`${text}\` is null where there is none, never \`${given}\`: this is always ${isEqual ? "false" : "true"}.`,
  because: ({ text, given, evidence, isEqual }) => [
    evidence,
    `\`${text}\` is compared with \`${given}\`: ${isEqual ? "false" : "true"} for each record`,
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
      title: "An object",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, town: (if .home == null then null else .home.town end), boss: (if .boss == «\\"\\"» then null else .boss.name end)}"}',
      good: '{"!jq": "{email: .email, town: (if .home == null then null else .home.town end), boss: (if .boss == null then null else .boss.name end)}"}',
      fixed:
        '{"!jq": "{email: .email, town: (if .home == null then null else .home.town end), boss: (if .boss == null then null else .boss.name end)}"}',
    },
    {
      title: "An empty object, where a comment says null",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"room: {name, floor}, or null until one is booked"' },
      bad: '{"!jq": ".room as $room | {email: .email} + (if $room == «{}» then {} else {room: $room.name} end)"}',
      good: '{"!jq": ".room as $room | {email: .email} + (if $room == null then {} else {room: $room.name} end)"}',
      fixed:
        '{"!jq": ".room as $room | {email: .email} + (if $room == null then {} else {room: $room.name} end)"}',
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

const nullForEmpty = defineRule<{ text: string; isEqual: boolean; instead: string }>({
  id: "jq/null-for-empty",
  severity: "warning",
  summary: "A text of which a comment says that it is empty, never null, is compared with null",
  why: "An empty text isn't null. So the comparison has the same outcome for every record: nothing counts as missing, and records go on without an email.",
  guards: ["D3", "D23", "command.!switch", "command.!jq"],
  message: ({ text, isEqual }) =>
    `A comment says that what is missing is an empty text, never null: \`${text}\` compared with null is always ${isEqual ? "false" : "true"}.`,
  because: ({ text, isEqual }) => [
    `\`${text}\` is \`""\` where there is none`,
    `it is compared with null: ${isEqual ? "false" : "true"} for each record`,
  ],
  help: () => 'Compare it with `""`.',
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Missing details are empty texts, never null."' },
      bad: '{"!jq": "if .email == «null» then null else {email: .email} end"}',
      good: '{"!jq": "if .email == \\"\\" then null else {email: .email} end"}',
      fixed: '{"!jq": "if .email == \\"\\" then null else {email: .email} end"}',
    },
    {
      title: "Who has none",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"A person who is no member has an empty number."' },
      bad: '{"!jq": "if .member_no == «null» then null else {email: .email} end"}',
      good: '{"!jq": "if (.member_no // \\"\\") == \\"\\" then null else {email: .email} end"}',
      fixed: '{"!jq": "if .member_no == \\"\\" then null else {email: .email} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [emptyText, nullForEmpty],
  checks: {
    document(model, report) {
      if (hasComments(model) && saysEmpty.test(model.document.text))
        for (const { program, value, constant, isEqual } of comparedWithNull(model))
          if (isDocumentedEmpty(value, program, model))
            report(nullForEmpty, partAt(program, constant), {
              text: textAt(value, program),
              isEqual,
              instead: '""',
            });
      for (const { program, value, empty, isEqual } of comparedWithNothing(model)) {
        const given = textAt(empty, program);
        // A number may be 0, a time isn't.
        if (constantOf(empty) === 0 && roleOf(memberRead(value, program) ?? "") !== "time") continue;
        if (isShownEmpty(value, program)) continue;
        // An empty list or object may be meant as one, unless a comment says otherwise.
        const evidence =
          constantOf(empty) !== ""
            ? (documented(value, program, model) ?? shownNull(value, empty, program, model))
            : (firstRecord(value, program) ??
              nullOfStep(value, program) ??
              nullOfState(value, program, model) ??
              timeElsewhere(value, model) ??
              nullsBeside(value, program, model) ??
              (constantOf(empty) === "" ? idInPath(value, program, model) : undefined) ??
              documented(value, program, model) ??
              shownNull(value, empty, program, model) ??
              inOtherBranch(value, program));
        if (evidence === undefined) continue;
        report(
          emptyText,
          { node: program.node, from: empty.start, to: empty.end },
          { text: textAt(value, program), given, evidence, isEqual, instead: "null" },
        );
      }
    },
  },
};
export default module;

/** What is an object or a number where it isn't the empty text: the branch for it reads a member of it, or reckons with it. */
function inOtherBranch(value: Expression, program: JqProgram): string | undefined {
  const path = readPath(value, program)?.filter((name) => name !== "");
  const source = valueBehind(value, program);
  const hole = source.kind === "Hole" ? program.holes[source.hole] : undefined;
  const isOwn = hole === undefined || (hole.root === "piped_content" && hole.syntax.filters.length === 0);
  const isPicked = isPick(source, program);
  const isRead = source.kind === "Postfix" || source.kind === "Identity" || hole !== undefined;
  if (path === undefined || !(isRead || isPicked) || !isOwn) return undefined;
  // A time that is a number is none where there is none, whatever else is asked.
  const name = memberRead(value, program) ?? "";
  const isTime = roleOf(name) === "time" || isTimeName(name);
  const isNull = isPicked || knowsOnlyNull(value, program);
  if (!isTime && !isNull) return undefined;
  const decision = nodesOfKind(program, "If").find(({ branches }) =>
    branches.some(({ condition }) => condition.start <= value.start && value.end <= condition.end),
  );
  const ways = decision === undefined ? [] : waysOf(decision, program);
  const names = path.join("\n");
  for (const way of ways) {
    const isThere = way.facts.some((fact) => !fact.isEmpty && fact.path.join("\n") === names);
    const kind = isThere ? kindInBranch(way, path, program) : undefined;
    if (kind === "a number" || (kind !== undefined && isNull))
      return `the other branch takes \`${textAt(value, program)}\` for ${kind}`;
  }
  return undefined;
}

/** What the step before gives for what is left out: null, and else a record, of which `.` asks here. */
function nullOfStep(value: Expression, program: JqProgram): string | undefined {
  const body = plainBody(program);
  // Behind a pipe `.` is something else.
  const isAsked =
    bare(value).kind === "Identity" &&
    body.kind === "If" &&
    body.branches.some(({ condition }) =>
      operandsIn(condition).some((each) => sidesOf(each).includes(value)),
    );
  const step = isAsked ? stepBefore(program.command) : undefined;
  if (step === undefined) return undefined;
  const makers = resultsOf(step);
  const ways = makers.flatMap((maker) =>
    maker.key === "!jq" && maker.program?.diagnostics.length === 0
      ? waysIn(plainBody(maker.program), maker.program)
      : ["other" as const],
  );
  return ways.includes("null") && ways.includes("record") && !ways.includes("other")
    ? "the step before gives null for what it leaves out, and else a record"
    : undefined;
}

/** The key of the state that the intake sets to null, and else to an id: that is never an empty text. */
function nullOfState(value: Expression, program: JqProgram, model: Model): string | undefined {
  const { unit } = program.command;
  const name = memberRead(value, program);
  if (unit?.kind !== "intake" || name === undefined || !isStateRead(value, program)) return undefined;
  const written = partOfUnit(unit, model).programs.flatMap((each) =>
    each.node.value.includes(name) ? valuesOf(name, each) : [],
  );
  const isId = (each: Expression): boolean => {
    const node = bare(each);
    return constantOf(node) === null || (node.kind === "Postfix" && isIdName(nameOfValue(node) ?? ""));
  };
  return isIdName(name) && written.some((each) => constantOf(each) === null) && written.every(isId)
    ? `the intake sets \`${name}\` to null, or to an id`
    : undefined;
}

/** `${polling_state.job_id}`, `.polling_state.job_id`, `$state.job_id` */
function isStateRead(value: Expression, program: JqProgram): boolean {
  const node = bare(value);
  const root = (at: Expression): boolean =>
    at.kind === "Hole" && program.holes[at.hole]?.root === "polling_state";
  if (root(node)) return true;
  if (node.kind !== "Postfix") return false;
  if (node.head.kind === "Identity") return /^\.polling_state\.\w+$/.test(textAt(node, program));
  const source = node.head.kind === "Variable" ? boundTo(program, node.head) : undefined;
  return (
    source !== undefined &&
    node.suffixes.length === 1 &&
    (root(bare(source)) || textAt(bare(source), program) === ".polling_state")
  );
}

/** What a program writes under a name. */
const valuesOf = (name: string, program: JqProgram): readonly Expression[] =>
  nodesOfKind(program, "Entry").flatMap(({ key, value }) =>
    value !== undefined && nameOf(key) === name ? [value] : [],
  );

const operandsIn = (condition: Expression): readonly Expression[] => {
  const node = bare(condition);
  return node.kind === "Logical" ? node.operands.flatMap(operandsIn) : [node];
};

const sidesOf = (node: Expression): readonly Expression[] =>
  node.kind === "Comparison" ? [node.left, node.right] : [];

/** What each branch of a program gives. */
function waysIn(given: Expression, program: JqProgram): readonly ("null" | "record" | "other")[] {
  return valueWaysOf(given, program).map((way) => {
    const node = bare(way);
    if (constantOf(node) === null) return "null";
    if (node.kind === "Object" || node.kind === "Identity") return "record";
    if (node.kind === "Pipeline") {
      const last = node.stages.at(-1);
      const isKept = last?.kind === "Call" && last.name.text === "with_entries";
      return last?.kind === "Object" || isKept ? "record" : "other";
    }
    // `. + {kind: $kind}`
    const isMore = node.kind === "Arithmetic" && node.rest.every(({ operator }) => operator === "+");
    return isMore && node.rest.some(({ operand }) => bare(operand).kind === "Object") ? "record" : "other";
  });
}

/** Whether a program asks for null elsewhere, and for an empty text nowhere else: some services send one for the other. */
function knowsOnlyNull(value: Expression, program: JqProgram): boolean {
  const others = nodesOfKind(program, "Comparison").filter(
    ({ left, right }) => left !== value && right !== value,
  );
  const isPlain = ({ left }: (typeof others)[number]): boolean => bare(left).kind !== "Alternative";
  return (
    others.some(({ right }) => constantOf(right) === null) &&
    !others.some((each) => constantOf(each.right) === "" && isPlain(each))
  );
}

/** What is compared with an empty text. */
const comparedWithNothing = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (!/""|\{\s*\}|\[\s*\]|=\s*0\b|\b0\s*[!=]=/.test(program.node.value)) return [];
    return nodesOfKind(program, "Comparison").flatMap(({ left, right, operator }) => {
      if (operator !== "==" && operator !== "!=") return [];
      const [value, empty] = isEmptyValue(left) ? [right, left] : [left, right];
      if (!isEmptyValue(empty) || isAskedForNull(value, program) || mayMakeEmpty(value)) return [];
      return [{ program, value, empty, isEqual: operator === "==" }];
    });
  }),
);

/** `""`, `{}` and `[]`, and `0`, which is no time. */
function isEmptyValue(node: Expression): boolean {
  const inner = bare(node);
  if (inner.kind === "Object") return inner.entries.length === 0;
  if (inner.kind === "Array") return inner.body === undefined;
  return constantOf(inner) === "" || constantOf(inner) === 0;
}

/** `if .born_on then .born_on else "" end` */
function mayMakeEmpty(value: Expression): boolean {
  const node = bare(value);
  return (
    node.kind === "If" &&
    [...node.branches.map(({ body }) => body), node.otherwise].some(
      (body) => body !== undefined && isEmptyValue(body),
    )
  );
}

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

/** What is compared with null. */
const comparedWithNull = derivedByPart(({ programs }) =>
  programs.flatMap((program) =>
    !program.node.value.includes("null")
      ? []
      : nodesOfKind(program, "Comparison").flatMap(({ left, right, operator }) => {
          if ((operator !== "==" && operator !== "!=") || constantOf(right) !== null) return [];
          const value = bare(left);
          const isAsked = new RegExp(`${escapedPattern(textAt(value, program))}\\)?\\s*[!=]=\\s*""`).test(
            program.node.value,
          );
          return value.kind !== "Postfix" || isAsked
            ? []
            : [{ program, value, constant: right, isEqual: operator === "==" }];
        }),
  ),
);

/** `Missing guest details are empty text, never null`, `phone is "" without one, not null` */
const emptyNever = String.raw`(?:\bempty (?:texts?|strings?)\b|\bempty\b|\\?"\\?"|'')[^.;]{0,80}?\b(?:never|not) null\b`;
/** `what is unknown is empty text`, `missing values come as an empty string` */
const emptyFor = String.raw`\b(?:what(?: is|'s)|(?:values?|details|members|fields)(?: that| which)?(?: are| is)?|all that is)? ?\b(?:missing|absent|unknown|unset|not known|not there)(?: (?:values?|details|members|fields))? (?:is|are|comes? as|stands? as) (?:always )?(?:an? )?empty (?:texts?|strings?)\b(?![^.;]{0,20}\b(?:or|and) null\b)`;
/** `A contact who is no tenant has an empty number` */
const hasEmpty = /\b(?:has|have) an empty ([a-z]+)\b/i;
const saysEmpty = new RegExp(`${emptyNever}|${emptyFor}|${hasEmpty.source}`, "i");
const ofMissing = /\b(?:missing|absent|unknown|unset|what isn't there|left[- ]out)\b/i;

/** Whether a comment says of a text, or of all that is missing, that it is empty and never null. */
function isDocumentedEmpty(value: Expression, program: JqProgram, model: Model): boolean {
  const name = nameOfValue(value);
  if (name === undefined) return false;
  const role = roleOf(name);
  const isText = role === "email" || role === "phone" || role === "name" || role === "url";
  const clauses = documentedClauses(program.node, intakesAround(program.command.unit));
  const words = wordsOf(name).map((word) => (/^(?:no|nr|num)$/.test(word) ? "number" : word));
  if (clauses.some(({ text }) => words.at(-1) === hasEmpty.exec(text)?.[1])) return true;
  const isSaid = clauses.some(({ text }) => {
    if (!saysEmpty.test(text)) return false;
    // `Missing details are empty texts, but for email, which is null`
    if (
      new RegExp(`\\b(?:but(?: for)?|except(?: for)?|only)\\b[^.;]{0,30}\\b${escapedPattern(name)}\\b`).test(
        text,
      )
    )
      return false;
    return new RegExp(`\\b${escapedPattern(name)}\\b`).test(text) || (isText && ofMissing.test(text));
  });
  return isSaid && isAsItCame(trailsOf(flowOf(model), program, value));
}

/** What a comment says of a value that came as it is: `born is like 31.12.1980, or null`. */
function documented(value: Expression, program: JqProgram, model: Model): string | undefined {
  const name = hasComments(model) ? memberRead(value, program) : undefined;
  if (name === undefined) return undefined;
  const comment = documentedNulls(program.node, intakesAround(program.command.unit)).get(name);
  if (comment === undefined || /\bempty\b|""|\[\]|\{\}/.test(comment.value)) return undefined;
  if (new RegExp(`\\b${escapedPattern(name)}\\b\\)?\\s*//`).test(program.node.value)) return undefined;
  return isAsItCame(trailsOf(flowOf(model), program, value))
    ? `a comment says that \`${name}\` is null where there is none`
    : undefined;
}

/** The time that a comment shows as null: `{id, seen_at: null}`. A time that is there is never 0. */
function shownNull(
  value: Expression,
  empty: Expression,
  program: JqProgram,
  model: Model,
): string | undefined {
  const name = hasComments(model) ? memberRead(value, program) : undefined;
  if (name === undefined || roleOf(name) !== "time" || constantOf(empty) === undefined) return undefined;
  const shown = new RegExp(`(?<![\\w.-])"?${escapedPattern(name)}"?\\s*:\\s*null\\s*[,}]`);
  return commentsOver(program.command, model).some((comment) => shown.test(comment.value)) &&
    isAsItCame(trailsOf(flowOf(model), program, value))
    ? `a comment shows \`${name}\` as null`
    : undefined;
}

/** The member that a value is, by its name, also where a variable stands for it: `recording` of `.episode.recording as $rec | … $rec`. */
function memberRead(given: Expression, program: JqProgram): string | undefined {
  const value = valueBehind(given, program);
  const suffix = value.kind === "Postfix" ? value.suffixes.at(-1) : undefined;
  const index = suffix?.kind === "Index" ? constantOf(suffix.index) : undefined;
  const name = suffix === undefined ? undefined : (nameOfValue(value) ?? index);
  return typeof name === "string" ? name : undefined;
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
  if (value.kind !== "Postfix" || name === undefined) return undefined;
  if (!isIdName(name)) return oneOfStep(value, program);
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
  return (others.length === 0 ? reason : undefined) ?? oneOfStep(value, program);
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
    if (new RegExp(`\\b${escapedPattern(name)} *// *""`).test(program.node.value)) return undefined;
  }
  return other === undefined
    ? undefined
    : `\`${name}\` is a time by its name; of another one the app asks whether it is null`;
}

/** Whether a value is the id of another record, and the same workflow takes other members of the record that has it for null where they are missing. */
function nullsBeside(given: Expression, program: JqProgram, model: Model): string | undefined {
  const { unit, node } = program.command;
  const value = bare(given);
  const name = nameOfValue(value);
  const owner = value.kind === "Postfix" ? value.suffixes.at(-2) : undefined;
  if (unit?.kind !== "workflow" || name === undefined || name === "id" || !isIdName(name)) return undefined;
  if (owner?.kind !== "Field" || owner.key.kind !== "Name") return undefined;
  if (
    hasComments(model) &&
    commentsAround(node, intakesAround(unit)).some((comment) => saysEmpty.test(comment.value))
  )
    return undefined;
  const above = escapedPattern(owner.key.text);
  const asNull = new RegExp(`\\.${above}\\.\\w{1,40} *(?://|[!=]= *null\\b)(?! *"")`);
  const asEmpty = new RegExp(`\\.${above}\\.\\w{1,40} *[!=]= *""`, "g");
  let other: string | undefined;
  let compared = 0;
  for (const { node: each } of partOfUnit(unit, model).programs) {
    other ??= asNull.exec(each.value)?.[0];
    compared += [...each.value.matchAll(asEmpty)].length;
  }
  return other === undefined || compared > 1
    ? undefined
    : `\`${name}\` is an id; of another member beside it the app asks whether it is null: \`${other}\``;
}

/** `.last_lesson | if . == null then null else strftime("%Y-%m-%d") end` */
const isFormatted = (value: Expression, { node }: JqProgram): boolean =>
  bare(value).kind === "Identity" &&
  /\b(?:strftime|todate|fromdate)\b/.test(node.value.slice(value.end, value.end + 60));

/** `Without a match the id is "".` */
function isShownEmpty(value: Expression, program: JqProgram): boolean {
  const name = memberRead(value, program);
  if (name === undefined) return false;
  const shown = new RegExp(`(?<![\\w-])${escapedPattern(name)}["'\`]?(?: is|:) (?:""|an empty text\\b)`);
  const { pipe, node, unit } = program.command;
  return [
    ...commentsAround(node, intakesAround(unit)),
    ...(pipe?.children ?? []).flatMap((step) => (step === undefined ? [] : commentsAt(step.node))),
  ].some((comment) => shown.test(comment.value));
}
