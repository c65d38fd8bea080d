import type { Command, Expansion, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const workflowThat = (steps: string): string =>
  `{"name": "acme-add-a-person", "label": "Acme - Add a person", "type": "automations", "auth": "acme", "setup": {"connect": {"label": "Connect", "describe_connection": {"!pipe": [{"!http": {"path": "/firm"}}, ${steps}]}}}, "data_pipeline": {"source": {"!resource": "PlatformContact"}, "target": {"!http": {"method": "POST", "path": "/people", "headers": {"x-firm": "\${data.connection.firm_id}"}, "body": "\${piped_content.0}"}}}}`;

const savedElsewhere = defineRule<{ key: string; other: string }>({
  id: "state/saved-elsewhere",
  severity: "warning",
  summary: "Only the connect steps of other workflows save a value that this one reads",
  why: "A customer may set up one workflow alone. What the connect steps of others save isn't there then: reading it fails, in the form or with each record.",
  guards: ["connect.describe_connection", "command.!save", "expansion.data", "D9", "D24"],
  message: ({ key, other }) =>
    `This workflow reads \`\${data.connection.${key}}\`, which the connect step of \`${other}\` saves and this one doesn't.`,
  because: ({ key, other }) => [
    `a customer sets up this workflow, and never \`${other}\``,
    `nothing has saved \`${key}\`, so reading it fails`,
  ],
  help: ({ key }) => `Save \`${key}\` in this connect step too.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/1",
      with: {
        "/workflows/0/setup/connect/describe_connection":
          '{"!pipe": [{"!http": {"path": "/firm"}}, {"!jq": "{firm_id: .id, firm: .name}"}, {"!save": {"scope": "connection"}}, {"!jq": "{account_id: .firm_id, description: .firm}"}]}',
      },
      bad: workflowThat('{"!jq": "{account_id: .id, description: .name}"}').replace(
        '"describe_connection"',
        '«"describe_connection"»',
      ),
      good: workflowThat(
        '{"!jq": "{firm_id: .id, firm: .name}"}, {"!save": {"scope": "connection"}}, {"!jq": "{account_id: .firm_id, description: .firm}"}',
      ),
    },
  ],
});

const module: RuleModule = {
  rules: [savedElsewhere],
  checks: {
    document(model, report) {
      for (const { key, unit } of keysNeeded(model)) {
        const other = saverOf(key, unit, model);
        const own = other === undefined ? undefined : connectOf(unit, model);
        if (other === undefined || own === undefined || !asksTheSame(own, other)) continue;
        const at = own.node.parent?.kind === "member" ? own.node.parent.key : own.member.key;
        report(savedElsewhere, at, { key, other: nameOf(other) });
      }
    },
  },
};
export default module;

const nameOf = ({ unit }: Command): string =>
  (unit?.kind === "workflow" ? unit.name : undefined) ?? "another";

/** What the commands of a workflow must find among the values saved for a connection, each key once. */
const keysNeeded = derivedByPart(({ expansions }) => {
  const found = new Map<string, { readonly key: string; readonly unit: WorkflowSymbol }>();
  for (const expansion of expansions) {
    const key = keyNeeded(expansion);
    if (key !== undefined && expansion.unit?.kind === "workflow" && !found.has(key))
      found.set(key, { key, unit: expansion.unit });
  }
  return [...found.values()];
});

function keyNeeded({ root, rootExact, syntax, command }: Expansion): string | undefined {
  const [, scope, key] = syntax.path;
  if (root !== "data" || !rootExact || syntax.problem !== undefined || scope?.text !== "connection")
    return undefined;
  // With a default it may be missing, and where a condition was asked before, it may be known to be there.
  if (command === undefined || syntax.filters.length > 0 || isInCase(command)) return undefined;
  return key?.text;
}

function isInCase(command: Command): boolean {
  for (let at = command.parent; at !== undefined; at = at.parent) if (at.key === "!switch") return true;
  return false;
}

/** The connect step of another workflow with the same sign-in, where nothing but those of others saves a key. */
function saverOf(key: string, unit: WorkflowSymbol, model: Model): Command | undefined {
  const known = savedKeys(model).get("connection");
  const saves = known?.keys.get(key) ?? [];
  if (known === undefined || !known.complete || saves.length === 0 || unit.auth?.target === undefined)
    return undefined;
  const outermost = saves.map(outermostCommand);
  const areOthers = outermost.every(
    (each) =>
      each.place.name === "connect.describe_connection" &&
      each.unit?.kind === "workflow" &&
      each.unit !== unit &&
      each.unit.auth?.target === unit.auth?.target,
  );
  return areOthers ? outermost[0] : undefined;
}

const connectOf = (unit: WorkflowSymbol, model: Model): Command | undefined =>
  partOfUnit(unit, model).commands.find(
    ({ place, parent }) => place.name === "connect.describe_connection" && parent === undefined,
  );

/** Whether two connect steps ask for the same: then the one has what the other saves of it. */
function asksTheSame(own: Command, other: Command): boolean {
  const [first, second] = [own, other].map(requestsIn);
  return first !== "" && first === second;
}

const requestsIn = (command: Command): string =>
  (allIn(command) ?? [])
    .flatMap(({ key, argument }) =>
      key === "!http"
        ? [`${(textOf(argument, "method") ?? "GET").toUpperCase()} ${textOf(argument, "path") ?? ""}`]
        : [],
    )
    .join("\n");
