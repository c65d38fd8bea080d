import { children, type Node, types } from "@configc/jq";
import { nearest } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { partAt } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { choiceTables } from "./choice-tables.ts";
import { documentedTables } from "./documented-tables.ts";

const tableKey = defineRule<{
  missing: readonly string[];
  keys: readonly string[];
  suggestion: string | undefined;
  /** A key that nothing looks up. */
  idle: string | undefined;
  isRegistered?: true;
}>({
  id: "jq/no-such-key",
  severity: "warning",
  summary: "A lookup table lacks a key",
  why: "A table such as `{low: 0, high: 1}[…]` gives null for a key that it lacks. Customers who choose that option silently get null, or a default.",
  guards: ["D23", "field.options"],
  message: ({ missing, suggestion }) =>
    `The table has no ${allNames(missing)}, but this may look ${missing.length === 1 ? "it" : "them"} up.${didYouMean(suggestion)}`,
  because: ({ missing, idle, isRegistered }) => [
    isRegistered
      ? `\`create\` registers \`${missing[0]}\`, and it comes`
      : `a customer chooses \`${missing[0]}\``,
    "the table gives null",
    ...(idle === undefined ? [] : [`nothing looks \`${idle}\` up, which it has`]),
  ],
  help: ({ keys }) => `It has ${allNames(keys)}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '[{"display": "News", "value": "news"}, {"display": "Offers", "value": "offers"}]',
      },
      bad: '{"!pipe": [{"!jq": "{list: {news: 1, ofers: 2}[«${custom_data.list.value}»]}"}, {"!http": {"method": "POST", "path": "/lists", "body": {"list": "${piped_content.1.list}"}}}]}',
      good: '{"!pipe": [{"!jq": "{list: {news: 1, offers: 2}[${custom_data.list.value}]}"}, {"!http": {"method": "POST", "path": "/lists", "body": {"list": "${piped_content.1.list}"}}}]}',
    },
    {
      title: "Records that were chosen, and not the choice itself",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "States", "id": "states", "type": "multiselect", "options": [{"display": "Booked", "value": "booked"}, {"display": "On lease", "value": "active"}, {"display": "Bought", "value": "bought"}]}',
      },
      bad: '{"!jq": "if (.state | IN(${custom_data.states.value}[])) then {email: .email, _tags: [{booked: \\"Booked\\", active: \\"On lease\\"}[«.state»]]} else null end"}',
      good: '{"!jq": "if (.state | IN(${custom_data.states.value}[])) then {email: .email, _tags: [{booked: \\"Booked\\", active: \\"On lease\\", bought: \\"Ended\\"}[.state]]} else null end"}',
    },
    {
      title: "An event that is registered",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "events": ["member.joined", "member.renewed", "member.lapsed"]}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
      },
      bad: '{"!jq": "{email: .email, _tags: [{\\"member.joined\\": \\"member\\", \\"member.lapsed\\": \\"lapsed\\"}[«.event»]]}"}',
      good: '{"!jq": "{email: .email, _tags: [{\\"member.joined\\": \\"member\\", \\"member.renewed\\": \\"renewed\\", \\"member.lapsed\\": \\"lapsed\\"}[.event]]}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [tableKey],
  checks: {
    // A comment may show what is looked up in, and intakes know more words than customers choose among.
    reach: "saved",
    program(program, report, model) {
      // Asked by the text first: few programs look a value up.
      if (program.diagnostics.length > 0 || !looksUp.test(program.node.value)) return;
      for (const { node, ...args } of lookups(program, model))
        report(tableKey, { node: program.node, from: node.start, to: node.end }, args);
      for (const { node, ...args } of [...choiceTables(program, model), ...documentedTables(program, model)])
        report(tableKey, partAt(program, node), { ...args, suggestion: undefined });
    },
  },
};
export default module;

/** `{…}[$kind]`, `$table[.kind]` and `{…} | .["a.${…}"]` */
const looksUp = /[\w})]\s*\[\s*(?:"[^"]*)?\$|[\w.})]\[\s*(?:"[^"]*)?[$.]/;

interface Lookup {
  readonly node: Node;
  readonly missing: readonly string[];
  readonly keys: readonly string[];
  readonly suggestion: string | undefined;
  readonly idle: string | undefined;
}

/** Values looked up in a table of which some are there and others aren't. */
function* lookups(program: JqProgram, model: Model): Generator<Lookup> {
  const flow = flowOf(model);
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  const pending: { readonly node: Node; readonly hasDefault: boolean }[] = [
    { node: program.tree, hasDefault: false },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, hasDefault } = next;
    const isDefaulted = node.kind === "Alternative" || (hasDefault && node.kind !== "Pipeline");
    for (const child of children(node)) pending.push({ node: child, hasDefault: isDefaulted });
    const [suffix] = node.kind === "Postfix" ? node.suffixes : [];
    if (node.kind !== "Postfix" || suffix?.kind !== "Index") continue;
    const keys = tableKeys(nodes.get(node.head)?.output);
    const asked = texts(nodes.get(suffix.index)?.output);
    if (keys === undefined || asked === undefined) continue;
    const missing = asked.filter((text) => !keys.includes(text) && !(hasDefault && text === ""));
    if (missing.length === 0 || missing.length === asked.length) continue;
    const idle = keys.filter((key) => !asked.includes(key));
    const suggestion = nearest(missing[0]!, idle);
    // With a default behind it, a table may leave the rest to that, unless it has a key for what nobody asks.
    if (suggestion === undefined && hasDefault && !idle.some((key) => !isExplained(key, program))) continue;
    yield { node: suffix.index, missing, keys, suggestion, idle: idle[0] };
  }
}

/** Whether a comment speaks of a key: it may be of customers who chose before there were these options. */
const isExplained = (key: string, { node }: JqProgram): boolean =>
  commentsAround(node, []).some(({ value }) => value.includes(key));

type Inferred = ReturnType<typeof types.union> | undefined;

/** The keys of an object of which all members are known. */
function tableKeys(type: Inferred): readonly string[] | undefined {
  if (type?.kind !== "object" || type.rest !== undefined) return undefined;
  return [...type.members.keys()];
}

/** All texts that a value can be. */
function texts(type: Inferred): readonly string[] | undefined {
  const parts = type === undefined ? [] : types.partsOf(type);
  const found: string[] = [];
  for (const part of parts) {
    if (part.kind !== "string" || part.value === undefined) return undefined;
    found.push(part.value);
  }
  // A type has its parts in the order in which a process first saw them.
  return found.length < 2 ? undefined : found.sort();
}
