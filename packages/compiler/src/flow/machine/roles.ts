import { memoize } from "@configc/jq/internal";
import type { CountedPages } from "../protocol/counted-pages.ts";
import { pagesName } from "../protocol/forms.ts";
import { isSamePath, type Part, type Place, type Source, UNKNOWN, type Value } from "./value.ts";

export type LinkForm = "url" | "path" | "query";

/** One page of a list of three, the last of them with one record. */
export interface Page {
  /** From 0. */
  readonly index: 0 | 1 | 2;
  /** Records of a full page; undefined where the request doesn't say it. */
  readonly size: number | undefined;
  /** The number of the first page; undefined where it isn't known. */
  readonly base: number | undefined;
  /** What stands for a token where there is no further page. */
  readonly end: null | "";
  /** Whether `endCursor` names the last record of each page, also of the last one, as connections of GraphQL have it beside `hasNextPage`. */
  readonly isConnection?: boolean;
  /** Whether what the answer says of its pages counts, or only how many records it has. */
  readonly isTold: boolean;
  /** It is the only page of its list, and full or without records. */
  readonly alone?: "full" | "empty";
  /** Whether nothing is before the first page: some services call older records the previous ones. */
  readonly beginsList?: boolean;
  /** The members that only the last page has, as comments say. */
  readonly onLast?: ReadonlySet<string>;
  /** Where it has the number of all pages, although the name may mean something else. */
  readonly countsPages?: CountedPages | undefined;
  /** How a link to the next page is written, where one isn't taken for a token. */
  readonly link?: LinkForm;
  /** What a record of the page has under a name. */
  member?(name: string, place: Place): Value;
  /** Told when an answer says what depends on one of these: where it doesn't, others with another one are the same. */
  onSaid?(what: Said): void;
}

/** What may differ between two lists whose answers say the same. */
export type Said = "base" | "end" | "beginsList";

/** What members say of the pages, by their names. */
const roles = {
  /** What has such values as its members, on the last page too. */
  envelope: /^(?:_?links|meta|pagination|pager|paging|page_?info|cursors|response_?metadata)$/i,
  more: /^(?:has|have|is)_?(?:more|next|next_?page)(?:_(?:pages|items|results|data|records))?$|^more$|^(?:is_?)?truncated$/i,
  last: /^is_?last(?:_?page)?$|^(?:done|finished|completed?)$/i,
  next: /^(?:next|end)_?(?:cursor|token|page_?token|page_?key|key|link|url|marker|bookmark|after|from)?$|^continuation_?token$/i,
  nextPage: /^next_?page(?:_?(?:number|no))?$/i,
  nextOffset: /^next_?offset$/i,
  page: /^(?:(?:current|this)_?)?page(?:_?(?:number|no|index|num))?$|^(?:pagina|seite)$/i,
  total: /^total(?:_?(?:count|items|results|records|elements|hits|rows))?$/i,
  previous: /^prev(?:ious)?_?(?:cursor|token|page(?:_?(?:token|url|link))?|link|url)?$/i,
  hasPrevious: /^(?:has|have|is)_?prev(?:ious)?(?:_?page)?$/i,
  self: /^(?:self|start_?cursor)$/i,
  left: /^(?:(?:items|records|results|rows)_?)?(?:left|remaining)(?:_?(?:count|items|records|results|rows))?$/i,
  offset: /^(?:offset|skip|start_?(?:at|index))$/i,
  returned:
    /^(?:(?:num|number)_?)?returned$|^number_?of_?elements$|^(?:items|results|records|rows|count)_?(?:returned|(?:in|on)_?(?:this_?)?page)$|^current_?(?:item_?count|page_?(?:size|items|results))$|^page_?(?:items|results|records|length)_?(?:count)?$/i,
  limit: /^(?:limit|per_?page|page_?size|max_?results)$/i,
} as const;

type Role = keyof typeof roles;

const rolesOf = memoize((name): ReadonlySet<Role> => {
  // `@odata.nextLink`, `total-pages`
  const own = name.replace(/^@?odata\./i, "").replaceAll("-", "_");
  return new Set((Object.keys(roles) as Role[]).filter((role) => roles[role].test(own)));
}, 1_000);

