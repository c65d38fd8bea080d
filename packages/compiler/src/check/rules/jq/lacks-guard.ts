import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { failures, givenAt, testsIn } from "./fails-on-null.ts";

const place = { in: "inbound-webhook", at: "/workflows/0/data_pipeline/source" } as const;

const lacksGuard = defineRule<{ value: string; text: string; others: string }>({
  id: "jq/lacks-guard",
  severity: "warning",
  summary: "A detail that may be missing isn't guarded against null, though those beside it are",
  why: "Functions on texts fail with null. Many people have no phone, company or birthday on record: each of them fails here and doesn't arrive. The program expects that of the details beside it.",
  guards: ["command.!jq", "D23", "D35"],
  message: ({ value, text, others }) =>
    `Where \`${value}\` is null, \`${text}\` fails. ${others} may be missing, as their \`//\` says; this one has none.`,
  because: ({ value, text }) => [
    `somebody has no \`${value}\``,
    `\`${text}\` fails on null: nothing of them arrives`,
  ],
  help: ({ value }) => `Write \`(${value} // "")\`.`,
  examples: [
    {
      ...place,
      bad: '{"!jq": "{email: .email, company: (.company // \\"\\"), hours: ((.minutes // 0) / 60), phone: (.phone | «gsub(\\"[^0-9+]\\"; \\"\\")»)}"}',
      good: '{"!jq": "{email: .email, company: (.company // \\"\\"), hours: ((.minutes // 0) / 60), phone: ((.phone // \\"\\") | gsub(\\"[^0-9+]\\"; \\"\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [lacksGuard],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, diagnostics, command } = program;
      if (command.unit?.kind !== "workflow" || command.place.name !== "data_pipeline.source") return;
      // What a target gets was mapped: there, fields may be required.
      if (diagnostics.length > 0 || !node.value.includes("//") || !optional.test(node.value)) return;
      const tested = testsIn(program).flatMap(({ value }) => {
        const given = givenAt(value, program);
        return given === undefined ? [] : [{ value, ...given }];
      });
      const seen = new Set<string>();
      for (const read of nodesOfKind(program, "Postfix")) {
        const name = lastName(read);
        if (name === undefined || !isOptional.test(name) || seen.has(name)) continue;
        const given = givenAt(read, program);
        if (given === undefined) continue;
        seen.add(name);
        const owner = given.path.slice(0, -1).join("\n");
        const beside = tested.filter(
          ({ hole, path }) => hole === given.hole && path.slice(0, -1).join("\n") === owner,
        );
        const guarded = [...new Map(beside.map((each) => [each.path.at(-1)!, each])).values()];
        if (guarded.length < 2 || guarded.some(({ path }) => path.at(-1) === name)) continue;
        if (isNamedOtherwise(name, program) || isAlwaysThere(name, program, model)) continue;
        const [failed] = failures(program, given);
        if (failed === undefined) continue;
        const others = guarded.slice(0, 2).map(({ value }) => `\`${excerpt(textAt(value, program))}\``);
        report(
          lacksGuard,
          { node, from: failed.start, to: failed.end },
          {
            value: excerpt(textAt(read, program)),
            text: excerpt(textAt(failed, program)),
            others: others.join(" and "),
          },
        );
        return;
      }
    },
  },
};
export default module;

/** What many people and companies haven't got on record, in whatever service. */
const isOptional =
  /^(?:(?:home|work|mobile|cell|office|business|other|second|day|evening)_?)?(?:phone|mobile|cell|telephone|tel|fax)(?:_?(?:number|no))?$|^(?:website|homepage|birthday|birth_?date|date_of_birth|dob|middle_?name|company|company_?name|employer|job_?title|notes?|comments?|remarks?|(?:address_?)?line_?2|address_?2|street_?2)$/i;

/** The same in the text of a program, to leave early. */
const optional =
  /phone|mobile|cell|tel|fax|website|homepage|birth|dob|middle|company|employer|job_?title|notes?\b|comment|remark|2\b/i;

/** `has("phone")`, `.phone?`, `.phone | try …`, `.phone | strings`: something else decides about it. */
const isNamedOtherwise = (name: string, { node: { value } }: JqProgram): boolean =>
  new RegExp(
    `"${escapedPattern(name)}"|\\.${escapedPattern(name)}(?:\\s*\\?|\\b[^,;]{0,60}\\b(?:try|strings|type)\\b)`,
  ).test(value);

/** Whether a comment says that a member is always there. */
function isAlwaysThere(name: string, { node, command }: JqProgram, model: Model): boolean {
  if (!hasComments(model)) return false;
  const own = new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`, "i");
  return commentsAround(node, intakesAround(command.unit)).some(
    ({ value }) =>
      own.test(value) && /\b(?:always|never|required|mandatory|must|each|every|only)\b/i.test(value),
  );
}
