import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";

/** Whether a comment of an intake says something: how its service works explains what would be a mistake elsewhere. */
export const isSaid = (form: RegExp, { node }: IntakeSymbol, model: Model): boolean =>
  hasComments(model) && commentsBelow(node).some(({ value }) => form.test(value));
