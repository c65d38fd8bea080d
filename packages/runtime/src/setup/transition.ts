import type { App, AppWorkflow } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { jsonText, ownMember, setOwn } from "../json.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Draft, ImportOption, Settings, SetupStep } from "../store/tables.ts";
import { answerOf } from "./answer.ts";
import { checkMapping, type MapFields } from "./check-mapping.ts";
import { dependenciesOf, dependentsOf } from "./dependencies.ts";
import { refused, SetupError, type SetupIssue } from "./error.ts";
import type { FieldOption } from "./options.ts";
import { isComplete, missingFields, stepAfter, stepsOf } from "./steps.ts";

/** What happens in a setup: plain JSON, like the draft. What was fetched comes with it, so that nothing else is needed. */
export type SetupEvent =
  /** The account that was connected, as describe_connection tells of it. */
  | {
      readonly type: "connected";
      readonly connection: string;
      readonly accountId?: string;
      readonly account?: string;
    }
  /** A form field was filled in; null takes the answer away. */
  | {
      readonly type: "answered";
      readonly field: string;
      readonly value: Json;
      readonly options?: readonly FieldOption[];
    }
  /** All fields are filled in; what describe_selection tells of them. */
  | { readonly type: "selected"; readonly resourceId?: string; readonly display?: string }
  | { readonly type: "mapped"; readonly mapping: Mapping; readonly fields: MapFields }
  | { readonly type: "scheduled"; readonly importOption: ImportOption }
  /** What a review step shows was seen. */
  | { readonly type: "reviewed" }
  /** Back to a step, or on to one before which everything is complete. */
  | { readonly type: "went"; readonly step: SetupStep };

/**
 * The draft after an event (D43). Pure: the draft that is given stays as it is.
 *
 * @throws SetupError where the event isn't accepted; nothing else, whatever is given
 */
export function transition(app: App, workflow: AppWorkflow, draft: Draft, event: SetupEvent): Draft {
  const { settings } = draft;
  const onward = (changes: Partial<Settings>): Draft => ({
    step: stepAfter(workflow, draft.step),
    settings: { ...settings, ...changes },
  });
  switch (event.type) {
    case "connected": {
      expectStep(draft, "connect");
      return { step: stepAfter(workflow, "connect"), settings: connected(settings, event) };
    }
    case "answered":
      expectStep(draft, "select");
      return { step: "select", settings: answered(app, workflow, settings, event) };
    case "selected": {
      expectStep(draft, "select");
      const issues = missingFields(workflow, settings).map(
        ({ id, label }): SetupIssue => ({ field: id, message: `“${label}” is required.` }),
      );
      const [first, ...rest] = issues;
      if (first !== undefined) throw new SetupError("incomplete", [first, ...rest]);
      const { resourceId, display } = event;
      if (workflow.setup.select?.resourceId !== undefined && resourceId === undefined)
        throw refused("incomplete", "It isn't known which resource was selected.");
      return onward({
        ...(resourceId === undefined ? {} : { resourceId }),
        ...(display === undefined ? {} : { display }),
      });
    }
    case "mapped": {
      expectStep(draft, "map");
      const { map } = workflow.setup;
      if (map === undefined) throw refused("wrong-step", "This workflow has no mapping.");
      const inbound = workflow.direction === "inbound";
      return onward({ mapping: checkMapping(event.mapping, event.fields, map, inbound) });
    }
    case "scheduled": {
      expectStep(draft, "schedule");
      const offered = workflow.setup.schedule?.importOptions ?? [];
      if (!offered.some(({ type }) => type === event.importOption))
        throw refused("unknown", `The schedule is ${offered.map(({ type }) => `“${type}”`).join(" or ")}.`);
      return onward({ importOption: event.importOption });
    }
    case "reviewed":
      if (draft.step !== "review_events" && draft.step !== "review_objects") throw wrongStep(draft, "review");
      return onward({});
    case "went":
      return { step: reachable(workflow, settings, event.step), settings };
  }
}

/** @throws SetupError */
export function expectStep(draft: Draft, step: SetupStep): void {
  if (draft.step !== step) throw wrongStep(draft, step);
}

export function wrongStep({ step }: Draft, wanted: string): SetupError {
  return refused("wrong-step", `The setup is at “${step}”, not at “${wanted}”.`);
}

/** Another account has other things to choose from; the same one, connected again, keeps what was chosen. */
function connected(
  settings: Settings,
  { connection, accountId, account }: Extract<SetupEvent, { type: "connected" }>,
): Settings {
  const told = {
    connection,
    ...(accountId === undefined ? {} : { accountId }),
    ...(account === undefined ? {} : { account }),
  };
  const isSame =
    settings.connection === undefined ||
    (accountId === undefined ? settings.connection === connection : settings.accountId === accountId);
  if (!isSame) {
    const { importOption } = settings;
    return { ...told, customData: {}, ...(importOption === undefined ? {} : { importOption }) };
  }
  const { accountId: _, account: __, ...kept } = settings;
  return { ...kept, ...told };
}

/** Sets an answer. Answers that were chosen from options that depend on it go, and so does what was made of all of them. */
function answered(
  app: App,
  workflow: AppWorkflow,
  settings: Settings,
  { field: id, value, options }: Extract<SetupEvent, { type: "answered" }>,
): Settings {
  const field = workflow.setup.select?.fields.find((each) => each.id === id);
  if (field === undefined) {
    const known = workflow.setup.select?.fields.map((each) => `“${each.id}”`).join(", ") ?? "";
    throw refused("unknown", `There is no form field “${id}”. There is ${known}.`, id);
  }
  const answer = answerOf(field, value, options);
  const before = ownMember(settings.customData, id);
  const isChange = jsonText(before ?? null) !== jsonText(answer ?? null);
  if (!isChange) return settings;
  const gone = dependentsOf(dependenciesOf(app, workflow), id);
  const customData: Record<string, Json> = {};
  for (const [name, kept] of Object.entries(settings.customData) as [string, Json][])
    if (name !== id && !gone.has(name)) setOwn(customData, name, kept);
  if (answer !== undefined) setOwn(customData, id, { ...answer });
  const { resourceId: _, display: __, ...rest } = settings;
  return { ...rest, customData: customData as JsonObject };
}

function reachable(workflow: AppWorkflow, settings: Settings, step: SetupStep): SetupStep {
  const steps = stepsOf(workflow);
  const at = steps.indexOf(step);
  if (at < 0)
    throw refused(
      "unknown",
      `The setup has no step “${step}”. It has ${steps.map((each) => `“${each}”`).join(", ")}.`,
    );
  const open = steps.slice(0, at).find((each) => !isComplete(workflow, each, settings));
  if (open !== undefined) throw refused("incomplete", `“${open}” comes first.`);
  return step;
}
