import { defineRule } from "../../../findings/rule.ts";
import { type TimeUnit, timeCounted } from "../../../flow/durations.ts";
import type { RuleModule } from "../../checks.ts";

const option = (values: string): string =>
  `{"label": "Keep for", "id": "keep", "type": "dropdown", "options": [${values}]}`;
const keep = option('{"display": "1 year", "value": "12"}, {"display": "2 years", "value": "24"}');
const request = (duration: string): string =>
  `{"method": "POST", "path": "/lists/\${custom_data.list.value}/extensions", "body": {"extend_by": "${duration}"}}`;

const durationDesignator = defineRule<{
  text: string;
  id: string;
  unit: string;
  taken: string;
  display: string;
  value: string;
}>({
  id: "value/duration-designator",
  severity: "warning",
  summary: "A duration in ISO 8601 names another unit than the options count",
  why: "In `P24M` the M stands for months, in `PT24M` for minutes. A duration with the wrong letter is well formed, so the request succeeds, and two years become 24 minutes.",
  guards: ["field.options", "D8", "D12"],
  message: ({ text, id, unit, taken, display, value }) =>
    `\`${text}\` is a duration in ${taken}, but the options of \`${id}\` count ${unit}: “${display}” is ${value}.`,
  because: ({ display, value, taken }) => [
    `a customer chooses “${display}”: ${value}`,
    `the service reads ${value} ${taken}`,
  ],
  help: ({ unit }) => `Write \`${written[unit as TimeUnit]}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      with: { "/workflows/0/setup/select/form_fields/1": keep },
      bad: request("«PT${custom_data.keep.value}M»"),
      good: request("P${custom_data.keep.value}M"),
    },
  ],
});

const written: Readonly<Record<TimeUnit, string>> = {
  seconds: "PT…S",
  minutes: "PT…M",
  hours: "PT…H",
  days: "P…D",
  weeks: "P…W",
  months: "P…M",
  years: "P…Y",
};

/** Both in a string, `P${…}M`, and in one of a program, `"P\(${…})M"`. */
const before = /(?<![\w$])(PT?)(\\\()?$/;
/** So far before an expansion its beginning is looked for. */
const NEAR = 8;
const behind = /^(\))?([YMWDHS])(?![\w\\])/;

const module: RuleModule = {
  rules: [durationDesignator],
  checks: {
    // Intakes use what is chosen in workflows.
    reach: "linked",
    expansion({ root, fields, fieldExact, syntax, node }, report) {
      const [field, ...others] = fields;
      if (root !== "custom_data" || field === undefined || others.length > 0 || !fieldExact) return;
      const nearby = Math.max(0, syntax.start - NEAR);
      const opening = before.exec(node.value.slice(nearby, syntax.start));
      const closing = behind.exec(node.value.slice(syntax.end, syntax.end + 3));
      if (opening === null || closing === null || (opening[2] === undefined) !== (closing[1] === undefined))
        return;
      const counted = timeCounted(field);
      const taken = (Object.keys(written) as TimeUnit[]).find(
        (unit) => written[unit] === `${opening[1]}…${closing[2]}`,
      );
      if (counted === undefined || taken === undefined || taken === counted.unit) return;
      const [from, to] = [nearby + opening.index, syntax.end + closing[0].length];
      report(
        durationDesignator,
        { node, from, to },
        {
          text: node.value.slice(from, to),
          id: field.id ?? "",
          unit: counted.unit,
          taken,
          display: counted.display,
          value: `${counted.value}`,
        },
      );
    },
  },
};
export default module;
