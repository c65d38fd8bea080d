import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Compared, comparedIn, mayBeOf } from "../../../flow/compared-constants.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { documentedWords, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

const source = (table: string): string => `{"!jq": "{email: .email, outcome: {${table}}[.state]}"}`;

const qualifiedWord = defineRule<{ word: string; name: string; instead: string; isSaid: boolean }>({
  id: "value/qualified-word",
  severity: "warning",
  summary: "A state is looked up as the event that tells of it, or an event as the state",
  why: "A service calls an event `visit.closed` and the state of the visit `closed`. A table for one of them has nothing for the other: what is looked up is null for every record, and null clears the field of the contact.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ word, name, instead, isSaid }) =>
    isSaid
      ? `\`${name}\` is never \`${word}\`. By the comment it is \`${instead}\`.`
      : `\`${word}\` is the name of an event that is registered. \`${name}\` is \`${instead}\` then, as its other words show.`,
  because: ({ word, name, instead }) => [
    `\`${name}\` is \`${instead}\``,
    `\`${word}\` is compared with it, and never the same`,
  ],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"state is closed or missed"' },
      bad: source('«\\"visit.closed\\"»: \\"Came\\", \\"visit.missed\\": \\"Missed\\"'),
      good: source('\\"closed\\": \\"Came\\", \\"missed\\": \\"Missed\\"'),
    },
    {
      title: "One key of a table",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["visit.booked", "visit.done"]}',
      },
      bad: source('\\"booked\\": \\"Booked\\", «\\"visit.done\\"»: \\"Done\\", \\"off\\": \\"Called off\\"'),
      good: source('\\"booked\\": \\"Booked\\", \\"done\\": \\"Done\\", \\"off\\": \\"Called off\\"'),
    },
  ],
});

const otherTable = defineRule<{ name: string; other: string; words: readonly string[] }>({
  id: "value/table-of-other-member",
  severity: "warning",
  summary: "A table has the words of another member than the one that is looked up in it",
  why: "A comment lists the words of each member. A table for the stage has nothing for an area: what is looked up is null for every record, and null clears the field of the contact.",
  guards: ["command.!jq", "D3", "D23"],
  message: ({ name, other, words }) =>
    `The keys are what a comment lists for \`${other}\`: ${allNames(words)}. Looked up is \`${name}\`.`,
  because: ({ name, other }) => [`the table is for \`${other}\``, `\`${name}\` is none of its keys`],
  help: ({ other }) => `Look up \`.${other}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment":
          '"{id, area: \\"housing\\", stage: \\"advice\\"}. stage is enquiry, advice or court."',
      },
      bad: '{"!jq": "{email: .email, stage: «{enquiry: \\"New\\", advice: \\"Advised\\", court: \\"In court\\"}»[.area]}"}',
      good: '{"!jq": "{email: .email, stage: {enquiry: \\"New\\", advice: \\"Advised\\", court: \\"In court\\"}[.stage]}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [qualifiedWord, otherTable],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !/\}\s*\)?\s*\[|\$\w+\[/.test(program.node.value)) return;
      for (const table of comparedIn(program)) {
        if (table.order !== undefined || table.values.length < 2) continue;
        const words = table.values.filter((each) => typeof each === "string");
        if (words.length < table.values.length) continue;
        const found = qualified(table, words, program, model);
        if (found !== undefined) {
          const { word, instead, isSaid } = found;
          const args = { word, name: table.name, instead, isSaid };
          report(qualifiedWord, partAt(program, table.node(word)), args);
          continue;
        }
        const other = otherMember(table.name, words, program, model);
        const object = nodesOfKind(program, "Object").find(
          ({ entries }) => entries[0]?.key === table.node(words[0]!),
        );
        if (other !== undefined && object !== undefined)
          report(otherTable, partAt(program, object), { name: table.name, other, words });
      }
    },
  },
};
export default module;

/** `closed` of `visit.closed` */
const tailOf = (word: string): string | undefined => /^[A-Za-z][\w-]*[.:/]([A-Za-z][\w-]*)$/.exec(word)?.[1];

/** What is called as events are is one, and has whole names. */
const ofEvent = /event|topic|type|action|trigger|hook|kind|name/i;

/** A word that is the name of an event where the member has its last part, or the other way round. */
function qualified({ name, owner }: Compared, words: readonly string[], program: JqProgram, model: Model) {
  const listed = hasComments(model)
    ? documentedWords(name, program.node, intakesAround(program.command.unit))
    : undefined;
  if (listed !== undefined) {
    if (owner !== undefined && !mayBeOf(owner, listed)) return undefined;
    for (const word of words) {
      if (listed.words.includes(word)) continue;
      const tail = tailOf(word);
      const instead = listed.words.find((each) => each === tail || tailOf(each) === word);
      if (instead !== undefined) return { word, instead, isSaid: true };
    }
    return undefined;
  }
  if (ofEvent.test(name) || words.length < 3) return undefined;
  const [odd, ...others] = words.filter((word) => !/^[A-Za-z][\w-]*$/.test(word));
  const tail = odd === undefined || others.length > 0 ? undefined : tailOf(odd);
  // Where a comment has the whole word, the service may, too.
  const isSaid = (): boolean =>
    saysAround(new RegExp(`(?<![\\w.])${escapedPattern(odd!)}(?![\\w.]\\w)`), program.command, model);
  return tail !== undefined && isRegistered(odd!, program) && !isSaid()
    ? { word: odd!, instead: tail, isSaid: false }
    : undefined;
}

/** Whether an intake of the workflow registers it as an event. */
function isRegistered(event: string, { command: { unit } }: JqProgram): boolean {
  const intake = unit?.kind === "workflow" ? unit.intake?.target : undefined;
  const create = intake?.commands.get("create");
  if (intake === undefined || create === undefined) return false;
  const written = JSON.stringify(event);
  return (allIn(create) ?? []).some(
    ({ argument }) => argument !== undefined && JSON.stringify(toJson(argument)).includes(written),
  );
}

/** The member whose words, by a comment, are the keys of a table. */
function otherMember(
  name: string,
  words: readonly string[],
  program: JqProgram,
  model: Model,
): string | undefined {
  if (words.length < 3 || !hasComments(model)) return undefined;
  const intakes = intakesAround(program.command.unit);
  const shown = documentedAt(program.command, model);
  // Of what a comment shows nothing, its words may be the same.
  if (shown.get(name) === undefined || documentedWords(name, program.node, intakes) !== undefined)
    return undefined;
  const keys = [...words].sort().join("\n");
  return [...shown.keys()].find((other) => {
    if (other === name || other === "") return false;
    const listed = documentedWords(other, program.node, intakes)?.words;
    return listed !== undefined && [...listed].sort().join("\n") === keys;
  });
}
