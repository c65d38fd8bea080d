import type {
  Command,
  FieldSymbol,
  IntakeSymbol,
  JqProgram,
  WorkflowSymbol,
} from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { outputTrails } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { type Meaning, meaningOf, meaningOfTrails } from "../../../flow/value-role.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { optionsOf } from "./option-ids.ts";

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

const otherKind = defineRule<{ member: string; delivered: string; selected: string; kinds: string }>({
  id: "value/routed-by-other-kind",
  severity: "warning",
  summary:
    "A delivery is routed by a name or a code, and workflows are known by an id, or the other way round",
  why: "What a delivery names is compared, as text, with what the customer's setup gave. A name never equals an id: each delivery is kept and goes to nobody.",
  guards: ["webhook.resource_id", "describe_selection.resource_id", "connect.describe_connection", "D31"],
  message: ({ member, delivered, selected, kinds }) =>
    `The \`${member}\` of a delivery is its \`${delivered}\`, and that of the setup is \`${selected}\`: ${kinds} are never the same.`,
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
      title: "A code",
      in: "inbound-webhook",
      at: "/data_intake/0/resource_id",
      with: {
        ...sharedWebhook,
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
    workflow(workflow, report, model) {
      const intake = workflow.intake?.target;
      if (intake?.type !== "webhook") return;
      for (const { member, place } of [
        { member: "resource_id", place: ["select", "describe_selection", "resource_id"] },
        { member: "account_id", place: ["connect", "describe_connection"] },
      ]) {
        const command = intake.commands.get(member);
        const delivered = deliveredAs(intake, member, model);
        // What it is compared with takes longer to find.
        if (command === undefined || (delivered?.role !== "id" && delivered?.role !== "name")) continue;
        const selected = setupGives(workflow, place, model);
        if (selected === undefined) continue;
        if (areOther(delivered, selected))
          report(otherKind, command.member.key, {
            member,
            delivered: delivered.name,
            selected: selected.name,
            kinds: delivered.role === "id" ? "an id and a name" : "a name and an id",
          });
      }
      const delivered = deliveredKey(intake);
      const selected = delivered === undefined ? undefined : selectedKey(workflow, model);
      const routed = intake.commands.get("resource_id");
      // `form.id is the form's code`
      const isSaid = (): boolean =>
        saysOf(delivered!.name, new RegExp(`\\b${selected!.kind}\\b`), routed!, model);
      if (delivered !== undefined && selected !== undefined && delivered.kind !== selected.kind && !isSaid())
        report(otherKind, intake.commands.get("resource_id")!.member.key, {
          member: "resource_id",
          delivered: delivered.name,
          selected: selected.name,
          kinds: `${withArticle(delivered.kind)} and ${withArticle(selected.kind)}`,
        });
    },
  },
};
export default module;

/** What identifies a record, by the name of the member: its id, or something that people call it by. */
interface Key {
  readonly name: string;
  readonly kind: string;
}

function keyNamed(name: string | undefined): Key | undefined {
  if (name === undefined) return undefined;
  if (isIdName(name)) return { name, kind: "id" };
  const [, kind] = /(?:^|_)(code|number|slug)$/.exec(name) ?? [];
  return kind === undefined ? undefined : { name, kind };
}

const withArticle = (kind: string): string => (kind === "id" ? "an id" : `a ${kind}`);

function deliveredKey(intake: IntakeSymbol): Key | undefined {
  const program = intake.commands.get("resource_id")?.program;
  return program === undefined || program.diagnostics.length > 0
    ? undefined
    : keyNamed(nameOfValue(bare(plainBody(program))));
}

/** The member of the chosen record that its options have for a value. */
function selectedKey({ node, fields }: WorkflowSymbol, model: Model): Key | undefined {
  const selection = memberAt(node, ["setup", "select", "describe_selection", "resource_id"]);
  const field = chosenField(flowOf(model).plainAt(selection)?.program, fields);
  const [made, ...others] = field === undefined ? [] : optionsOf(field, model);
  return made === undefined || others.length > 0 ? undefined : keyNamed(nameOfValue(made.value));
}

function memberAt(node: JsonNode, path: readonly string[]): JsonNode | undefined {
  let at: JsonNode | undefined = node;
  for (const name of path) at = at?.kind === "object" ? at.get(name) : undefined;
  return at;
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
  const command = flowOf(model).plainAt(memberAt(node, ["setup", ...place]));
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
  const options = flowOf(model).plainAt(field?.node.get("options"));
  return options === undefined
    ? undefined
    : meaningOfTrails(outputTrails(flowOf(model), options, ["[]", "value"]), flowOf(model));
}
