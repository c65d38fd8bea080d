import type { Expression, ObjectConstruction } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOfId } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import type { RuleModule } from "../../checks.ts";

const doubledMember = defineRule<{ member: string; other: string; written: string }>({
  id: "value/doubled-member",
  severity: "warning",
  summary: "Two members that are about different things get the same value",
  why: "One of the two is a copy that wasn't changed. Its own value is never sent, so it's wrong for every record.",
  guards: ["command.!jq", "data_pipeline.source"],
  message: ({ member, other, written }) =>
    `\`${member}\` and \`${other}\` both get \`${written}\`. By its name it belongs to \`${other}\`.`,
  because: ({ member, other, written }) => [
    `\`${other}\`: \`${written}\``,
    `\`${member}\`: \`${written}\` too`,
  ],
  help: ({ member }) => `Read what \`${member}\` says.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, first_name: .first_name, last_name: «.first_name»}"}',
      good: '{"!jq": "{email: .email, first_name: .first_name, last_name: .last_name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [doubledMember],
  checks: {
    // A comment may say that it is the same.
    reach: "saved",
    program(program, report, model) {
      for (const object of nodesOfKind(program, "Object"))
        for (const { member, other, value } of doubledIn(object, program)) {
          if (isEnd(member) && isOfOneDay(member, program, model)) continue;
          const written = textAt(value, program);
          report(
            doubledMember,
            { node: program.node, from: value.start, to: value.end },
            { member, other, written },
          );
        }
    },
  },
};
export default module;

const isEnd = (member: string): boolean => /^(?:start|end)/.test(member);

/** Whether a comment or the title says that what begins ends on the same day. */
export function isOfOneDay(member: string, { command }: JqProgram, model: Model): boolean {
  const { unit, place } = command;
  const title =
    unit?.kind === "workflow" && place.name === "data_pipeline.source"
      ? offeredTitles(unit, model).get(member)
      : undefined;
  return oneDay.test(title ?? "") || saysAround(oneDay, command, model);
}

const oneDay =
  /\b(?:of|for|on) (?:one|a single|the same) day\b|\bsame day\b|\b(?:one|all)[- ]day\b|\bno end\b/i;

interface Doubled {
  readonly member: string;
  readonly other: string;
  readonly value: Expression;
}

/** Members with the value of another one, which has it by its name. */
export function doubledIn({ entries }: ObjectConstruction, program: JqProgram): readonly Doubled[] {
  // It takes two.
  if (entries.length < 2) return [];
  const named: { readonly member: string; readonly value: Expression; readonly text: string }[] = [];
  for (const { key, value } of entries) {
    const member = nameOf(key);
    if (member !== undefined && value !== undefined)
      named.push({ member, value, text: textAt(value, program) });
  }
  const own = named.filter(({ member, value }) => nameOfValue(value) === member);
  if (own.length === 0) return [];
  return named.flatMap(({ member, value, text }) => {
    const other = own.find(
      (each) => each.text === text && each.member !== member && areApart(member, each.member),
    );
    return other === undefined ? [] : [{ member, other: other.member, value }];
  });
}

/** Names that are never the same thing of one record. */
const parts: readonly ReadonlySet<string>[] = [
  "first_name last_name",
  "given_name family_name",
  "firstname lastname",
  "city street country zip postcode postal_code state",
  "city address country",
  "start end",
  "starts_at ends_at",
  "start_time end_time",
  "starts_on ends_on",
  "street house_number",
].map((names) => new Set(names.split(" ")));

function areApart(a: string, b: string): boolean {
  const [first, second] = [nounOfId(a), nounOfId(b)];
  if (first !== undefined && second !== undefined) return !mayBeSame(first, second);
  return parts.some((names) => names.has(a) && names.has(b));
}
