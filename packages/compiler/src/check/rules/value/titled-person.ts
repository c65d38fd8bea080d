import type { Comparison, Expression } from "@configc/jq";
import { constantOf, escapedPattern, memoize } from "@configc/jq/internal";
import type { Expansion, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import {
  commentsAround,
  documentedWords,
  hasComments,
  intakesAround,
} from "../../../flow/documented-words.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { RuleModule } from "../../checks.ts";

const otherPerson = defineRule<{ read: string; said: string; instead: string; title: string }>({
  id: "value/other-person-fetched",
  severity: "warning",
  summary: "The contact is made of another person than the one that a comment and the field's title mean",
  why: "A record names several people, and a comment tells them apart. With the wrong one's id the request succeeds, and inspectors or staff become contacts in place of customers.",
  guards: ["command.!http", "data_pipeline.source", "D3", "D25"],
  message: ({ read, said, instead, title }) =>
    title === ""
      ? `\`${read}\` ${said}, as a comment says: the contact is the person of \`${instead}\`.`
      : `\`${read}\` ${said}, as a comment says. Customers map “${title}”, which is the person of \`${instead}\`.`,
  because: ({ read, instead }) => [
    `a comment tells \`${read}\` and \`${instead}\` apart`,
    `the contact is made of the person of \`${read}\``,
  ],
  help: ({ instead }) => `Read \`${instead}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Email of the responsible person"}, {"id": "name", "title": "Name"}]',
        "/workflows/0/data_pipeline/_comment":
          '"visit.contact_id is the responsible person of the house, visit.surveyor_contact_id the surveyor who came."',
      },
      bad: '{"!pipe": [{"!http": {"path": "/contacts/${piped_content.0.visit.«surveyor_contact_id»}"}}, {"!jq": "{email: .contact.email, name: .contact.name}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/contacts/${piped_content.0.visit.contact_id}"}}, {"!jq": "{email: .contact.email, name: .contact.name}"}]}',
    },
  ],
});

const otherSelected = defineRule<{ member: string; selected: string; title: string; wanted: string }>({
  id: "value/other-person-selected",
  severity: "warning",
  summary: "The contact is another one of a list of people than the field's title says",
  why: "A record lists people by what they are to it. The title tells customers whose address they map; with another word in the selection they get a neighbour's for a guardian's.",
  guards: ["command.!jq", "data_pipeline.source", "D3", "D25"],
  message: ({ member, selected, title, wanted }) =>
    `The contact is the one whose \`${member}\` is “${selected}”. Customers map “${title}”, and a comment knows “${wanted}”.`,
  because: ({ selected, wanted }) => [
    `the selection takes “${selected}”`,
    `the title says “${wanted}”, which is another one of the list`,
  ],
  help: ({ wanted }) => `Select “${wanted}”.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Guardian\'s email"}, {"id": "name", "title": "Guardian\'s name"}]',
        "/workflows/0/data_pipeline/_comment":
          '"people: one with role guardian, one or more with role emergency (often a neighbour)."',
      },
      bad: '{"!jq": "(.people | map(select(«.role == \\"emergency\\"»)) | first) as $p | {email: $p.email, name: $p.name}"}',
      good: '{"!jq": "(.people | map(select(.role == \\"guardian\\")) | first) as $p | {email: $p.email, name: $p.name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherPerson, otherSelected],
  checks: {
    reach: "saved",
    workflow(workflow, report, model) {
      if (workflow.direction !== "inbound" || !hasComments(model)) return;
      const { expansions, programs } = partOfUnit(workflow, model);
      const inSource = expansions.filter(({ command }) => command?.place.name === "data_pipeline.source");
      for (const expansion of inSource) {
        const found = fetchedPerson(expansion, inSource, workflow, model);
        if (found === undefined) continue;
        const { start, end } = expansion.syntax.path.at(-1)!;
        report(otherPerson, { node: expansion.node, from: start, to: end }, found);
      }
      for (const program of programs) {
        if (program.command.place.name !== "data_pipeline.source" || program.diagnostics.length > 0) continue;
        if (!/mail/i.test(program.node.value) || !program.node.value.includes("==")) continue;
        const found = selectedPerson(program, workflow, model);
        if (found !== undefined) report(otherSelected, partAt(program, found.node), found.args);
      }
    },
  },
};
export default module;

/** Whose id a request for the contact has, where a comment says that another id is that of whom the title means, or that this one's is staff. */
function fetchedPerson(
  { root, position, syntax, node, command }: Expansion,
  all: readonly Expansion[],
  workflow: WorkflowSymbol,
  model: Model,
) {
  const read = syntax.path.at(-1)?.text ?? "";
  if (root !== "piped_content" || position !== "path" || !isIdName(read) || read === "id") return undefined;
  if (command?.key !== "!http" || syntax.end !== node.value.length) return undefined;
  for (const { value } of commentsAround(command.node, intakesAround(workflow))) {
    const said = saidOf(read, value);
    if (said === undefined) continue;
    const titles = emailTitles(workflow, model);
    for (const [instead] of value.matchAll(/[A-Za-z]\w*(?:_id|Id)\b/g)) {
      if (instead === read || all.some(({ syntax: { path } }) => path.at(-1)?.text === instead)) continue;
      const other = saidOf(instead, value);
      if (other === undefined) continue;
      const title = titles.find((each) => isMeant(each, other) && !sharesWord(each, said));
      if (title !== undefined) return { read, said: beginsWithVerb(said), instead, title };
      if (titles.length > 0 && ofStaff.test(said) && ofCustomer.test(other) && !ofCustomer.test(said))
        return { read, said: beginsWithVerb(said), instead, title: "" };
    }
  }
  return undefined;
}

/** Who only has to do with the record at work, and for whom it is. */
const ofStaff =
  /\b(?:typed|entered|keyed|recorded|logged) (?:it|this|that|them)\b|\b(?:our|their|its) own (?:staff|people)\b/i;
const ofCustomer = /\b(?:pays?|customer|client|responsible|owns?)\b/i;

const beginsWithVerb = (said: string): string => (/^(?:is|are|pays?|has)\b/.test(said) ? said : `is ${said}`);

/** What a comment says of a member, up to the next comma or dot: `the inspector who came`. */
function saidOf(name: string, comment: string): string | undefined {
  const said = saidAs(name).exec(comment)?.[1]?.trim();
  return said === undefined || said === "" || !/[a-z]{3}/.test(said) ? undefined : said;
}

const saidAs = memoize(
  (name): RegExp =>
    new RegExp(String.raw`(?<!\w)${escapedPattern(name)}["\x60]?:?\s+([a-z][^.;,(){}"]{2,100})`),
  200,
);

/** The titles of the fields with the contact's address. */
const emailTitles = (workflow: WorkflowSymbol, model: Model): readonly string[] =>
  [...offeredTitles(workflow, model)].flatMap(([id, title]) => (roleOf(id) === "email" ? [title] : []));

/** The words of a title that say whose address it is. */
const whoIn = (title: string): readonly string[] =>
  wordsOf(title.replace(/['’]s?\b/g, " "))
    .map(singular)
    .filter(
      (word) => word.length > 3 && !/^(?:mail|email|address|with|from|their|main|first|last)$/.test(word),
    );

const wordsSaid = (said: string): ReadonlySet<string> => new Set(wordsOf(said).map(singular));

/** Whether a comment speaks of the person that a title names, by all its words. */
function isMeant(title: string, said: string): boolean {
  const [who, words] = [whoIn(title), wordsSaid(said)];
  return who.length > 0 && who.every((word) => words.has(word));
}

function sharesWord(title: string, said: string): boolean {
  const words = wordsSaid(said);
  return whoIn(title).some((word) => words.has(word));
}

/** The selection of the person whose address is the contact's, where the title says another one of those that a comment lists. */
function selectedPerson(program: JqProgram, workflow: WorkflowSymbol, model: Model) {
  const titles = offeredTitles(workflow, model);
  for (const { key, value } of nodesOfKind(program, "Entry")) {
    const name = nameOf(key);
    const title = name === undefined || roleOf(name) !== "email" ? undefined : titles.get(name);
    if (title === undefined || value === undefined) continue;
    const selected = selectionBehind(value, program);
    if (selected === undefined || sharesWord(title, selected.word)) continue;
    const known = wordsKnown(selected.member, program, workflow);
    const wanted = whoIn(title).find((word) => known.has(word));
    if (wanted === undefined || !known.has(selected.word)) continue;
    const { node, member, word } = selected;
    return { node, args: { member, selected: word, title, wanted } };
  }
  return undefined;
}

/** `.role == "guardian"` of the person whom a value is read from. */
function selectionBehind(
  given: Expression,
  program: JqProgram,
): { readonly node: Comparison; readonly member: string; readonly word: string } | undefined {
  const value = bare(given);
  if (value.kind !== "Postfix" || value.head.kind !== "Variable") return undefined;
  const source = boundTo(program, value.head);
  const found = (source === undefined ? [] : nodesIn(source)).flatMap((node) => {
    if (node.kind !== "Comparison" || node.operator !== "==") return [];
    const [member, word] = [nameOfValue(node.left), constantOf(node.right)];
    return member === undefined || typeof word !== "string" ? [] : [{ node, member, word }];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The words that comments know of a member: as a list of them, or `with role guardian`. */
function wordsKnown(member: string, program: JqProgram, workflow: WorkflowSymbol): ReadonlySet<string> {
  const around = intakesAround(workflow);
  const known = new Set(documentedWords(member, program.node, around)?.words ?? []);
  const said = new RegExp(`\\b${escapedPattern(member)} ["'\`]?([a-z]+)\\b`, "g");
  for (const { value } of commentsAround(program.node, around))
    for (const [, word] of value.matchAll(said)) known.add(word!);
  return known;
}
