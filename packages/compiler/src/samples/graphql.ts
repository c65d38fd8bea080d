import { type Type, types } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import { type StringNode, textOf } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import { responseOf } from "./response.ts";

/** The text of a GraphQL request's query, where it stands in the config as it is. */
export function graphqlQuery({ key, argument }: Command): StringNode | undefined {
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  const query = body?.kind === "object" ? body.get("query") : undefined;
  const where = textOf(argument, "path") ?? textOf(argument, "url") ?? "";
  if (query?.kind !== "string" || !query.valid || !/graphql|\/gql\b/i.test(where)) return undefined;
  return /^\s*(?:query|mutation|subscription|\{)/.test(query.value) ? query : undefined;
}

/** A variable as an operation declares it. */
export interface GraphqlVariable {
  readonly name: string;
  /** Of its declaration, in the decoded string. */
  readonly start: number;
  readonly end: number;
  /** It isn't null and has no default. */
  readonly isRequired: boolean;
  readonly isUsed: boolean;
}

/** Nobody writes longer queries by hand, and patterns take time. */
const LONGEST = 20_000;

/** The variables of the one operation of a document; undefined where there are several, or an expansion is pasted into it. */
export function readOperation(query: string): { readonly variables: readonly GraphqlVariable[] } | undefined {
  if (query.length > LONGEST || (parseTemplate(query)?.expansions.length ?? 0) > 0) return undefined;
  const text = withoutTexts(query);
  if ((text.match(/\b(?:query|mutation|subscription)\b[^{}]*\{/g) ?? []).length > 1) return undefined;
  const head = /^\s*(?:query|mutation|subscription)\s*\w*\s*\(/.exec(text);
  if (head === null) return { variables: [] };
  const end = closing(text, head[0].length);
  if (end === undefined) return undefined;
  const used = new Set([...text.slice(end).matchAll(/\$(\w+)/g)].map(([, name]) => name));
  const declarations = text.slice(head[0].length, end);
  const variables = [...declarations.matchAll(/\$(\w+)\s*:\s*[\w[\]!]+/g)].map((match) => {
    const name = match[1] as string;
    const start = head[0].length + match.index;
    const after = declarations.slice(match.index + match[0].length).trimStart();
    return {
      name,
      start,
      end: start + match[0].length,
      isRequired: match[0].endsWith("!") && !after.startsWith("="),
      isUsed: used.has(name),
    };
  });
  return { variables };
}

/** The text with blanks for its strings and comments, of the same length. */
function withoutTexts(query: string): string {
  return query.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, (found) => " ".repeat(found.length));
}

function closing(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return undefined;
}

/** What a GraphQL server answers, whatever it is asked: what was asked for is below `data`. */
export const graphqlResponse: Type = responseOf(
  types.object([
    ["data", { type: types.unknown, optional: true }],
    ["errors", { type: types.unknown, optional: true }],
    ["extensions", { type: types.unknown, optional: true }],
  ]),
);