/** Whether a member's name alone says what it says of the pages. */
export const isOfPages = (name: string): boolean => rolesOf(name).size > 0;

/**
 * An answer with a page, by the names of what it says of it.
 *
 * @param tokens what leads to the next page, although the name says otherwise
 */
export const pageAnswer = (answered: Page, list: readonly string[], tokens?: ReadonlySet<string>): Source =>
  new PageAnswer(answered, list, tokens);

/** The name by which a part of an answer is known as a token. */
export const tokenName = (path: readonly string[]): string =>
  (path[0] === "body" ? path.slice(1) : path).join(".");

class PageAnswer implements Source {
  readonly isAnswer = true;
  private readonly answered: Page;
  private readonly list: readonly string[];
  private readonly tokens: ReadonlySet<string> | undefined;
  /** By the length of the path: `body` is before it or not. */
  private readonly lists = new Map<number, Value>();
  /** A part is asked for what it is several times: by a comparison, by what comes of that, by the next request. */
  private readonly known = new Map<readonly string[], Value>();

  constructor(answered: Page, list: readonly string[], tokens: ReadonlySet<string> | undefined) {
    this.answered = answered;
    this.list = list;
    this.tokens = tokens;
  }

  resolve(path: readonly string[]): Value {
    let value = this.known.get(path);
    if (value === undefined) this.known.set(path, (value = this.read(path)));
    return value;
  }

  /** What the list stands in is there, on each page. */
  isThere(path: readonly string[]): boolean {
    const { answered, list } = this;
    const own = path[0] === "body" ? path.slice(1) : path;
    const isAround = own.length < list.length || (own.length === list.length && answered.alone !== "empty");
    return own.length > 0 && isAround && own.every((name, at) => name === list[at]);
  }

  private read(path: readonly string[]): Value {
    const { answered } = this;
    const own = path[0] === "body" ? path.slice(1) : path;
    if (isSamePath(own, this.list)) {
      const known = this.lists.get(path.length) ?? listOf(answered, path, this);
      this.lists.set(path.length, known);
      return known;
    }
    const item = own.findLast((name) => name in places);
    if (item !== undefined)
      return own.at(-1) === item ? UNKNOWN : (answered.member?.(own.at(-1)!, places[item]!) ?? UNKNOWN);
    if (!answered.isTold) return UNKNOWN;
    return said(this.tokens?.has(own.join(".")) ? ["next_token"] : own, answered);
  }
}

/** The items of a list in a path, by where they stand; of `[]` it isn't known. */
const places: Readonly<Record<string, Place>> = {
  "[]": "between",
  "[first]": "first",
  "[last]": "last",
  "[only]": "only",
};

/** Whether a part is of a record of a list, or the record. */
export const isOfRecord = ({ path }: Part): boolean => path.some((name) => name in places);

function listOf({ size, index, alone }: Page, path: readonly string[], source: Source): Value {
  if (alone === "empty") return { kind: "list", items: [] };
  if (size === undefined) return UNKNOWN;
  const item = (name: string): Part => ({ kind: "part", path: [...path, name], source });
  const count = index === 2 && alone === undefined ? 1 : size;
  if (count === 1) return { kind: "list", items: [item("[only]")] };
  const items = new Array<Value>(count).fill(item("[]"));
  items[0] = item("[first]");
  items[count - 1] = item("[last]");
  return { kind: "list", items };
}

/** What leads to a page that isn't the next one, by the page's place in the list. */
export const pageText = (index: number): string => `page ${index}`;

/** What in a link leads to the page behind one, by that one's place in the list. */
export const linkQuery = (index: number): string => `after=${index}`;

/** A link to the page behind one. */
export function linkText(form: LinkForm, index: number): string {
  const before = { url: "https://api.example.com/v1/items", path: "/v1/items", query: "" }[form];
  return `${before}?${linkQuery(index)}`;
}

/** `.links.next`, `.next_url`, `.next.href`, `.next`, `."@odata.nextLink"`. */
const isLinkToNext = (path: readonly string[]): boolean =>
  /^(?:@?odata\.)?next(?:_?page)?_?(?:link|url|uri|href)?$/i.test(path.at(-1) ?? "") ||
  (/^(?:href|url|uri)$/i.test(path.at(-1) ?? "") && /^next(?:_?page)?$/i.test(path.at(-2) ?? ""));

