import type { Call, Expression, ObjectConstruction, ObjectEntry, Stage } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { lostObject, targetCourses } from "../pipeline/courses.ts";

const rule = defineRule<{ member: string; text: string; isOne: boolean; instead: string | undefined }>({
  id: "jq/lost-object",
  severity: "warning",
  summary: "A member may have no value, and then the whole object is lost",
  why: "In jq, an object has as many outputs as its members have. Where a list has nothing that fits, `.phones[] | select(…)` gives no value, so there is no object: the record is skipped with all that its other members have.",
  guards: ["command.!jq", "D23"],
  message: ({ member, text, isOne }) =>
    `Where \`${text}\` gives nothing, the whole object is lost, not only \`${member}\`.${isOne ? "" : " Where it gives two values, there are two objects, and the first is used."}`,
  because: ({ text, member }) => [
    `a record for which \`${text}\` gives no value`,
    `the object with \`${member}\` isn't made, and its other members are lost`,
  ],
  help: () => "Collect the values and take the first: `([…] | first)` is null where there is none.",
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      title: "D23: the first that fits",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, mobile: «(.phones[] | select(.kind == \\"mobile\\") | .number)»}"}',
      good: '{"!jq": "{email: .email, mobile: ([.phones[] | select(.kind == \\"mobile\\") | .number] | first)}"}',
      fixed:
        '{"!jq": "{email: .email, mobile: ([.phones[] | select(.kind == \\"mobile\\") | .number] | first)}"}',
    },
    {
      title: "D23: what isn't a number",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, age: «(.age | tonumber?)»}"}',
      good: '{"!jq": "{email: .email, age: (.age | tonumber? // null)}"}',
      fixed: '{"!jq": "{email: .email, age: ([.age | tonumber?] | first)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [rule],
  checks: {
    program(program, report, model) {
      const { value } = program.node;
      if (
        program.command.key !== "!jq" ||
        !givesObject.has(program.tree.body.kind) ||
        !value.includes("{") ||
        !/\[\]|select|empty|\?|capture|match/.test(value)
      )
        return;
      // A check of a delivery that comes to nothing refuses it.
      if (program.diagnostics.length > 0 || program.command.place.name === "intake.verification") return;
      for (const { member, node } of lostIn(program.tree.body, program)) {
        if (isSaidToBe(program)) return;
        const gives = outputsOf(node)!;
        if (isTold(node, gives, program, model) || isShown(node, program)) continue;
        const inner = bare(node);
        const text = value.slice(inner.start, inner.end).trim();
        report(
          rule,
          { node: program.node, from: node.start, to: node.end },
          { member, text: excerpt(text), isOne: gives === "one", instead: `([${text}] | first)` },
        );
      }
    },
  },
};
export default module;

/** Expressions that may give an object of the program's own. */
const givesObject: ReadonlySet<Stage["kind"]> = new Set(["Group", "If", "Arithmetic", "Object", "Pipeline"]);

/** `created | capture("\\((?<ms>\\d+)")` where a comment shows such a text: `created is /Date(1740851990123)/`. */
function isShown(node: Expression, program: JqProgram): boolean {
  const all = nodesIn(node);
  const calls = all.flatMap((each) => (each.kind === "Call" ? [each] : []));
  const reading = calls.filter(({ name }) => name.text === "capture" || name.text === "match");
  if (reading.length === 0 || all.some((each) => each.kind === "Iterate" || each.kind === "Optional"))
    return false;
  if (calls.some(({ name }) => name.text === "select" || name.text === "empty")) return false;
  const names = all.flatMap((each) => (each.kind === "Name" && each.text.length > 1 ? [each.text] : []));
  const shown = commentsAround(program.node, []).flatMap(({ value }) =>
    names.flatMap((name) =>
      value
        .split(new RegExp(`\\b${escapedPattern(name)}\\b`))
        .slice(1)
        .map((behind) => behind.slice(0, 80)),
    ),
  );
  return reading.every(({ arguments: [pattern] }) => {
    const written = pattern === undefined ? undefined : constantOf(pattern);
    return typeof written === "string" && written.length > 5 && shown.some((text) => matches(written, text));
  });
}

