import type { Expression } from "@configc/jq";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame } from "../../../flow/counted.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { itemOfAnswer, listsRecords } from "../../../flow/listed-records.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { expansionTrails, trailsOf } from "../../../flow/origin.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { ShapeUse } from "../../../flow/shape-reads.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { shapeReadsByName } from "../response/shape-reads.ts";
import { recordKept, recordSent } from "./record-as-id.ts";

const wholeObjectAsId = defineRule<{ name: string; text: string; read: string }>({
  id: "jq/whole-object-as-id",
  severity: "warning",
  summary: "An id gets a member that is an object wherever else it is read",
  why: "A service that sends `agent` as an object has the id in it. Where an id is wanted, the object is refused, or it is stored as a text that finds nothing.",
  guards: ["command.!jq", "command.!http", "D9", "D23"],
  message: ({ name, text, read }) =>
    `\`${name}\` gets \`${text}\`, which is an object elsewhere: \`${read}\` is read of it.`,
  because: ({ name, text, read }) => [
    `\`${read}\` is read: \`${text}\` is an object`,
    `\`${name}\` wants an id`,
  ],
  help: ({ text }) => `Read the id of it, most likely with \`${text}.id\`.`,
  examples: [
    {
      title: "New, or signed up before",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/lookup", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) > 0 then 1 else 0 end", "cases": [{"!http": {"method": "POST", "path": "/sign-ups", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/sign-ups/current", "body": {"email": "${piped_content.0.email}"}}}]}}, {"!print_c": "Person ${piped_content.2.person.name}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"person_id": "${«piped_content.2.person»}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/lookup", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) > 0 then 1 else 0 end", "cases": [{"!http": {"method": "POST", "path": "/sign-ups", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/sign-ups/current", "body": {"email": "${piped_content.0.email}"}}}]}}, {"!print_c": "Person ${piped_content.2.person.name}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"person_id": "${piped_content.2.person.id}"}}}]}',
    },
    {
      title: "An answer",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/sign-ups", "body": {"email": "${piped_content.0.email}"}}}, {"!print_c": "Person ${piped_content.1.person.name}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"person_id": "${«piped_content.1.person»}"}}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/sign-ups", "body": {"email": "${piped_content.0.email}"}}}, {"!print_c": "Person ${piped_content.1.person.name}"}, {"!http": {"method": "POST", "path": "/entries", "body": {"person_id": "${piped_content.1.person.id}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [wholeObjectAsId],
  checks: {
    // The same record is read in other workflows.
    document(model, report) {
      const given = idsGiven(model);
      if (given.length === 0) return;
      const uses = shapeReadsByName(model);
      for (const each of given) {
        const { member, name, text, at } = each;
        const found = uses.get(name) ?? [];
        const other = found.find(
          ({ use, member: read, at: place }) =>
            use === "member" && read !== undefined && (place.node !== at.node || place.from !== at.from),
        );
        if (other === undefined || found.some(({ use }) => contradicts.has(use)) || !isAsSent(each, model))
          continue;
        if (isToldAsRecord(each, model)) continue;
        report(wholeObjectAsId, at, { name: member, text, read: `${name}.${other.member}` }, [
          { message: "read as an object", at: other.at },
        ]);
      }
    },
  },
};
export default module;

/** What a request alone shows to be a record is told as that (`jq/record-as-id`). */
const isToldAsRecord = ({ from, member }: Given, model: Model): boolean =>
  ("program" in from ? recordKept(from.value, from.program, model) : recordSent(from, member, model)) !==
  undefined;

/** Uses of a member by which it is an id itself, or of which nothing is known. */
const contradicts: ReadonlySet<ShapeUse> = new Set([
  "text",
  "number",
  "pasted",
  "listed",
  "asked",
  "iterated",
]);

interface Given {
  readonly member: string;
  /** What is read. */
  readonly name: string;
  readonly text: string;
  readonly at: StringPart;
  readonly from: { readonly program: JqProgram; readonly value: Expression } | Expansion;
}

/** Whether a value is what the service sent under that name or a record of a list that it sent, and none that a step made. */
function isAsSent({ from, name }: Given, model: Model): boolean {
  const flow = flowOf(model);
  const trails =
    "program" in from
      ? trailsOf(flow, from.program, from.value)
      : expansionTrails(flow, from, from.syntax.path.length);
  return (
    isAsItCame(trails) &&
    trails.every(({ origin }) => {
      const item = itemOfAnswer(origin);
      if (item !== undefined) return listsRecords(item) !== undefined;
      return "path" in origin && origin.path.at(-1) === name;
    })
  );
}

/** Ids that get a member of the name of their record: `agent_id: .agent`. */
const idsGiven = derivedByPart(({ programs, expansions }: Part): readonly Given[] => [
  ...programs.flatMap(idsMade),
  ...expansions.flatMap((expansion): readonly Given[] => {
    const { root, rootExact, node, syntax } = expansion;
    if (root !== "piped_content" || !rootExact) return [];
    const isWhole = syntax.start === 0 && syntax.end === node.value.length;
    const member = isWhole && node.parent?.kind === "member" ? node.parent.name : undefined;
    const [first, , , ...others] = syntax.path;
    const last = others.at(-1) ?? syntax.path[2];
    if (member === undefined || last === undefined) return [];
    if (first === undefined || !isIdOf(member, last.text)) return [];
    const text = syntax.path.map((each) => each.text).join(".");
    return [
      { member, name: last.text, text, at: { node, from: first.start, to: last.end }, from: expansion },
    ];
  }),
]);

function idsMade(program: JqProgram): readonly Given[] {
  const { node, diagnostics } = program;
  if (diagnostics.length > 0 || !/(?:_|\b)id\b|Id\b/.test(node.value)) return [];
  return nodesOfKind(program, "Entry").flatMap(({ key, value }): readonly Given[] => {
    const name = value === undefined ? undefined : memberRead(value);
    const member = name === undefined ? undefined : nameOf(key);
    if (member === undefined || value === undefined || name === undefined || !isIdOf(member, name)) return [];
    // What this program reads of it is told there.
    const text = node.value.slice(value.start, value.end).trim();
    if (node.value.includes(`${text}.`)) return [];
    return [{ member, name, text, at: { node, from: value.start, to: value.end }, from: { program, value } }];
  });
}

function memberRead(given: Expression): string | undefined {
  const value = bare(given);
  if (value.kind !== "Postfix" || value.suffixes.some(({ kind }) => kind !== "Field")) return undefined;
  const last = value.suffixes.at(-1);
  return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
}

/** Whether a name is that of the id of a record: `agent_id` of `agent`. */
function isIdOf(member: string, name: string): boolean {
  if (!isIdName(member)) return false;
  const words = wordsOf(member);
  return words.length > 1 && words.slice(0, -1).join(" ") === wordsOf(name).join(" ");
}
