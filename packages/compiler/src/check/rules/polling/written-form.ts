import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import { bare } from "../../../flow/nodes.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { isCutToDay, type KindWritten } from "../../../flow/protocol/state-kinds.ts";

/** The form in which a time or a day is written, where a constant says it; either may be read where the other is. */
export function formOf({ value, program }: KindWritten): string | undefined {
  const node: Expression = bare(resolved(value, program) ?? value);
  if (isCutToDay(node)) return "%Y-%m-%d";
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  if (last?.kind !== "Call") return undefined;
  if (last.name.text === "todate" || last.name.text === "todateiso8601") return "%Y-%m-%dT%H:%M:%SZ";
  const [argument] = last.arguments;
  const form = last.name.text === "strftime" && argument !== undefined ? constantOf(argument) : undefined;
  if (typeof form !== "string") return undefined;
  const whole = form.replaceAll("%F", "%Y-%m-%d").replaceAll("%T", "%H:%M:%S").replace(/\.\d+/, "");
  return /%[Yy]/.test(whole) && (whole.includes("%H") || /%m.*%d|%d.*%m/.test(whole)) ? whole : undefined;
}

export const isDay = (form: string): boolean => !form.includes("%H");
