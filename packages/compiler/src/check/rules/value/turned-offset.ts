import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";

const turnedOffset = defineRule<{ text: string; offset: string; isLocal: boolean }>({
  id: "value/turned-offset",
  severity: "warning",
  summary: "A zone's offset from UTC is taken off a time in UTC, or added to a local one",
  why: "An offset says how far the clocks of a zone are ahead of UTC: their time is UTC and the offset. Reckoned the other way, a time is wrong by twice the offset, in each zone but UTC.",
  guards: ["data_pipeline.source", "command.!jq"],
  message: ({ text, offset, isLocal }) =>
    isLocal
      ? `\`${text}\` is a local time, and \`${offset}\` is added to it.`
      : `\`${text}\` is a time in UTC, and \`${offset}\` is taken off it.`,
  because: ({ text, offset, isLocal }) =>
    isLocal
      ? [`\`${text}\`: 13:00 there`, `\`${offset}\` of 60 minutes: it is 12:00 in UTC, and this gives 14:00`]
      : [
          `\`${text}\`: 12:00 in UTC`,
          `\`${offset}\` of 60 minutes: the clocks there show 13:00, and this gives 11:00`,
        ],
  help: ({ isLocal }) => (isLocal ? "Take the offset off." : "Add the offset."),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, came_at: ((.started_at | fromdate) «-» .site.utc_offset_minutes * 60 | strftime(\\"%Y-%m-%d %H:%M\\"))}"}',
      good: '{"!jq": "{email: .email, came_at: ((.started_at | fromdate) + .site.utc_offset_minutes * 60 | strftime(\\"%Y-%m-%d %H:%M\\"))}"}',
    },
    {
      title: "A local time",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, begins: ((.starts_local + \\"Z\\" | fromdate) «+» .utc_offset * 60 | strftime(\\"%Y-%m-%d %H:%M\\"))}"}',
      good: '{"!jq": "{email: .email, begins: ((.starts_local + \\"Z\\" | fromdate) - .utc_offset * 60 | strftime(\\"%Y-%m-%d %H:%M\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [turnedOffset],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, command } = program;
      // What is sent may come from local times.
      if (command.place.name !== "data_pipeline.source" || !/utc/i.test(node.value)) return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
        const [step] = rest;
        // As UTC it is told by `jq/offset-in-utc`.
        if (step === undefined) continue;
        const becomesUtc = /^[\s)]*\|\s*(?:floor\s*\|\s*)?todate/.test(node.value.slice(step.operand.end));
        const isLocal =
          step.operator === "+" &&
          (isOfHere(first) || (isWithoutZone(first, program) && isLocalHere(program, model))) &&
          !becomesUtc;
        if (!(isLocal || (step.operator === "-" && isUtc(first, becomesUtc)))) continue;
        const offset = offsetIn(step.operand, (read) => nameRead(read, program));
        if (offset === undefined) continue;
        if (saysAround(fromTheOtherSide, command, model)) continue;
        const at = node.value.indexOf(step.operator, first.end);
        report(
          turnedOffset,
          { node, from: at, to: at + 1 },
          { text: textAt(first, program), offset, isLocal },
        );
      }
    },
  },
};
export default module;

/** Who counts from the local time to UTC, as browsers do. */
const fromTheOtherSide =
  /\bwest of\b|getTimezoneOffset|\bJavaScript\b|\bUTC minus local\b|-\d{2,3} in (?:Berlin|Paris|Rome|Madrid|Vienna|Z[uü]rich|Amsterdam|Central Europe)/i;

/** A local time that is read as one in UTC: `.starts_local + "Z" | fromdate`. */
const isOfHere = (node: Expression): boolean => {
  const nodes = nodesIn(node);
  return (
    hasLocalName(nodes) && nodes.some((each) => each.kind === "Call" && /^fromdate/.test(each.name.text))
  );
};

/** A time that is read from its parts, without a zone: `strptime("%d.%m.%Y %H:%M") | mktime`. */
function isWithoutZone(given: Expression, program: JqProgram): boolean {
  const isMade = nodesIn(given).some((each) => each.kind === "Call" && each.name.text === "mktime");
  const formats = nodesOfKind(program, "Call").filter(({ name }) => name.text === "strptime");
  return (
    isMade &&
    formats.length > 0 &&
    formats.every(
      ({ arguments: [format] }) => format !== undefined && !/%[zZ]|Z$/.test(`${constantOf(format)}`),
    )
  );
}

/** Whether a comment says that times are local, or how far clocks are ahead of UTC. */
const isLocalHere = ({ command }: JqProgram, model: Model): boolean =>
  commentsOver(command, model).some(({ value }) => /\blocal\b|\bahead of UTC\b|\bwall clock\b/i.test(value));

const hasLocalName = (nodes: readonly Node[]): boolean =>
  nodes.some((each) => each.kind === "Name" && wordsOf(each.text).includes("local"));

/**
 * `fromdate` takes times in UTC alone; a name may say that its `Z` isn't meant, and a program may have put it there: `.starts + "Z"`. Behind
 * `[:19]` it stands for the one that was cut off, unless the result is written as UTC.
 */
const isUtc = (node: Expression, becomesUtc: boolean): boolean => {
  const nodes = nodesIn(node);
  const isRead = nodes.some((each) => each.kind === "Call" && /^fromdate/.test(each.name.text));
  if (!isRead || hasLocalName(nodes)) return false;
  return !nodes.some(putsZ) || (!becomesUtc && nodes.some(({ kind }) => kind === "Slice"));
};

/** `.starts + ":00Z"`, `"\(.day)T\(.time)Z"` */
function putsZ(node: Node): boolean {
  if (node.kind === "Arithmetic")
    return node.rest.some(({ operator, operand }) => operator === "+" && endsWithZ(constantOf(operand)));
  if (node.kind !== "String" || node.parts.length < 2) return false;
  const last = node.parts.at(-1);
  return last?.kind === "StringText" && endsWithZ(last.value);
}

const endsWithZ = (text: unknown): boolean => typeof text === "string" && text.endsWith("Z");

/** The name of an offset from UTC, whatever it is multiplied by. */
function offsetIn(term: Expression, nameOf: (read: Expression) => string | undefined): string | undefined {
  const node = bare(term);
  if (node.kind === "Arithmetic")
    return node.rest.every(({ operator }) => operator === "*") ? offsetIn(node.first, nameOf) : undefined;
  const name = nameOf(node);
  const words = name === undefined ? [] : wordsOf(name);
  return words.includes("utc") && words.some((word) => /^(?:offset|plus|ahead)$/.test(word))
    ? name
    : undefined;
}
