import { type Type, types } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import { derived } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { graphqlAnswer, graphqlQuery } from "./graphql.ts";
import { describedRequests, describedType } from "./openapi/described.ts";
import { anyResponse } from "./response.ts";
import { learnedResponses } from "./responses.ts";

/**
 * What an `!http` gives (D20): what an OpenAPI document says of its operation, since it knows of members that a sample happens
 * not to have; where none does, what the samples show, or what GraphQL says of every answer.
 */
export function responseType(command: Command, model: Model): Type {
  return (
    describedTypes(model).get(command) ?? learnedResponses(model).get(command)?.type ?? answerType(command)
  );
}

function answerType(command: Command): Type {
  const query = graphqlQuery(command);
  return query === undefined ? anyResponse : graphqlAnswer(query.value);
}

/** What documents say of the responses of requests. */
export const describedTypes: (model: Model) => ReadonlyMap<Command, Type> = derived((model) => {
  const found = new Map<Command, Type>();
  for (const [command, { operation }] of describedRequests(model)) {
    const type = operation === undefined ? undefined : describedType(operation);
    if (type !== undefined) found.set(command, type);
  }
  return found;
});

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
