import { type language, rules } from "@configc/compiler";
import { didYouMean } from "../command-line/did-you-mean.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { validate as validateDialect } from "../generated/dialect-validator.ts";
import { validate } from "../generated/settings-validator.ts";
import type { RuleLevels, SettingsFile } from "./project-settings.ts";
import type { ParsedSettings } from "./read.ts";
import { readChecked, type Validator } from "./schema-mistakes.ts";

/** Parses a settings file, or the dialect file that it names, and finds every mistake in it, each at its own place. */
export function parseSettings(text: string, kind?: "dialect"): ParsedSettings {
  return kind === "dialect" ? parseDialect(text) : parseOwn(text);
}

function parseDialect(text: string): ParsedSettings {
  const { value, mistakes } = readChecked(
    text,
    "configc.dialect.json",
    validateDialect as unknown as Validator,
    "member",
  );
  return { settings: (value ?? {}) as language.DialectFile, mistakes };
}

function parseOwn(text: string): ParsedSettings {
  const { value, mistakes, at } = readChecked(
    text,
    "configc.config.json",
    validate as unknown as Validator,
    "setting",
  );
  if (value === undefined) return { settings: {}, mistakes };
  const settings = value as SettingsFile;
  for (const id of Object.keys(levelsIn(settings))) {
    if (rules.some((rule) => rule.id === id)) continue;
    mistakes.push(at(["rules", id], unknownRule(id)));
  }
  return { settings, mistakes };
}

/** "There is no rule `x`. …" A name without its area is known by that name. */
export function unknownRule(id: string): string {
  const ids = rules.map((rule) => rule.id);
  const named = ids.filter((each) => each.split("/")[1] === id);
  const suggestion = named.length > 0 ? ` Did you mean ${named.join(" or ")}?` : didYouMean(id, ids);
  return `There is no rule “${id}”.${suggestion} “configc rules” lists them.`;
}

/** @throws UsageError if the command line gives a level to a rule that there isn't */
export function requireKnownRules(levels: RuleLevels, verb: string): void {
  for (const id of Object.keys(levels))
    if (!rules.some((rule) => rule.id === id)) throw new UsageError(unknownRule(id), verb);
}

function levelsIn(settings: SettingsFile): object {
  const levels: unknown = typeof settings === "object" && settings !== null ? settings.rules : undefined;
  return typeof levels === "object" && levels !== null ? levels : {};
}
