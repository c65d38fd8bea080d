import { type Type, types } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { flowOf } from "../flow/flow.ts";
import { spanOf } from "../parse/document.ts";
import { withoutHiddenBody } from "../samples/response.ts";

/** A word shown behind the text, without being part of it. */
export interface Hint {
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/**
 * What each step of a pipe gives, behind the step, and what an index of `piped_content` means, behind the index. Nothing where
 * nothing is known.
 *
 * @param range UTF-16 offsets; hints outside of it aren't worked out
 */
export function hintsIn(
  model: Model,
  range: { readonly start: number; readonly end: number },
): readonly Hint[] {
  return [...stepHints(model, range), ...indexHints(model, range)].sort((a, b) => a.offset - b.offset);
}

function* stepHints(
  model: Model,
  { start, end }: { readonly start: number; readonly end: number },
): Generator<Hint> {
  const flow = flowOf(model);
  for (const { parent, node, key } of model.commands) {
    if (parent?.key !== "!pipe" || node.end < start || node.start > end) continue;
    // These give what they take, which is shown already.
    if (key === "!save" || key === "!print_c" || key === "!error") continue;
    const command = parent.children.find((child) => child?.node === node);
    const names = memberNames(withoutHiddenBody(flow.output(command)));
    if (names !== undefined) yield { offset: node.end, label: names, tooltip: `What this \`${key}\` gives.` };
  }
}

function* indexHints(
  model: Model,
  { start, end }: { readonly start: number; readonly end: number },
): Generator<Hint> {
  for (const { root, rootExact, syntax, node, command } of model.expansions) {
    const index = syntax.path[1];
    if (root !== "piped_content" || !rootExact || index === undefined || command === undefined) continue;
    if (node.end < start || node.start > end) continue;
    const name = stepName(command, Number(index.text));
    if (name === undefined) continue;
    const at = spanOf(model.document, { node, from: index.start, to: index.end }).end;
    yield { offset: at, label: `:${name}`, tooltip: `\`piped_content.${index.text}\`: ${name}` };
  }
}

function stepName({ pipe, stepsRun }: Command, index: number): string | undefined {
  if (index === 0) return "input";
  if (pipe === undefined || !Number.isInteger(index) || index < 0 || index > stepsRun) return undefined;
  const step = pipe.children[index - 1];
  if (step === undefined) return undefined;
  const request =
    step.key === "!http" && step.argument?.kind === "object" ? step.argument.get("path") : undefined;
  const path = request?.kind === "string" ? ` ${request.value.slice(0, 30)}` : "";
  return `${step.key}${path}`;
}

/** `{hook_id, secret}`; other kinds by their name; undefined for what isn't known. */
function memberNames(type: Type): string | undefined {
  const parts = types.partsOf(type).map((part) => {
    if (part.kind === "object") {
      const names = [...part.members].map(([name, { optional }]) => (optional ? `${name}?` : name));
      if (names.length === 0 && part.rest !== undefined) return undefined;
      const shown = names.slice(0, 6);
      if (names.length > 6 || part.rest !== undefined) shown.push("…");
      return `{${shown.join(", ")}}`;
    }
    if (part.kind === "array") {
      const items = memberNames(part.items);
      return items === undefined ? undefined : `[${items}]`;
    }
    return part.kind === "unknown" || part.kind === "never" ? undefined : part.kind;
  });
  if (parts.length === 0 || parts.some((part) => part === undefined)) return undefined;
  return [...new Set(parts)].slice(0, 4).join(" | ");
}
