import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import type { Related } from "../../../findings/rule.ts";
import { defineRule } from "../../../findings/rule.ts";
import { textAt } from "../../../flow/nodes.ts";
import { boundName, wordsOf } from "../../../flow/protocol/bound-names.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { paramAt } from "../../../flow/protocol/request-reads.ts";
import { stateWritesOf } from "../../../flow/protocol/state-writes.ts";
import { shiftedNow } from "../../../flow/shifted-now.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { isComing } from "./coming.ts";

const futureStart = defineRule<{ text: string; key: string; param: string }>({
  id: "polling/future-start",
  severity: "warning",
  summary: "A window begins in the future",
  why: "How far back an import reaches is taken off the time of the setup. Added to it, the first window begins days or months ahead: until then every poll is empty, and what happens in the meantime is never asked for.",
  guards: ["polling.initial_setup", "polling.polling_state", "D33"],
  message: ({ text, key, param }) =>
    param === key
      ? `\`${text}\` is in the future, and \`${key}\` is where the window begins.`
      : `\`${text}\` is in the future, and \`${param}\`, which gets \`${key}\`, is where the window begins.`,
  because: ({ param }) => [
    "set up on 1 March, with 30 days",
    `\`${param}\` is 31 March: until then there is nothing behind it`,
  ],
  help: () => "Subtract it from `now`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/initial_setup/!jq",
      with: {
        "/data_intake/0/request/!pipe/0/!http":
          '{"path": "/lists/${custom_data.list.value}/customers", "params": {"changed_since": "${polling_state.since}", "page": "${polling_state.page}"}}',
      },
      bad: '"{polling_state: {page: 1, since: («now + 30 * 86400» | todate)}}"',
      good: '"{polling_state: {page: 1, since: (now - 30 * 86400 | todate)}}"',
      fixed: '"{polling_state: {page: 1, since: (now - 30 * 86400 | todate)}}"',
    },
  ],
  fixes: ({ at }, { document }) => {
    if (!("from" in at)) return [];
    const plus = at.node.value.slice(at.from, at.to).indexOf("+");
    const from = at.from + plus;
    if (plus < 0) return [];
    return [
      {
        title: "Subtract it",
        safe: false,
        edits: [replaceInString(document, at.node, from, from + 1, "-")],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [futureStart],
  checks: {
    intake(intake, report, model) {
      const setup = intake.type === "polling" ? intake.commands.get("initial_setup") : undefined;
      if (setup === undefined || !isReadable(intake, model)) return;
      for (const { keys, program } of stateWritesOf(setup, model) ?? []) {
        if (!program.node.value.includes("now")) continue;
        for (const [key, value] of keys) {
          const late = waysOf(value, program)
            .map((way) => shiftedNow(way, program, "+"))
            .find((each) => each !== undefined);
          const lower = late === undefined ? undefined : lowerBound(intake, key, model);
          if (late === undefined || (lower === undefined && !isStart(key))) continue;
          // What is due or begins may be asked for from tomorrow on.
          if (isComing(lower?.param ?? key)) continue;
          const text = excerpt(textAt(late, program), 50);
          report(
            futureStart,
            { node: program.node, from: late.start, to: late.end },
            { text, key, param: lower?.param ?? key },
            lower === undefined ? [] : [lower.related],
          );
        }
      }
    },
  },
};
export default module;

/** Whether a key says by itself where a window begins, wherever it goes on the way: in a filter, or to an export's request. */
const isStart = (key: string): boolean => wordsOf(key).some((word) => word === "since" || word === "from");

/** The parameter that says where the window begins and that is sent a key of the state. */
function lowerBound(
  intake: IntakeSymbol,
  key: string,
  model: Model,
): { readonly param: string; readonly related: Related } | undefined {
  for (const { command, unit, root, syntax, node } of partOfUnit(intake, model).expansions) {
    const segment = syntax.path[1];
    if (unit !== intake || root !== "polling_state" || segment?.text !== key || command?.key !== "!http")
      continue;
    const at = { node, from: segment.start, to: segment.end };
    const param = paramAt(node, command);
    if (param !== undefined && boundName(param)?.end === "lower")
      return { param, related: { message: "sent here", at } };
  }
  return undefined;
}
