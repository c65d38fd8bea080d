import type { App, AppField, AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { isObject, ownMember } from "../json.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Draft, ImportOption, SetupStep } from "../store/tables.ts";
import { dependenciesOf } from "./dependencies.ts";
import { isComplete, missingFields, stepsOf } from "./steps.ts";

/** What a host shows of a setup: texts of the config, and what was filled in so far. Texts are Markdown where `help` says so. */
export interface SetupView {
  readonly workflow: {
    readonly name: string;
    readonly label: string;
    readonly direction: "inbound" | "outbound";
  };
  /** All steps, with what the stepper calls them. */
  readonly steps: readonly StepView[];
  /** The one whose turn it is. */
  readonly current: CurrentView;
}

/** A step of the setup, and whether it is done. */
export interface StepView {
  readonly step: SetupStep;
  readonly label: string;
  readonly complete: boolean;
}

/** The step of the setup that is next, with all that a page needs to show it. */
export type CurrentView =
  | {
      readonly step: "connect";
      readonly label: string;
      readonly help?: string;
      readonly auth?: string;
      readonly account?: string;
    }
  | { readonly step: "select"; readonly label: string; readonly fields: readonly FieldView[] }
  | {
      readonly step: "map";
      readonly label: string;
      readonly source: string;
      readonly target: string;
      readonly mapping?: Mapping;
    }
  | {
      readonly step: "schedule";
      readonly label: string;
      readonly description: string;
      readonly options: readonly { readonly label: string; readonly type: ImportOption }[];
      /** Seconds. */
      readonly frequency: number;
      readonly chosen?: ImportOption;
    }
  | {
      readonly step: "review_events" | "review_objects";
      readonly label: string;
      readonly header?: string;
      readonly description?: string;
    }
  | { readonly step: "ready"; readonly account?: string; readonly selection?: string };

/** A form field as a page shows it. */
export interface FieldView extends Pick<AppField, "id" | "label" | "type" | "required" | "placeholder"> {
  /** Markdown. */
  readonly help?: string;
  /** Contact fields may stand in the text as `%ID%` (D38). */
  readonly personalized: boolean;
  /** Whether there are choices, or suggestions for a text. */
  readonly hasOptions: boolean;
  /** Whether choices can be searched for. */
  readonly searchable: boolean;
  /** Ids of the earlier fields by whose answers its choices are made. */
  readonly dependsOn: readonly string[];
  /** Labels of required fields that its choices are made by and that have no answer yet: until then there are none. */
  readonly waitsFor: readonly string[];
  readonly value?: Json;
  readonly display?: Json;
}

/** @param draft of the workflow */
export function viewOf(app: App, workflow: AppWorkflow, draft: Draft): SetupView {
  const { name, label, direction } = workflow;
  return {
    workflow: { name, label, direction },
    steps: stepsOf(workflow).map((step) => ({
      step,
      label: labelOf(workflow, step),
      complete: isComplete(workflow, step, draft.settings),
    })),
    current: currentOf(app, workflow, draft),
  };
}

function labelOf({ setup }: AppWorkflow, step: SetupStep): string {
  switch (step) {
    case "review_events":
      return setup.reviewEvents?.label ?? "Review events";
    case "review_objects":
      return setup.reviewObjects?.label ?? "Review objects";
    case "ready":
      return "Ready";
    default:
      return setup[step]?.label || step;
  }
}

function currentOf(app: App, workflow: AppWorkflow, { step, settings }: Draft): CurrentView {
  const { setup, auth } = workflow;
  const label = labelOf(workflow, step);
  switch (step) {
    case "connect":
      return {
        step,
        label,
        ...optional("help", setup.connect?.helpText),
        ...optional("auth", auth),
        ...optional("account", settings.account),
      };
    case "select": {
      const missing = missingFields(workflow, settings);
      const dependencies = dependenciesOf(app, workflow);
      const fields = (setup.select?.fields ?? []).map((field) => ({
        ...fieldView(field, settings.customData),
        dependsOn: [...(dependencies.get(field.id) ?? [])],
        waitsFor: missing.filter(({ id }) => dependencies.get(field.id)?.has(id)).map((each) => each.label),
      }));
      return { step, label, fields };
    }
    case "map":
      return {
        step,
        label,
        source: setup.map?.source.label ?? "",
        target: setup.map?.target.label ?? "",
        ...optional("mapping", settings.mapping),
      };
    case "schedule":
      return {
        step,
        label,
        description: setup.schedule?.description ?? "",
        options: setup.schedule?.importOptions ?? [],
        frequency: setup.schedule?.frequency ?? 0,
        ...optional("chosen", settings.importOption),
      };
    case "review_events":
    case "review_objects": {
      const { header, description } =
        (step === "review_events" ? setup.reviewEvents : setup.reviewObjects) ?? {};
      return { step, label, ...optional("header", header), ...optional("description", description) };
    }
    case "ready":
      return { step, ...optional("account", settings.account), ...optional("selection", settings.display) };
  }
}

function fieldView(field: AppField, customData: Json): Omit<FieldView, "dependsOn" | "waitsFor"> {
  const { id, label, type, required, placeholder, helpText, searchTerm, personalize, options } = field;
  const answer = isObject(customData) ? ownMember(customData, id) : undefined;
  const given = isObject(answer) ? answer : {};
  return {
    id,
    label,
    type,
    required,
    ...optional("placeholder", placeholder),
    ...optional("help", helpText),
    personalized: personalize !== undefined,
    hasOptions: options !== undefined,
    searchable: searchTerm !== undefined,
    ...optional("value", ownMember(given, "value")),
    ...optional("display", ownMember(given, "display")),
  };
}

function optional<K extends string, V>(name: K, value: V | undefined): { readonly [name in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [name in K]: V });
}
