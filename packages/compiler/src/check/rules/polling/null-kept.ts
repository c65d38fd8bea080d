import { type Expression, types } from "@configc/jq";
import { constantOf, memberType } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { plainCommand } from "../../../flow/plain-command.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { isKept } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const nullKept = defineRule<{ key: string; swaps: boolean }>({
  id: "polling/null-kept",
  severity: "warning",
  summary: "`pre_poll` keeps a null key that the request needs in its path",
  why: "A path segment can't be null: `/exports//rows` is refused before it is sent. A key that starts as null needs a value before the first request. If `pre_poll` sets one only if there already is one, every cycle fails.",
  guards: ["polling.pre_poll", "polling.polling_state", "D18", "D33"],
  message: ({ key }) =>
    `If \`${key}\` is null, \`pre_poll\` keeps it null, but the request uses it as a path segment.`,
  because: ({ key }) => [
    `\`initial_setup\`: \`${key}\` is null`,
    "`pre_poll` keeps it",
    "the path of `request` has an empty segment, so it isn't sent",
  ],
  help: ({ swaps }) => (swaps ? "Swap the two branches." : "Set a value if it has none."),
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, list: null}}"}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/exports/${polling_state.list}/rows", "params": {"page": "${polling_state.page}"}}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), list: ${polling_state.list}}}"',
        "/data_intake/0/post_poll": '{"!jq": "{polling_state: {page: 1, list: null}}"}',
      },
      bad: '{"!switch": {"jq": "if «${polling_state.list} == null» then 1 else 0 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"of": "${custom_data.list.value}"}}}, {"!jq": "{polling_state: {page: 1, list: .id}}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
      good: '{"!switch": {"jq": "if ${polling_state.list} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"of": "${custom_data.list.value}"}}}, {"!jq": "{polling_state: {page: 1, list: .id}}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
      fixed:
        '{"!switch": {"jq": "if ${polling_state.list} != null then 1 else 0 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"of": "${custom_data.list.value}"}}}, {"!jq": "{polling_state: {page: 1, list: .id}}"}]}, {"!jq": "{polling_state: ${polling_state}}"}]}}',
    },
  ],
  fixes: ({ at, args: { swaps } }, { document }) => {
    const { start, end } = spanOf(document, at);
    const text = document.text.slice(start, end);
    const instead = text.replace(/ (==|!=) /, (_, operator) => (operator === "==" ? " != " : " == "));
    if (!swaps || instead === text) return [];
    return [{ title: `Change to \`${instead}\``, safe: false, edits: [{ start, end, newText: instead }] }];
  },
});

const module: RuleModule = {
  rules: [nullKept],
  checks: {
    intake(intake, report, model) {
      const prepare = intake.type === "polling" ? intake.commands.get("pre_poll") : undefined;
      if (prepare === undefined || !isReadable(intake, model)) return;
      const test = nullTest(prepare);
      if (test === undefined || !startsWith(test.nothing, intake, test.key, model)) return;
      const [without, having] = [test.whenNull, test.whenNot].map((command) =>
        command === undefined ? undefined : keeps(command, test.key, model),
      );
      if (without !== true || !isInPath(intake, test.key, model)) return;
      const { program, node } = test;
      const at = { node: program.node, from: node.start, to: node.end };
      report(nullKept, at, { key: test.key, swaps: having === false });
    },
  },
};
export default module;

interface NullTest {
  readonly key: string;
  readonly program: JqProgram;
  readonly node: Expression;
  /** What stands for nothing there. */
  readonly nothing: null | "";
  readonly whenNull: Command | undefined;
  readonly whenNot: Command | undefined;
}

/** Whether `pre_poll` asks whether a key is null, and sets it to something if it is: a request never finds it null. */
export function isSetBefore(intake: IntakeSymbol, key: string, model: Model): boolean {
  const prepare = intake.commands.get("pre_poll");
  const test = prepare === undefined ? undefined : nullTest(prepare);
  if (test?.whenNull === undefined || test.key !== key || test.nothing !== null) return false;
  const writes = stateWritesOf(test.whenNull, model) ?? [];
  if (writes.length > 0)
    return writes.every(({ keys, program }) => {
      const value = keys.get(key);
      return value !== undefined && constantOf(value) === undefined && keptKey(value, program) === undefined;
    });
  const state = memberType(flowOf(model).output(test.whenNull), "polling_state");
  const kinds = types.partsOf(memberType(state, key)).map(({ kind }) => kind);
  return kinds.length > 0 && kinds.every((kind) => kind === "string" || kind === "number");
}

