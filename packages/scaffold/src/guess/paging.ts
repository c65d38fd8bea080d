import type { Operation, Parameter } from "../description.ts";
import { jqPath, membersOf, type Path, type Shape } from "../shape.ts";
import type { Guess } from "./guess.ts";
import { identityOf, type RecordList } from "./lists.ts";
import { phrase } from "./name-words.ts";

/** How a list goes on behind its first page. */
export type Paging =
  | { readonly kind: "none" }
  /** A place that the answer gives. */
  | {
      readonly kind: "cursor";
      readonly param: string;
      readonly next: Path;
      /** Whether the answer gives the next request's address, with the parameter in it. */
      readonly isLink: boolean;
      readonly more?: Path;
      readonly size?: PageSize;
    }
  /** The id of the last record. */
  | {
      readonly kind: "keyset";
      readonly param: string;
      readonly id: string;
      /** Without it, an empty page is the end. */
      readonly more?: Path;
      readonly size?: PageSize;
    }
  | {
      readonly kind: "offset";
      readonly param: string;
      readonly total?: Path;
      readonly more?: Path;
      readonly size?: PageSize;
    }
  | {
      readonly kind: "page";
      readonly param: string;
      readonly first: number;
      readonly pages?: Path;
      readonly more?: Path;
      readonly size?: PageSize;
    };

export interface PageSize {
  readonly param: string;
  readonly value: number;
}

const cursorNames =
  /^(?:(?:page |pagination |next |scroll |list )?(?:cursor|token|marker)|next page(?: token)?|page token|(?:page )?after|starting after|start (?:after|cursor)|continuation(?: token)?|next)$/;
const nextNames =
  /^(?:(?:next|end) ?(?:cursor|page token|token|marker|page|offset|key)?|(?:next )?(?:cursor|page token|token|marker|continuation token)|after|offset|next start)$/;
const lastIdNames = /^(?:after|since|last|start(?:ing)? after|from) (?:\w+ )?id$/;
const offsetNames = /^(?:(?:page )?offset|skip|start(?: at| index)?)$/;
const pageNames = /^(?:page|page (?:number|no|num|index)|p|current page)$/;
const sizeNames =
  /^(?:(?:page )?(?:limit|size)|per page|page (?:limit|size|length)|max(?: results| items)?|count|take|results per page|first|items per page|records per page)$/;
const moreNames =
  /^(?:has (?:more|next|next page)(?: items| results)?|more(?: items in collection)?|is last)$/;
const totalNames = /^(?:total|total (?:count|items|results|records|size)|count|recordcount|results total)$/;
const pagesNames = /^(?:total pages|page count|pages|last page|num pages|number of pages)$/;

/** The paging of a list, by its parameters and by what its answer says of the rest. */
export function pagingOf(list: RecordList): Guess<Paging> {
  const { operation } = list;
  const size = sizeOf(operation);
  const sized = size === undefined ? {} : { size };
  const more = moreIn(operation.response, moreNames, ["boolean", "unknown"]);
  const next = nextIn(operation.response);

  const cursor =
    query(operation, cursorNames) ??
    (next === undefined ? undefined : query(operation, /^(?:offset|start)$/, "string"));
  const known = more === undefined ? {} : { more };
  if (cursor !== undefined && next !== undefined)
    return {
      value: { kind: "cursor", param: cursor.name, next, isLink: false, ...known, ...sized },
      because: `the parameter \`${cursor.name}\` and \`${jqPath(next)}\` of the answer`,
    };
  const before = query(operation, /^(?:until|before)$/);
  if (cursor === undefined && before !== undefined && next !== undefined && isTime(operation.response, next))
    return {
      value: { kind: "cursor", param: before.name, next, isLink: false, ...known, ...sized },
      because: `\`${jqPath(next)}\` of the answer is a time to go on from, which \`${before.name}\` takes`,
    };
  const link = cursor === undefined ? undefined : linkIn(operation.response);
  if (cursor !== undefined && link !== undefined)
    return {
      value: { kind: "cursor", param: cursor.name, next: link, isLink: true, ...known, ...sized },
      because: `the parameter \`${cursor.name}\`, which the address \`${jqPath(link)}\` of the answer has`,
    };
  const { id } = identityOf(list.record);
  const last = query(operation, lastIdNames);
  if (last !== undefined && id !== undefined)
    return {
      value: { kind: "keyset", param: last.name, id, ...known, ...sized },
      because: `the parameter \`${last.name}\``,
    };
  if (cursor !== undefined && more !== undefined && id !== undefined && /after/.test(phrase(cursor.name)))
    return {
      value: { kind: "keyset", param: cursor.name, id, more, ...sized },
      because: `the parameter \`${cursor.name}\`, and \`${jqPath(more)}\` of the answer`,
    };
  const page = query(operation, pageNames);
  if (page !== undefined) {
    const pages = moreIn(operation.response, pagesNames, ["number", "unknown"]);
    return {
      value: {
        kind: "page",
        param: page.name,
        first: /\b(?:zero|0)[- ](?:based|indexed)|starts? (?:at|from|with) 0\b/i.test(page.about) ? 0 : 1,
        ...(pages === undefined ? {} : { pages }),
        ...(more === undefined ? {} : { more }),
        ...sized,
      },
      because: `the parameter \`${page.name}\`${size === undefined ? "" : ` and \`${size.param}\``}`,
    };
  }
  const offset = query(operation, offsetNames);
  // A token that is called an offset counts nothing.
  const counts = offset !== undefined && !/token/i.test(offset.about);
  const total = moreIn(operation.response, totalNames, ["number", "unknown"]);
  if (counts && (size !== undefined || total !== undefined || more !== undefined))
    return {
      value: {
        kind: "offset",
        param: offset.name,
        ...(total === undefined ? {} : { total }),
        ...known,
        ...sized,
      },
      because:
        size === undefined
          ? `the parameter \`${offset.name}\`, and \`${jqPath((more ?? total)!)}\` of the answer`
          : `the parameters \`${offset.name}\` and \`${size.param}\``,
    };
  const place = cursor ?? offset;
  if (place !== undefined)
    return {
      value: { kind: "none" },
      because: `the parameter \`${place.name}\` wants a place, and nothing in the answer seems to give one`,
      isOpen: true,
    };
  const rest =
    more ??
    next ??
    moreIn(operation.response, /^next(?: page)?(?: (?:url|uri|link|href))?$/, [
      "string",
      "number",
      "unknown",
    ]);
  if (rest !== undefined)
    return {
      value: { kind: "none" },
      because: `\`${jqPath(rest)}\` of the answer seems to say that there is more, and no parameter asks for it`,
      isOpen: true,
    };
  return { value: { kind: "none" }, because: "no parameter for pages" };
}

