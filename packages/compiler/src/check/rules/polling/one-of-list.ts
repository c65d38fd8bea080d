import type { Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { evaluateAlone, NOW } from "../../../flow/machine/evaluate.ts";
import { partAt, textAt } from "../../../flow/nodes.ts";
import { expansionTrails, outputTrails, pathText, type Trail, trailsOf } from "../../../flow/origin.ts";
import { definitionInStep } from "../../../flow/protocol/definition-site.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { type Watermark, watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { RuleModule } from "../../checks.ts";
import { isSaidInclusive } from "./said-of-parameter.ts";

const days = (mark: string): Readonly<Record<string, string | undefined>> => ({
  "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {day: \\"2026-01-01\\"}}"}',
  "/data_intake/0/pre_poll": undefined,
  "/data_intake/0/post_poll": undefined,
  "/data_intake/0/request": `{"!pipe": [{"!http": {"path": "/days", "params": {"after": "\${polling_state.day}", "limit": 2}}}, {"!switch": {"jq": "if .days == [] then 0 else 1 end", "cases": [{"!jq": "{visits: []}"}, {"!http": {"path": "/visits", "params": {"day": "\${piped_content.1.days[0]}"}}}]}}, {"!jq": "\${piped_content.1.days} as $days | {results: .visits, iterate: (($days | length) > 1), polling_state: {day: ${mark}}}"}]}`,
});
const request = { in: "inbound-polling", at: "/data_intake/0/request" } as const;
const shown = (mark: string): string => days(mark)["/data_intake/0/request"]!;

const otherItem = defineRule<{ key: string; text: string; list: string; read: string }>({
  id: "polling/other-item",
  severity: "warning",
  summary: "The state goes on behind another item of a list than the one that was read",
  why: "A request asks for one item of a list at a time: a day, a batch, a file. The state must say which one that was. If it takes the other end of the list, the items between are marked as read and never asked for.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, text, list, read }) =>
    `The request reads the ${read} item of \`${list}\`, but \`${key}\` becomes \`${text}\`, the one at the other end.`,
  because: ({ list, read }) => [
    `\`${list}\` has two items, and the ${read} one is read`,
    "the next request begins behind the other one, which was never read",
  ],
  help: ({ read }) => `Take the ${read} item here, too.`,
  examples: [
    {
      ...request,
      with: { ...days("null"), "/data_intake/0/request": undefined },
      bad: shown("(«$days[-1]» // ${polling_state.day})"),
      good: shown("($days[0] // ${polling_state.day})"),
    },
  ],
});

const skippedDay = defineRule<{ key: string; text: string; param: string }>({
  id: "polling/skipped-day",
  severity: "warning",
  summary: "Where nothing was listed, the state moves to today, and only later days are asked for",
  why: "Nothing is listed yet, most often because the day isn't over. If the state moves to today then, the next request asks for what comes after today: all of today's records are lost, whenever they come.",
  guards: ["polling.request", "polling.polling_state", "D33"],
  message: ({ key, text, param }) =>
    `If nothing is listed, \`${key}\` becomes today: \`${text}\`. \`${param}\` asks only for what comes after that.`,
  because: ({ key, param }) => [
    "a poll at noon finds nothing",
    `\`${key}\` becomes today`,
    `\`${param}\` leaves out today: what comes this evening is never requested`,
  ],
  help: ({ key }) => `Leave it as it was: \`\${polling_state.${key}}\`.`,
  examples: [
    {
      ...request,
      with: { ...days("null"), "/data_intake/0/request": undefined },
      bad: shown('($days[0] // («now | strftime(\\"%Y-%m-%d\\")»))'),
      good: shown("($days[0] // ${polling_state.day})"),
    },
  ],
});