/** Whether a pattern that is soon through fits a text, which is short: it has few repetitions, and none of a group. */
function matches(pattern: string, text: string): boolean {
  const repeated = pattern.match(/(?<!\()[*+?{]/g)?.length ?? 0;
  if (repeated > 3 || pattern.length > 80 || /\)[*+?{]/.test(pattern)) return false;
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}

/** What a variable is bound to that may have no value, unless it has that without which there is nothing to do for a record. */
function boundIn(
  { source, patterns, start }: Extract<Stage, { kind: "Binding" }>,
  program: JqProgram,
): Lost | undefined {
  const [pattern] = patterns;
  if (pattern?.kind !== "VariablePattern") return undefined;
  const member = `$${pattern.name}`;
  const entries = nodesOfKind(program, "Entry").filter((entry) => entry.start > start);
  const needs = entries.some(({ key, value }) => {
    const role = roleOf(nameOf(key) ?? "");
    return (role === "id" || role === "email") && value !== undefined && reads(value, pattern.name);
  });
  const isMember = entries.some(({ value }) => value === undefined || !reads(value, pattern.name));
  if (isCount(pattern.name, entries, program)) return undefined;
  return needs || !isMember ? undefined : { member, node: source };
}

/** How many there are, of which each answer to a poll says, or there are none: all that it is read for is whether more pages come. */
function isCount(name: string, entries: readonly ObjectEntry[], program: JqProgram): boolean {
  if (program.command.place.name !== "intake.request") return false;
  const compared = entries
    .flatMap(({ key, value }) => (nameOf(key) === "iterate" && value !== undefined ? nodesIn(value) : []))
    .filter((node) => node.kind === "Comparison" && /^[<>]=?$/.test(node.operator));
  const all = nodesOfKind(program, "Variable").filter((each) => each.name === name);
  return (
    all.length > 0 &&
    all.every((each) => compared.some((node) => node.start <= each.start && each.end <= node.end))
  );
}

const reads = (node: Expression, name: string): boolean =>
  nodesIn(node).some((each) => each.kind === "Variable" && each.name === name);

/** A stream is told as that, and so is what a lookup doesn't find. */
function isTold(node: Expression, gives: Outputs, program: JqProgram, model: Model): boolean {
  const { command } = program;
  const selects = nodesIn(node).some((each) => each.kind === "Call" && each.name.text === "select");
  if (gives === "several" && !selects && command === command.pipe?.children.at(-1)) return true;
  if (gives === "several" && !selects && command.pipe === undefined) return true;
  return (
    command.unit?.kind === "workflow" &&
    command.place.name === "data_pipeline.target" &&
    targetCourses(command.unit, model).some((course) => lostObject(course)?.node === node)
  );
}

interface Lost {
  readonly member: string;
  readonly node: Expression;
}

/** Members that may have no value, of the objects of which a program gives one. @param isBeside whether more is lost with it */
function lostIn(node: Stage, program: JqProgram, isBeside = false): readonly Lost[] {
  switch (node.kind) {
    case "Group":
      return lostIn(node.body, program, isBeside);
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ].flatMap((each) => lostIn(each, program));
    case "Arithmetic":
      return [node.first, ...node.rest.map(({ operand }) => operand)].flatMap((each) =>
        lostIn(each, program, true),
      );
    case "Object":
      return lostOf(node, program, isBeside);
    case "Pipeline": {
      const lost: Lost[] = [];
      for (const stage of node.stages) {
        if (stage.kind === "Binding") {
          if (outputsOf(stage.source) === undefined) continue;
          const bound = boundIn(stage, program);
          return bound === undefined ? lost : [...lost, bound];
        } else if (stage.kind !== "Definition" && stage.kind !== "Label") {
          if (outputsOf(stage) === "several") return lost;
          lost.push(...lostIn(stage, program));
        }
      }
      return lost;
    }
    default:
      return [];
  }
}

function lostOf({ entries }: ObjectConstruction, program: JqProgram, isBeside: boolean): readonly Lost[] {
  return entries.flatMap(({ key, value }): readonly Lost[] => {
    const member = nameOf(key);
    if (value === undefined) return [];
    if (outputsOf(value) === undefined || isReadWhereThere(value))
      return lostIn(value, program, isBeside || entries.length > 1);
    // Without the address, or the id, there is nothing to do for a record.
    const role = member === undefined ? "id" : roleOf(member);
    const isKey = role === "id" || role === "email" || (role === "phone" && !hasEmail(entries));
    return member === undefined || isKey || (entries.length < 2 && !isBeside)
      ? []
      : [{ member, node: value }];
  });
}

/** Whether an object has an address: then a phone number isn't what a contact is found by. */
const hasEmail = (entries: ObjectConstruction["entries"]): boolean =>
  entries.some(({ key }) => roleOf(nameOf(key) ?? "") === "email");

type Outputs = "one" | "several";

/** A part of a text: under a condition, whether there is one has been asked. */
function isCaptured(node: Stage): boolean {
  if (node.kind === "Group") return isCaptured(node.body);
  if (node.kind === "Pipeline") return node.stages.some(isCaptured);
  if (node.kind === "Postfix") return isCaptured(node.head);
  return node.kind === "Call" && /^(?:capture|match)$/.test(node.name.text);
}

/** What an expression gives that may give nothing: at most one value, or several; undefined for one value. */
function outputsOf(node: Stage): Outputs | undefined {
  switch (node.kind) {
    case "Group":
      return outputsOf(node.body);
    case "Binding":
      return outputsOf(node.source);
    case "Pipeline":
      return most(node.stages);
    case "If":
      return most(
        [
          ...node.branches.map(({ body }) => body),
          ...(node.otherwise === undefined ? [] : [node.otherwise]),
        ].filter((body) => !isCaptured(body)),
      );
    case "Arithmetic":
      return most([node.first, ...node.rest.map(({ operand }) => operand)]);
    case "Alternative":
      return outputsOf(node.operands.at(-1)!);
    case "Try":
      // What comes to nothing isn't an error: no handler takes it.
      return node.handler === undefined ? "one" : most([node.body, node.handler]);
    case "Call":
      if (readsDigits(node)) return undefined;
      return /^(?:select|capture|empty|match)$/.test(node.name.text) ? "one" : undefined;
    case "Postfix": {
      if (node.suffixes.some(({ kind }) => kind === "Iterate")) return "several";
      const [first] = node.suffixes;
      return first?.kind === "Optional" && node.head.kind === "Call" ? "one" : outputsOf(node.head);
    }
    default:
      return undefined;
  }
}

/** `capture("^(?<year>\\d{4})-…$")`: whoever describes all of a time or a number knows what the service sends. */
function readsDigits({ name, arguments: given }: Call): boolean {
  const pattern = /^(?:capture|match)$/.test(name.text) && given[0] !== undefined && constantOf(given[0]);
  if (typeof pattern !== "string" || !/^\^.*\$$/s.test(pattern)) return false;
  const rest = pattern.replace(/\(\?<\w+>|\\d|\[[-\d:.+TZ ]+\]/g, "");
  return /^[-^$(){}\d?*+:.,|/\\TZ ]*$/.test(rest) && rest !== pattern;
}

/** `if .next == null then null else (.next | capture("…")) end`: what is there is expected to have the form. */
function isReadWhereThere(node: Expression): boolean {
  const { kind } = bare(node);
  const calls = nodesIn(node).flatMap((each) => (each.kind === "Call" ? [each.name.text] : []));
  const isRead = calls.some((name) => name === "capture" || name === "match");
  const mayLose = calls.some((name) => /^(?:select|empty|first|last)$/.test(name));
  const parts = nodesIn(node).some(
    (each) => each.kind === "Iterate" || each.kind === "Optional" || each.kind === "Try",
  );
  const bodies = nodesIn(node).flatMap((each) =>
    each.kind === "If" ? [...each.branches.map(({ body }) => body), each.otherwise] : [],
  );
  return (
    kind === "If" &&
    isRead &&
    !mayLose &&
    !parts &&
    bodies.some((body) => body !== undefined && constantOf(body) === null)
  );
}

function most(nodes: readonly Stage[]): Outputs | undefined {
  const all = nodes.map(outputsOf);
  return all.find((each) => each === "several") ?? all.find((each) => each !== undefined);
}

/** Whether a comment says that there is one always, or that a record without it is skipped. */
const isSaidToBe = ({ node }: JqProgram): boolean =>
  commentsAround(node, []).some(({ value }) =>
    /\b(?:exactly|always|just) one\b|\b(?:without (?:an? |one)|who (?:has|have) no|with no)\b[^.;]{0,40}\b(?:left out|skipped|passed over|not imported)\b/i.test(
      value,
    ),
  );
