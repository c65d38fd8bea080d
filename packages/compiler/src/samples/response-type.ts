import { type Type, types } from "@configc/jq";
import { derived } from "../bind/derived.ts";
import type { Command, Model } from "../bind/model.ts";
import { anyResponse } from "./response.ts";
import { learnedResponses } from "./responses.ts";

/** What an `!http` gives (D20), as far as samples tell. */
export function responseType(command: Command, model: Model): Type {
  return learnedResponses(model).get(command)?.type ?? anyResponse;
}

/** What the programs of `api.pagination` take: a page of any request that is paginated (D22). */
export const pagedResponse: (model: Model) => Type = derived((model) => {
  if (model.samples.responses.length === 0 && model.samples.documents.length === 0) return anyResponse;
  const paginated = model.commands.filter(({ key, argument }) => {
    const pagination = argument?.kind === "object" ? argument.get("pagination") : undefined;
    return key === "!http" && pagination?.kind === "boolean" && pagination.value;
  });
  if (paginated.length === 0) return anyResponse;
  return types.union(...paginated.map((command) => responseType(command, model)));
});
