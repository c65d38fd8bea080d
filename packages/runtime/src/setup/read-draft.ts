import type { AppWorkflow } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { isObject, ownMember } from "../json.ts";
import type { Draft, Settings } from "../store/tables.ts";
import { refused } from "./error.ts";
import { isComplete, newDraft, stepsOf } from "./steps.ts";

/** Members of the settings that are texts where they are there. */
const texts = ["connection", "accountId", "account", "resourceId", "display"] as const;

/**
 * A draft that was kept somewhere. The app may have changed since then: a step that it no longer has, or whose
 * predecessors aren't complete any more, becomes the first one that isn't; answers to fields that are gone are left out.
 *
 * @throws SetupError `state` where it isn't a draft at all
 */
export function readDraft(workflow: AppWorkflow, given: unknown): Draft {
  if (given === undefined) return newDraft(workflow);
  const value = given as Json;
  const settings = isObject(value) ? ownMember(value, "settings") : undefined;
  const step = isObject(value) ? ownMember(value, "step") : undefined;
  const customData = isObject(settings) ? ownMember(settings, "customData") : undefined;
  if (!isObject(settings) || !isObject(customData) || typeof step !== "string")
    throw notADraft("it has no step and settings");
  for (const name of texts) {
    const text = ownMember(settings, name);
    if (text !== undefined && typeof text !== "string") throw notADraft(`\`${name}\` isn't a string`);
  }
  const mapping = ownMember(settings, "mapping");
  if (mapping !== undefined && !isObject(mapping)) throw notADraft("`mapping` isn't an object");
  const importOption = ownMember(settings, "importOption");
  if (importOption !== undefined && importOption !== "single" && importOption !== "recurring")
    throw notADraft("`importOption` isn't “single” or “recurring”");
  const ids = new Set(workflow.setup.select?.fields.map(({ id }) => id));
  const answers = Object.entries(customData).filter(([id, answer]) => ids.has(id) && isObject(answer));
  const kept = { ...settings, customData: Object.fromEntries(answers) } as unknown as Settings;
  const steps = stepsOf(workflow);
  const known = steps.find((each) => each === step) ?? "ready";
  const open = steps.slice(0, steps.indexOf(known)).find((each) => !isComplete(workflow, each, kept));
  return { step: open ?? known, settings: kept };
}

function notADraft(why: string) {
  return refused("state", `The saved value isn't the draft of a setup: ${why}.`);
}
