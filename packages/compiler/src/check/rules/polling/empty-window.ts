import type { Expression, Node } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { areEqual, type Value } from "../../../flow/machine/value.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { type StateWrite, stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { Location } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { cyclesOf } from "./cycles.ts";
import { windowCourseOf } from "./window-course.ts";

const emptyWindow = defineRule<{
  lower: string;
  upper: string;
  /** What both are set to in one place; undefined where they only come out the same. */
  value?: string;
}>({
  id: "polling/empty-window",
  severity: "warning",
  summary: "A time window starts where it ends",
  why: "Both ends of the window have the same value, so no record is between them: each cycle succeeds but brings nothing. Often the next start is used instead of the current one.",
  guards: ["polling.request", "polling.pre_poll", "polling.polling_state", "D33"],
  message: ({ lower, upper, value }) =>
    value === undefined
      ? `\`${lower}\` and \`${upper}\` are the same in the first cycle and in the next one, so the window is empty.`
      : `\`${lower}\` and \`${upper}\` are both set to \`${value}\`, so the window is empty.`,
  because: ({ lower, upper }) => [
    `\`${lower}\` and \`${upper}\` are the same time`,
    "every response is empty, in each cycle",
  ],
  help: ({ lower, upper }) =>
    `Set \`${lower}\` to the end of the previous window, and only \`${upper}\` to the new end.`,
  examples: [
    {
      title: "In a request",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), until: (now | todate)}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.since}, until: (now | todate)}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, until: ${polling_state.until}}}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"}',
      },
      bad: '{"page": "${polling_state.page}", "from": «"${polling_state.until}"», "to": "${polling_state.until}"}',
      good: '{"page": "${polling_state.page}", "from": "${polling_state.since}", "to": "${polling_state.until}"}',
    },
    {
      title: "In the state",
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {page: 1, since: (now - 86400 | todate), until: (now | todate)}}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"page": "${polling_state.page}", "from": "${polling_state.since}", "to": "${polling_state.until}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}, until: ${polling_state.until}}}"',
        "/data_intake/0/post_poll":
          '{"!jq": "{polling_state: {page: 1, since: ${polling_state.until}, until: null}}"}',
      },
      bad: '{"!pipe": [{"!jq": "{until: (now | todate)}"}, {"!jq": "{polling_state: {page: 1, since: «${piped_content.1.until}», until: ${piped_content.1.until}}}"}]}',
      good: '{"!pipe": [{"!jq": "{until: (now | todate)}"}, {"!jq": "{polling_state: {page: 1, since: ${polling_state.since}, until: ${piped_content.1.until}}}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [emptyWindow],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const windows = [...written(intake, model), ...opened(intake, model), ...sent(intake, model)];
      for (const { lower, upper, value, at, other } of windows)
        report(emptyWindow, at, { lower, upper, value: excerpt(value, 40) }, [
          { message: "the same value here", at: other },
        ]);
      if (windows.length > 0) return;
      const empty = emptyInEach(intake, model);
      // A window that stands still is told as that.
      if (empty === undefined || windowCourseOf(intake, model) !== undefined) return;
      const { lower, upper, at } = empty;
      report(emptyWindow, at, { lower, upper });
    },
  },
};
export default module;

/** The ends of a window that are the same time whenever a cycle begins, whatever the list: nothing opens it. */
function emptyInEach(
  intake: IntakeSymbol,
  model: Model,
): { readonly lower: string; readonly upper: string; readonly at: Location } | undefined {
  if (!intake.commands.has("pre_poll")) return undefined;
  const cycles = cyclesOf(intake, model);
  if (cycles === undefined) return undefined;
  const { pages, next } = cycles.first;
  const [begun, later] = [pages[0], next].map((each) => leavesOf(each).flatMap(endOf));
  for (const low of begun!)
    for (const high of begun!) {
      if (low.end !== "lower" || high.end !== "upper" || low.subject !== high.subject) continue;
      const isSame = [begun!, later!].every((ends) => {
        const [one, other] = [low, high].map(({ name }) => ends.find((each) => each.name === name)?.value);
        return one !== undefined && other !== undefined && isMoment(one) && areEqual(one, other);
      });
      const isMoved = !areEqual(low.value, later!.find(({ name }) => name === low.name)!.value);
      if (isSame && !isMoved) return { lower: low.name, upper: high.name, at: high.at };
    }
  return undefined;
}

