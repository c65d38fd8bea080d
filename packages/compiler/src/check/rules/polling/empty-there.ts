import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { switchedBy } from "../../../flow/protocol/job-ways.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const order = (key: string): string =>
  `{"!switch": {"jq": "if \${polling_state.export} == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/exports", "body": {"since": "\${polling_state.${key}}"}}}, {"!jq": "{polling_state: {since: \${polling_state.since}, export: .id, taken: .taken_at, page: 1}}"}]}, {"!jq": "{polling_state: \${polling_state}}"}]}}`;

const emptyThere = defineRule<{ key: string; asked: string; empty: string }>({
  id: "polling/empty-there",
  severity: "warning",
  summary: "A request sends a key of the state that is always empty where it is sent",
  why: "Two keys of a state often go together: the id of an export and when it was taken. Where a condition says that there is no export, there is no such time either. A request that sends it there sends nothing, so it asks for everything, in each cycle.",
  guards: ["polling.pre_poll", "polling.request", "polling.polling_state", "D33"],
  message: ({ key, asked, empty }) =>
    `This is sent only if \`${asked}\` is \`${empty}\`, and then \`${key}\` is always empty, too.`,
  because: ({ key, asked, empty }) => [
    `each command that sets \`${asked}\` to \`${empty}\` empties \`${key}\``,
    `where \`${asked}\` is \`${empty}\`, \`${key}\` is sent as nothing`,
  ],
  help: () => "Send the key that has a value there.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/pre_poll",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {since: (now - 86400 | todate), export: null, taken: null, page: 1}}"}',
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/exports/${polling_state.export}/pages/${polling_state.page}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: (if .has_more then ${polling_state} + {page: (${polling_state.page} + 1)} else {since: ${polling_state.taken}, export: null, taken: null, page: 1} end)}"',
        "/data_intake/0/post_poll": undefined,
      },
      also: ["polling/idle-key"],
      bad: order("«taken»"),
      good: order("since"),
    },
  ],
});

const module: RuleModule = {
  rules: [emptyThere],
  checks: {
    reach: "linked",
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { unit, root, rootExact, command, syntax, node } of partOfUnit(intake, model).expansions) {
        if (unit !== intake || root !== "polling_state" || !rootExact || command?.key !== "!http") continue;
        const [, segment, ...below] = syntax.path;
        if (segment === undefined || below.length > 0 || command.parent === undefined) continue;
        // With a default it is known that nothing may be there.
        if (syntax.filters.length > 0) continue;
        for (const { condition, holds, program } of switchedBy(command)) {
          const asked = emptyAsked(condition, holds, program);
          const key = segment.text;
          if (asked === undefined || asked.key === key || !isEmptyThere(key, asked.key, intake, model))
            continue;
          const empty = asked.empty === "" ? '""' : "null";
          report(
            emptyThere,
            { node, from: segment.start, to: segment.end },
            { key, asked: asked.key, empty },
          );
        }
      }
    },
  },
};
export default module;

/** The key of which a condition says, where it holds or doesn't, that it is empty. */
function emptyAsked(
  condition: Expression,
  holds: boolean,
  program: JqProgram,
): { readonly key: string; readonly empty: "" | null } | undefined {
  const node = bare(condition);
  if (node.kind !== "Comparison" || node.operator !== (holds ? "==" : "!=")) return undefined;
  const [value, other] =
    constantOf(node.right) === undefined ? [node.right, node.left] : [node.left, node.right];
  const empty = constantOf(other);
  const read = bare(value);
  const key = keptKey(bare(read.kind === "Alternative" ? read.operands[0]! : read), program);
  return key !== undefined && (empty === "" || empty === null) ? { key, empty } : undefined;
}

/**
 * Whether a key is empty whenever another one is: each way in which the state is written leaves both as they were, empties both, or gives
 * the other one a value.
 */
function isEmptyThere(key: string, other: string, intake: IntakeSymbol, model: Model): boolean {
  let [isEmptied, isGiven] = [false, false];
  for (const command of stateCommands) {
    if (!intake.commands.has(command)) continue;
    const writes = writesIn(intake, command, model);
    if (writes === undefined) return false;
    for (const write of writes) {
      const [own, others] = [becomes(write, key), becomes(write, other)];
      if (others === "value") {
        // A cursor of the answer may be missing where its time is there.
        if (own !== "empty" && !isAlwaysThere(write, other)) return false;
        isGiven ||= own === "value";
        continue;
      }
      if (others === "kept" ? own !== "kept" && own !== "empty" : own !== "empty") return false;
      isEmptied ||= others === "empty";
    }
  }
  return isEmptied && isGiven;
}

/** Whether a key certainly gets something: the id of what an answer is about. */
function isAlwaysThere({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  return value !== undefined && waysOf(value, program).every((way) => isIdName(lastName(way) ?? ""));
}

function becomes({ keys, keepsOthers, program }: StateWrite, key: string): "kept" | "empty" | "value" {
  const value = keys.get(key);
  if (value === undefined) return keepsOthers ? "kept" : "empty";
  if (keptKey(bare(value), program) === key) return "kept";
  const constant = constantOf(bare(value));
  return constant === "" || constant === null ? "empty" : "value";
}
