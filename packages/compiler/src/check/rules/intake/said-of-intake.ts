import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { textOf } from "../../../parse/syntax-tree.ts";

/** Whether a comment of an intake says something: how its service works explains what would be a mistake elsewhere. */
export const isSaid = (form: RegExp, { node }: IntakeSymbol, model: Model): boolean =>
  hasComments(model) && commentsBelow(node).some(({ value }) => form.test(value));

/** Whether a request asks for a part of one record, or for something to be done with it: `/hooks/ID/target`. */
export const isOfPart = ({ key, argument }: Command): boolean =>
  key === "!http" && /[}>]\/[\w-]+\/?$/.test(textOf(argument, "path") ?? "");

/** Whether a comment tells why an event comes though nothing registers it: `order.deleted comes to every hook`, `order.changes stands for order.paid`. */
export function tellsEventOtherwise(event: string, comments: readonly string[]): boolean {
  return comments.some((comment) =>
    comment
      .split(/(?<=[.;])\s+/)
      .some((sentence) => sentence.includes(event) && (comesUnasked.test(sentence) || isTold.test(sentence))),
  );
}
const comesUnasked =
  /\b(?:every|each|any|all) (?:web)?hooks?\b|\b(?:by itself|by themselves|unasked|automatically|in any case|whatever (?:it|is|was)|without (?:being )?(?:registered|registering|asking|asked)|can't be (?:registered|turned off|switched off))\b/i;
const isTold = /\b(?:stands? for|covers?|includes?|comprises?|bundles?|is short for|means all of)\b/i;
