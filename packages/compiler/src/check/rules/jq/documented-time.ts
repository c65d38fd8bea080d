import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isExpression, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { unitOf } from "../../../flow/unit.ts";
import { valueBehind } from "../../../flow/value-behind.ts";
import type { RuleModule } from "../../checks.ts";
import { documentedMembers, type TimeForm } from "../../documented-members.ts";
import { excerpt } from "../../message-text.ts";

const documentedTime = defineRule<{
  value: string;
  text: string;
  form: string;
  sample: string;
  takes: string;
}>({
  id: "jq/documented-time",
  severity: "warning",
  summary: "A time is read in another form than a comment shows",
  why: "`fromdate` reads times such as `2026-01-02T03:04:05Z` only, and `strftime` takes seconds. With a time in another form the program fails, or gives a year far away, for every record.",
  guards: ["D3", "D23"],
  message: ({ value, text, form, sample, takes }) =>
    `A comment shows \`${value}\` as ${form} (\`${sample}\`), but \`${text}\` takes ${takes}.`,
  because: ({ form, sample, text, takes }) => [
    `the comment: ${form}, \`${sample}\``,
    `\`${text}\` takes ${takes}`,
  ],
  help: ({ form }) =>
    form === "milliseconds"
      ? "Divide by 1000 first."
      : form === "seconds"
        ? "Take it as a number: `strftime`, `todate`."
        : "Cut it to the part that is needed, or bring it to `…Z` first.",
  examples: [
    {
      title: "Milliseconds",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"Delivery: {email, changed_at: 1740851990123}"',
      },
      bad: '{"!jq": "{email: .email, day: (.changed_at | «strftime(\\"%Y-%m-%d\\")»)}"}',
      good: '{"!jq": "{email: .email, day: (.changed_at / 1000 | floor | strftime(\\"%Y-%m-%d\\"))}"}',
    },
    {
      title: "An offset",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"Delivery: {email, starts_at: \\"2025-03-03T18:00:00+01:00\\"}"',
      },
      bad: '{"!jq": "{email: .email, day: (.starts_at | «fromdate» | strftime(\\"%Y-%m-%d\\"))}"}',
      good: '{"!jq": "{email: .email, day: .starts_at[:10]}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedTime],
  checks: {
    looksFar: true,
    program(program, report, model) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/date|time|now/.test(node.value)) return;
      const documented = documentedMembers(model);
      if (documented.size === 0) return;
      const tell = (
        value: Expression,
        by: Expression,
        takesNot: (form: TimeForm) => string | undefined,
      ): void => {
        const name = nameOf(value, program);
        const shown = name === undefined ? undefined : documented.get(name);
        if (shown === undefined || shown.shows === "objects") return;
        const takes = takesNot(shown.shows);
        if (takes === undefined || !isAsItCame(value, program, model)) return;
        report(
          documentedTime,
          { node, from: by.start, to: by.end },
          {
            value: name!,
            text: excerpt(textAt(by, program)),
            form: shown.shows,
            sample: shown.sample,
            takes,
          },
        );
      };
      for (const { stages } of nodesOfKind(program, "Pipeline"))
        for (const [index, stage] of stages.entries()) {
          const before = stages.slice(0, index).findLast((each) => !isRounding(each));
          if (stage.kind !== "Call" || before === undefined || !isExpression(before)) continue;
          if (/^(?:strftime|todate|todateiso8601|gmtime|strflocaltime)$/.test(stage.name.text))
            tell(before, stage, refusedByClock);
          if (/^fromdate(?:iso8601)?$/.test(stage.name.text)) tell(before, stage, refusedByReader);
        }
      for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
        const [step, ...others] = rest;
        if (step === undefined || others.length > 0 || step.operator !== "-") continue;
        for (const [one, other] of [
          [first, step.operand],
          [step.operand, first],
        ] as const)
          if (unitOf(other, program)?.unit === "seconds") tell(one, one, refusedBesideSeconds);
      }
      for (const { left, right, operator } of nodesOfKind(program, "Comparison")) {
        if (operator === "==" || operator === "!=") continue;
        for (const [one, other] of [
          [left, right],
          [right, left],
        ] as const)
          if (unitOf(other, program)?.unit === "seconds") tell(one, one, refusedBesideSeconds);
      }
    },
  },
};
export default module;

/** Whether a value is what an answer or a payload has, and no step made it. */
function isAsItCame(node: Expression, program: JqProgram, model: Model): boolean {
  const value = valueBehind(node, program);
  const [first] = value.kind === "Pipeline" ? stagesOf(value) : [value];
  const trails = trailsOf(flowOf(model), program, first ?? value);
  return (
    trails.length > 0 &&
    trails.every(({ origin: { kind } }) => kind === "response" || kind === "payload" || kind === "place")
  );
}

const refusedByClock = (form: TimeForm): string | undefined => (form === "seconds" ? undefined : "seconds");

const refusedByReader = (form: TimeForm): string | undefined =>
  form === "a time" ? undefined : "a text that ends with `Z`";

const refusedBesideSeconds = (form: TimeForm): string | undefined =>
  form === "seconds" ? undefined : "seconds";

const isRounding = (stage: { readonly kind: string }): boolean =>
  stage.kind === "Call" &&
  /^(?:floor|round|tonumber)$/.test((stage as Extract<Expression, { kind: "Call" }>).name.text);

/** The member whose value an expression gives as it is. */
function nameOf(node: Expression, program: JqProgram): string | undefined {
  const value = valueBehind(node, program);
  if (value.kind === "Hole") {
    const { root, syntax } = program.holes[value.hole] ?? {};
    return root === "piped_content" ? syntax?.path.at(-1)?.text : undefined;
  }
  if (value.kind === "Pipeline") {
    const [first, ...rest] = stagesOf(value);
    return first !== undefined && rest.every(isRounding) ? nameOf(first, program) : undefined;
  }
  if (value.kind !== "Postfix") return undefined;
  const last = value.suffixes.at(-1);
  return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
}