/** The case of `pre_poll` that runs where a key of the state is null, if it asks for that. */
export function caseOfNull(intake: IntakeSymbol, key: string): Command | undefined {
  const prepare = intake.commands.get("pre_poll");
  const test = prepare === undefined ? undefined : nullTest(prepare);
  return test?.key === key && test.nothing === null ? test.whenNull : undefined;
}

/** A `!switch` that asks whether a key of the state is null, with the cases for both. */
function nullTest(prepare: Command): NullTest | undefined {
  const { key, program, children } = plainCommand(prepare);
  let body = program && bare(plainBody(program));
  // `.polling_state.job | if . == "" then …`
  if (body?.kind === "Pipeline") body = stagesOf(body).at(-1);
  if (key !== "!switch" || program === undefined || body?.kind !== "If") return undefined;
  const [branch, ...others] = body.branches;
  if (branch === undefined || others.length > 0 || body.otherwise === undefined) return undefined;
  const { node, beside } = firstAsked(branch.condition);
  // `if .polling_state.job then …` asks the same.
  const isPlain = keptKey(node, program) !== undefined;
  const compared = node.kind === "Comparison" ? constantOf(node.right) : null;
  if (!isPlain && (node.kind !== "Comparison" || (compared !== null && compared !== ""))) return undefined;
  const nothing = compared === "" ? "" : null;
  const name = keptKey(node.kind === "Comparison" ? node.left : node, program);
  const [then, otherwise] = [branch.body, body.otherwise].map((index) => {
    const value = constantOf(index);
    return typeof value === "number" ? children[value] : undefined;
  });
  if (name === undefined || (node.kind === "Comparison" && !/^[!=]=$/.test(node.operator))) return undefined;
  const isEqual = node.kind === "Comparison" && node.operator === "==";
  // With another condition beside it, only what comes of nothing is certain: `.job == null or .expires < now`, `.job != null and …`.
  if (beside !== undefined && beside !== (isEqual ? "or" : "and")) return undefined;
  const [whenNull, whenNot] = isEqual ? [then, otherwise] : [otherwise, then];
  return { key: name, program, node, nothing, whenNull, whenNot: beside === undefined ? whenNot : undefined };
}

/** What a condition asks first, and by which operator something else stands beside it. */
function firstAsked(condition: Expression): {
  readonly node: Expression;
  readonly beside: "and" | "or" | undefined;
} {
  const node = bare(condition);
  return node.kind === "Logical"
    ? { node: bare(node.operands[0]!), beside: node.operator }
    : { node, beside: undefined };
}

/** Whether every way through a command keeps a key; undefined where that can't be told. */
function keeps(command: Command, key: string, model: Model): boolean | undefined {
  const writes = stateWritesOf(command, model);
  if (writes === undefined || writes.length === 0) return undefined;
  return writes.every(({ keys, keepsOthers, program }) => {
    const value = keys.get(key);
    return value === undefined ? keepsOthers : isKept(value, key, program) || constantOf(value) === null;
  });
}

function startsWith(nothing: null | "", intake: IntakeSymbol, key: string, model: Model): boolean {
  const setup = intake.commands.get("initial_setup");
  const writes = setup === undefined ? undefined : stateWritesOf(setup, model);
  return (writes ?? []).some(({ keys }) => {
    const value = keys.get(key);
    return value !== undefined && constantOf(value) === nothing;
  });
}

/** Whether the request has a key as a whole segment of its path. */
function isInPath(intake: IntakeSymbol, key: string, model: Model): boolean {
  const asked = askedBy(intake, model);
  return (asked?.reads ?? []).some(({ key: read, at: { node, from } }) => {
    if (read !== key) return false;
    const text = node.value;
    const start = text.lastIndexOf("$", from);
    return text.startsWith("/") && text.charAt(start - 1) === "/";
  });
}
