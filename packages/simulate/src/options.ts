import type { App, AppOptions } from "@configc/compiler";
import { evaluate, type Json, type JsonObject } from "@configc/jq";
import { BEGINNING } from "./stage/stage.ts";

/** The options that are known before any request: those that are written down, and those that a program makes of nothing else. */
export function itemsOf(
  options: AppOptions | undefined,
  { commands }: Pick<App, "commands">,
): readonly JsonObject[] {
  if (options === undefined) return [];
  if ("items" in options) return options.items.filter(isRecord);
  const { key, program } = Object.hasOwn(commands, options.command) ? commands[options.command]! : {};
  // What it makes of an input that it reads, or of what the customer chose before, isn't known.
  if (key !== "!jq" || program === undefined || program.holes.length > 0) return [];
  return made(program.text).filter(isRecord);
}

function made(text: string): readonly unknown[] {
  try {
    const [output] = evaluate(text, null, { clock: () => BEGINNING / 1_000, budget: { steps: MOST_STEPS } });
    return Array.isArray(output) ? output : [];
  } catch {
    return [];
  }
}

const MOST_STEPS = 100_000;

function isRecord(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
