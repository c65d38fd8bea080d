import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { branded } from "../../../bind/resource.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { dialectOf } from "../../../options/settings.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { keyOf } from "../../locate.ts";
import { allIn } from "./commands.ts";

const platformSide = defineRule<{
  direction: "inbound" | "outbound";
  side: "source" | "target";
  contact: string;
}>({
  id: "workflow/platform-side",
  severity: "warning",
  summary: "The pipeline doesn't begin or end in the platform",
  why: "Inbound data ends in the platform; outbound data begins there. Without the platform, customers see the task succeed, but no contact is ever added or sent.",
  guards: [
    "data_pipeline.source",
    "data_pipeline.target",
    "map.describe_source",
    "map.describe_target",
    "describe_source.options",
    "describe_target.options",
    "command.!resource",
    "events.7",
    "D43",
  ],
  message: ({ direction, side }) =>
    direction === "inbound"
      ? `The platform must be the target of an inbound workflow, but neither \`${side}\` nor \`describe_${side}\` has a \`!resource\`.`
      : `The platform must be the source of an outbound workflow, but neither \`${side}\` nor \`describe_${side}\` has a \`!resource\`.`,
  help: ({ direction, contact }) =>
    `${direction === "inbound" ? "End" : "Begin"} the pipeline with \`{"!resource": "${contact}"}\`.`,
  examples: [
    {
      title: "an inbound workflow",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}]',
      },
      bad: '{«"!http"»: {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}',
      good: '{"!resource": "PlatformContact"}',
    },
    {
      title: "an outbound workflow",
      in: "outbound",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/setup/map/describe_source/options": '[{"title": "Email", "id": "email"}]' },
      bad: '{«"!jq"»: "{email: .email}"}',
      good: '{"!resource": "PlatformContact"}',
    },
  ],
});

const module: RuleModule = {
  rules: [platformSide],
  checks: {
    workflow(workflow, report, model) {
      const { node, direction, maps } = workflow;
      if (direction === undefined || mayBeIncomplete(model.document, node)) return;
      const side = direction === "inbound" ? "target" : "source";
      const pipeline = node.get("data_pipeline");
      const end = pipeline?.kind === "object" ? pipeline.get(side) : undefined;
      const command = end === undefined ? undefined : flowOf(model).commandAt(end);
      if (command === undefined || mayBePlatform(command, model)) return;
      const mapped = maps.some(({ node: map }) => fieldsMayBePlatform(map.get(`describe_${side}`), model));
      if (!mapped)
        report(platformSide, keyOf(command.member), {
          direction,
          side,
          contact: branded("Contact", model.settings),
        });
    },
  },
};
export default module;

function fieldsMayBePlatform(describe: JsonNode | undefined, model: Model): boolean {
  const options = describe?.kind === "object" ? describe.get("options") : undefined;
  const command = options === undefined ? undefined : flowOf(model).commandAt(options);
  return command !== undefined && mayBePlatform(command, model);
}

/** Whether a resource stands in a command, a request goes to the platform itself (D17), or that isn't known. */
function mayBePlatform(command: Command, model: Model): boolean {
  const { target } = dialectOf(model.settings);
  const all = allIn(command);
  return (
    all === undefined ||
    all.some(
      ({ key, argument }) =>
        key === "!resource" || (key === "!http" && textOf(argument, "target") === target),
    )
  );
}

/** The resources that a workflow's pipeline writes to: `PlatformContact`, `Platform.sync` … */
export function targetResources({ node }: WorkflowSymbol, model: Model): readonly string[] {
  const pipeline = node.get("data_pipeline");
  const target = pipeline?.kind === "object" ? pipeline.get("target") : undefined;
  const command = target === undefined ? undefined : flowOf(model).commandAt(target);
  const all = command === undefined ? [] : (allIn(command) ?? []);
  return all.flatMap(({ key, argument }) => {
    if (key !== "!resource") return [];
    return (argument?.kind === "string" ? argument.value : textOf(argument, "action")) ?? [];
  });
}
