import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { sharesIds } from "../../../flow/said/of-name.ts";
import type { RuleModule } from "../../checks.ts";

const oneIdTwoKinds = defineRule<{ kind: string; read: string; own: string }>({
  id: "value/one-id-two-kinds",
  severity: "warning",
  summary: "A record of one kind is looked up by the id of another kind of record",
  why: "Answers often list related records of several kinds together, each with an id of its kind. By the id of another kind nothing is found, or a record that has the same number by chance: a contact gets the name and address of a stranger.",
  guards: ["command.!jq", "D23"],
  message: ({ kind, read, own }) =>
    `Of \`${kind}\` the one with the id \`${read}\` is looked for, which is the id of ${own}.`,
  because: ({ kind, own }) => [
    `\`${kind}\` and the records of ${own} are counted apart`,
    "nothing is found, or whatever has the same id by chance",
  ],
  help: ({ kind }) => `Read the id that belongs to \`${kind}\`.`,
  examples: [
    {
      title: "Records with a type",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $doc | {email: (first($doc.included[] | select(.type == \\"owners\\" and .id == «$doc.data.boat.id»)) | .email), boat: (first($doc.included[] | select(.type == \\"boats\\" and .id == $doc.data.boat.id)) | .name)}"}',
      good: '{"!jq": ". as $doc | {email: (first($doc.included[] | select(.type == \\"owners\\" and .id == $doc.data.owner.id)) | .email), boat: (first($doc.included[] | select(.type == \\"boats\\" and .id == $doc.data.boat.id)) | .name)}"}',
    },
    {
      title: "A list of each kind",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": ". as $doc | {email: (first($doc.owners[] | select(.id == «$doc.boat_id»)) | .email), boat: (first($doc.boats[] | select(.id == $doc.boat_id)) | .name)}"}',
      good: '{"!jq": ". as $doc | {email: (first($doc.owners[] | select(.id == $doc.owner_id)) | .email), boat: (first($doc.boats[] | select(.id == $doc.boat_id)) | .name)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [oneIdTwoKinds],
  checks: {
    // A comment may say that they have the same ids.
    reach: "saved",
    program(program, report, model) {
      const { value } = program.node;
      if (!/\bselect\b/.test(value) || !/\bid\b/.test(value)) return;
      const lookups = lookupsIn(program);
      const kinds = new Set(lookups.map(({ noun }) => noun));
      if (kinds.size < 2) return;
      for (const { kind, noun, read } of lookups) {
        const own = nounRead(textAt(read, program));
        if (own === undefined || mayBeSame(own, noun) || !kinds.has(own)) continue;
        // What there is one of for each record often has the record's id.
        if (beside.test(noun) || sharesIds(noun, own, program.command, model)) continue;
        report(oneIdTwoKinds, partAt(program, read), { kind, read: textAt(read, program), own });
      }
    },
  },
};
export default module;

export const beside =
  /^(?:profile|detail|stat|statistic|setting|preference|info|summary|meta|metadatum|balance|score|account|credential|membership|subscription|address|wallet|cart|basket|avatar)$/;

interface Lookup {
  /** What the records are called: `owners`. */
  readonly kind: string;
  readonly noun: string;
  /** What their id is compared with. */
  readonly read: Expression;
}

/** `select(.type == "owners" and .id == …)`, and `.owners[] | select(.id == …)`. */
function lookupsIn(program: JqProgram): readonly Lookup[] {
  const found: Lookup[] = [];
  const lists = listsBefore(program);
  for (const call of nodesOfKind(program, "Call")) {
    const [condition, ...others] = call.name.text === "select" ? call.arguments : [];
    if (condition === undefined || others.length > 0) continue;
    const compared = operandsOf(condition).flatMap((operand) => {
      const node = bare(operand);
      return node.kind === "Comparison" && node.operator === "==" ? [node] : [];
    });
    const reads = compared.flatMap(({ left, right }) => {
      const [own, other] = isOwn(left, "id", program) ? [left, right] : [right, left];
      return isOwn(own, "id", program) && isPath(other) ? [other] : [];
    });
    const [read, ...more] = reads;
    if (read === undefined || more.length > 0) continue;
    const said = compared
      .flatMap(({ left, right }) => (isOwn(left, "type", program) ? [constantOf(right)] : []))
      .find((each) => typeof each === "string");
    const kind = typeof said === "string" ? said : lists.get(call);
    const noun = kind === undefined ? undefined : nounOf(kind);
    if (kind !== undefined && noun !== undefined) found.push({ kind, noun, read });
  }
  return found;
}

/** What must hold all together. */
function operandsOf(condition: Expression): readonly Expression[] {
  const node = bare(condition);
  return node.kind === "Logical" && node.operator === "and" ? node.operands.flatMap(operandsOf) : [node];
}

/** `.id` or `.type`, as text or not. */
const isOwn = (node: Expression, name: string, program: JqProgram): boolean =>
  new RegExp(String.raw`^\.${name}(?: *\| *tostring)?$`).test(textAt(bare(node), program));

/** `$doc.data.relationships.owner.data.id` */
function isPath(node: Expression): boolean {
  const inner = bare(node);
  if (inner.kind === "Pipeline") return isPath(inner.stages[0] as Expression);
  return inner.kind === "Postfix" && inner.suffixes.every(({ kind }) => kind === "Field");
}

/** The lists whose records each `select` looks at: `owners` of `.owners[] | select(…)` and of `.owners | map(select(…))`. */
function listsBefore(program: JqProgram): ReadonlyMap<Node, string> {
  const found = new Map<Node, string>();
  for (const { stages } of nodesOfKind(program, "Pipeline"))
    for (const [index, stage] of stages.entries()) {
      const before = stages[index - 1];
      if (before === undefined || stage.kind !== "Call") continue;
      const [given] = stage.name.text === "map" ? stage.arguments : [];
      // A name is short: what stands far before it says nothing.
      const text = program.node.value.slice(Math.max(before.start, before.end - 80), before.end).trim();
      const list = (given === undefined ? /\.(\w+)\[\]$/ : /\.(\w+)$/).exec(text)?.[1];
      if (list !== undefined) found.set(given ?? stage, list);
    }
  return found;
}

/** The kind of record whose id a path reads: `boat` of `.boat.data.id`, `.boat.id` and `.boat_id`. */
function nounRead(text: string): string | undefined {
  const [, owner] = /\.(\w+)(?:\.data)?\.id$/.exec(text) ?? [];
  if (owner !== undefined) return owner === "data" ? undefined : nounOf(owner);
  const [, last] = /(?:\.|\$)(\w+)$/.exec(text) ?? [];
  return last === undefined ? undefined : nounOfId(last);
}