/** What a member of an answer says, by its name. */
function said(path: readonly string[], answered: Page): Value {
  const { index, size, alone } = answered;
  const above = path.at(-2) ?? "";
  const name = (path.at(-1) ?? "").replaceAll("-", "_");
  const is = rolesOf(name);
  const isLast = index === 2;
  const count = alone === undefined ? undefined : alone === "full" ? size : 0;
  const sized = (value: (size: number) => Value): Value => (size === undefined ? UNKNOWN : value(size));
  const based = (value: (base: number) => Value): Value => {
    answered.onSaid?.("base");
    return answered.base === undefined ? UNKNOWN : value(answered.base);
  };
  const end = (): null | "" => {
    answered.onSaid?.("end");
    return answered.end;
  };
  const beginsList = (): boolean => {
    answered.onSaid?.("beginsList");
    return answered.beginsList === true;
  };
  if (answered.onLast?.has(name)) return isLast ? "of the last page" : null;
  if (answered.link !== undefined && !isLast && isLinkToNext(path)) return linkText(answered.link, index);
  if (is.has("envelope")) return { kind: "record", members: new Map(), open: true };
  if (is.has("more")) return !isLast;
  if (is.has("last")) return isLast;
  if (isLast && answered.isConnection === true && name === "endCursor") return "after 2";
  if (is.has("next")) return isLast ? end() : `after ${index}`;
  if (is.has("nextPage")) return isLast ? end() : based((first) => first + index + 1);
  if (is.has("nextOffset")) return isLast ? end() : sized((each) => (index + 1) * each);
  if (is.has("previous") && index === 0 && beginsList()) return null;
  if (is.has("hasPrevious") && beginsList()) return index !== 0;
  if (is.has("self")) return pageText(index);
  const isLink = /^_?links?$/i.test(above);
  const isOfPage = /^(?:page|paging|pagination)$/i.test(above);
  if (isLink && /^(?:first|last)$/i.test(name)) return pageText(/^f/i.test(name) ? 0 : 2);
  if (isLink && /^(?:href|url|uri)$/i.test(name)) return UNKNOWN;
  if (/^(?:href|url|uri)$/i.test(name) && path.length > 1) {
    const link = said(path.slice(0, -1), answered);
    return typeof link === "string" || link === null ? link : UNKNOWN;
  }
  // It may be a flag as well.
  if (/^(?:page|pager|paging|pagination|pages)$/i.test(above) && /^last$/i.test(name))
    return based((first) => ({ kind: "unknown", number: first + 2 }));
  // `pages.total` counts pages.
  const { names, readsNumber } = answered.countsPages ?? {};
  const countsPages = names?.has(name) === true || names?.has(`${above}.${name}`) === true;
  if (readsNumber && isOfPage && is.has("total") && !countsPages) return UNKNOWN;
  const pages = alone === undefined ? 3 : alone === "full" ? 1 : UNKNOWN;
  // Of pages that count from 0, it may be the number of the last one as well as how many there are.
  if (!countsPages && /^last_?page$/i.test(name) && based((first) => first) === 0) return UNKNOWN;
  if (countsPages || pagesName.test(name) || (is.has("total") && /^pages$/i.test(above))) return pages;
  if (is.has("page") || (/^(?:number|index)$/i.test(name) && isOfPage))
    return based((first) => first + (alone === undefined ? index : 0));
  if (is.has("left")) return alone !== undefined || isLast ? 0 : sized((each) => (1 - index) * each + 1);
  if (is.has("returned") || answered.countsPages?.returned.has(`${above}.${name}`))
    return count ?? (isLast ? 1 : (size ?? UNKNOWN));
  if (is.has("total") || answered.countsPages?.totals.has(name))
    return count ?? sized((each) => 2 * each + 1);
  // By itself it may be where the next page begins.
  if ((path.length > 1 && is.has("offset")) || answered.countsPages?.places.has(name))
    return sized((each) => (alone === undefined ? index * each : 0));
  // Of what an answer says of its pages.
  if (isOfPage && /^size$/i.test(name)) return size ?? UNKNOWN;
  return is.has("limit") ? (size ?? UNKNOWN) : UNKNOWN;
}
