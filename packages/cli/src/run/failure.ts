import { type Model, type Range, rangeOf } from "@configc/compiler";
import { failureSpan } from "@configc/compiler/internal";
import { RunError } from "@configc/runtime";
import { linesOf, snippet } from "../formats/snippet.ts";

/** A failed run as data (`design.md`, "CLI"). */
export interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly pointer: string;
  readonly range?: Range;
  readonly status?: number;
  readonly cause?: string;
}

/** @param model without it, no place is told */
export function failureOf(error: unknown, model: Model | undefined): Failure {
  if (!(error instanceof RunError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "InternalError", message, pointer: "" };
  }
  const { kind, message, pointer, status, cause } = error;
  const span = model === undefined ? undefined : failureSpan(model, error);
  return {
    kind,
    message,
    pointer,
    ...(span === undefined || model === undefined ? {} : { range: rangeOf(model.document, span) }),
    ...(status === undefined ? {} : { status }),
    ...(cause instanceof Error && cause.message !== message ? { cause: cause.message } : {}),
  };
}

/** The failure for people, with the line of the config. */
export function failureText(
  failure: Failure,
  { file, model }: { file: string; model: Model },
  width: number,
): string {
  const { kind, message, pointer, range, cause } = failure;
  const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
  const lines = [`${place}: ${kind}: ${message}`];
  if (pointer !== "") lines.push(`    at ${pointer}`);
  if (range !== undefined) {
    const marks = [{ start: range.start.offset, end: range.end.offset, primary: true }];
    // A command may go on for pages; its beginning says which it is.
    const [mark] = marks.map((each) => ({ ...each, end: Math.min(each.end, endOfLine(model, each.start)) }));
    for (const line of snippet(linesOf(model.document.text), mark === undefined ? [] : [mark], width - 4)) {
      if (line.kind === "source") lines.push(`    ${line.text}`);
      if (line.kind === "marks") lines.push(`    ${" ".repeat(line.indentation)}${line.carets}`);
    }
  }
  if (cause !== undefined) lines.push(`    because: ${cause}`);
  return lines.join("\n");
}

function endOfLine({ document: { text } }: Model, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}
