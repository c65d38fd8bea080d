import type { Expression } from "@configc/jq";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";

const turnedOffset = defineRule<{ text: string; offset: string }>({
  id: "value/turned-offset",
  severity: "warning",
  summary: "A zone's offset from UTC is taken off a time in UTC",
  why: "An offset says how far the clocks of a zone are ahead of UTC. Their time is UTC and the offset; taken off, it is wrong by twice the offset, in each zone but UTC.",
  guards: ["data_pipeline.source", "command.!jq"],
  message: ({ text, offset }) => `\`${text}\` is a time in UTC, and \`${offset}\` is taken off it.`,
  because: ({ text, offset }) => [
    `\`${text}\`: 12:00 in UTC`,
    `\`${offset}\` of 60 minutes: the clocks there show 13:00, and this gives 11:00`,
  ],
  help: () => "Add the offset.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, came_at: ((.started_at | fromdate) «-» .site.utc_offset_minutes * 60 | strftime(\\"%Y-%m-%d %H:%M\\"))}"}',
      good: '{"!jq": "{email: .email, came_at: ((.started_at | fromdate) + .site.utc_offset_minutes * 60 | strftime(\\"%Y-%m-%d %H:%M\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [turnedOffset],
  checks: {
    program(program, report) {
      const { node, command } = program;
      // What is sent may come from local times.
      if (command.place.name !== "data_pipeline.source" || !/utc/i.test(node.value)) return;
      for (const { first, rest } of nodesOfKind(program, "Arithmetic")) {
        const [step] = rest;
        if (step?.operator !== "-" || !isUtc(first)) continue;
        const offset = offsetIn(step.operand, (read) => nameRead(read, program));
        if (offset === undefined) continue;
        const at = first.end + node.value.slice(first.end).indexOf("-");
        report(turnedOffset, { node, from: at, to: at + 1 }, { text: textAt(first, program), offset });
      }
    },
  },
};
export default module;

/** `fromdate` takes times in UTC alone; a name may say that its `Z` isn't meant. */
const isUtc = (node: Expression): boolean => {
  const nodes = nodesIn(node);
  const isRead = nodes.some((each) => each.kind === "Call" && /^fromdate/.test(each.name.text));
  return isRead && !nodes.some((each) => each.kind === "Name" && /local/i.test(each.text));
};

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
