import type { Expression } from "@configc/jq";
import { escapedPattern, memoize } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isNoContact, isSaidContact } from "../../../flow/documented-contacts.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";

const excludedPerson = defineRule<{ text: string; person: string; isContact: boolean }>({
  id: "value/excluded-person",
  severity: "warning",
  summary: "The address of a person is used who, as a comment says, must not get this",
  why: "A record names several people. The comment says of one that nothing may be sent to them: whoever pays sees what only the resident may see. With their address, the contact is that person.",
  guards: ["command.!jq", "data_pipeline.source", "D3", "D25"],
  message: ({ text, person, isContact }) =>
    `\`${text}\` is the address of the \`${person}\`, who, as a comment says, ${isContact ? "isn't the contact" : "must not get this"}.`,
  because: ({ person }) => [`the contact has the address of the \`${person}\``, "what is sent goes there"],
  help: () => "Take the address of the other person in the record.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment": '"Billing is often the landlord, who must not get this."',
      },
      bad: '{"!jq": "{email: «.billing.email», first_name: .billing.first_name}"}',
      good: '{"!jq": "{email: .resident.email, first_name: .resident.first_name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [excludedPerson],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { unit, place } = program.command;
      if (unit?.kind !== "workflow" || !place.name.startsWith("data_pipeline.") || !hasComments(model))
        return;
      if (program.diagnostics.length > 0 || !/mail/i.test(program.node.value)) return;
      const around = commentsAround(program.node, intakesAround(unit));
      const comments = commentsAround(program.node, []).filter(({ value }) => excludes.test(value));
      const ofPeople =
        place.name === "data_pipeline.source" ? around.filter(({ value }) => people.test(value)) : [];
      if (comments.length === 0 && ofPeople.length === 0) return;
      const entries = nodesOfKind(program, "Entry");
      for (const { key, value } of entries) {
        const name = nameOf(key);
        if (name === undefined || value === undefined || roleOf(name) !== "email") continue;
        const owners = pathOf(value, program).slice(0, -1);
        for (const comment of comments) {
          const person = owners.find((owner) => isExcluded(owner, comment.value));
          if (person === undefined) continue;
          const args = { text: textAt(value, program), person, isContact: false };
          return report(excludedPerson, partAt(program, value), args, [
            { message: "the comment", at: comment },
          ]);
        }
        // What a record has besides the contact's own address may be anybody's.
        if (ofPeople.length === 0 || !/^e[-_]?mail(?:_?address)?$/i.test(name)) continue;
        if (
          entries.some(
            (each) => each.value !== undefined && each.value !== value && isWithin(value, each.value),
          )
        )
          continue;
        const texts = ofPeople.map((comment) => comment.value);
        const person = owners.every((owner) => !isSaidContact(owner, texts))
          ? owners.find((owner) => isNoContact(owner, texts))
          : undefined;
        if (person === undefined) continue;
        const args = { text: textAt(value, program), person, isContact: true };
        return report(excludedPerson, partAt(program, value), args, [
          {
            message: "the comment",
            at: ofPeople.find((comment) => comment.value.includes(person)) ?? ofPeople[0]!,
          },
        ]);
      }
    },
  },
};
export default module;

const people = /\bcontacts?\b|\bperson\b/i;
const isWithin = (inner: Expression, outer: Expression): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

const excludes =
  /\b(?:must|may|should) (?:not|never) (?:get|receive|see|be sent|be told|hear|be written to|be mailed)\b/i;

/** Whether a comment says of a member that this person isn't to get what is sent. */
const isExcluded = (owner: string, comment: string): boolean =>
  comment.split(/(?<=[.;])\s+/).some((sentence) => {
    const at = sentence.search(excludes);
    if (at < 0 || /\bonly\b/i.test(sentence) || restricts.test(sentence.slice(at))) return false;
    // Of two parts joined by `and`, the last one says who: `The doctor gets it, and the patient must not see it`.
    const before = sentence.slice(0, at);
    const joined = before.search(/,? (?:and|but) (?:the |their |an? )?[\w ]{1,30}$/i);
    return named(owner).test(
      joined < 0 || !/\bgets?\b|\breceives?\b|\bsees?\b/i.test(before) ? before : before.slice(joined),
    );
  });

/** `must not get this twice`, `unless they agreed` */
const restricts = /\b(?:twice|again|more than once|unless|until|before|without)\b/i;

/** `Billing is often …`, `the owner, who …` */
const named = memoize(
  (owner): RegExp => new RegExp(String.raw`(?<![\w.])${escapedPattern(owner)}(?:\.contact)?\b(?!'s?\b)`, "i"),
  200,
);

/** The names by which a value is read, those of a variable included: `customer`, `billing`, `email`. */
function pathOf(given: Expression, program: JqProgram): readonly string[] {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? [] : pathOf(source, program);
  }
  if (node.kind !== "Postfix") return [];
  const names = node.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const { head } = node;
  return head.kind === "Variable" ? [...pathOf(head, program), ...names] : names;
}
