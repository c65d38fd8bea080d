import { escapedPattern } from "@configc/jq/internal";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { RuleModule } from "../../checks.ts";

const otherField = defineRule<{ member: string; field: string; given: string }>({
  id: "value/other-field",
  severity: "warning",
  summary: "A member is called as a form field that nothing reads, and gets another field",
  why: "The customer chooses one thing, and another is sent in its place: the id of a shop where that of a till is wanted. The service refuses it, or takes a record that happens to have this id.",
  guards: ["expansion.custom_data", "D14"],
  message: ({ member, field, given }) =>
    `\`${member}\` gets the field \`${given}\`. Nothing reads the field \`${field}\`, which is called so.`,
  because: ({ field, given }) => [
    `nothing reads \`custom_data.${field}\``,
    `\`custom_data.${given}\` stands here`,
  ],
  help: ({ field }) => `Write \`custom_data.${field}.value\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      with: {
        "/workflows/0/setup/select/form_fields/-":
          '{"id": "till", "label": "Till", "type": "dropdown", "options": [{"display": "One", "value": "1"}]}',
      },
      bad: '{"till_id": "${custom_data.«list».value}", "email": "${piped_content.0.email}"}',
      good: '{"till_id": "${custom_data.till.value}", "email": "${piped_content.0.email}"}',
      also: ["unused/field"],
    },
  ],
});

const module: RuleModule = {
  rules: [otherField],
  checks: {
    reach: "linked",
    expansion(expansion, report) {
      const { fields, fieldExact, unit, syntax, node, command } = expansion;
      const [given, ...others] = expansion.root === "custom_data" && fieldExact === true ? fields : [];
      if (given?.id === undefined || others.length > 0 || unit?.kind !== "workflow") return;
      if (unit.fields.every(({ references }) => references.length > 0)) return;
      const member =
        command?.program?.node === node ? entryOf(expansion, command.program) : memberOf(expansion);
      const text = command?.program?.node === node ? node.value : siblingsOf(expansion);
      const field =
        member === undefined
          ? undefined
          : (namedAs(member, unit.fields) ?? namedLike(member, given.id, text, unit.fields));
      if (member === undefined || field?.id === undefined || field === given) return;
      if (field.references.length > 0) return;
      const { start, end } = syntax.path[1]!;
      report(otherField, { node, from: start, to: end }, { member, field: field.id, given: given.id });
    },
  },
};
export default module;

/** The member that is the expansion, and nothing else. */
const memberOf = ({ node, syntax }: Expansion): string | undefined =>
  node.parent?.kind === "member" && syntax.end - syntax.start === node.value.length
    ? node.parent.name
    : undefined;

/** The same in a program: the hole itself, or a text of it. */
function entryOf({ syntax }: Expansion, program: JqProgram): string | undefined {
  for (const { entries } of nodesOfKind(program, "Object"))
    for (const { key, value } of entries)
      if (value !== undefined && value.start <= syntax.start && syntax.end <= value.end)
        if (value.end - value.start <= syntax.end - syntax.start + 2) return nameOf(key);
  return undefined;
}

/** The field that a member is called as, by all its words but for an `id`. */
function namedAs(member: string, fields: readonly FieldSymbol[]): FieldSymbol | undefined {
  const name = stemOf(member);
  return name === "" ? undefined : fields.find(({ id }) => id !== undefined && stemOf(id) === name);
}

/** `to` of `to_uic`, where `from_uic` beside it is called after the field that is read. */
function namedLike(
  member: string,
  given: string,
  text: string,
  fields: readonly FieldSymbol[],
): FieldSymbol | undefined {
  const [name, last, ...more] = wordsOf(member);
  if (last === undefined || more.length > 0 || !/^[a-z]\w*$/i.test(given)) return undefined;
  if (!new RegExp(`\\b${given}_?${escapedPattern(last)}\\b`, "i").test(text)) return undefined;
  return fields.find(({ id }) => id === name);
}

/** The names of the members beside the one that is an expansion. */
const siblingsOf = ({ node }: Expansion): string =>
  node.parent?.kind === "member" && node.parent.parent?.kind === "object"
    ? node.parent.parent.members.map(({ name }) => name).join(" ")
    : "";

const stemOf = (name: string): string => {
  const words = wordsOf(name);
  return (/^(?:id|uuid|key|code)$/.test(words.at(-1) ?? "") ? words.slice(0, -1) : words).join(" ");
};
