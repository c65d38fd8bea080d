import type { Type } from "@configc/jq";
import type { Command, IntakeSymbol, WorkflowSymbol } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { pointerTo } from "../../findings/pointer.ts";
import { fieldType } from "../../flow/fields.ts";
import { flowOf, savedKeys } from "../../flow/flow.ts";
import type { TypeFlow } from "../../flow/type-flow.ts";
import { saveScopes } from "../../language/commands/save.ts";
import { knowsPayload, payloadType } from "../../samples/payload-type.ts";
import { withoutHiddenBody } from "../../samples/response.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { block, member, stringText, typeText } from "./type-text.ts";

/**
 * A `.d.ts` for the host that runs an app: what its commands take and give, what customers fill in, what is saved and kept
 * while polling, and what the app needs of the world. Types only, one interface each; nothing of it exists at run time.
 *
 * @param compilation of a config, with or without findings; what isn't known is `unknown`
 * @returns the text of the file, the same for the same config and samples
 */
export function declarationsOf({ model }: { readonly model: Model }): string {
  const flow = flowOf(model);
  const parts = [
    section(
      "Workflows",
      "Workflows by name: what customers fill in, and what the commands take and give.",
      model.workflows.flatMap((workflow) => named(workflow.name, workflowText(workflow, flow))),
    ),
    section(
      "Intakes",
      "Intakes by name: what webhooks send, the state of those that poll, and what the commands give.",
      model.intakes.flatMap((intake) => named(intake.name, intakeText(intake, flow))),
    ),
    section("SavedData", "What `!save` keeps, by scope; nothing is there before it ran.", savedText(flow)),
    section(
      "Capabilities",
      "What the app needs: the hosts that it sends requests to, scopes of its auths, resources.",
      needs(model),
    ),
  ];
  return `// Types of an integration app, for the host that runs it. Made from its config: build it again instead of editing.\n\n${parts.join("\n")}`;
}

function section(name: string, about: string, lines: readonly string[]): string {
  return `/** ${about} */\nexport interface ${name} ${block(lines)}\n`;
}

function named(name: string | undefined, text: string): string[] {
  return name === undefined ? [] : [member(name, text)];
}

function workflowText(workflow: WorkflowSymbol, flow: TypeFlow): string {
  const inner = "    ";
  const fields = workflow.fields.flatMap((field) => {
    if (field.id === undefined) return [];
    const attributes = (["value", "display"] as const).map((attribute) =>
      member(attribute, shown(fieldType(field, attribute, flow), `${inner}    `)),
    );
    return [member(field.id, block(attributes, `${inner}  `), !field.required)];
  });
  const { auth, intake, historicalIntake } = workflow;
  const names = [
    ["direction", workflow.direction],
    ["auth", auth?.exact === true ? auth.name : undefined],
    ["data_intake", intake?.exact === true ? intake.name : undefined],
    ["historical_data_intake", historicalIntake?.exact === true ? historicalIntake.name : undefined],
  ] as const;
  return block(
    [
      ...names.flatMap(([name, value]) => (value === undefined ? [] : [member(name, stringText(value))])),
      member("custom_data", block(fields, inner)),
      member("commands", commandsText(workflow, flow, inner)),
    ],
    "  ",
  );
}

function intakeText(intake: IntakeSymbol, flow: TypeFlow): string {
  const inner = "    ";
  const payload = knowsPayload(intake, flow.model) ? payloadType(intake, flow.model) : undefined;
  return block(
    [
      ...(intake.type === undefined ? [] : [member("type", stringText(intake.type))]),
      ...(intake.scope === undefined ? [] : [member("scope", stringText(intake.scope))]),
      ...(payload === undefined ? [] : [member("payload", shown(payload, inner))]),
      ...(intake.type === "polling" ? [member("polling_state", shown(flow.state(intake), inner))] : []),
      member("commands", commandsText(intake, flow, inner)),
    ],
    "  ",
  );
}

/** The outermost commands of a unit. What they read besides their input stands in the other members. */
function commandsText(unit: WorkflowSymbol | IntakeSymbol, flow: TypeFlow, indent: string): string {
  const commands = flow.model.commands.filter(
    (command) => command.unit === unit && command.parent === undefined,
  );
  const inner = `${indent}  `;
  return block(
    commands.map((command) => {
      const { input } = command.place;
      return member(
        nameOf(command, unit),
        block(
          [
            ...(input === "roots" ? [] : [member("input", shown(flow.input(command), `${inner}  `))]),
            member("output", shown(flow.output(command), `${inner}  `)),
          ],
          inner,
        ),
      );
    }),
    indent,
  );
}

/** As `configc run` calls it: `setup.select.form_fields.list.options`. */
function nameOf({ node, field }: Command, { node: unit }: WorkflowSymbol | IntakeSymbol): string {
  const segments = pointerTo(node)
    .slice(pointerTo(unit).length + 1)
    .split("/");
  if (field?.id !== undefined) segments[segments.indexOf("form_fields") + 1] = field.id;
  return segments.join(".");
}

function savedText(flow: TypeFlow): string[] {
  const saved = savedKeys(flow.model);
  return saveScopes.map((scope) => {
    const entry = saved.get(scope);
    const keys = [...(entry?.keys.keys() ?? [])].map((key) =>
      member(key, shown(flow.saved(scope, key), "    "), true),
    );
    // Some `!save` may store what can't be told from the config.
    if (entry?.complete === false) keys.push("[name: string]: unknown;");
    return member(scope, block(keys, "  "));
  });
}

function needs(model: Model): string[] {
  const { hosts, scopes, resources } = capabilitiesOf(model);
  const requests = [...hosts].map(([host, methods]) => {
    const known = [...methods].sort().map(stringText).join(" | ");
    return `    { ${member("host", hostText(host))} ${member("methods", known)} },\n`;
  });
  return [
    member("requests", requests.length === 0 ? "[]" : `[\n${requests.join("")}  ]`),
    member(
      "scopes",
      block(
        [...scopes].map(([name, list]) => member(name, `[${list.map(stringText).join(", ")}]`)),
        "  ",
      ),
    ),
    member("resources", [...resources].map(stringText).join(" | ") || "never"),
  ];
}

/** A host as a type: one with expansions is a template. */
function hostText(host: string | null): string {
  if (host === null) return "string";
  if (!host.includes("${string}")) return stringText(host);
  const text = host.replace(/[`\\]/g, "\\$&").replace(/\$\{(?!string\})/g, "\\${");
  return `\`${text}\``;
}

function shown(type: Type, indent: string): string {
  return typeText(withoutHiddenBody(type), indent);
}
