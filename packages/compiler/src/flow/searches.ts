import { type JsonNode, textOf } from "../parse/syntax-tree.ts";

/** What stands behind the path of a list, and says that some of it is asked for: `/schools/lookup`. */
const searching = /(?<=\w)\/(?:search|query|find|lookup|look-up|match)\/?$/;

/** A path without that. */
export const withoutSearch = (path: string): string => path.replace(searching, "");

/**
 * The path of the list of which a request asks for some records, without its query: `/people` of `GET /people?email=…` and of
 * `POST /people/search`. Undefined for what isn't a question.
 */
export function searchedPath(argument: JsonNode | undefined): string | undefined {
  const [path = ""] = (textOf(argument, "path") ?? "").split("?");
  const method = textOf(argument, "method") ?? "";
  const isAsked = /^(?:|get)$/i.test(method) || (/^post$/i.test(method) && searching.test(path));
  return isAsked ? withoutSearch(path) : undefined;
}
