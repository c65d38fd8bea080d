import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { RuleModule } from "../../checks.ts";

const place = { in: "inbound-polling", at: "/data_intake/0/request/!pipe/1/!jq" } as const;
const joined = (client: string): string =>
  `". as $doc | {results: [$doc.data[] | . as $m | $m.attributes + {client: ${client}}], iterate: .meta.more, polling_state: (\${polling_state} + {page: (\${polling_state.page} + 1)})}"`;

const ownInclude = defineRule<{ read: string }>({
  id: "value/own-include",
  severity: "warning",
  summary: "An included record is looked for by the id of the record that it belongs to",
  why: "In JSON:API, `included` has the records that those in `data` are tied to, and never these themselves. A matter's id finds no client, or by chance the client of another matter.",
  guards: ["command.!jq", "D20"],
  message: ({ read }) =>
    `\`${read}\` is the id of a record in \`data\`. \`included\` has those that it is tied to, by other ids.`,
  because: ({ read }) => [
    `\`${read}\` is 912, a record of \`data\``,
    "`included` has record 77, which it is tied to: no id is equal",
  ],
  help: ({ read }) => `Read \`${read.replace(/\.id$/, "")}.relationships.….data.id\`.`,
  examples: [
    {
      ...place,
      bad: joined('first($doc.included[] | select(.type == \\"clients\\" and .id == «$m.id»))'),
      good: joined(
        'first($doc.included[] | select(.type == \\"clients\\" and .id == $m.relationships.client.data.id))',
      ),
    },
    {
      title: "In a table",
      ...place,
      bad: joined("INDEX($doc.included[]; .id)[«$m.id»]"),
      good: joined("INDEX($doc.included[]; .id)[$m.relationships.client.data.id]"),
    },
  ],
});

const module: RuleModule = {
  rules: [ownInclude],
  checks: {
    program(program, report) {
      if (program.diagnostics.length > 0 || !/\.included\b/.test(program.node.value)) return;
      for (const read of readsIn(program))
        report(ownInclude, partAt(program, read), { read: textAt(read, program) });
    },
  },
};
export default module;

/** The ids of records in `data` by which one is looked for in what is included beside them. */
const readsIn = (program: JqProgram): readonly Expression[] => [
  ...nodesOfKind(program, "Comparison").flatMap(({ operator, left, right }) => {
    if (operator !== "==") return [];
    const [one, other] = [left, right].map((side) => ({ side: bare(side), id: idOf(side, program) }));
    if (one?.id === undefined || other?.id === undefined || one.id.above !== other.id.above) return [];
    if (one.id.list === other.id.list) return [];
    return [one.id.list === "data" ? one.side : other.side];
  }),
  ...nodesOfKind(program, "Postfix").flatMap(({ head, suffixes }) => {
    const last = suffixes.findLast(({ kind }) => kind === "Index");
    const key = last?.kind === "Index" && last === suffixes[0] ? bare(last.index) : undefined;
    if (key === undefined || idOf(key, program)?.list !== "data") return [];
    return isTableOfIncluded(head, program) ? [key] : [];
  }),
];

/** Which list of an answer an id is of a record of; undefined for any other value. */
function idOf(
  node: Expression,
  program: JqProgram,
): { readonly list: "data" | "included"; readonly above: string } | undefined {
  const [source, ...others] = sourcesOf(program, node, []);
  if (source === undefined || source.kind === "made" || others.length > 0) return undefined;
  const path = source.path.filter((name) => name !== "[]");
  const list = path.at(-2);
  // The linkage of a relationship is called `data`, too.
  if (path.includes("relationships")) return undefined;
  if (path.at(-1) !== "id" || (list !== "data" && list !== "included")) return undefined;
  const from = source.kind === "hole" ? `${source.hole}` : "";
  return { list, above: [from, ...path.slice(0, -2)].join(".") };
}

/** `INDEX(.included[]; .id)`, `.included | map({key: .id, value: .}) | from_entries`, or a name for one. */
function isTableOfIncluded(head: Expression | { readonly kind: "Hole" }, program: JqProgram): boolean {
  const given = bare(head as Expression);
  const table = given.kind === "Variable" ? (boundTo(program, given) ?? given) : given;
  const parts = nodesIn(table);
  return (
    parts.some((each) => each.kind === "Call" && /^(?:INDEX|from_entries)$/.test(each.name.text)) &&
    /\.included\b/.test(textAt(table, program))
  );
}
