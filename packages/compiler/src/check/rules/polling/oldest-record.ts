import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { documentedDirection } from "../../../flow/protocol/documented-order.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isSizeParam } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { sentKeys } from "./cut-places.ts";

const oldestRecord = defineRule<{ key: string; text: string; param: string }>({
  id: "polling/oldest-record",
  severity: "warning",
  summary: "A poll that is to begin now begins behind the oldest record there is",
  why: "`initial_setup` looks up where the list has come to, so that only what is new arrives. Asked from its beginning, a list that comes oldest first shows the first record there ever was: the first cycles bring the whole history.",
  guards: ["polling.initial_setup", "polling.polling_state", "D33"],
  message: ({ key, text, param }) =>
    `\`${key}\` begins with \`${text}\`, which is the oldest record: the list comes oldest first, and \`initial_setup\` asks for it without a \`${param}\` to begin behind.`,
  because: ({ text, param }) => [
    "the list has records 1 to 5,000",
    `\`initial_setup\`: \`${text}\` is of record 1`,
    `the first request asks for all behind \`${param}\` 1`,
  ],
  help: () => "Ask for the newest record, or for what the answer says of the whole list.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup",
      with: {
        "/data_intake/0/_comment":
          '"GET /changes lists the changes with a number above after, lowest first."',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/changes", "params": {"after": "${polling_state.after}", "limit": 50}}}, {"!jq": "{results: .changes, iterate: ((.changes | length) == 50), polling_state: {after: (.changes[-1].no // ${polling_state.after})}}"}]',
      },
      bad: '{"!pipe": [{"!http": {"path": "/changes", "params": {"after": 0, "limit": 1}}}, {"!jq": "{polling_state: {after: «.changes[0].no»}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/changes/latest"}}, {"!jq": "{polling_state: {after: .changes[0].no}}"}]}',
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [oldestRecord],
  checks: {
    intake(intake, report, model) {
      const setup = intake.type === "polling" ? intake.commands.get("initial_setup") : undefined;
      const request = intake.commands.get("request");
      if (setup?.key !== "!pipe" || request === undefined || !isReadable(intake, model)) return;
      // An import begins at the beginning.
      if (!usersOf(intake).some((workflow) => workflow.intake?.target === intake)) return;
      const asked = requestsIn(setup, intake, model);
      if (asked.length === 0) return;
      for (const { keys, program } of writesIn(intake, "initial_setup", model) ?? [])
        for (const { key, param } of sentKeys(intake, model)) {
          const value = keys.get(key);
          for (const way of value === undefined ? [] : waysOf(value, program)) {
            const list = firstOf(way, textAt(bare(way), program));
            const [trail, ...others] = list === undefined ? [] : trailsOf(flowOf(model), program, way);
            if (list === undefined || trail?.origin.kind !== "response" || others.length > 0) continue;
            const { command } = trail.origin;
            if (!asked.includes(command) || !beginsWithOldest(command, param, list, intake, model)) continue;
            report(oldestRecord, partAt(program, way), { key, text: textAt(bare(way), program), param });
          }
        }
    },
  },
};
export default module;

const requestsIn = (root: Command, intake: IntakeSymbol, model: Model): readonly Command[] =>
  partOfUnit(intake, model).commands.filter(
    (command) => command.key === "!http" && outermostCommand(command) === root,
  );

/** Which record of a page a value is of: `.items[0].no`, `.items | last | .no`. */
function firstOf(node: Expression, text: string): "first" | "last" | undefined {
  if (constantOf(node) !== undefined) return undefined;
  const [, index, call] =
    /^\(?[.\w]+(?:\[(-?\d+)\]|\s*\|\s*(first|last))\)?(?:\s*\|\s*)?\.\w+$/.exec(text) ?? [];
  if (index === "0" || call === "first") return "first";
  return index === "-1" || call === "last" ? "last" : undefined;
}

/** Whether a request gives the oldest records of the list that is read, as comments say how it comes. */
function beginsWithOldest(
  command: Command,
  param: string,
  place: "first" | "last",
  intake: IntakeSymbol,
  model: Model,
): boolean {
  const [list, ...others] = requestsIn(intake.commands.get("request")!, intake, model);
  const [own, read] = [command, list].map((each) => textOf(each?.argument, "path"));
  if (list === undefined || others.length > 0 || own === undefined || own !== read) return false;
  const given = paramsOf(command);
  const start = given.find(([name]) => name === param)?.[1];
  const isFromBeginning =
    start === undefined || start === null || start === 0 || start === "0" || start === "";
  const isOne = given.some(([name, size]) => isSizeParam(name, model) && Number(size) === 1);
  if (!isFromBeginning || (place === "last" && !isOne)) return false;
  const orders = given.filter(([name]) => /sort|order|direction/i.test(name)).map(([, by]) => `${by}`);
  if (orders.length > 0) return orders.every((by) => /(?:^|[^a-z])asc/i.test(by) && !/desc|^-/i.test(by));
  return hasComments(model) && documentedDirection(list.node) === "ascending";
}

function paramsOf({ argument }: Command): readonly (readonly [string, unknown])[] {
  const params: JsonNode | undefined = argument?.kind === "object" ? argument.get("params") : undefined;
  return params?.kind === "object"
    ? params.members.map(({ name, value }) => [
        name,
        value === undefined || value.kind === "object" || value.kind === "array"
          ? {}
          : value.kind === "null"
            ? null
            : value.value,
      ])
    : [];
}
