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
