import { readMethods } from "./commands/http.ts";

/** What is known of a request before it is sent. */
export interface RequestShape {
  readonly method: string;
  /** Path or URL, with or without its parameters; expansions may stand in it. */
  readonly address: string;
  /** `body.query`, where it is a text: that of a GraphQL request. */
  readonly query?: string | undefined;
}

/**
 * Whether a request may change something at its service. GET, HEAD and OPTIONS don't. A POST doesn't if it is a GraphQL query, or if its
 * address is called a search and nothing in it is called a change; whatever isn't known counts as a change.
 */
export function mayWrite({ method, address, query }: RequestShape): boolean {
  const verb = method.toUpperCase();
  if (readMethods.has(verb)) return false;
  if (verb !== "POST") return true;
  if (query !== undefined && isQuery(query)) return false;
  const words = wordsOf(address);
  return !words.some((word) => searchWords.has(word)) || words.some((word) => changeWords.has(word));
}

/** Whether a GraphQL document has queries only. */
function isQuery(text: string): boolean {
  const plain = text.replace(/"""[\s\S]*?"""|"(?:\\.|[^"\\])*"|#.*/g, "");
  return /^\s*(?:query\b|\{|fragment\b)/.test(plain) && !/(?:^|\})\s*(?:mutation|subscription)\b/.test(plain);
}

/** Words of the path: `/contacts/_search`, `/contacts:findBy`. A host isn't asked. */
function wordsOf(address: string): readonly string[] {
  return address
    .replace(/^https?:\/\/[^/]*/, "")
    .replace(/\$\{[^}]*\}|\$<[^>]*>/g, "/")
    .replace(/\?.*/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

const searchWords: ReadonlySet<string> = new Set(["search", "query", "find", "lookup", "filter"]);
const changeWords: ReadonlySet<string> = new Set(
  "create add new upsert update change set save delete remove merge import sync send".split(" "),
);
