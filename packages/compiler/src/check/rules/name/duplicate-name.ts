import { derivedInPart } from "../../../bind/derived.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const kinds = {
  intake: {
    taken: "another intake has it, and webhook and polling intakes share names",
    costs: "A workflow that names it gets the first one.",
  },
  workflow: {
    taken: "another workflow of this app has it",
    costs: "Customers' automations refer to a workflow by its name. Rename the newer one.",
  },
  field: {
    taken: "another form field of this workflow has it",
    costs: "`${custom_data.ID}` can read only one of the two.",
  },
  object: { taken: "another object has it", costs: "A reference to it is ambiguous." },
} as const;

const duplicateName = defineRule<{ name: string; kind: keyof typeof kinds }>({
  id: "name/duplicate-name",
  severity: "error",
  summary: "Two intakes, workflows, form fields or objects have the same name",
  why: "The config and customers' saved setups refer to intakes, workflows and fields by name. If two have the same name, one is never reached. Names are case-sensitive.",
  guards: [
    "webhook.name",
    "polling.name",
    "workflow.name",
    "field.id",
    "limit.workflow-name",
    "limit.field-id",
    "D5",
    "D39",
  ],
  message: ({ name, kind }) => `The name \`${excerpt(name)}\` is taken: ${kinds[kind].taken}.`,
  help: ({ kind, name }) => kinds[kind].costs.replace("ID", () => excerpt(name)),
  examples: [
    {
      title: "D5: two intakes, of either type",
      in: "historical-sync",
      at: "/data_intake/1/name",
      with: { "/workflows/0/historical_data_intake": undefined },
      bad: '«"order.created"»',
      good: '"past-orders"',
    },
    {
      title: "D5: two form fields of a workflow",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1/id",
      with: { "/workflows/0/data_pipeline/target/!http/body": '{"fields": "${piped_content.0}"}' },
      bad: '«"list"»',
      good: '"note"',
    },
    {
      title: "D5: two workflows",
      in: "outbound",
      at: "/workflows/1",
      bad: workflow('«"acme-add-a-subscriber"»'),
      good: workflow('"Acme-Add-a-Subscriber"'),
    },
    {
      title: "D39: two objects",
      in: "outbound",
      at: "/objects",
      bad: '[{"name": "ticket"}, {"name": «"ticket"»}]',
      good: '[{"name": "ticket"}, {"name": "call"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [duplicateName],
  checks: {
    document({ intakes, workflows, objects, parts }, report) {
      const tell = (kind: keyof typeof kinds, found: readonly Repeated[]): void => {
        for (const { node, name, first } of found)
          report(duplicateName, node, { name, kind }, [{ message: "the first one", at: first }]);
      };
      const unique = (kind: keyof typeof kinds, nodes: readonly (JsonNode | undefined)[]) =>
        tell(kind, repeated(nodes));
      unique(
        "intake",
        intakes.map(({ nameNode }) => nameNode),
      );
      unique(
        "workflow",
        workflows.map(({ nameNode }) => nameNode),
      );
      for (const part of parts) tell("field", repeatedFields(part));
      unique(
        "object",
        objects.map(({ node }) => node.get("name")),
      );
    },
  },
};
export default module;

interface Repeated {
  readonly node: JsonNode;
  readonly name: string;
  readonly first: JsonNode;
}

const repeatedFields = derivedInPart(({ workflows }) =>
  workflows.flatMap(({ fields }) => repeated(fields.map(({ idNode }) => idNode))),
);

function repeated(nodes: readonly (JsonNode | undefined)[]): readonly Repeated[] {
  const known = new Map<string, JsonNode>();
  const found: Repeated[] = [];
  for (const node of nodes) {
    // What isn't a name is reported as that.
    if (node?.kind !== "string" || !node.valid || node.value === "") continue;
    const first = known.get(node.value);
    if (first === undefined) known.set(node.value, node);
    else found.push({ node, name: node.value, first });
  }
  return found;
}

function workflow(name: string): string {
  return `{"name": ${name}, "label": "Acme - Add a person", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!jq": "{account_id: 1, description: \\"Acme\\"}"}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "body": "\${piped_content.0}"}}}}`;
}
