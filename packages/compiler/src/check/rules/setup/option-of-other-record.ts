import type { Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { bare } from "../../../flow/nodes.ts";
import { nounOf } from "../../../flow/nouns.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { inputPath } from "../../../flow/value-path.ts";
import type { RuleModule } from "../../checks.ts";
import { type Offered, offeredFields } from "./other-option-value.ts";

const session = (value: string): string =>
  `{"label": "Session", "id": "session", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/sessions"}}, {"!jq": "[.rows[] | {display: .exam.title, value: ${value}}]"}]}}`;

const optionOfOtherRecord = defineRule<{ value: string; noun: string; list: string }>({
  id: "setup/option-of-other-record",
  severity: "warning",
  summary: "The value of an option belongs to a record inside the one that is offered",
  why: "The value of an option goes into a path that names one of the records that were offered. What is read of a record inside them names another kind of record, and several options may have the same: the request finds nothing, or something else.",
  guards: ["field.options", "field_option.value", "D12"],
  message: ({ value, noun, list }) =>
    `\`${value}\` belongs to the ${noun} of a record. What is chosen here goes into the path as one of \`/${list}\`.`,
  because: ({ value, list }) => [
    `a customer chooses one of \`/${list}\``,
    `\`/${list}/…\` is asked for with \`${value}\``,
  ],
  help: () => "Keep what names the record itself.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/sessions/${custom_data.session.value}/bookings", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}',
      },
      bad: session("«.exam.code»"),
      good: session(".number"),
    },
  ],
});

const module: RuleModule = {
  rules: [optionOfOtherRecord],
  checks: {
    document(model, report) {
      for (const offered of offeredFields(model)) {
        const list = nameOfPath(offered.path ?? "");
        const noun = insideOf(offered.value);
        if (list === undefined || noun === undefined || !isOfRecord(offered, list, noun)) continue;
        const { program, value, written } = offered;
        report(
          optionOfOtherRecord,
          { node: program.node, from: value.start, to: value.end },
          { value: written, noun, list },
        );
      }
    },
  },
};
export default module;

/** Whether the value is of another record than the list has, and a path names one of that list by it. */
function isOfRecord({ places, field }: Offered, list: string, noun: string): boolean {
  const own = nounOf(list);
  return (
    own !== undefined &&
    own !== noun &&
    nounOf(field.id ?? "") === own &&
    [...places].some((place) => place === `\`/${list}/\``)
  );
}

/** What only wraps a record. */
const wrapper = /^(?:data|attributes|node|fields|item|record|properties|value|meta)$/i;

/** `exam` of `.exam.code`. */
function insideOf(given: Expression): string | undefined {
  const node = bare(given);
  if (node.kind === "Pipeline") {
    const [first, last, ...others] = node.stages as Expression[];
    const isText = last?.kind === "Call" && last.name.text === "tostring" && others.length === 0;
    return first !== undefined && isText ? insideOf(first) : undefined;
  }
  const above = inputPath(node)?.at(-2);
  return above === undefined || wrapper.test(above) ? undefined : nounOf(above);
}
