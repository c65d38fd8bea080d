import type { Json } from "@configc/jq";
import type { HttpRequest, HttpResponse } from "@configc/runtime";
import { isBelow } from "../protocol/places.ts";
import { indicate } from "../service/indicate.ts";
import { put } from "../service/json.ts";
import { type Telling, tell } from "../service/leaf.ts";
import { Routes, response } from "../service/routes.ts";
import { type Shape, shapeAt } from "../service/shape.ts";
import { kindest } from "../world/hypotheses.ts";
import type { OptionList, Paging, SetupSubject } from "./subject.ts";
import type { SetupWorld } from "./world.ts";

/** Records on a page, where the app names no size. */
const PAGE = 100;

/** The third party of a guided setup: it has lists, and the customer's account. */
export class SetupSite {
  readonly #subject: SetupSubject;
  readonly #world: SetupWorld;
  readonly #isWhole: boolean;
  readonly #routes: Routes;

  /** @param isWhole whether a list comes in one answer, however long it is */
  constructor(subject: SetupSubject, world: SetupWorld, isWhole: boolean) {
    this.#subject = subject;
    this.#world = world;
    this.#isWhole = isWhole;
    this.#routes = new Routes(subject.app, subject.answered);
  }

  answer(request: HttpRequest, now: number): HttpResponse {
    const route = this.#routes.find(request);
    if (route === undefined) return response(200, {});
    const list = this.#subject.lists.find(({ exchange }) => exchange === route.exchange);
    // What the account itself is called is always there.
    const account = tell(route.answer, {
      ...this.#telling(1, now),
      called: "account-1",
      hypotheses: kindest,
    });
    if (list === undefined) return response(200, account);
    return response(200, this.#listed(account, route.answer, list, new URL(request.url), now));
  }

  #listed(account: Json, answer: Shape, { exchange, path, most }: OptionList, url: URL, now: number): Json {
    const { records } = this.#world;
    const { unknown } = this.#subject;
    const paging = exchange.isPaginated && !this.#isWhole ? this.#subject.paging : undefined;
    const shape = shapeAt(answer, path);
    const item: Shape | undefined =
      shape?.kind === "list" ? shape.item : shape?.kind === "object" ? shape.members["field"] : undefined;
    const asked = Number(url.searchParams.get(paging?.size ?? "") ?? PAGE) || PAGE;
    const size = paging !== undefined ? asked : this.#isWhole ? records : (most ?? records);
    const from = paging === undefined ? 0 : beginOf(paging, url, size);
    const to = Math.max(from, Math.min(records, from + size));
    const items = Array.from({ length: to - from }, (_, index) =>
      item === undefined ? `r${from + index + 1}` : tell(item, this.#telling(from + index + 1, now)),
    );
    // A map has its records by their keys.
    const isMap = shape?.kind === "object" && shape.isOpen === true;
    const entries = items.map((each, index) => [`r${from + index + 1}`, each] as const);
    let json = put(account, path, isMap ? Object.fromEntries(entries) : items);
    for (const { at, isList } of unknown)
      if (!isBelow(at, path) && at.join() !== path.join()) json = put(json, at, isList ? [] : null);
    const pages = paging ?? (exchange.isPaginated ? this.#subject.paging : undefined);
    const told = paging === undefined ? { records: 1, size: 1, to: 1 } : { records, size, to };
    for (const [name, at] of pages?.says ?? []) {
      const value = said(name, pages!, url, told);
      json = indicate(json, at, at.among !== undefined && value === null ? undefined : value, url.href);
    }
    return json;
  }

  #telling(number: number, now: number): Telling {
    const version = { number: 1, at: now, shownFrom: now };
    const { gaps, isForeign } = this.#world;
    return {
      record: { number, versions: [version], deletedAt: undefined },
      version,
      format: "iso-seconds",
      hypotheses: { ...kindest, gaps, texts: isForeign ? "foreign" : "plain" },
      isOnlyEmail: false,
    };
  }
}

function beginOf({ type, place, first }: Paging, { searchParams }: URL, size: number): number {
  const given = searchParams.get(place);
  if (given === null || given === "") return 0;
  if (type === "cursor") return Number(/\d+$/.exec(given)?.[0] ?? 0);
  const places = Math.max(0, Number(given) - first);
  return type === "page" ? places * size : places;
}

/** What an answer says at a place that a program of the parser reads. */
function said(
  name: string,
  { place, first }: Paging,
  url: URL,
  { records, size, to }: { readonly records: number; readonly size: number; readonly to: number },
): Json {
  const isLast = to >= records;
  switch (name) {
    case "total_pages":
      return Math.ceil(records / size);
    case "total_items":
      return records;
    case "next_result_token":
      return isLast ? null : `next-${to}`;
    case "next_page_url": {
      if (isLast) return null;
      const next = new URL(url);
      next.searchParams.set(place, String(to / size + first));
      return String(next);
    }
    default:
      return null;
  }
}
