import { type Type, types } from "@configc/jq";
import type { Command, Expansion } from "../bind/bound-nodes.ts";
import { type StringNode, textOf } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import { responseOf } from "./response.ts";

/** The text of a GraphQL request's query, where it stands in the config as it is. */
export function graphqlQuery({ key, argument }: Command): StringNode | undefined {
  const body = key === "!http" && argument?.kind === "object" ? argument.get("body") : undefined;
  const query = body?.kind === "object" ? body.get("query") : undefined;
  if (query?.kind !== "string" || !query.valid) return undefined;
  // By its keyword a text is known as what it is, wherever it goes to.
  if (/^\s*(?:query|mutation|subscription)\b[^{}]*\{[\s\S]*\}\s*$/.test(query.value)) return query;
  const where = textOf(argument, "path") ?? textOf(argument, "url") ?? "";
  return /graphql|\/gql\b/i.test(where) && /^\s*\{/.test(query.value) ? query : undefined;
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
  /** As it is declared, without the `!` at its end: `ID`, `[String!]`. */
  readonly type: string;
}

/** Nobody writes longer queries by hand, and patterns take time. */
const LONGEST = 20_000;

/** The variables of the one operation of a document; undefined where there are several, or an expansion is pasted into it. */
export function readOperation(query: string): { readonly variables: readonly GraphqlVariable[] } | undefined {
  if (query.length > LONGEST || (parseTemplate(query)?.expansions.length ?? 0) > 0) return undefined;
  const text = withoutTexts(query);
  if (operationsIn(text) > 1) return undefined;
  const head = /^\s*(?:query|mutation|subscription)\s*\w*\s*\(/.exec(text);
  if (head === null) return { variables: [] };
  const end = closing(text, head[0].length);
  if (end === undefined) return undefined;
  const used = new Set([...text.slice(end).matchAll(/\$(\w+)/g)].map(([, name]) => name));
  const declarations = text.slice(head[0].length, end);
  const variables = [...declarations.matchAll(/\$(\w+)\s*:\s*([\w[\]!]+)/g)].map((match) => {
    const name = match[1] as string;
    const start = head[0].length + match.index;
    const after = declarations.slice(match.index + match[0].length).trimStart();
    return {
      name,
      start,
      end: start + match[0].length,
      isRequired: match[0].endsWith("!") && !after.startsWith("="),
      isUsed: used.has(name),
      type: (match[2] as string).replace(/!$/, ""),
    };
  });
  return { variables };
}

/** How many operations a document has. Below them the same words are fields and variables: `$subscription`, `subscription { id }`. */
function operationsIn(text: string): number {
  let [depth, count] = [0, 0];
  for (const [token] of text.matchAll(/[{}]|(?<![$\w])(?:query|mutation|subscription)\b/g))
    if (token === "{") depth++;
    else if (token === "}") depth--;
    else if (depth === 0) count++;
  return count;
}

/** Arguments that mean how many records a page has. */
const sizeArgument = /\b(?:first|last|limit|take|perPage|pageSize)\s*:\s*(\$?\w+)/g;

/**
 * How many records a query asks for, written in it or given as one of its variables. Lists within records have sizes of their own, so only those of
 * the outermost list count that has one.
 */
export function graphqlPageSizes({ argument }: Command, query: StringNode): readonly number[] {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  const given = body?.kind === "object" ? body.get("variables") : undefined;
  return pageSizesIn(query.value, (name) => {
    const sent = given?.kind === "object" ? given.get(name) : undefined;
    return sent?.kind === "number" ? sent.value : undefined;
  });
}

/** The same of the text of a query. @param variable what a variable is sent with, where that is a constant */
export function pageSizesIn(query: string, variable: (name: string) => unknown): readonly number[] {
  if (query.length > LONGEST) return [];
  const text = withoutTexts(query);
  const found = [...text.matchAll(sizeArgument)].map(({ 1: value = "", index }) => {
    const before = text.slice(0, index);
    const depth = before.split("{").length - before.split("}").length;
    const size = value.startsWith("$") ? variable(value.slice(1)) : Number(value);
    return { depth, size: typeof size === "number" ? size : Number.NaN };
  });
  // The head declares variables; what they are called there says nothing.
  const inside = found.filter(({ depth }) => depth > 0);
  const outermost = Math.min(...inside.map(({ depth }) => depth));
  const sizes = inside.filter(({ depth }) => depth === outermost).map(({ size }) => size);
  return sizes.every((size) => Number.isInteger(size) && size > 0) ? sizes : [];
}

/** The variable of a query that an expansion is all the value of, as the query declares it. */
export function graphqlVariable({ command, node, syntax, position }: Expansion): GraphqlVariable | undefined {
  const isWhole = position === "value" && syntax.start === 0 && syntax.end === node.value.length;
  const query = !isWhole || command === undefined ? undefined : graphqlQuery(command);
  const argument = command?.argument;
  const body = query !== undefined && argument?.kind === "object" ? argument.get("body") : undefined;
  const variables = body?.kind === "object" ? body.get("variables") : undefined;
  const sent =
    variables?.kind === "object" ? variables.members.find(({ value }) => value === node) : undefined;
  const declared = sent === undefined || query === undefined ? undefined : readOperation(query.value);
  return declared?.variables.find(({ name }) => name === sent?.name);
}

/** The argument that a variable is given to, if it is called the same wherever it is used: `group_id` of `create(group_id: $group)`. */
export function graphqlArgument({ command }: Expansion, variable: GraphqlVariable): string | undefined {
  const query = command === undefined ? undefined : graphqlQuery(command);
  if (query === undefined || query.value.length > LONGEST) return undefined;
  const text = withoutTexts(query.value).slice(variable.end);
  const uses = [...text.matchAll(/(?:(\w+)\s*:\s*)?(\$\w+)\b/g)].filter(
    (use) => use[2] === `$${variable.name}`,
  );
  const names = new Set(uses.map((use) => use[1]));
  return names.size === 1 ? [...names][0] : undefined;
}

/** The types that every server has, and whose values are no objects and, of themselves, no lists. */
export const isGraphqlScalar = (type: string): boolean => /^(?:String|ID|Int|Float|Boolean)$/.test(type);

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

/** What a GraphQL server answers: what the query selects is below `data`. */
export function graphqlAnswer(query: string): Type {
  const selected = readOperation(query) === undefined ? undefined : selection(withoutTexts(query));
  const members = ["errors", "extensions"].map(
    (name) => [name, { type: types.unknown, optional: true }] as const,
  );
  return responseOf(
    types.object([["data", { type: selected ?? types.unknown, optional: true }], ...members]),
  );
}

/** What the first selection of a query gives; undefined where that isn't all that it may give. */
function selection(text: string): Type | undefined {
  const selected = selectedIn(text);
  return selected === undefined ? undefined : types.union(typeOf(selected), types.nullType);
}

function typeOf(selected: Selection): Type {
  const members = [...selected].map(([name, below]) => {
    const own = below === undefined ? undefined : typeOf(below);
    // One or several, as the schema has it.
    const type = own === undefined ? types.unknown : types.union(own, types.array(own), types.nullType);
    return [name, { type, optional: false }] as const;
  });
  return types.object(members);
}

/** The fields that a query selects of a record, by the names that the answer has; those of a field without known ones are undefined. */
export type Selection = ReadonlyMap<string, Selection | undefined>;

/** What a query selects; undefined where that isn't all that it may give. */
export function graphqlSelection(query: string): Selection | undefined {
  return readOperation(query) === undefined ? undefined : selectedIn(withoutTexts(query));
}

function selectedIn(text: string): Selection | undefined {
  const tokens = text.match(/\.\.\.|[{}()@:]|\$?\w+|[^\s{}()@:\w]+/g) ?? [];
  let at = 0;
  const skip = (): void => {
    // Arguments, from one bracket to its other one.
    for (let depth = 0; at < tokens.length; at++) {
      if (tokens[at] === "(") depth++;
      else if (tokens[at] === ")" && --depth === 0) break;
    }
    at++;
  };
  const fields = (depth: number): Selection | undefined => {
    const members = new Map<string, Selection | undefined>();
    let last: string | undefined;
    let isOpen = depth > 20;
    for (at++; at < tokens.length && tokens[at] !== "}"; ) {
      const token = tokens[at]!;
      if (token === "(") skip();
      else if (token === "{") {
        const below = fields(depth + 1);
        if (last !== undefined) members.set(last, below);
      } else if (/^\w/.test(token)) {
        const isAlias = tokens[at + 1] === ":";
        last = token;
        if (!members.has(token)) members.set(token, undefined);
        at += isAlias ? 3 : 1;
      } else {
        // Fragments select what isn't looked at here, and directives leave out what is.
        isOpen = true;
        at++;
      }
    }
    at++;
    return isOpen ? undefined : members;
  };
  while (at < tokens.length && tokens[at] !== "{")
    if (tokens[at] === "(") skip();
    else at++;
  return fields(0);
}
