import type { Member } from "../schema.ts";
import { list, text } from "../values.ts";

const remark = text({ format: "comment" });

/** `_comment`, which any object of the config's own structure may carry (D3). */
export const comment: Member = {
  value: { kind: "either", of: [remark, list(remark)] },
  tier: "ext",
  source: "D3",
  doc: "A remark, or a list of remarks; ignored. One that begins with `configc-ignore RULE: reason` silences that rule in this object and all below.",
  example: "The API answers 409 for a contact that exists.",
};
