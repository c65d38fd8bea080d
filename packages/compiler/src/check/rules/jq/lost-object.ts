import type { Expression, ObjectConstruction, Stage } from "@configc/jq";
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
        !/\[\]|select|empty|\?/.test(value)
      )
        return;
      // A check of a delivery that comes to nothing refuses it.
      if (program.diagnostics.length > 0 || program.command.place.name === "intake.verification") return;
      for (const { member, node } of lostIn(program.tree.body, program)) {
        if (isSaidToBe(program)) return;
        const gives = outputsOf(node)!;
        if (isTold(node, gives, program, model)) continue;
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
  return needs || !isMember ? undefined : { member, node: source };
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
    if (outputsOf(value) === undefined) return lostIn(value, program, isBeside || entries.length > 1);
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

/**
 * What an expression gives that may give nothing: at most one value, or several; undefined for one value. What a pattern reads counts as
 * there: whoever writes it knows the form of the text.
 */
function outputsOf(node: Stage): Outputs | undefined {
  switch (node.kind) {
    case "Group":
      return outputsOf(node.body);
    case "Binding":
      return outputsOf(node.source);
    case "Pipeline":
      return most(node.stages);
    case "If":
      return most([
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ]);
    case "Arithmetic":
      return most([node.first, ...node.rest.map(({ operand }) => operand)]);
    case "Alternative":
      return outputsOf(node.operands.at(-1)!);
    case "Try":
      // What comes to nothing isn't an error: no handler takes it.
      return node.handler === undefined ? "one" : most([node.body, node.handler]);
    case "Call":
      return /^(?:select|empty)$/.test(node.name.text) ? "one" : undefined;
    case "Postfix": {
      if (node.suffixes.some(({ kind }) => kind === "Iterate")) return "several";
      const [first] = node.suffixes;
      return first?.kind === "Optional" && node.head.kind === "Call" ? "one" : outputsOf(node.head);
    }
    default:
      return undefined;
  }
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
