import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { bare } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { type Watermark, watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { isSaidDownwards } from "./said-of-parameter.ts";

const leastRecord = defineRule<{ key: string; name: string }>({
  id: "polling/least-record",
  severity: "warning",
  summary: "A lower bound becomes the least of its old value and what was read",
  why: "What was read lies behind the old bound, so the least of all is the old bound. It never moves, each cycle reads the same records, and new ones are never reached.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, name }) =>
    `\`${name}\` asks for what comes after \`${key}\`, and the least of these and \`${key}\` is \`${key}\`.`,
  because: ({ key, name }) => [
    `the request asks with \`${name}\` 100 and gets records 101 to 200`,
    `the least of 100 and these is 100: \`${key}\` stays`,
  ],
  help: () => "Use `max`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {row: ${custom_data.list.value}}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/rows", "params": {"after": "${polling_state.row}"}}}, {"!jq": "{results: .rows, iterate: (.rows | length == 100), polling_state: {row: («[${polling_state.row}, .rows[].number] | min»)}}"}]',
      good: '[{"!http": {"path": "/rows", "params": {"after": "${polling_state.row}"}}}, {"!jq": "{results: .rows, iterate: (.rows | length == 100), polling_state: {row: ([${polling_state.row}, .rows[].number] | max)}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [leastRecord],
  checks: {
    intake(intake, report, model) {
      const found = leastRecordOf(intake, model);
      if (found !== undefined) report(leastRecord, found.at, { key: found.key, name: found.name });
    },
  },
};
export default module;

interface LeastRecord {
  readonly at: StringPart;
  readonly key: string;
  /** The parameter that it bounds. */
  readonly name: string;
}

/** Where a lower bound is the least of its old value and what was read; undefined where none is. */
export function leastRecordOf(intake: IntakeSymbol, model: Model): LeastRecord | undefined {
  if (intake.type !== "polling" || !isReadable(intake, model)) return undefined;
  for (const read of askedBy(intake, model)?.reads ?? []) {
    const name = paramOf(read);
    if (name === undefined || boundName(name)?.end !== "lower") continue;
    if (hasComments(model) && isSaidDownwards([name, read.key], read.command.node)) continue;
    for (const { node, program } of waysOf(intake, read.key, model)) {
      const key = leastOf(node, program);
      if (key !== undefined) return { at: { node: program.node, from: node.start, to: node.end }, key, name };
    }
  }
  return undefined;
}

/** How a key moves on, and the key from which it is reckoned: `since` from `newest`. */
function waysOf(intake: IntakeSymbol, key: string, model: Model): readonly Watermark[] {
  const ways = watermarksOf(intake, key, model) ?? [];
  return ways.flatMap((way) => {
    const [other, ...others] = stateDependence(way.program, [way.node]).keys;
    if (other === undefined || other === key || others.length > 0) return [way];
    return [way, ...(watermarksOf(intake, other, model) ?? [])];
  });
}

/** `row` of `[${polling_state.row}, .rows[].number] | min` */
function leastOf(value: Expression, program: JqProgram): string | undefined {
  const node = bare(value);
  if (node.kind !== "Pipeline") return undefined;
  const [list, last, ...others] = stagesOf(node);
  if (list?.kind !== "Array" || last?.kind !== "Call" || last.name.text !== "min" || others.length > 0)
    return undefined;
  const items = list.body?.kind === "Comma" ? list.body.items : [];
  const kept = items.map((item) => keptKey(item, program));
  return items.length > 1 ? kept.find((key) => key !== undefined) : undefined;
}
