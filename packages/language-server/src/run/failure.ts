import { findNode, type Model, spanOf } from "@configc/compiler";
import { RunError } from "@configc/runtime";
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
    ...(cause instanceof Error && !message.includes(cause.message) ? { cause: cause.message } : {}),
  };
}

function placeOf({ span, pointer, offset }: RunError, model: Model) {
  const found = findNode(model, pointer);
  if (span === undefined || !("node" in found) || found.node.kind !== "object") return span;
  if (offset !== undefined) {
    const choice = found.node.get("!switch");
    const program = found.node.get("!jq") ?? (choice?.kind === "object" ? choice.get("jq") : undefined);
    if (program?.kind === "string")
      return spanOf(model.document, { node: program, from: offset, to: offset + 1 });
  }
  // Its key says which command it is; the whole may go on for pages.
  const key = found.node.members.find(({ name }) => name.startsWith("!"))?.key;
  return found.node.start === span.start && key !== undefined ? { start: key.start, end: key.end } : span;
}

/** Of the key of a command: what it stands on in the document. */
export function keyRange(document: TextDocument, model: Model, pointer: string): Range | undefined {
  const found = findNode(model, pointer);
  if (!("node" in found) || found.node.kind !== "object") return undefined;
  const key = found.node.members.find(({ name }) => name.startsWith("!"))?.key;
  return key === undefined ? undefined : toRange(document, key);
}
