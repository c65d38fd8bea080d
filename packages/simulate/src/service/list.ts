import type { Json } from "@configc/jq";
import type { Field, Protocol, Role } from "../protocol/protocol.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import { type Collection, orderOf, type Shown } from "./collection.ts";
import { formatOf, rounded, writeTime } from "./leaf.ts";
import { PageWriter, type Reading } from "./page.ts";
import { type Given, type Query, readQuery } from "./query.ts";
import type { Shape, TimeFormat } from "./shape.ts";
import { isSince, type Since, Tokens } from "./tokens.ts";

/** A page of the list, with what the service knows of it. */
export interface Page {
  readonly records: readonly Shown[];
  readonly json: Json;
  readonly query: Query;
  readonly hasMore: boolean;
}

/** Answers the requests of a polling intake out of a collection, by the hypotheses of a world. */
export class List {
  readonly #protocol: Protocol;
  readonly #collection: Collection;
  readonly #hypotheses: Hypotheses;
  readonly #pageSize: number;
  #format: TimeFormat | undefined;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #writer: PageWriter;
  readonly #snapshots: (readonly Shown[])[] = [];
  readonly #opened = new Map<string, readonly Shown[]>();
  readonly #tokens = new Tokens();
  #selected: { key: string; from: number; until: number; list: readonly Shown[] } | undefined;
  #frozen: { readonly subject: string; readonly list: readonly Shown[]; readonly until: number } | undefined;

