import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { stepAt } from "../../../flow/producers.ts";
import { type ValueReaders, valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const otherAnswer = defineRule<{ list: string; index: number; from: string; instead: number }>({
  id: "pipeline/other-answer",
  severity: "warning",
  summary:
    "A path names a record of one list by the answer of another, though a step has just made that record",
  why: "A step makes a record, and its answer has the number by which a later path names it. The number of the step is off by one: the path reads another answer, which has no such member, and nothing reads the right one. The request fails, or is about nobody's record.",
  guards: ["command.!pipe", "command.!http", "expansion.piped_content", "D14", "D18"],
  message: ({ list, index, from, instead }) =>
    `The path names a record of \`${list}\` by \`piped_content.${index}\`, an answer of \`${from}\`. Nothing reads \`piped_content.${instead}\`, the one that was made in \`${list}\`.`,
  because: ({ list, index, from, instead }) => [
    `step ${instead} makes a record in \`${list}\`, and nothing reads its answer`,
    `step ${index} answers with a record of \`${from}\``,
  ],
  help: ({ instead }) => `Read it of \`\${piped_content.${instead}}\`.`,
  examples: [
    {
      title: "D14",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/partners/${custom_data.list.value}"}}, {"!http": {"method": "POST", "path": "/orders", "body": {"partner": "${piped_content.1.number}", "email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/orders/${piped_content.«1».order_number}/release"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/partners/${custom_data.list.value}"}}, {"!http": {"method": "POST", "path": "/orders", "body": {"partner": "${piped_content.1.number}", "email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/orders/${piped_content.2.order_number}/release"}}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/partners/${custom_data.list.value}"}}, {"!http": {"method": "POST", "path": "/orders", "body": {"partner": "${piped_content.1.number}", "email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/orders/${piped_content.2.order_number}/release"}}]}',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [changeTo(document, at, `${instead}`, false)],
});

const module: RuleModule = {
  rules: [otherAnswer],
  checks: {
    document(model, report) {
      for (const { at, ...args } of othersRead(model)) report(otherAnswer, at, args);
    },
  },
};
export default module;

const othersRead = derivedByPart((part, model) =>
  part.expansions.flatMap((expansion) => {
    const found = otherRead(expansion, () => valueReadersOf(part, model));
    return found === undefined ? [] : [found];
  }),
);

function otherRead(expansion: Expansion, readers: () => ValueReaders) {
  const { root, rootExact, syntax, command, node } = expansion;
  const [, segment, member] = syntax.path;
  const index = Number(segment?.text);
  if (
    root !== "piped_content" ||
    !rootExact ||
    command?.key !== "!http" ||
    member === undefined ||
    index === 0
  )
    return undefined;
  if (node.value !== textOf(command.argument, "path") || command.pipe === undefined) return undefined;
  // An id of another kind of record is told as that.
  if (/(?:^|_)id$|Id$/.test(syntax.path.at(-1)!.text)) return undefined;
  const [, list] = /\/([\w-]+)\/$/.exec(node.value.slice(0, syntax.start)) ?? [];
  const read = stepAt(command, index);
  const [from, ...others] = new Set(requestsOf(read).map((each) => each && listOf(each)));
  if (list === undefined || from === undefined || others.length > 0 || from === list) return undefined;
  const made = command.pipe.children.slice(0, command.stepsRun).flatMap((step, at) => {
    const requests = requestsOf(step);
    const makes = requests.every((each) => each !== undefined && makesIn(each, list));
    return step !== undefined && step !== read && requests.length > 0 && makes
      ? [{ step, instead: at + 1 }]
      : [];
  });
  const [one, ...more] = made;
  if (one === undefined || more.length > 0) return undefined;
  const { members, whole } = readers().of(one.step);
  if (whole || members.size > 0) return undefined;
  return { at: { node, from: segment!.start, to: segment!.end }, list, index, from, instead: one.instead };
}

/** The requests of which a step gives the answers, where it goes on; undefined for what gives something else. */
function requestsOf(step: Command | undefined): readonly (Command | undefined)[] {
  if (step === undefined) return [];
  if (step.key !== "!switch") return [step.key === "!http" ? step : undefined];
  return resultsOf(step)
    .filter(({ key }) => key !== "!error")
    .map((each) => (each.key === "!http" ? each : undefined));
}

/** `orders` of `/orders` and `/orders/${…}`. */
const listOf = ({ argument }: Command): string | undefined =>
  /(?:^|\/)([\w-]+)(?:\/\$[{<][^/]*)?\/?$/.exec(textOf(argument, "path") ?? "")?.[1];

const makesIn = ({ argument }: Command, list: string): boolean =>
  textOf(argument, "method")?.toUpperCase() === "POST" &&
  new RegExp(`(?:^|/)${list}/?$`).test(textOf(argument, "path") ?? "");
