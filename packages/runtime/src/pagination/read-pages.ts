import type { AppNode } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { responseValue } from "../http/response.ts";
import type { Frame } from "../step.ts";
import { MergedPages, signature } from "./merge.ts";
import type { PageChange, PageEnd, Pager } from "./pager.ts";

/** The body of a page, and how much it was. */
export interface ReadPage {
  readonly body: Json;
  readonly bytes: number;
  readonly url: string;
}

/** Why no more pages were read. */
type Reason = PageEnd | "empty" | "max-pages";

/** How far back a page is recognised, where nothing tells how many there are: servers that ignore the parameter repeat one page, or two or three by turns. */
const REMEMBERED = 3;

/**
 * Reads all pages of a request, one after the other, and gives D20's value for one merged body (D22).
 *
 * @param read sends the request with the change
 * @throws RunError if the pages are larger together than `mergedBytes`
 */
export async function readPages(
  pager: Pager,
  read: (change: PageChange) => Promise<ReadPage>,
  frame: Frame,
  place: AppNode,
): Promise<Json> {
  const merged = new MergedPages();
  const earlier: (string | undefined)[] = [];
  let change = pager.first;
  let bytes = 0;
  let reason: Reason | undefined;
  let pages = 0;
  // Pages of objects by their ids have no list that could be empty.
  let haveLists = false;
  while (reason === undefined) {
    const page = await read(change);
    bytes += page.bytes;
    if (bytes > frame.limits.mergedBytes)
      throw new RunError(
        "LimitError",
        `The pages are more than ${frame.limits.mergedBytes} bytes together. Ask for less, for example by a filter.`,
        place,
      );
    const lists = listsOf(page.body);
    haveLists ||= lists.length > 0;
    const text = pager.isTold || areEmpty(lists) ? undefined : signature(lists);
    if (text !== undefined && earlier.includes(text)) {
      reason = "repeat";
      break;
    }
    if (earlier.push(text) > REMEMBERED) earlier.shift();
    pages++;
    const brought = merged.add(page.body);
    const value = responseValue(page.body);
    const next = await pager.next({ value, url: page.url }, frame);
    if (typeof next === "string") reason = next;
    else if ((haveLists || !pager.isTold) && areEmpty(brought.length === 0 ? lists : brought))
      reason = "empty";
    else if (pages >= frame.limits.pages) reason = "max-pages";
    else change = next;
  }
  frame.tracer.event(frame.span, place.pointer, "note", {
    pages,
    reason,
    ...(reason === "max-pages" ? { truncated: true } : {}),
  });
  return responseValue(merged.body());
}

function areEmpty(lists: readonly (readonly Json[])[]): boolean {
  return lists.every((items) => items.length === 0);
}

/** All lists of a page: what repeats when a page does, unlike its time stamps and numbers. */
function listsOf(body: Json): (readonly Json[])[] {
  const lists: (readonly Json[])[] = [];
  const waiting: Json[] = [body];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) lists.push(value);
    else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) waiting.push(inner);
  }
  return lists;
}
