import type { Expression } from "@configc/jq";
import { escapedPattern, memoize } from "@configc/jq/internal";
import type { Expansion, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const secondPerson = defineRule<{ first: string; other: string; person: string }>({
  id: "value/second-person",
  severity: "warning",
  summary: "An address that is only a fallback, as a comment says, comes first",
  why: "Of two people, the second one is asked only where the first has no address. Turned, all those who have their own are written to at the other person's, and become one contact with them.",
  guards: ["command.!jq", "data_pipeline.source", "D3", "D25"],
  message: ({ first, other, person }) =>
    `\`${first}\` comes before \`${other}\`, but a comment says that the ${person} is written to only where there is no other address.`,
  because: ({ first, other }) => [`both addresses are there`, `\`${first}\` is taken, and not \`${other}\``],
  help: ({ first, other }) => `Turn them: \`${other} // ${first}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"Children often have no address; only then we write to the guardian."',
      },
      bad: '{"!jq": "{email: («.guardian.email // .member.email»), name: .member.name}"}',
      good: '{"!jq": "{email: (.member.email // .guardian.email), name: .member.name}"}',
    },
  ],
});

const otherContact = defineRule<{ read: string; wanted: string }>({
  id: "value/other-than-written-to",
  severity: "warning",
  summary: "A person of a record is taken, though a comment says that another one is written to",
  why: "A record names several people by their ids. A comment says which of them gets what is sent. With another one, the contact is somebody in the accounts department who knows nothing of it.",
  guards: ["command.!http", "command.!jq", "data_pipeline.source", "D3"],
  message: ({ read, wanted }) =>
    `\`${read}\` is taken, but a comment says that \`${wanted}\` is who is written to, and nothing takes that.`,
  because: ({ read, wanted }) => [
    `a record has \`${wanted}\` and \`${read}\``,
    `the person behind \`${read}\` becomes the contact`,
  ],
  help: ({ wanted }) => `Take \`${wanted}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"An order has buyer_contact_id (whom we write to) and billing_contact_id."',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.order.«billing_contact_id»}"}}, {"!jq": "{email: .email, name: .name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.order.buyer_contact_id}"}}, {"!jq": "{email: .email, name: .name}"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [secondPerson, otherContact],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const { position, command, node, syntax, root } = expansion;
      if (position !== "path" || root !== "piped_content" || !hasComments(model)) return;
      const unit = command?.unit;
      const last = syntax.path.at(-1);
      if (unit?.kind !== "workflow" || command?.place.name !== "data_pipeline.source" || last === undefined)
        return;
      const found = writtenTo(expansion, last.text, unit, model);
      if (found === undefined) return;
      report(
        otherContact,
        { node, from: last.start, to: last.end },
        { read: last.text, wanted: found.wanted },
        [{ message: "the comment", at: found.comment }],
      );
    },
    program(program, report, model) {
      const { unit, place } = program.command;
      if (unit?.kind !== "workflow" || place.name !== "data_pipeline.source" || !hasComments(model)) return;
      if (program.diagnostics.length > 0 || !/mail/i.test(program.node.value)) return;
      const comments = commentsAround(program.node, intakesAround(unit)).filter(
        ({ value }) => secondsIn(value).length > 0,
      );
      if (comments.length === 0) return;
      for (const { node, first, other } of pairsIn(program)) {
        const [one, two] = [first, other].map((each) => pathOf(each, program));
        if (one === undefined || two === undefined || roleOf(one.at(-1) ?? "") !== "email") continue;
        if (one.at(-1) !== two.at(-1)) continue;
        for (const comment of comments) {
          const person = secondsIn(comment.value).find((each) => one.includes(each) && !two.includes(each));
          if (person === undefined) continue;
          const args = {
            first: excerpt(textAt(first, program)),
            other: excerpt(textAt(other, program)),
            person,
          };
          return report(secondPerson, partAt(program, node), args, [{ message: "the comment", at: comment }]);
        }
      }
    },
  },
};
export default module;

/** `a // b`, and `if a != null then a else b end`. */
function* pairsIn(program: JqProgram) {
  for (const node of nodesOfKind(program, "Alternative")) {
    const [first, other] = node.operands;
    if (first !== undefined && other !== undefined)
      yield { node: { start: first.start, end: other.end }, first, other };
  }
  for (const node of nodesOfKind(program, "If")) {
    const [branch, ...others] = node.branches;
    if (branch === undefined || others.length > 0 || node.otherwise === undefined) continue;
    const text = textAt(bare(branch.body), program);
    // It asks for what it gives.
    const isAsked =
      textAt(branch.condition, program).includes(text) &&
      !/==|\bnot\b/.test(textAt(branch.condition, program));
    if (isAsked) yield { node, first: branch.body, other: node.otherwise };
  }
}

const second = [
  /\b(?:only then|only in that case|only if not|failing that|for want of (?:one|it)|if (?:it|that|this) is (?:missing|empty|null))\b,?[^.;]{0,30}?\b(?:the|its|their|her|his) ([a-z]+)\b/gi,
  /\b(?:falls? back|fallback is|fallback:?)(?: to| on)? (?:the|its|their|her|his|that of the) ([a-z]+)\b/gi,
  /\b(?:the|their|its) ([a-z]+)(?:'s(?: \w+)?)? (?:is|are|comes?|gets?)[^.;,]{0,30} only (?:if|when|where) [^.;]{0,60}\b(?:no|none|missing|without|lacks?|null|empty)\b/gi,
];

/** Who is written to only where somebody else has no address; an edit leaves most comments as they are. */
const secondsIn = memoize((comment: string): readonly string[] => {
  if (!/only|fall|failing|for want|missing|empty|null/i.test(comment)) return [];
  const sentences = comment
    .split(/(?<=\.)\s+/)
    .filter((each) => !/\b(?:phone|mobile|number|SMS|call)s?\b/i.test(each));
  return sentences.flatMap((sentence) =>
    second.flatMap((form) => [...sentence.matchAll(form)].map(([, person]) => person!.toLowerCase())),
  );
}, 200);

/** The names by which a value is read, those of a variable included. */
function pathOf(given: Expression, program: JqProgram): readonly string[] | undefined {
  const node = bare(given);
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? undefined : pathOf(source, program);
  }
  if (node.kind === "Hole") return program.holes[node.hole]?.syntax.path.map(({ text }) => text);
  if (node.kind !== "Postfix") return undefined;
  const names = node.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const { head } = node;
  const before = head.kind === "Variable" || head.kind === "Hole" ? (pathOf(head, program) ?? []) : [];
  return [...before, ...names];
}

/** `primary_contact_id (whom we write to)`, `We write to primary_contact_id` */
const person = String.raw`([A-Za-z]\w*(?:_id|Id))(?![\w])`;
const addressed = [
  new RegExp(
    String.raw`${person} \((?:whom|who|the (?:one|person) (?:whom|who|that)?) ?(?:we|you) (?:write to|mail|write|email|contact|address)\b`,
    "g",
  ),
  new RegExp(
    String.raw`${person}(?:,| is| \()? ?(?:whom we (?:write to|mail|email)|who (?:gets|receives) (?:our |all |the )?(?:mails?|emails?|letters?|messages?))\b`,
    "g",
  ),
  new RegExp(
    String.raw`\b[Ww]e (?:write|mail|send mails?|send emails?) (?:only )?to (?:the )?${person}`,
    "g",
  ),
];

/** The id of the person that a comment says is written to, where a path takes another one of the same record and nothing takes that. */
function writtenTo({ node }: Expansion, name: string, workflow: WorkflowSymbol, model: Model) {
  const words = wordsOf(name);
  if (words.length < 3 || words.at(-1) !== "id") return undefined;
  const comments = commentsAround(node, intakesAround(workflow)).filter(({ value }) => value.includes(name));
  for (const comment of comments)
    for (const form of addressed)
      for (const [, wanted = ""] of comment.value.matchAll(form)) {
        if (wanted === name || wordsOf(wanted).slice(-2).join() !== words.slice(-2).join()) continue;
        const own = new RegExp(`(?<![\\w-])${escapedPattern(wanted)}(?![\\w-])`);
        const { programs, templates } = partOfUnit(workflow, model);
        if (![...programs, ...templates].some((each) => own.test(each.node.value)))
          return { wanted, comment };
      }
  return undefined;
}
