import type { Expression, Pipeline } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const oneSidedOffset = defineRule<{ time: string; offset: string }>({
  id: "jq/one-sided-offset",
  severity: "warning",
  summary: "A time is written with its offset from UTC in one place, and without it in another",
  why: "A day in local time beside an hour in UTC is no moment at all: everybody comes some hours too early or too late, and nothing fails.",
  guards: ["D3", "D23"],
  message: ({ time, offset }) =>
    `\`${time}\` is written in UTC here, and elsewhere with \`${offset}\` added.`,
  because: ({ time, offset }) => [`here: \`${time}\``, `elsewhere: \`${time} + ${offset}\``],
  help: ({ offset }) => `Add \`${offset}\` here too.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, day: (.starts + .utc_offset * 60 | strftime(\\"%Y-%m-%d\\")), hour: («.starts» | strftime(\\"%H:%M\\"))}"}',
      good: '{"!jq": "{email: .email, day: (.starts + .utc_offset * 60 | strftime(\\"%Y-%m-%d\\")), hour: (.starts + .utc_offset * 60 | strftime(\\"%H:%M\\"))}"}',
    },
  ],
});

/** A time that is written, and what is added to it first. */
interface Written {
  readonly node: Expression;
  readonly time: string;
  readonly offset: string | undefined;
}

const module: RuleModule = {
  rules: [oneSidedOffset],
  checks: {
    program(program, report) {
      if (!/strftime/.test(program.node.value) || !named.test(program.node.value)) return;
      const written = nodesOfKind(program, "Pipeline").flatMap((node) => writtenBy(node, program));
      for (const { node, time, offset } of written) {
        const other = written.find((each) => each.time === time && each.offset !== undefined);
        if (offset !== undefined || other?.offset === undefined) continue;
        report(oneSidedOffset, partAt(program, node), { time, offset: other.offset });
      }
    },
  },
};
export default module;

const named = /offset|tz|zone/i;
/** A form that says that it is UTC. */
const ofUtc = /Z|UTC|GMT/;

/** `.starts + .utc_offset * 60 | strftime("%H:%M")` */
function writtenBy({ stages }: Pipeline, program: JqProgram): readonly Written[] {
  const [first, ...rest] = stages;
  const at = rest.findIndex((stage) => stage.kind === "Call" && stage.name.text === "strftime");
  const writer = rest[at];
  if (first === undefined || writer?.kind !== "Call") return [];
  const rounds = rest
    .slice(0, at)
    .every((stage) => stage.kind === "Call" && /^(?:floor|round|ceil)$/.test(stage.name.text));
  const form = constantOf(writer.arguments[0]!);
  if (!rounds || typeof form !== "string" || ofUtc.test(form.replaceAll(/%./g, ""))) return [];
  const node = bare(first as Expression);
  if (node.kind === "Postfix") return [{ node, time: textAt(node, program), offset: undefined }];
  if (node.kind !== "Arithmetic" || node.rest.length !== 1) return [];
  const [{ operator, operand }] = node.rest as [(typeof node.rest)[0]];
  const offset = textAt(operand, program);
  const isOffset = (operator === "+" || operator === "-") && named.test(offset);
  return isOffset ? [{ node, time: textAt(node.first, program), offset }] : [];
}
