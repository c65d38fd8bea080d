import { constantOf } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const localTimeAsUtc = defineRule<{ format: string }>({
  id: "jq/local-time-as-utc",
  severity: "warning",
  summary: "A local time is labelled as UTC",
  why: "`strflocaltime` writes the time of the clock where the app runs. With a `Z` behind it, which stands for UTC, it is wrong by as many hours as that clock is ahead, and right where nobody looks: on a server that runs in UTC.",
  guards: ["command.!jq", "D23"],
  message: ({ format }) => `\`strflocaltime\` writes a local time, and \`${format}\` calls it UTC.`,
  because: () => ["the app runs where it is 14:00 and 12:00 in UTC", "`14:00Z` is written: two hours late"],
  help: () => "Use `strftime`, or `todate`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, name: (now | «strflocaltime(\\"%Y-%m-%dT%H:%M:%SZ\\")»)}"}',
      good: '{"!jq": "{email: .email, name: (now | strftime(\\"%Y-%m-%dT%H:%M:%SZ\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [localTimeAsUtc],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !program.node.value.includes("strflocaltime")) return;
      for (const call of nodesOfKind(program, "Call")) {
        const [argument] = call.name.text === "strflocaltime" ? call.arguments : [];
        const format = argument === undefined ? undefined : constantOf(argument);
        // `%Z` writes the zone's own name.
        if (typeof format === "string" && /(?<!%)Z$/.test(format))
          report(localTimeAsUtc, partAt(program, call), { format });
      }
    },
  },
};
export default module;
