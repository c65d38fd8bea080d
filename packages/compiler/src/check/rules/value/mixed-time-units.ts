import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { kindsWritten } from "../../../flow/protocol/state-kinds.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import { type TimeTaken, timesTaken } from "../../../flow/time-member.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const mixedTimeUnits = defineRule<{ member: string; text: string; unit: string; other: string }>({
  id: "value/mixed-time-units",
  severity: "warning",
  summary: "A time is taken for seconds in one place and for milliseconds in another",
  why: "jq reckons in seconds, and many APIs in milliseconds. A time of which a place takes the wrong one is a day in January 1970, or one in tens of thousands of years: a filter lets all records pass, or none, and a date is refused.",
  guards: ["command.!jq", "polling.polling_state", "D23"],
  message: ({ member, text, unit, other }) =>
    `\`${text}\` takes \`${member}\` for ${unit}, but elsewhere it counts ${other}.`,
  because: ({ member, text, unit, other }) => [
    `\`${text}\`: \`${member}\` is in ${unit}`,
    `elsewhere: \`${member}\` is in ${other}`,
  ],
  help: ({ unit }) =>
    unit === "seconds" ? "Divide or multiply by 1000 here." : "Leave out the factor 1000 here.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, minutes: ((.ended_at - .started_at) / 60000 | round), day: («.ended_at» | floor | todate | .[0:10])}"}',
      good: '{"!jq": "{email: .email, minutes: ((.ended_at - .started_at) / 60000 | round), day: (.ended_at / 1000 | floor | todate | .[0:10])}"}',
    },
  ],
});

interface Taken extends TimeTaken {
  readonly program: JqProgram;
  /** The value that is written, where that isn't the member itself. */
  readonly written?: Expression;
}

const module: RuleModule = {
  rules: [mixedTimeUnits],
  checks: {
    document(model, report) {
      const byMember = new Map<string, Taken[]>();
      for (const each of [...startsIn(model), ...readsIn(model)])
        byMember.set(each.member, [...(byMember.get(each.member) ?? []), each]);
      for (const [member, all] of byMember) {
        const [seconds, milliseconds] = (["seconds", "milliseconds"] as const).map((unit) =>
          all.filter((each) => each.unit === unit),
        ) as [Taken[], Taken[]];
        if (seconds.length === 0 || milliseconds.length === 0) continue;
        // Of as many, what comes first in the list is where a time begins, and the other is what was read.
        const [few, many] =
          seconds.length < milliseconds.length ||
          (seconds.length === milliseconds.length && seconds[0] === all[0])
            ? [seconds, milliseconds]
            : [milliseconds, seconds];
        const [first] = many;
        for (const { program, node, written = node, unit } of few) {
          const at = { node: program.node, from: written.start, to: written.end };
          const text = excerpt(textAt(written, program));
          const related = first && {
            message: `${first.unit} here`,
            at: { node: first.program.node, from: first.node.start, to: first.node.end },
          };
          report(mixedTimeUnits, at, { member, text, unit, other: many[0]!.unit }, related ? [related] : []);
        }
      }
    },
  },
};
export default module;

const readsIn = derivedByPart(({ programs }) =>
  programs.flatMap((program) => timesTaken(program).map((each): Taken => ({ ...each, program }))),
);

/** What the states of polls begin with, where they go on with a member of the records as it is. */
const startsIn = derivedByPart(({ intakes }, model) =>
  intakes.flatMap((intake) => {
    if (intake.type !== "polling") return [];
    return kindsWritten(intake, model).flatMap(({ key, command, kind, value, program }): readonly Taken[] => {
      if (command !== "initial_setup" || (kind !== "seconds" && kind !== "milliseconds")) return [];
      const marks = watermarksOf(intake, key, model)?.filter(isAsItIs) ?? [];
      return marks.flatMap(({ member }) =>
        member === undefined ? [] : [{ member, unit: kind, node: value, written: value, program }],
      );
    });
  }),
);

/** Whether a state goes on with the member itself, and not with what is made of it. */
function isAsItIs({ node }: { readonly node: Expression }): boolean {
  const read = bare(node);
  return read.kind === "Postfix" && read.suffixes.some(({ kind }) => kind === "Field");
}
