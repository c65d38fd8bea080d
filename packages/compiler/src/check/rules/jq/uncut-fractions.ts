import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, intakesAround } from "../../../flow/documented-words.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";

const uncutFractions = defineRule<{ member: string; cut: string }>({
  id: "jq/uncut-fractions",
  severity: "warning",
  summary: "`fromdate` gets a time whose fractions of a second are cut off elsewhere",
  why: "`fromdate` only reads times such as `2026-01-02T03:04:05Z`. If one place cuts `.123` off first and another doesn't, the other one fails for every record.",
  guards: ["D23", "command.!jq"],
  message: ({ member, cut }) =>
    `\`fromdate\` fails on fractions of a second. Elsewhere, \`${cut}\` takes them off \`${member}\` first.`,
  because: ({ member, cut }) => [
    `elsewhere \`${member}\` goes through \`${cut}\`: it has fractions`,
    "here it goes to `fromdate` as it comes, and `fromdate` takes no fractions",
  ],
  help: ({ cut }) => `Cut them off here, too: \`${cut} | fromdate\`.`,
  fixes: ({ at, args: { cut } }, { document }) => {
    if (!("from" in at)) return [];
    const edits = [replaceInString(document, at.node, at.from, at.from, `${cut} | `)];
    return [{ title: "Cut the fractions off", safe: false, edits }];
  },
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, from: (.sent_at | sub(\\"[.][0-9]+\\"; \\"\\") | fromdate), day: (.order.sent_at | «fromdate» | strftime(\\"%Y-%m-%d\\"))}"}',
      good: '{"!jq": "{email: .email, from: (.sent_at | sub(\\"[.][0-9]+\\"; \\"\\") | fromdate), day: (.order.sent_at | sub(\\"[.][0-9]+\\"; \\"\\") | fromdate | strftime(\\"%Y-%m-%d\\"))}"}',
      fixed:
        '{"!jq": "{email: .email, from: (.sent_at | sub(\\"[.][0-9]+\\"; \\"\\") | fromdate), day: (.order.sent_at | sub(\\"[.][0-9]+\\"; \\"\\") | fromdate | strftime(\\"%Y-%m-%d\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [uncutFractions],
  checks: {
    document(model, report) {
      const all = datesIn(model);
      for (const { member, cut, program, node } of all) {
        const other =
          cut === undefined
            ? all.find((each) => each.member === member && each.cut !== undefined)
            : undefined;
        if (other?.cut !== undefined && !isSaidWhole(member, program))
          report(
            uncutFractions,
            { node: program.node, from: node.start, to: node.end },
            { member, cut: other.cut },
          );
      }
    },
  },
};
export default module;

interface Read {
  readonly member: string;
  readonly program: JqProgram;
  /** The call of `fromdate`. */
  readonly node: Expression;
  /** What cuts fractions off before, as it is written. */
  readonly cut: string | undefined;
}

/** Members that are read as times: `.at | sub("\\.[0-9]+"; "") | fromdate`. */
const datesIn = derivedByPart(({ programs }) =>
  programs.flatMap((program): readonly Read[] =>
    program.node.value.includes("fromdate")
      ? nodesOfKind(program, "Pipeline").flatMap(({ stages }) =>
          readIn(stages as readonly Expression[], program),
        )
      : [],
  ),
);

function readIn(stages: readonly Expression[], program: JqProgram): readonly Read[] {
  const at = stages.findIndex((stage) => stage.kind === "Call" && stage.name.text.startsWith("fromdate"));
  const [source, cutter] = stages.slice(Math.max(0, at - 2), Math.max(0, at));
  const one = at === 1 ? memberOf(source, program) : undefined;
  if (one !== undefined) return [{ member: one, program, node: stages[at]!, cut: undefined }];
  const member = at === 2 && cutter !== undefined ? memberOf(source, program) : undefined;
  const cut = member === undefined ? "" : textAt(cutter!, program);
  return member !== undefined && /^sub\("[^"]*(?:\\\.|\[\.\])/.test(cut)
    ? [{ member, program, node: stages[at]!, cut }]
    : [];
}

/** The name of a member, of the input or of an expansion. */
function memberOf(node: Expression | undefined, { holes }: JqProgram): string | undefined {
  const inner = node === undefined ? undefined : bare(node);
  if (inner?.kind === "Hole") return holes[inner.hole]?.syntax.path.at(-1)?.text;
  return inner === undefined ? undefined : nameOfValue(inner);
}

/** `The hook's sent_at has milliseconds, the order's doesn't.` */
const isSaidWhole = (member: string, { node, command }: JqProgram): boolean =>
  commentsAround(node, intakesAround(command.unit)).some(
    ({ value }) =>
      value.includes(member) &&
      /\bwhole seconds\b|\b(?:doesn't|don't|has none|have none)\b|\b(?:without|no) (?:fractions?|milliseconds)\b/i.test(
        value,
      ),
  );
