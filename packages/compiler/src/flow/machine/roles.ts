import { pagesName } from "../protocol/forms.ts";
import { isTimeName } from "../protocol/time-names.ts";
import { type Source, UNKNOWN, type Value } from "./value.ts";

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
  /** Whether what the answer says of its pages counts, or only how many records it has. */
  readonly isTold: boolean;
  /** The time of each record of the page; undefined where it isn't known how the service writes times. */
  readonly time?: string | number | undefined;
  /** Told of each time that is read of a record. */
  onTime?(): void;
}

/** What has such values as its members, on the last page too. */
const envelope = /^(?:_?links|meta|pagination|paging|page_?info|cursors|response_?metadata)$/i;
const more =
  /^(?:has|have|is)_?(?:more|next|next_?page)(?:_(?:pages|items|results|data|records))?$|^more$|^(?:is_?)?truncated$/i;
const last = /^is_?last(?:_?page)?$|^(?:done|finished|completed?)$/i;
const next = /^(?:next|end)_?(?:cursor|token|page_?token|link|url|marker)?$|^continuation_?token$/i;
const nextPage = /^next_?page(?:_?(?:number|no))?$/i;
const nextOffset = /^next_?offset$/i;
const page = /^(?:(?:current|this)_?)?page(?:_?(?:number|no|index|num))?$/i;
const total = /^total(?:_?(?:count|items|results|records|elements|hits|rows))?$/i;
const offset = /^(?:offset|skip|start_?(?:at|index))$/i;
const limit = /^(?:limit|per_?page|page_?size|max_?results)$/i;

/** An answer with a page, by the names of what it says of it. */
export function pageAnswer(answered: Page, list: readonly string[]): Source {
  const listAt = list.join("\n");
  const source: Source = {
    resolve(path) {
      const own = path[0] === "body" ? path.slice(1) : path;
      if (own.join("\n") === listAt) return listOf(answered, path, source);
      if (own.includes("[]")) return timeOf(own, answered);
      return answered.isTold ? said(own, answered) : UNKNOWN;
    },
  };
  return source;
}

function listOf({ size, index }: Page, path: readonly string[], source: Source): Value {
  if (size === undefined) return UNKNOWN;
  const item = { kind: "part", path: [...path, "[]"], source } as const;
  return { kind: "list", items: Array.from({ length: index === 2 ? 1 : size }, () => item) };
}

function timeOf(path: readonly string[], { time, onTime }: Page): Value {
  const isTime = path.at(-1) !== "[]" && isTimeName(path.at(-1) ?? "");
  if (time === undefined || !isTime) return UNKNOWN;
  onTime?.();
  return time;
}

/** What a member of an answer says, by its name. */
function said(path: readonly string[], { index, size, base, end }: Page): Value {
  const name = path.at(-1) ?? "";
  const isLast = index === 2;
  const sized = (value: (size: number) => Value): Value => (size === undefined ? UNKNOWN : value(size));
  const based = (value: (base: number) => Value): Value => (base === undefined ? UNKNOWN : value(base));
  if (envelope.test(name)) return { kind: "record", members: new Map(), open: true };
  if (more.test(name)) return !isLast;
  if (last.test(name)) return isLast;
  if (next.test(name)) return isLast ? end : `after ${index}`;
  if (nextPage.test(name)) return isLast ? end : based((first) => first + index + 1);
  if (nextOffset.test(name)) return isLast ? end : sized((each) => (index + 1) * each);
  // `pages.total` counts pages.
  if (pagesName.test(name) || (total.test(name) && /^pages$/i.test(path.at(-2) ?? ""))) return 3;
  if (page.test(name)) return based((first) => first + index);
  if (total.test(name)) return sized((each) => 2 * each + 1);
  // By itself it may be where the next page begins.
  if (path.length > 1 && offset.test(name)) return sized((each) => index * each);
  // Of what an answer says of its pages.
  if (/^(?:page|paging|pagination)$/i.test(path.at(-2) ?? "") && /^size$/i.test(name)) return size ?? UNKNOWN;
  return limit.test(name) ? (size ?? UNKNOWN) : UNKNOWN;
}
