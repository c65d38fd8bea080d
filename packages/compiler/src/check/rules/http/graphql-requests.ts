import type { Model } from "../../../bind/model.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";
import { derivedByPart } from "../../by-part.ts";

/** The requests of a document with a GraphQL query that stands in it. */
export const graphqlRequests = derivedByPart(({ commands }) =>
  commands.filter((command) => graphqlQuery(command) !== undefined),
);

export const asksGraphql = (model: Model): boolean => graphqlRequests(model).length > 0;
