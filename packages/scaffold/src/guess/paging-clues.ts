import type { Operation, Parameter } from "../description.ts";
import { membersOf, type Path, type Shape } from "../shape.ts";
import { identityOf, type RecordList } from "./lists.ts";
import { phrase } from "./name-words.ts";

export interface PageSize {
  readonly param: string;
  readonly value: number;
}

/** What a list shows of its paging, wherever it shows it. */
export interface Clues {
  readonly operation: Operation;
  readonly cursor: Parameter | undefined;
  readonly offset: Parameter | undefined;
  /** Where the answer gives the next place. */
  readonly next: Path | undefined;
  /** Where it says whether there is more. */
  readonly more: Path | undefined;
  /** The member by which its records are told apart. */
  readonly id: string | undefined;
  readonly size: PageSize | undefined;
}

export function cluesOf({ operation, record }: RecordList): Clues {
  const next = nextIn(operation.response);
  return {
    operation,
    cursor:
      query(operation, cursorNames) ??
      (next === undefined ? undefined : query(operation, /^(?:offset|start)$/, "string")),
    offset: query(operation, offsetNames),
    next,
    more: moreIn(operation.response, moreNames, ["boolean", "unknown"]),
    id: identityOf(record).id,
    size: sizeOf(operation),
  };
}

const cursorNames =
  /^(?:(?:page |pagination |next |scroll |list )?(?:cursor|token|marker)|next page(?: token)?|page token|(?:page )?after|starting after|start (?:after|cursor)|continuation(?: token)?|next)$/;
const nextNames =
  /^(?:(?:next|end) ?(?:cursor|page token|token|marker|page|offset|key)?|(?:next )?(?:cursor|page token|token|marker|continuation token)|after|offset|next start)$/;
export const lastIdNames = /^(?:after|since|last|start(?:ing)? after|from) (?:\w+ )?id$/;
const offsetNames = /^(?:(?:page )?offset|skip|start(?: at| index)?)$/;
export const pageNames = /^(?:page|page (?:number|no|num|index)|p|current page)$/;
export const sizeNames =
  /^(?:(?:page )?(?:limit|size)|per page|page (?:limit|size|length)|max(?: results| items)?|count|take|results per page|first|items per page|records per page)$/;
const moreNames =
  /^(?:has (?:more|next|next page)(?: items| results)?|more(?: items in collection)?|is last)$/;
export const totalNames =
  /^(?:total|total (?:count|items|results|records|size)|count|recordcount|results total)$/;
export const pagesNames = /^(?:total pages|page count|pages|last page|num pages|number of pages)$/;

export function query({ parameters }: Operation, names: RegExp, kind?: Shape["kind"]): Parameter | undefined {
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
  return param === undefined ? undefined : { param: param.name, value: sizeIn(param) };
}

export function sizeIn({ about, maximum }: Parameter): number {
  const [, most] =
    /(?:max(?:imum)?|up to|at most|between \d+ and|1\s*[-–]\s*|no more than|cannot exceed|limit(?:ed)? (?:to|of))\D{0,25}?(\d{1,5})/i.exec(
      about,
    ) ?? [];
  const limit = maximum ?? (most === undefined ? 100 : Number(most));
  return limit >= 1 && limit < 100 ? limit : 100;
}

export function moreIn(response: Shape, names: RegExp, kinds: readonly Shape["kind"][]): Path | undefined {
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
export function isTime(response: Shape, path: Path): boolean {
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
export function linkIn(response: Shape): Path | undefined {
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