  /**
   * @param pageSize records on a page, where the app's programs don't count on a size of their own
   * @param before the same list, as another version of the app took it: what it gave out still counts
   */
  constructor(
    protocol: Protocol,
    collection: Collection,
    hypotheses: Hypotheses,
    pageSize: number,
    before?: List,
  ) {
    if (before !== undefined) {
      this.#tokens.takeOver(before.#tokens);
      this.#snapshots.push(...before.#snapshots);
      this.#frozen = before.#frozen;
    }
    this.#protocol = protocol;
    this.#pageSize = pageSize;
    this.#collection = collection;
    this.#hypotheses = hypotheses;
    this.#format = shownFormat(protocol) ?? formatOf(protocol.initial) ?? timeFormat(protocol);
    this.#fields = new Map(
      [...protocol.roles, ...(protocol.opening?.roles ?? [])].flatMap(({ role }) =>
        "field" in role ? [[role.field.name, role.field]] : [],
      ),
    );
    this.#writer = new PageWriter(
      protocol,
      collection,
      hypotheses,
      this.#tokens,
      this.#fields,
      () => this.format,
    );
  }

  get format(): TimeFormat {
    // A number that programs only calculate with may count anything; the first request shows better what.
    return this.#format ?? (fieldShape(this.#protocol)?.kind === "number" ? "epoch" : "iso");
  }

  /** @param url of the request, of which a token that is a URL is made */
  answer(given: Given, url: URL, now: number): Page {
    const { roles, isWhole } = this.#protocol;
    const query = this.#read(given, roles);
    const most = isWhole ? Number.MAX_SAFE_INTEGER : this.#pageOf(query.size);
    const reading = this.#readingOf(query, this.#openedBy(url), most, now);
    const { list, start } = reading;
    const records = list.slice(start, start + most);
    const hasMore = start + most < list.length;
    const json = this.#writer.json(records, { query, most, hasMore, url, ...reading });
    return { records, json, query, hasMore };
  }

  /** Makes a list that stays as it is now, and gives its id. */
  open(given: Given, now: number): string {
    const id = `list-${this.#opened.size + 1}`;
    this.#opened.set(id, this.#select(this.#read(given, this.#protocol.opening?.roles ?? []), now));
    return id;
  }

  /** How much there is in a list that was made. */
  counted(id: string): { readonly pages: number; readonly count: number } {
    const count = this.#opened.get(id)?.length ?? 0;
    return { pages: Math.ceil(count / this.#pageOf(undefined)), count };
  }

  /** How many records a page has at most. @param asked the size that the request asks for */
  #pageOf(asked: number | undefined): number {
    const { size } = this.#protocol;
    return size.isFixed
      ? Math.min(asked ?? size.size, size.most ?? Number.MAX_SAFE_INTEGER)
      : Math.min(asked ?? this.#pageSize, this.#pageSize);
  }

  /** How far the list goes now, as a parameter of that role takes it. @param example of such a value */
  head(role: Role, now: number, example: Json | undefined): Json {
    const newest = this.#collection.newestAt(now);
    if (role.kind === "after") return `r${newest}`;
    if ("field" in role)
      return role.field.isTime
        ? writeTime(
            now,
            formatOf(example) ?? (typeof example === "number" ? "epoch" : this.format),
            this.#hypotheses.rounding,
          )
        : newest;
    const since = { at: now, number: 0 };
    return this.#tokens.give(
      { kind: "reading", snapshot: undefined, index: 0, last: undefined, since, began: now },
      undefined,
    );
  }

  #read(given: Given, roles: Protocol["roles"]): Query {
    const query = readQuery(given, roles);
    // A bound made of the clock shows how the app writes times.
    this.#format ??= query.bounds
      .map(({ text }) => formatOf(/^\d+$/.test(text) ? Number(text) : text))
      .find((each) => each !== undefined);
    return query;
  }

  #openedBy({ pathname, searchParams }: URL): readonly Shown[] | undefined {
    if (this.#opened.size === 0) return undefined;
    for (const part of [...pathname.split("/"), ...searchParams.values()]) {
      const list = this.#opened.get(part);
      if (list !== undefined) return list;
    }
    return undefined;
  }

  #readingOf(query: Query, opened: readonly Shown[] | undefined, size: number, now: number): Reading {
    const place = this.#tokens.find(query.cursors);
    const { since, began = now } = place ?? {};
    if (place?.kind === "page" && place.snapshot !== undefined)
      return {
        list: this.#snapshots[place.snapshot]!,
        start: place.index,
        snapshot: place.snapshot,
        since,
        began,
      };
    const isFrozen = this.#hypotheses.paging === "snapshot" && opened === undefined;
    const start = this.#startOf(query, size);
    const { subject } = query;
    if (isFrozen && start > 0 && this.#frozen?.subject === subject && now < this.#frozen.until)
      return { list: this.#frozen.list, start, snapshot: undefined, since, began };
    const live = { snapshot: undefined, since, began };
    if (query.after !== undefined) return { ...live, ...this.#behindId(query, query.after, now) };
    const list = opened ?? this.#select(query, now, since);
    if (place?.kind === "page")
      return { ...live, list, start: place.last === undefined ? 0 : behind(list, place.last, this.#order) };
    if (!isFrozen) return { ...live, list, start };
    this.#frozen = { subject, list, until: now + FROZEN };
    this.#snapshots.push(list);
    return { ...live, list, start, snapshot: this.#snapshots.length - 1 };
  }

  /** Where a page begins that is named by its number, or by how many records come before it. */
  #startOf({ page, offset }: Query, size: number): number {
    for (const { role } of this.#protocol.roles) {
      if (role.kind === "offset" && offset !== undefined) return Math.max(0, offset - role.start);
      if (role.kind === "page" && page !== undefined) return Math.max(0, page - role.start) * size;
    }
    return offset ?? 0;
  }

  /** Where the records behind one begin that is named by its id, with the time of its change where both are the key. */
  #behindId(query: Query, after: string, now: number): Pick<Reading, "list" | "start"> {
    const number = Number(/\d+/.exec(after)?.[0] ?? 0);
    const { isKeyset, field } = this.#protocol;
    const from = query.bounds.find((bound) => bound.side === "from" && bound.field === field?.name);
    if (isKeyset && from !== undefined) {
      const list = this.#select({ ...query, bounds: query.bounds.filter((bound) => bound !== from) }, now);
      const start = list.findIndex((shown) => {
        const key = this.#keyOf(shown);
        return key > from.value || (key === from.value && shown.record.number > number);
      });
      return { list, start: start < 0 ? list.length : start };
    }
    const list = this.#select(query, now);
    if (query.isAfterInclusive) {
      const start = list.findIndex(({ record }) => record.number >= number);
      return { list, start: start < 0 ? list.length : start };
    }
    const index = list.findIndex(({ record }) => record.number === number);
    if (index >= 0) return { list, start: index + 1 };
    const record = this.#collection.records[number - 1];
    const last = record === undefined ? undefined : { record, version: record.versions.at(-1)! };
    return { list, start: last === undefined ? 0 : behind(list, last, this.#order) };
  }

  get #direction(): "ascending" | "descending" {
    const { direction } = this.#protocol.order;
    if (this.#hypotheses.order === "supposed") return direction;
    return direction === "ascending" ? "descending" : "ascending";
  }

  get #isFeed(): boolean {
    return this.#protocol.indicators.some(({ says }) => says === "position");
  }

  get #order(): (a: Shown, b: Shown) => number {
    const { isKeyset } = this.#protocol;
    // What is read on by a position is a log of changes.
    if (this.#isFeed)
      return (a, b) => a.version.shownFrom - b.version.shownFrom || a.record.number - b.record.number;
    return orderOf(
      { keyOf: (shown) => this.#sortKeyOf(shown), direction: this.#direction },
      isKeyset ? { ties: "creation" } : this.#hypotheses,
    );
  }

  /** The records of a request. Page after page of a long list asks for the same ones, so the last are kept until something changes. */
  #select({ bounds, asOf }: Pick<Query, "bounds" | "asOf">, now: number, since?: Since): readonly Shown[] {
    const { changes } = this.#collection;
    const key = JSON.stringify([changes, this.format, bounds, asOf, since]);
    const last = this.#selected;
    if (last !== undefined && last.key === key && now >= last.from && now < last.until) return last.list;
    const list = this.#selectAnew({ bounds, asOf }, now, since);
    this.#selected = { key, from: now, until: this.#collection.nextShownAfter(now), list };
    return list;
  }

  #selectAnew(
    { bounds, asOf }: Pick<Query, "bounds" | "asOf">,
    now: number,
    since: Since | undefined,
  ): readonly Shown[] {
    const inside = this.#collection.shownAt(now, asOf).filter(
      (shown) =>
        (since === undefined || isSince(shown, since)) &&
        bounds.every(({ side, field, value, isInclusive }) => {
          const own = this.#keyOf(shown, this.#fields.get(field));
          const inclusive = isInclusive ?? this.#hypotheses.boundary === "inclusive";
          if (own === value) return inclusive;
          return side === "from" ? own > value : own < value;
        }),
    );
    return inside.sort(this.#order);
  }

  #sortKeyOf(shown: Shown): number {
    const { record, version } = shown;
    switch (this.#protocol.order.by) {
      case "change":
        return this.#asWritten(version.at);
      case "creation":
        return this.#asWritten(record.versions[0]!.at);
      case "id":
        return record.number;
      default:
        return this.#keyOf(shown);
    }
  }

  /** By what the list is filtered, and sorted unless the app asks for another order. */
  #keyOf({ record, version }: Shown, field = this.#protocol.field): number {
    if (field !== undefined && !field.isTime) return record.number;
    return this.#asWritten(field === undefined || field.isFixed ? record.versions[0]!.at : version.at);
  }

  #asWritten(at: number): number {
    const { format } = this;
    const own =
      format === "epoch" || format === "iso-seconds" || format === "plain"
        ? 1_000
        : format === "date"
          ? 86_400_000
          : 1;
    return rounded(at, Math.max(own, this.#hypotheses.rounding));
  }
}

/** A list that is frozen at its first page stays so for ten minutes. */
const FROZEN = 600_000;

/** Where the records behind one begin, whether it is still there or not. */
function behind(list: readonly Shown[], last: Shown, order: (a: Shown, b: Shown) => number): number {
  const index = list.findIndex((shown) => shown.record !== last.record && order(shown, last) > 0);
  return index < 0 ? list.length : index;
}

/** How examples of the records show the time by which they are read on. */
function shownFormat(protocol: Protocol): TimeFormat | undefined {
  const shape = fieldShape(protocol);
  return shape !== undefined && "written" in shape ? shape.written : undefined;
}

function timeFormat(protocol: Protocol): TimeFormat | undefined {
  const shape = fieldShape(protocol);
  if (shape?.kind === "epoch") return "epoch";
  return shape?.kind === "time" ? "iso-seconds" : undefined;
}

function fieldShape({ answer, list, field }: Protocol): Shape | undefined {
  let shape: Shape | undefined = answer;
  for (const name of [...list, "[]", ...(field?.path ?? [])]) {
    shape =
      shape?.kind === "object"
        ? shape.members[name]
        : shape?.kind === "list" && name === "[]"
          ? shape.item
          : undefined;
  }
  return shape;
}
