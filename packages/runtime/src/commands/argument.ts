import type { AppCommand, AppTemplate, AppValue } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { isObject } from "../json.ts";

/** The members of a command's argument, or of any object with expansions; those whose names have some are left out. */
export function membersOf(value: AppValue | undefined): ReadonlyMap<string, AppValue> {
  const members = new Map<string, AppValue>();
  if (value === undefined) return members;
  if ("literal" in value && isObject(value.literal)) {
    for (const [name, literal] of Object.entries(value.literal)) members.set(name, { literal });
  } else if ("members" in value) {
    for (const { key, value: inner } of value.members) {
      if (key.every((piece) => typeof piece === "string")) members.set(key.join(""), inner);
    }
  }
  return members;
}

/** A value without expansions; undefined for any other. */
export function literalOf(value: AppValue | undefined): Json | undefined {
  return value !== undefined && "literal" in value ? (value.literal as Json) : undefined;
}

/** A string with or without expansions; undefined for any other value. */
export function templateOf(value: AppValue | undefined): AppTemplate | undefined {
  if (value === undefined) return undefined;
  if ("template" in value) return value.template;
  return "literal" in value && typeof value.literal === "string" ? [value.literal] : undefined;
}

/** The text of a member without expansions. */
export function literalText(command: AppCommand, name: string): string | undefined {
  const value = literalOf(membersOf(command.argument).get(name));
  return typeof value === "string" ? value : undefined;
}