/** An end of a window in the state that is sent. */
function endOf({ expansion, value }: Leaf) {
  const { root, syntax, node } = expansion;
  const name = root === "polling_state" && syntax.path.length === 2 ? syntax.path[1]!.text : undefined;
  const bound = name === undefined ? undefined : boundName(name);
  return name === undefined || bound === undefined ? [] : [{ name, value, at: node, ...bound }];
}

/** A point of time: between a day and itself there is a day. */
const isMoment = (value: Value): boolean =>
  typeof value === "number" ? value > 0 : typeof value === "string" && /\dT\d/.test(value);

/** Something under a name, as it is written. */
interface Named {
  readonly name: string;
  readonly text: string;
  readonly at: Location;
}

interface Window {
  readonly lower: string;
  readonly upper: string;
  readonly value: string;
  readonly at: Location;
  readonly other: Location;
}

/** The two ends of one window that have the same value, where that is named after an end of a window itself. */
function sameEnds(members: readonly Named[]): readonly Window[] {
  return members.flatMap((low) => {
    const bound = boundName(low.name);
    if (bound?.end !== "lower") return [];
    const high = members.find(({ name, text }) => {
      const other = boundName(name);
      // A list as it was at a moment ends there.
      if (text === low.text && /^as_?of$/i.test(name)) return true;
      return other?.end === "upper" && other.subject === bound.subject;
    });
    const end = high?.text === low.text ? boundName(lastName(low.text)) : undefined;
    if (high === undefined || end === undefined) return [];
    const ends = { lower: low.name, upper: high.name, value: low.text };
    // The end that is named like the value is the one that is meant.
    return [
      end.end === "upper" ? { ...ends, at: low.at, other: high.at } : { ...ends, at: high.at, other: low.at },
    ];
  });
}

/** `until` of `${polling_state.until}`, also in another form of time: between a day and itself there is a day. */
function lastName(text: string): string {
  return (
    /^\$[{<][\w.-]*?\.?([\w-]+)\s*[}>](?: ?\| ?(?:todate|tostring|tonumber|floor))*$/.exec(text)?.[1] ?? ""
  );
}

/** In the parameters or the body of a request. */
function sent(intake: IntakeSymbol, model: Model): readonly Window[] {
  return partOfUnit(intake, model)
    .commands.filter(({ key, unit }) => key === "!http" && unit === intake)
    .flatMap((command: Command) =>
      ["params", "body"].flatMap((part) =>
        objectsIn(command.argument?.kind === "object" ? command.argument.get(part) : undefined).flatMap(
          (values) => sameEnds(values.members.flatMap((member) => namedValue(member, command))),
        ),
      ),
    );
}

/** `${polling_state.from} | todate` for `${piped_content.1.from}`, where the step before makes it so. */
function madeBefore(text: string, name: string, { pipe }: Command): Named | undefined {
  const [, index, key] = /^\$[{<]piped_content\.(\d+)\.([\w-]+)[}>]$/.exec(text) ?? [];
  const step = index === undefined || index === "0" ? undefined : pipe?.children[Number(index) - 1];
  const program = step?.key === "!jq" && step.program?.diagnostics.length === 0 ? step.program : undefined;
  const made = program === undefined ? undefined : finalObject(program);
  const value = made === undefined ? undefined : literalMembers(made)?.get(key!);
  const named = value === undefined ? undefined : namedExpression(name, value, program!);
  return named !== undefined && boundName(lastName(named.text)) !== undefined ? named : undefined;
}

/** An object and those below it, such as the variables of a query. */
function objectsIn(node: JsonNode | undefined): readonly ObjectNode[] {
  return node?.kind === "object" ? [node, ...node.members.flatMap(({ value }) => objectsIn(value))] : [];
}

function namedValue(
  { name, value }: { readonly name: string; readonly value: JsonNode | undefined },
  command: Command,
): Named[] {
  if (value?.kind !== "string") return [];
  const template = parseTemplate(value.value);
  if (template === undefined || !isWhole(template)) return [];
  const text = value.value.trim();
  return [madeBefore(text, name, command) ?? { name, text, at: value }];
}

