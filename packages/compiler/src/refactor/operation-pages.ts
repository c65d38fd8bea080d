import { type Json, type Type, types } from "@configc/jq";
import { isIdentifier } from "@configc/jq/internal";
import { nameOf, parametersIn, schemaOf } from "../query/openapi/operations.ts";
import type { Operation } from "../samples/openapi/operations.ts";

/** Names as services have them, in lower case and without `_` and `-`. */
const names = {
  cursor: /^(?:cursor|pagetoken|nexttoken|nextcursor|after)$/,
  nextPlace: /^(?:nextcursor|nextpagetoken|nexttoken|endcursor)$/,
  page: /^(?:page|pagenumber)$/,
  pages: /^(?:totalpages|pagecount|lastpage)$/,
  offset: /^(?:offset|skip)$/,
  total: /^(?:total|totalcount|totalitems|totalresults)$/,
  size: /^(?:limit|perpage|pagesize)$/,
};
/** Records of a page, where the document says no less. */
const SIZE = 100;

/**
 * `api.pagination` as an operation's parameters and answer tell it: a parameter for the place and a member of the answer that gives the
 * next one, or says how much there is. Both have to be there, under names that mean nothing else.
 *
 * @param response what it answers
 * @returns undefined where it can't be told
 */
export function pagesOf(operation: Operation, response: Type): Json | undefined {
  if (operation.method !== "GET") return undefined;
  const parameters = parametersIn(operation, "query");
  const parameter = (name: RegExp) => parameters.find((each) => name.test(plain(nameOf(each))));
  const [cursor, page, offset, size] = [names.cursor, names.page, names.offset, names.size].map(parameter);
  const sized =
    size === undefined ? undefined : { param: nameOf(size), value: Math.min(SIZE, mostOf(schemaOf(size))) };
  const next = memberIn(response, names.nextPlace, "string");
  if (cursor !== undefined && next !== undefined)
    return {
      style: { type: "cursor", cursor: { param: nameOf(cursor) } },
      parser: { next_result_token: { "!jq": next } },
    };
  const pages = memberIn(response, names.pages, "number");
  if (page !== undefined && pages !== undefined)
    return {
      style: {
        type: "page",
        page_number: { param: nameOf(page), value: 1 },
        ...(sized === undefined ? {} : { page_size: sized }),
      },
      parser: { total_pages: { "!jq": pages } },
    };
  const total = memberIn(response, names.total, "number");
  if (offset !== undefined && sized !== undefined && total !== undefined)
    return {
      style: { type: "limitoffset", limit: sized, offset: { param: nameOf(offset), value: 0 } },
      parser: { total_items: { "!jq": total } },
    };
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

function mostOf(schema: unknown): number {
  const most =
    typeof schema === "object" && schema !== null
      ? (schema as { readonly maximum?: unknown }).maximum
      : undefined;
  return typeof most === "number" && most >= 1 ? most : SIZE;
}

/** A member of the answer, or of an object in it, as a path of jq. */
function memberIn(type: Type, name: RegExp, kind: "string" | "number", depth = 0): string | undefined {
  const members = types.partsOf(type).flatMap((part) => (part.kind === "object" ? [...part.members] : []));
  const own = members.find(
    ([key, member]) =>
      name.test(plain(key)) &&
      isIdentifier(key) &&
      types.partsOf(member.type).some((part) => part.kind === kind),
  );
  if (own !== undefined) return `.${own[0]}`;
  if (depth > 0) return undefined;
  for (const [key, member] of members) {
    const inner = isIdentifier(key) ? memberIn(member.type, name, kind, depth + 1) : undefined;
    if (inner !== undefined) return `.${key}${inner}`;
  }
  return undefined;
}