function query({ parameters }: Operation, names: RegExp, kind?: Shape["kind"]): Parameter | undefined {
  return parameters.find(
    ({ in: place, name, shape }) =>
      place === "query" &&
      names.test(phrase(name)) &&
      shape.kind !== "array" &&
      (kind === undefined || shape.kind === kind),
  );
}

/** A size that services usually take, and that is no more than the document allows. */
function sizeOf(operation: Operation): PageSize | undefined {
  const param = query(operation, sizeNames);
  if (param === undefined) return undefined;
  const about = param.about;
  const [, most] =
    /(?:max(?:imum)?|up to|at most|between \d+ and|1\s*[-–]\s*|no more than|cannot exceed|limit(?:ed)? (?:to|of))\D{0,25}?(\d{1,5})/i.exec(
      about,
    ) ?? [];
  const limit = most === undefined ? 100 : Number(most);
  return { param: param.name, value: limit >= 1 && limit < 100 ? limit : 100 };
}

function moreIn(response: Shape, names: RegExp, kinds: readonly Shape["kind"][]): Path | undefined {
  for (const { path, shape } of membersOf(response))
    if (names.test(phrase(path.at(-1)!)) && kinds.includes(shape.kind)) return path;
  return undefined;
}

/** Where the answer gives the next place: a text that is no address, under a name for it or below one. */
function nextIn(response: Shape): Path | undefined {
  for (const { path, shape } of membersOf(response)) {
    if (shape.kind !== "string" && shape.kind !== "unknown" && shape.kind !== "number") continue;
    if (shape.kind === "string" && isAddress(shape)) continue;
    const name = phrase(path.at(-1)!);
    const owner = phrase(path.at(-2) ?? "");
    if (linkOwners.test(owner)) continue;
    const isBelow = /\b(?:next|paging|pagination|cursors?|page info|meta|response metadata|after)\b/.test(
      owner,
    );
    if (nextNames.test(name) && (name !== "offset" || isBelow) && (name !== "token" || isBelow)) return path;
  }
  return undefined;
}

/** Whether a place in an answer is described as a time. */
function isTime(response: Shape, path: Path): boolean {
  for (const each of membersOf(response))
    if (each.path.join("\n") === path.join("\n"))
      return (
        (each.shape.kind === "number" || each.shape.kind === "string") &&
        /\btime(?:stamp)?\b/i.test(each.shape.about)
      );
  return false;
}

const linkOwners = /^(?:links?|urls?|hrefs?)$/;
const linkNames = /^(?:next|next page)(?: (?:url|uri|link|href))?$/;

/** Where the answer gives the address of the next page. */
function linkIn(response: Shape): Path | undefined {
  for (const { path, shape } of membersOf(response)) {
    if (shape.kind !== "string" && shape.kind !== "unknown") continue;
    const names = path.map(phrase);
    const isTold =
      (shape.kind === "string" && isAddress(shape)) ||
      names.some((name) => linkOwners.test(name)) ||
      /(?:url|uri|link|href)$/.test(names.at(-1)!);
    // `links.next`, `links.next.href`, `next_url`
    const name = /^(?:href|url)$/.test(names.at(-1)!) ? names.at(-2) : names.at(-1);
    if (isTold && linkNames.test(name ?? "")) return path;
  }
  return undefined;
}

function isAddress({ format, about }: { readonly format?: string; readonly about: string }): boolean {
  return format === "uri" || format === "url" || /\b(?:url|uri|link|href)\b/i.test(about);
}