/** In the state that is there while pages are read; afterwards both may be the end that was reached. */
function written(intake: IntakeSymbol, model: Model): readonly Window[] {
  return ["pre_poll", "request"].flatMap((name) => {
    const command = intake.commands.get(name);
    const writes = command === undefined ? [] : (stateWritesOf(command, model) ?? []);
    return writes.flatMap(({ keys, program }) =>
      sameEnds(
        [...keys].flatMap(([key, value]) =>
          keptKey(value, program) === undefined ? [namedExpression(key, value, program)] : [],
        ),
      ),
    );
  });
}

/**
 * In `pre_poll`, where a window gets two ends that are worked out alike, from a clock or an answer. Where it asks whether there is a start yet,
 * the first window may be meant to be empty.
 */
function opened(intake: IntakeSymbol, model: Model): readonly Window[] {
  const root = intake.commands.get("pre_poll");
  if (root === undefined) return [];
  const writes = stateWritesOf(root, model);
  const groups = writes === undefined ? assignedTogether(root) : writes;
  return groups.flatMap(({ keys, program, conditions }) => {
    if (keys.size > MOST_KEYS) return [];
    const asked = stateDependence(program, conditions).keys;
    const made = [...keys].flatMap(([key, value]) => {
      const { input, clock } = stateDependence(program, [value]);
      const isMade = (input || clock) && keptKey(value, program) === undefined;
      return isMade ? [{ ...namedExpression(key, value, program), isNow: isJustNow(value, program) }] : [];
    });
    return made.flatMap((low) => {
      const bound = boundName(low.name);
      // The present time as a start is told as that.
      if (bound?.end !== "lower" || asked.has(low.name) || (writes !== undefined && low.isNow)) return [];
      if (boundName(lastName(low.text)) !== undefined) return [];
      const high = made.find(({ name, text }) => {
        const other = boundName(name);
        return text === low.text && other?.end === "upper" && other.subject === bound.subject;
      });
      return high === undefined
        ? []
        : [{ lower: low.name, upper: high.name, value: low.text, at: low.at, other: high.at }];
    });
  });
}

/** What each key depends on is looked for in the whole program. */
const MOST_KEYS = 30;

/** `now`, in whatever form. */
const isJustNow = (value: Expression, program: JqProgram): boolean =>
  /^\(?now\b/.test(textAt(bare(value), program)) && !/[-+]/.test(textAt(value, program));

/** What one pipeline sets, where it can't be told when it does: `if .to == null then .from = now | .to = now else . end`. */
function assignedTogether(root: Command): readonly Pick<StateWrite, "keys" | "program" | "conditions">[] {
  return [root, ...root.children].flatMap((command) => {
    const { program } = command ?? {};
    if (program === undefined || program.diagnostics.length > 0) return [];
    if (!program.node.value.includes("=")) return [];
    const asked = nodesOfKind(program, "If").flatMap(({ branches }) =>
      branches.map(({ condition }) => condition),
    );
    return nodesOfKind(program, "Pipeline").flatMap(({ stages }) => {
      const keys = new Map(
        stages.flatMap((stage) => {
          const key =
            stage.kind === "Assignment" && stage.operator === "=" ? inputPath(stage.target) : undefined;
          return stage.kind === "Assignment" && key?.length === 1 ? [[key[0]!, stage.value] as const] : [];
        }),
      );
      if (keys.size < 2) return [];
      const conditions = asked.filter((condition) =>
        nodesIn(condition).some((node) => [...keys.keys()].some((key) => isLower(key) && reads(node, key))),
      );
      return conditions.length > 0 ? [] : [{ keys, program, conditions }];
    });
  });
}

const isLower = (key: string): boolean => boundName(key)?.end === "lower";

const reads = (node: Node, key: string): boolean =>
  node.kind === "Field" && node.key.kind === "Name" && node.key.text === key;

function namedExpression(name: string, value: Expression, { node }: JqProgram): Named {
  const text = node.value.slice(value.start, value.end).replace(/^\((.*)\)$/, "$1");
  return { name, text: text.trim(), at: { node, from: value.start, to: value.end } };
}
