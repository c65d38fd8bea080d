import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isBackwards } from "../../../flow/machine/page-order.ts";
import { pagesToTry, pagingOf, untold } from "../../../flow/machine/paging.ts";
import type { Iteration } from "../../../flow/machine/polling-program.ts";
import { numberOf, resolved, type Value } from "../../../flow/machine/value.ts";
import { countedBy, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { resolved as unbracketed } from "../../../flow/protocol/forms.ts";
import { mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isOffsetParam, requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf, type RequestRead } from "../../../flow/protocol/request-reads.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const positionStep = defineRule<{ key: string; step: number; size: number; param: string }>({
  id: "polling/position-step",
  severity: "warning",
  summary: "The offset moves by something other than the page size",
  why: "An offset counts records; a page number counts pages. An offset that moves by less than a page reads most records again, and the limit of 100 requests ends the cycle early. An offset that moves by more than a page skips records, and so does a page number that moves by more than 1.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, step, size, param }) =>
    size === 1
      ? `\`${param}\` counts pages, but \`${key}\` moves by ${step}, so ${step < 0 ? "it goes back" : "pages are skipped"}.`
      : `A page has ${size} records, but \`${key}\` moves by ${step}, so ${step < size ? "the next page repeats some" : "records are skipped"}.`,
  because: ({ step, size, param }) =>
    size === 1
      ? ["page 1 is read", `page ${1 + step} is requested next`]
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
        "/data_intake/0/post_poll": '{"!jq": "{polling_state: {offset: 0}}"}',
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

/** Whether a position moves by another number than it should. */
export const hasWrongStep = (intake: IntakeSymbol, model: Model): boolean =>
  wrongSteps(intake, model).length > 0;

interface WrongStep {
  readonly key: string;
  readonly step: number;
  readonly size: number;
  readonly param: string;
  readonly node: Expression;
  readonly program: JqProgram;
}

const pageParam = /^(?:page(?:_?(?:number|no))?|page\[number\])$/i;

const wrongSteps = passingOf(findWrongSteps);

function findWrongSteps(intake: IntakeSymbol, model: Model): readonly WrongStep[] {
  const writes = writesIn(intake, "request", model) ?? [];
  // Behind the last page it may begin again.
  const [write, ...others] = writes.length > 1 ? writes.filter(mayGoOn) : writes;
  if (write === undefined || others.length > 0) return [];
  const counting = countingReads(write, intake, model);
  // Most requests send no number of a page or of a record.
  const paging = counting.length === 0 ? undefined : pagingOf(intake, model);
  if (paging === undefined) return [];
  const { program } = write;
  const pageSize = requestedPageSize(intake, model);
  const tried = [{ ...untold, size: pageSize }, ...pagesToTry(paging, pageSize)].map((page) =>
    paging.read(page),
  );
  if (tried.some(isBackwards)) return [];
  return counting.flatMap(({ read, param, node, size, counted }): WrongStep[] => {
    if (counted !== undefined) return [{ key: read.key, step: counted, size, param, program, node }];
    // What the answer has no part in is known without it.
    const steps = tried.map(([first, second]) => stepOf(sentAs(first, read), sentAs(second, read)));
    const [step, ...others] = steps[0] === undefined ? steps.slice(1) : steps;
    if (step === undefined || others.some((other) => other !== step)) return [];
    // One that stands still is told as that.
    return step === size || step === 0 || isLookAhead(step, size, program)
      ? []
      : [{ key: read.key, step, size, param, program, node }];
  });
}

/** What is sent as the number of a page or of a record, and by how much that should move. */
interface CountingRead {
  readonly read: RequestRead;
  readonly param: string;
  /** What sets its key. */
  readonly node: Expression;
  readonly size: number;
  /** The other number by which it certainly moves. */
  readonly counted?: number;
}

function countingReads(
  { program, keys }: StateWrite,
  intake: IntakeSymbol,
  model: Model,
): readonly CountingRead[] {
  const pageSize = requestedPageSize(intake, model);
  return (askedBy(intake, model)?.reads ?? []).flatMap((read): CountingRead[] => {
    const param = paramOf(read);
    const node = unbracketed(keys.get(read.key), program);
    if (param === undefined || node === undefined) return [];
    const isPage = pageParam.test(param);
    const counted = isPage || pageSize === undefined ? undefined : stepBesideLength(node, program);
    if (counted !== undefined && pageSize !== undefined && counted !== pageSize)
      return [{ read, param, node, size: pageSize, counted }];
    const size = isPage ? 1 : isOffsetParam(param) ? pageSize : undefined;
    return size === undefined ? [] : [{ read, param, node, size }];
  });
}

/** `.items[:100]` of a page of 101: the last record only shows that there is more, and comes again. */
const isLookAhead = (step: number, size: number, program: JqProgram): boolean =>
  step === size - 1 &&
  nodesOfKind(program, "Postfix").some(({ suffixes }) =>
    suffixes.some(
      (suffix) => suffix.kind === "Slice" && suffix.from === undefined && isCutAt(suffix.to, step),
    ),
  );

/** The item before an index, counted from the beginning or from the end. */
const isCutAt = (to: Expression | undefined, step: number): boolean => {
  const index = to === undefined ? undefined : constantOf(to);
  return index === step || index === -1;
};

/** 1 of `.from + 1`, where `.from + (.items | length)` says elsewhere that it counts records. */
function stepBesideLength(node: Expression, program: JqProgram): number | undefined {
  if (node.kind !== "Arithmetic" || node.rest.length !== 1) return undefined;
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[number]];
  const step = constantOf(operand);
  if (operator !== "+" || typeof step !== "number") return undefined;
  const counted = textAt(node.first, program);
  const countsRecords = nodesOfKind(program, "Arithmetic").some(
    ({ first, rest }) =>
      textAt(first, program) === counted &&
      rest.length === 1 &&
      rest.every((each) => each.operator === "+" && countedBy(each.operand) !== undefined),
  );
  return countsRecords ? step : undefined;
}

const stepOf = (before: Value | undefined, after: Value | undefined): number | undefined =>
  typeof before === "number" && typeof after === "number" ? after - before : undefined;

function sentAs(page: Iteration | undefined, { at }: RequestRead): Value | undefined {
  const sent = page?.sent.find(({ expansion }) => expansion.node === at.node);
  return sent === undefined ? undefined : numberOf(resolved(sent.value));
}