const module: RuleModule = {
  rules: [otherItem, skippedDay],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const asked = askedBy(intake, model);
      if (asked === undefined) return;
      const ones = asked.requests.length < 2 ? [] : itemsRead(intake, model);
      for (const read of new Map(asked.reads.map((each) => [each.key, each])).values()) {
        const { key } = read;
        const marks = (watermarksOf(intake, key, model) ?? []).filter(({ command }) => command === "request");
        if (marks.length === 0) continue;
        const param = paramOf(read);
        const isOfList = marks.some(({ from }) => from === "first" || from === "last" || from === "greatest");
        for (const mark of marks) {
          const text = textAt(mark.node, mark.program);
          const at = partAt(mark.program, mark.node);
          if (
            mark.from === "clock" &&
            isOfList &&
            param !== undefined &&
            isBehind.test(param) &&
            isToday(mark) &&
            !(hasComments(model) && isSaidInclusive(param, read.command.node))
          )
            report(skippedDay, at, { key, text, param });
          const one = ones.find((each) => isOtherEnd(each, mark, model));
          if (one !== undefined) report(otherItem, at, { key, text, list: one.list, read: one.end });
        }
      }
    },
  },
};
export default module;

/** A parameter that leaves out what it is given: `after`, `closed_after`. */
const isBehind = /(?:^|_)after(?:_(?:day|date))?$/i;

/** Whether a value is the day on which the program runs. */
function isToday({ node, program }: Watermark): boolean {
  const day = evaluateAlone(program, node);
  return typeof day === "string" && day === new Date(NOW * 1_000).toISOString().slice(0, 10);
}

/** One item of a list, by which a further request asks. */
interface ItemRead {
  readonly list: string;
  readonly end: "first" | "last";
  readonly trail: Trail;
}

/** The items of lists by which the `request` of an intake asks for more; of a list of which both ends are read, none. */
function itemsRead(intake: IntakeSymbol, model: Model): readonly ItemRead[] {
  const request = intake.commands.get("request");
  const flow = flowOf(model);
  const results = request === undefined ? [] : outputTrails(flow, request, ["results"]);
  const found = partOfUnit(intake, model).expansions.flatMap((expansion): readonly ItemRead[] => {
    const { root, command, syntax } = expansion;
    if (root !== "piped_content" || command?.key !== "!http" || outermostCommand(command) !== request)
      return [];
    const end = endRead(expansion);
    const [trail, ...others] = end === undefined ? [] : expansionTrails(flow, expansion);
    if (end === undefined || trail?.origin.kind !== "response" || others.length > 0) return [];
    const { origin } = trail;
    // Where the items themselves are the results, more is asked about one of them.
    const areResults = results.some(
      (each) => each.origin.kind !== "response" || each.origin.command === origin.command,
    );
    const at = origin.path.indexOf("[]");
    if (areResults || at < 1 || syntax.problem !== undefined) return [];
    return [{ list: pathText(origin.path.slice(0, at)), end, trail }];
  });
  return found.filter(({ list, end }) => found.every((each) => each.list !== list || each.end === end));
}

/** Which item of a list an expansion reads: `${piped_content.1.days[0]}`, or what a step before has taken. */
function endRead(expansion: Expansion): ItemRead["end"] | undefined {
  const indexes = expansion.syntax.path.slice(2).filter(({ text }) => /^-?\d+$/.test(text));
  const [index, ...others] = indexes;
  if (index !== undefined) return others.length > 0 ? undefined : endOf(`[${index.text}]`);
  const made = definitionInStep(expansion);
  return made === undefined ? undefined : endOf(textAt(made.node, made.program));
}

function endOf(text: string): ItemRead["end"] | undefined {
  if (/\b(?:select|sort\w*|max\w*|min\w*|reverse)\b/.test(text)) return undefined;
  const [isFirst, isLast] = [/\[0\]|\bfirst\b/.test(text), /\[-1\]|\blast\b/.test(text)];
  return isFirst === isLast ? undefined : isFirst ? "first" : "last";
}

/** Whether the state gets what the other end of the same list has. */
function isOtherEnd({ end, trail }: ItemRead, { from, node, program }: Watermark, model: Model): boolean {
  const isOther = end === "first" ? from === "last" || from === "greatest" : from === "first";
  const { origin } = trail;
  return (
    isOther &&
    origin.kind === "response" &&
    trailsOf(flowOf(model), program, node).some(
      (each) =>
        each.origin.kind === "response" &&
        each.origin.command === origin.command &&
        pathText(each.origin.path) === pathText(origin.path),
    )
  );
}
