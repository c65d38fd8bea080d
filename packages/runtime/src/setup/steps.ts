import type { AppWorkflow } from "@configc/compiler";
import { ownMember } from "../json.ts";
import type { Draft, Settings, SetupStep } from "../store/tables.ts";

/** Where a setup begins that knows nothing yet. */
const emptySettings: Settings = { customData: {} };

/** The steps of a workflow's setup, in their order; `ready` is the end. */
export function stepsOf({ setup }: AppWorkflow): readonly SetupStep[] {
  const all: readonly [SetupStep, unknown][] = [
    ["connect", setup.connect],
    ["select", setup.select],
    ["map", setup.map],
    ["schedule", setup.schedule],
    ["review_events", setup.reviewEvents],
    ["review_objects", setup.reviewObjects],
    ["ready", true],
  ];
  return all.filter(([, there]) => there !== undefined).map(([step]) => step);
}

/** A setup from the beginning, or of a workflow that is in use. */
export function newDraft(workflow: AppWorkflow, settings: Settings = emptySettings): Draft {
  return { step: stepsOf(workflow)[0] ?? "ready", settings };
}

/** The step after one. */
export function stepAfter(workflow: AppWorkflow, step: SetupStep): SetupStep {
  const steps = stepsOf(workflow);
  return steps[steps.indexOf(step) + 1] ?? "ready";
}

/** Whether what a step asks for is there. Those that only show something are complete. */
export function isComplete(workflow: AppWorkflow, step: SetupStep, settings: Settings): boolean {
  const { setup } = workflow;
  switch (step) {
    case "connect":
      return settings.connection !== undefined;
    case "select":
      return (
        missingFields(workflow, settings).length === 0 &&
        (setup.select?.resourceId === undefined || settings.resourceId !== undefined)
      );
    case "map":
      return settings.mapping !== undefined;
    case "schedule":
      return settings.importOption !== undefined;
    case "review_events":
    case "review_objects":
      return true;
    case "ready":
      return stepsOf(workflow).every((each) => each === "ready" || isComplete(workflow, each, settings));
  }
}

/** Required fields without an answer. */
export function missingFields({ setup }: AppWorkflow, { customData }: Settings) {
  return (setup.select?.fields ?? []).filter(
    ({ id, required }) => required && ownMember(customData, id) === undefined,
  );
}
