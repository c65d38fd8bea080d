import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { sizeAsked } from "../../../flow/protocol/asked-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { keptKey, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const positionStep = defineRule<{ key: string; step: number; size: number; param: string }>({
  id: "polling/position-step",
  severity: "warning",
  summary: "The offset moves by something other than the page size",
  why: "An offset counts records, a page number counts pages. An offset that moves by less than a page reads most records again, and the limit of 100 requests ends the cycle early; one that moves by more leaves records out, and so does a page number that is raised by more than 1.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, step, size, param }) =>
    size === 1
      ? `\`${param}\` counts pages, and \`${key}\` moves by ${step}: pages are left out.`
      : `A page has ${size} records, and \`${key}\` moves by ${step}: ${step < size ? "the next page has most of them again" : "records are left out"}.`,
  because: ({ step, size, param }) =>
    size === 1
      ? ["page 1 is read", `page ${1 + step} is read, and none between`]
      : [
          `\`${param}\` 0: records 1 to ${size}`,
          `\`${param}\` ${step}: records ${step + 1} to ${step + size}`,
        ],
  help: ({ size }) => `Add ${size}.`,
  examples: [
    {
      title: "An offset",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {offset: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}", "limit": 100}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {offset: («${polling_state.offset} + 1»)}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"offset": "${polling_state.offset}", "limit": 100}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {offset: (${polling_state.offset} + 100)}}"}]',
    },
    {
      title: "A page number",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: («${polling_state.page} + 100»)})}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
  ],
});

const module: RuleModule = {
  rules: [positionStep],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { node, program, ...args } of wrongSteps(intake, model))
        report(positionStep, { node: program.node, from: node.start, to: node.end }, args);
    },
  },
};
export default module;

interface WrongStep {
  readonly key: string;
  readonly step: number;
  readonly size: number;
  readonly param: string;
  readonly node: Expression;
  readonly program: JqProgram;
}

const offsetParam = /^(?:\$?skip|(?:page\[)?offset\]?|start_?(?:index|at)|first_?result)$/i;
const pageParam = /^(?:page(?:_?(?:number|no))?|page\[number\])$/i;

function wrongSteps(intake: IntakeSymbol, model: Model): readonly WrongStep[] {
  const [write, ...others] = writesIn(intake, "request", model) ?? [];
  if (write === undefined || others.length > 0) return [];
  const { program, keys } = write;
  return (askedBy(intake, model)?.reads ?? []).flatMap((read): WrongStep[] => {
    const param = paramOf(read);
    const value = keys.get(read.key);
    const moved = value === undefined ? undefined : stepOf(value, read.key, program);
    if (param === undefined || moved === undefined) return [];
    const size = pageParam.test(param)
      ? 1
      : offsetParam.test(param)
        ? sizeAsked(intake, model)?.size
        : undefined;
    return size === undefined || size === moved.step
      ? []
      : [{ key: read.key, size, param, program, ...moved }];
  });
}

/** `${polling_state.offset} + 100`, on each way that isn't a beginning. */
function stepOf(
  value: Expression,
  key: string,
  program: JqProgram,
): { readonly node: Expression; readonly step: number } | undefined {
  if (value.kind === "Group") return stepOf(value.body, key, program);
  if (value.kind !== "Arithmetic" || value.rest.length !== 1) return undefined;
  const [{ operator, operand }] = value.rest as [(typeof value.rest)[number]];
  const step = constantOf(operand);
  if (operator !== "+" || typeof step !== "number" || keptKey(value.first, program) !== key) return undefined;
  return { node: value, step };
}
