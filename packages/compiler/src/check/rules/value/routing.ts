import type {
  Command,
  FieldSymbol,
  IntakeSymbol,
  JqProgram,
  WorkflowSymbol,
} from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOnTwoKeys } from "../../../flow/documented-keys.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { outputTrails } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { type Meaning, meaningOf, meaningOfTrails } from "../../../flow/value-role.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

/** A webhook for all workflows of a connection, whose customers choose a form by its id. */
export const sharedWebhook = {
  "/data_intake/0/scope": '"connection"',
  "/data_intake/0/create":
    '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "connection"}}]}',
  "/data_intake/0/update": undefined,
  "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.connection.hook_id}"}}',
  "/workflows/0/setup/select/form_fields/0/options":
    '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.forms[] | {display: .title, value: .id}]"}]}',
} as const;

const otherKind = defineRule<{ member: string; delivered: string; selected: string; isId: boolean }>({
  id: "value/routed-by-other-kind",
  severity: "warning",
  summary: "A delivery is routed by a name, and workflows are known by an id, or the other way round",
  why: "What a delivery names is compared, as text, with what the customer's setup gave. A name never equals an id: each delivery is kept and goes to nobody.",
  guards: ["webhook.resource_id", "describe_selection.resource_id", "connect.describe_connection", "D31"],
  message: ({ member, delivered, selected, isId }) =>
    `The \`${member}\` of a delivery is its \`${delivered}\`, and that of the setup is \`${selected}\`: ${isId ? "an id and what else a record is called by" : "what a record is called by and its id"} are never the same.`,
  because: ({ delivered, selected }) => [
    `the setup gave the \`${selected}\` of what was chosen`,
    `the delivery names it by its \`${delivered}\``,
    "they are compared, and aren't the same",
  ],
  help: () => "Use the id on both sides.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: sharedWebhook,
      bad: '{«"!jq"»: ".form.title"}',
      good: '{"!jq": ".form.id"}',
    },
    {
      title: "An id and a code",
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        ...sharedWebhook,
        "/data_intake/0/_comment": '"Forms have an id (a number) and a code, by which everything goes."',
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.forms[] | {display: .title, value: .code}]"}]}',
      },
      bad: '{«"!jq"»: ".form.id"}',
      good: '{"!jq": ".form.code"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherKind],
  checks: {
    // Comments on the intake say what its records have.
    reach: "saved",
    workflow(workflow, report, model) {
      const intake = workflow.intake?.target;
      if (intake?.type !== "webhook") return;
      for (const { member, place } of [
        { member: "resource_id", place: ["select", "describe_selection", "resource_id"] },
        { member: "account_id", place: ["connect", "describe_connection"] },
      ]) {
        const command = intake.commands.get(member);
        const codes = member === "resource_id" ? codeAndId(workflow, intake, model) : undefined;
        if (command !== undefined && codes !== undefined) {
          report(otherKind, command.member.key, { member, ...codes });
          continue;
        }
        const delivered = deliveredAs(intake, member, model);
        const selected = setupGives(workflow, place, model);
        if (command === undefined || delivered === undefined || selected === undefined) continue;
        if (areOther(delivered, selected))
          report(otherKind, command.member.key, {
            member,
            delivered: delivered.name,
            selected: selected.name,
            isId: delivered.role === "id",
          });
      }
    },
  },
};
export default module;

/** Where a delivery is routed by an id, and customers choose a code, or the other way round, of a record that has both by a comment. */
function codeAndId(workflow: WorkflowSymbol, intake: IntakeSymbol, model: Model) {
  if (!hasComments(model)) return undefined;
  const program = intake.commands.get("resource_id")?.program;
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const delivered = nameOfValue(bare(plainBody(program)));
  let at: JsonNode | undefined = workflow.node.get("setup");
  for (const name of ["select", "describe_selection", "resource_id"])
    at = at?.kind === "object" ? at.get(name) : undefined;
  const flow = flowOf(model);
  const field = chosenField(flow.commandAt(at)?.program, workflow.fields);
  const options = flow.commandAt(field?.node.get("options"));
  const trails = options === undefined ? [] : outputTrails(flow, options, ["[]", "value"]);
  const [trail, ...others] = trails;
  const selected =
    trail?.origin.kind === "response" && others.length === 0 ? trail.origin.path.at(-1) : undefined;
  if (delivered === undefined || selected === undefined) return undefined;
  const isId = delivered === "id";
  if (isId === (selected === "id")) return undefined;
  const code = isId ? selected : delivered;
  return commentsOnTwoKeys(code, intake.node).length > 0 ? { delivered, selected, isId } : undefined;
}

export const areOther = (a: Meaning, b: Meaning): boolean =>
  (a.role === "id" && b.role === "name") || (a.role === "name" && b.role === "id");

/** What a payload is routed by. */
export function deliveredAs(intake: IntakeSymbol, member: string, model: Model): Meaning | undefined {
  const program = intake.commands.get(member)?.program;
  return program === undefined || program.diagnostics.length > 0
    ? undefined
    : meaningOfProgram(program, model);
}

function meaningOfProgram(program: JqProgram, model: Model): Meaning | undefined {
  const body = plainBody(program);
  return nameOfValue(bare(body)) === undefined ? undefined : meaningOf(body, program, flowOf(model));
}

export function setupGives(
  { node, fields }: WorkflowSymbol,
  place: readonly string[],
  model: Model,
): Meaning | undefined {
  let at: JsonNode | undefined = node.get("setup");
  for (const name of place) at = at?.kind === "object" ? at.get(name) : undefined;
  const command = flowOf(model).commandAt(at);
  // What is shown is told as that.
  if (command === undefined || /\.display\b/.test(command.program?.node.value ?? "")) return undefined;
  const path = place.at(-1) === "describe_connection" ? ["account_id"] : [];
  return (
    meaningOfTrails(outputTrails(flowOf(model), command, path), flowOf(model)) ??
    chosenAs(command, fields, model)
  );
}

/** The field whose choice a program gives: `.custom_data.form.value | tostring`, `${custom_data.form.value}`. */
export function chosenField(
  program: JqProgram | undefined,
  fields: WorkflowSymbol["fields"],
): FieldSymbol | undefined {
  const [, id] =
    /^(?:\.|\$[{<])custom_data\.([\w-]+)\.value[}>]?(?: *\| *to(?:string|number))?$/.exec(
      program?.node.value ?? "",
    ) ?? [];
  return id === undefined ? undefined : fields.find((each) => each.id === id);
}

/** What an option has. */
function chosenAs({ program }: Command, fields: WorkflowSymbol["fields"], model: Model): Meaning | undefined {
  const field = chosenField(program, fields);
  const options = flowOf(model).commandAt(field?.node.get("options"));
  return options === undefined
    ? undefined
    : meaningOfTrails(outputTrails(flowOf(model), options, ["[]", "value"]), flowOf(model));
}
