import type { PlaceName, Section, TextValue, Tier, Value } from "./schema.ts";

/** Short forms for the tables beside this file; they add nothing to what the tables say. */

export const text = (options: Omit<TextValue, "kind"> = {}): TextValue => ({ kind: "text", ...options });
export const url = (): TextValue => ({ kind: "text", format: "url", expansions: true, nonEmpty: true });
export const oneOf = (...values: readonly string[]): TextValue => ({ kind: "text", oneOf: values });
export const boolean: Value = { kind: "boolean" };
export const scalar: Value = { kind: "scalar" };
export const integer = (limits: { minimum?: number; only?: number } = {}): Value => ({
  kind: "integer",
  ...limits,
});
export const section = (target: () => Section): Value => ({ kind: "section", section: target });
export const list = (of: Value, limits: { minimum?: number; maximum?: number } = {}): Value => ({
  kind: "list",
  of,
  ...limits,
});
export const command = (place: PlaceName | "here"): Value => ({ kind: "command", place });
/** A string whose expansions are evaluated. */
export const template = (options: Omit<TextValue, "kind" | "expansions"> = {}): TextValue => ({
  kind: "text",
  expansions: true,
  ...options,
});
export const commandOr = (place: PlaceName, orStatic: Value, staticTier: Tier = "core"): Value => ({
  kind: "command",
  place,
  orStatic,
  staticTier,
});
