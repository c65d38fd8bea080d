import type { Model, Span, SyntaxNode } from "@configc/compiler";
import { failureSpan, findNode } from "@configc/compiler/internal";
import { isHttpFailure, RunError } from "@configc/runtime";
import type { Range } from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { toRange } from "../range.ts";
import type { RunFailure } from "./protocol.ts";

/** A failed run with its place in the document: inside a jq program, where in it. */
export function failureOf(error: unknown, document: TextDocument, model: Model): RunFailure {
  if (!(error instanceof RunError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: "InternalError", message, pointer: "" };
  }
  const { kind, message, pointer, status, cause } = error;
  const span = placeOf(error, model);
  return {
    kind,
    message,
    pointer,
    ...(span === undefined ? {} : { range: toRange(document, span) }),
    ...(status === undefined ? {} : { status }),
    ...(isHttpFailure(cause) && cause.kind === "refused-address" ? { refused: true } : {}),
    ...(cause instanceof Error && !message.includes(cause.message) ? { cause: cause.message } : {}),
  };
}

function placeOf(error: RunError, model: Model) {
  const span = failureSpan(model, error);
  const found = findNode(model, error.pointer);
  if (span === undefined || !("node" in found) || found.node.start !== span.start) return span;
  // Its key says which command it is; the whole may go on for pages.
  return keyOf(found.node) ?? span;
}

/** Of the key of a command: what it stands on in the document. */
export function keyRange(document: TextDocument, model: Model, pointer: string): Range | undefined {
  const found = findNode(model, pointer);
  const key = "node" in found ? keyOf(found.node) : undefined;
  return key === undefined ? undefined : toRange(document, key);
}

function keyOf(command: SyntaxNode): Span | undefined {
  if (command.kind !== "object") return undefined;
  const key = command.members.find(({ name }) => name.startsWith("!"))?.key;
  return key === undefined ? undefined : { start: key.start, end: key.end };
}
