import type { Json } from "@configc/jq";
import { put, valueAt } from "../service/json.ts";
import type { ServiceHook } from "./hooks.ts";
import type { InstallationFacts, WebhookSubject } from "./subject.ts";

/** Whose record it is: they are of one installation after the other. */
export function ownerOf({ installations }: WebhookSubject, record: number, count: number): InstallationFacts {
  return installations[(record - 1) % count] ?? installations[0]!;
}

/** Hooks that a service calls for what happens to a customer's resource. */
export function hearing(
  hooks: readonly ServiceHook[],
  { installations }: WebhookSubject,
  own: InstallationFacts,
): readonly ServiceHook[] {
  const mine = choicesOf(own);
  const others = installations.filter((each) => each !== own).flatMap(choicesOf);
  return hooks.filter(
    ({ customer, given }) =>
      (customer === undefined || customer === own.customer) &&
      !given.some((text) => others.some((each) => says(text, each) && !mine.includes(each))),
  );
}

/** Whether a text is a choice; or has one in it that was made up, so that it stands there on purpose: `Patient?organization=practice-2`. */
function says(text: string, choice: string): boolean {
  return text === choice || (/-\d+$/.test(choice) && text.split(/[^\w-]+/).includes(choice));
}

/** A payload that says whose it is, where the app looks for that. */
export function routed({ protocol }: WebhookSubject, payload: Json, own: InstallationFacts): Json {
  const { chosen } = protocol;
  let body = payload;
  for (const { at, choice } of chosen) {
    const value = valueAt(own.form, choice);
    if (value !== undefined && value !== null) body = put(body, at, value);
  }
  for (const { at, value } of [...own.account, ...own.resource]) body = put(body, at, value);
  return body;
}

/** The texts that a customer chose. */
function choicesOf({ form }: InstallationFacts): readonly string[] {
  return Object.values(form).flatMap((choice) => {
    const { value } = (choice ?? {}) as { readonly value?: Json };
    return (Array.isArray(value) ? value : [value]).filter(
      (each): each is string => typeof each === "string",
    );
  });
}
