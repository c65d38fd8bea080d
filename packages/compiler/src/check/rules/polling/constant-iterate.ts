import { type Expression, types } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, isLength } from "../../../flow/nodes.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type Outcome, outcomesOf } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { keptOf } from "./cursor-source.ts";

const constantIterate = defineRule<{ text: string }>({
  id: "polling/constant-iterate",
  severity: "warning",
  summary: "`iterate` is true whatever the response says",
  why: "`iterate` says whether there is more. If it is always true, each cycle continues after the last page until a response is empty or repeats, or a limit is reached. That costs every customer requests, and an API that repeats its last page may never give an empty one.",
  guards: ["polling.iterate", "D33"],
  message: ({ text }) => `\`${text}\` is always true, so no response can say that this was the last page.`,
  because: () => [
    "the last page is read, and `iterate` is true",
    "each cycle makes more requests until a limit ends it",
  ],
  help: () =>
    "Take it from the response: a flag such as `.has_more == true`, a token that isn't null, or a full page.",
  examples: [
    {
      title: "A constant",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: «true», polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      good: '"{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
    {
      title: "A length is never below 0",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      bad: '"{results: .items, iterate: «(.items | length >= 0)», polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
      good: '"{results: .items, iterate: (.items | length > 0), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}"',
    },
  ],
});

const module: RuleModule = {
  rules: [constantIterate],
  checks: {
    intake(intake, report, model) {
      for (const { program, value } of alwaysTrue(intake, model)) {
        const at = { node: program.node, from: value.start, to: value.end };
        report(constantIterate, at, { text: excerpt(program.node.value.slice(value.start, value.end)) });
      }
    },
  },
};
export default module;

interface Iterate {
  readonly program: JqProgram;
  readonly value: Expression;
}

/** What an intake's `request` gives as `iterate`, where every way there gives true. */
function alwaysTrue(intake: IntakeSymbol, model: Model): readonly Iterate[] {
  const request =
    intake.type === "polling" && isReadable(intake, model) ? intake.commands.get("request") : undefined;
  const outcomes = request === undefined ? undefined : outcomesOf(request, model);
  if (request === undefined || outcomes === undefined) return [];
  const given = outcomes.map(iterateOf);
  if (!given.every((each) => each !== undefined)) return [];
  // Two ways that are both always true, one for each page but the last, are no mistake if some other way ends it.
  const byType = types
    .partsOf(flowOf(model).output(request))
    .every((part) => part.kind === "object" && isTrue(part.members.get("iterate")?.type));
  return given.length === 1 &&
    (byType ||
      isTautology(given[0]!.value) ||
      isListThere(given[0]!.value, outcomes[0]!, () => keepsToken(intake, model)))
    ? given
    : [];
}

function iterateOf({ program, members }: Outcome): Iterate | undefined {
  const value = members.get("iterate");
  return value === undefined ? undefined : { program, value };
}

function isTrue(type: ReturnType<typeof types.union> | undefined): boolean {
  return type?.kind === "boolean" && type.value === true;
}

/** `.items != null`, or `.items` alone, of the list whose records are the results: an empty list is there, too. */
function isListThere(iterate: Expression, { program, members }: Outcome, hasToken: () => boolean): boolean {
  const results = members.get("results");
  const node = bare(iterate);
  const isCompared = node.kind === "Comparison" && node.operator === "!=" && constantOf(node.right) === null;
  const asked = isCompared ? bare(node.left) : node;
  if (results === undefined || asked.kind !== "Postfix") return false;
  const textOf = ({ start, end }: Expression): string => program.node.value.slice(start, end);
  // With a `?` it may be left out where nothing is left.
  const list = textOf(results).replace(/^[[(]+/, "");
  if (list.startsWith(`${textOf(asked)}[]`)) return !list.startsWith(`${textOf(asked)}[]?`);
  // Of a whole list, an author may lean on the platform, which ends with an empty one; a token says itself where the end is.
  return isCompared && list === textOf(asked) && hasToken();
}

/** Whether the next request sends a token of the answer. */
const keepsToken = (intake: IntakeSymbol, model: Model): boolean =>
  keptOf(intake, model).some(
    ({ way }) => way.kind === "Postfix" && /next|token|cursor/i.test(lastName(way) ?? ""),
  );

/** `length >= 0` and the like. */
function isTautology(node: Expression): boolean {
  if (node.kind === "Group") return isTautology(node.body);
  if (node.kind === "Pipeline") {
    const last = node.stages.at(-1);
    return last?.kind === "Comparison" && isTautology(last);
  }
  if (node.kind !== "Comparison") return false;
  const limit = constantOf(node.right);
  if (!isLength(node.left) || typeof limit !== "number") return false;
  return (node.operator === ">=" && limit <= 0) || (node.operator === ">" && limit < 0);
}
