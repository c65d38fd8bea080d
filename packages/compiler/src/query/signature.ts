import { type SignatureHelp, signatureAt } from "@configc/jq/internal";
import type { Model } from "../bind/model.ts";
import { cursorAt } from "./cursor.ts";

/** The jq function whose arguments are being written at an offset. */
export function signatureHelpAt(model: Model, offset: number): SignatureHelp | undefined {
  const cursor = cursorAt(model, offset);
  if (cursor?.kind !== "text" || cursor.program === undefined || cursor.expansion !== undefined)
    return undefined;
  const holes = cursor.program.holes.map(({ syntax: { start, end } }) => ({ start, end }));
  return signatureAt(cursor.node.value, cursor.offset, holes);
}
