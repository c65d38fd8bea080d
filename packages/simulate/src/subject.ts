import type { App, AppField, AppWorkflow, WorldFile } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import type { Mapping, MappingEntry } from "@configc/runtime";
import { itemsOf } from "./options.ts";
import type { Subject } from "./polling/run.ts";
import { protocolOf } from "./protocol/derive.ts";
import type { Protocol, Untried } from "./protocol/protocol.ts";
import { wordsOf } from "./service/names.ts";
import { CommandWalk } from "./symbolic/command.ts";
import type { Demand } from "./symbolic/demands.ts";

/** The workflow of an app that polls, as one customer set it up. @param form by default as usual */
export function subjectOf(
  app: App,
  workflow: AppWorkflow,
  world?: WorldFile,
  form: JsonObject = formOf(app, workflow),
): Subject | Untried {
  const index = workflow.historicalIntake ?? workflow.intake;
  const intake = index === undefined ? undefined : app.intakes[index];
  if (intake === undefined || intake.type !== "polling") return { reason: "the workflow doesn't poll" };
  const protocol: Protocol | Untried = protocolOf(app, workflow, intake, {
    form: new Map(Object.entries(form)),
    meanings: world?.intakes[intake.name]?.parameters ?? {},
  });
  if ("reason" in protocol) return protocol;
  const isHistory = workflow.historicalIntake !== undefined;
  return { app, workflow, protocol, form, isHistory, mapping: mappingOf(app, workflow, form) };
}

/**
 * What a customer would choose: one of the options, or a text that fits.
 *
 * @param nth which of them, from 0: another customer chooses another one
 */
export function formOf(app: App, workflow: AppWorkflow, nth = 0): JsonObject {
  const demands = formDemands(app, workflow);
  return Object.fromEntries(
    (workflow.setup.select?.fields ?? []).map((field) => [
      field.id,
      chosen(app, field, demands.members.get(field.id), nth),
    ]),
  );
}

/** Whether what a customer types takes part in an intake's commands: it is derived, so nothing that depends on it is certain. */
export function readsTyped(app: App, workflow: AppWorkflow, intake: string): boolean {
  const isTyped = (workflow.setup.select?.fields ?? []).some(({ options }) => options === undefined);
  const own = Object.values(app.commands).filter(({ pointer }) => `${pointer}/`.startsWith(`${intake}/`));
  return isTyped && JSON.stringify([own, app.api]).includes("custom_data");
}

function formDemands(app: App, workflow: AppWorkflow): Demand {
  const walk = new CommandWalk(app);
  const roots = { kind: "place", root: { kind: "input" }, path: [] } as const;
  for (const index of [workflow.intake, workflow.historicalIntake])
    if (index !== undefined)
      for (const command of Object.values(app.intakes[index]?.commands ?? {})) walk.walk(command, roots);
  walk.walk(workflow.source, roots);
  walk.walk(workflow.target, roots);
  return walk.demands.of({ kind: "form" });
}

function chosen(app: App, field: AppField, demand: Demand | undefined, nth: number): Json {
  const options = itemsOf(field.options, app);
  const option = options[nth % Math.max(1, options.length)];
  const asked = demand?.members.get("value");
  const isNumber = [asked, asked?.item].some((each) => each?.uses.has("number"));
  const isUrl = wordsOf(field.id).some((word) => word === "url" || word === "link");
  const value =
    option?.["value"] ??
    (isUrl ? `https://files.example/${nth + 1}` : undefined) ??
    (isNumber ? `${nth + 1}` : `${field.id}-${nth + 1}`);
  const display = option?.["display"] ?? `${field.label} ${nth + 1}`;
  if (field.type === "multiselect") return { value: [value], display: [display] };
  return field.type === "dropdown" ? { value, display } : { value, display: value };
}

/** Maps what the source gives to a field of its own name, and to the email address that a contact needs. */
export function mappingOf(app: App, workflow: AppWorkflow, form: JsonObject): Mapping | undefined {
  const { map } = workflow.setup;
  if (map === undefined) return undefined;
  const options = itemsOf(map.source.options, app);
  const fields =
    options.length > 0
      ? options.map(({ id, group }) => ({ id: id as string | number, group }))
      : producedBy(app, workflow, form);
  const targets = itemsOf(map.target.options, app);
  const taken = new Set<string>();
  const entries: MappingEntry[] = [];
  for (const { id, group } of fields) {
    const target =
      targets.find((each) => String(each["id"]) === String(id)) ??
      (String(id).toLowerCase().includes("mail") ? { id: "email" } : { id });
    if (taken.has(String(target["id"]))) continue;
    taken.add(String(target["id"]));
    const targetGroup = target["group"] ?? (targets.length > 0 ? targets[0]!["group"] : undefined);
    entries.push({
      source: { id, ...(typeof group === "string" ? { group } : {}) },
      target: {
        id: target["id"] as string | number,
        ...(typeof targetGroup === "string" ? { group: targetGroup } : {}),
      },
    });
  }
  // Contacts are found by their email address (D25).
  if (!taken.has("email") && targets.length === 0)
    entries.push({ value: "contact@example.com", target: { id: "email" } });
  return { v: 1, entries };
}

/** Names of what the source makes. */
function producedBy(
  app: App,
  workflow: AppWorkflow,
  form: JsonObject,
): { id: string | number; group?: Json | undefined }[] {
  const walk = new CommandWalk(app, new Map(Object.entries(form)));
  const output = walk.walk(workflow.source, { kind: "place", root: { kind: "input" }, path: [] });
  const outputs = output.kind === "choice" ? output.of : [output];
  return outputs.flatMap((each) =>
    each.kind === "object" ? [...each.members.keys()].map((id) => ({ id })) : [],
  );
}
