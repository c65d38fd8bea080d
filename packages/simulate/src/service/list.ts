import type { Json } from "@configc/jq";
import type { Field, Indicator, Protocol } from "../protocol/protocol.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import { type Collection, orderOf, type Shown } from "./collection.ts";
import { put, without } from "./json.ts";
import { formatOf, hasText, rounded, type TimeFormat, tell, writeTime } from "./leaf.ts";
import { type Given, type Query, readQuery } from "./query.ts";
import { firm, plainLeaf, type Shape } from "./shape.ts";
import { isSince, type Since, Tokens } from "./tokens.ts";

/** A page of the list, with what the service knows of it. */
export interface Page {
  readonly records: readonly Shown[];
  readonly json: Json;
  readonly query: Query;
  readonly hasMore: boolean;
}

/** A list as it is read, and where in it a request is. */
interface Reading {
  readonly list: readonly Shown[];
  readonly start: number;
  readonly snapshot: number | undefined;
  readonly since: Since | undefined;
  readonly began: number;
}

/** Answers the requests of a polling intake out of a collection, by the hypotheses of a world. */
export class List {
  readonly #protocol: Protocol;
  readonly #collection: Collection;
  readonly #hypotheses: Hypotheses;
  readonly #pageSize: number;
  #format: TimeFormat | undefined;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #record: Shape;
  readonly #isOnlyEmail: boolean;
  readonly #snapshots: (readonly Shown[])[] = [];
  readonly #opened = new Map<string, readonly Shown[]>();
  readonly #tokens = new Tokens();
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
    this.#format = formatOf(protocol.initial) ?? timeFormat(protocol);
    this.#fields = new Map(
      [...protocol.roles, ...(protocol.opening?.roles ?? [])].flatMap(({ role }) =>
        "field" in role ? [[role.field.name, role.field]] : [],
      ),
    );
    this.#record = firm(recordShape(protocol), protocol.keys);
    this.#isOnlyEmail = !hasText(this.#record);
  }

  get format(): TimeFormat {
    return this.#format ?? "iso";
  }

  /** @param url of the request, of which a token that is a URL is made */
  answer(given: Given, url: URL, now: number): Page {
    const { roles, size, isWhole } = this.#protocol;
    const query = this.#read(given, roles);
    const most = isWhole
      ? Number.MAX_SAFE_INTEGER
      : size.isFixed
        ? (query.size ?? size.size)
        : Math.min(query.size ?? this.#pageSize, this.#pageSize);
    const reading = this.#readingOf(query, this.#openedBy(url), most, now);
    const { list, start } = reading;
    const records = list.slice(start, start + most);
    const hasMore = start + most < list.length;
    const json = this.#json(records, { query, most, hasMore, url, ...reading });
    return { records, json, query, hasMore };
  }

  /** Makes a list that stays as it is now, and gives its id. */
  open(given: Given, now: number): string {
    const id = `list-${this.#opened.size + 1}`;
    this.#opened.set(id, this.#select(this.#read(given, this.#protocol.opening?.roles ?? []), now));
    return id;
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
      const list = this.#select({ bounds: query.bounds.filter((bound) => bound !== from) }, now);
      const start = list.findIndex((shown) => {
        const key = this.#keyOf(shown);
        return key > from.value || (key === from.value && shown.record.number > number);
      });
      return { list, start: start < 0 ? list.length : start };
    }
    const list = this.#select(query, now);
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

  #select({ bounds }: Pick<Query, "bounds">, now: number, since?: Since): readonly Shown[] {
    const inside = this.#collection.shownAt(now).filter(
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

  #json(records: readonly Shown[], paging: Paging): Json {
    const { list, others, indicators, answer } = this.#protocol;
    const lists = [list, ...others];
    let json = withoutList(answer, list, records[0] ?? this.#anyRecord(), this.#telling);
    for (const [index, path] of lists.entries()) {
      const own = records.filter(({ record }) => record.number % lists.length === (index + 1) % lists.length);
      json = put(
        json,
        path,
        (lists.length === 1 ? records : own).map((shown) => this.#recordJson(shown)),
      );
    }
    for (const indicator of indicators) {
      const value = this.#indicated(indicator, records, paging);
      json = value === undefined ? without(json, indicator.path) : put(json, indicator.path, value);
    }
    return json;
  }

  /** @returns what a member says of the paging; undefined: it isn't there */
  #indicated({ says, atEnd }: Indicator, records: readonly Shown[], paging: Paging): Json | undefined {
    const { query, most, list, start, hasMore, snapshot, since, began, url } = paging;
    const { isLinked, roles } = this.#protocol;
    const end = { null: null, absent: undefined, blank: "" }[atEnd];
    const index = start + records.length;
    const last = records.at(-1);
    const address = isLinked ? url : undefined;
    switch (says) {
      case "more":
        return hasMore;
      case "last":
        return !hasMore;
      case "token":
        return hasMore
          ? this.#tokens.give({ kind: "page", snapshot, index, last, since, began }, address)
          : end;
      case "sync-token":
        return hasMore
          ? end
          : this.#tokens.give(
              {
                kind: "reading",
                snapshot: undefined,
                index: 0,
                last: undefined,
                since: { at: began, number: 0 },
                began,
              },
              address,
            );
      case "position": {
        const reached =
          last === undefined ? since : { at: last.version.shownFrom, number: last.record.number };
        return this.#tokens.give(
          { kind: "reading", snapshot: undefined, index: 0, last: undefined, since: reached, began },
          address,
        );
      }
      case "pages":
        return Math.ceil(list.length / most);
      case "count":
        return list.length;
      case "page":
        return query.page ?? firstPage(roles);
      case "offset":
        return query.offset ?? 0;
      case "size":
        return most;
      case "next-page":
        return hasMore ? (query.page ?? firstPage(roles)) + 1 : end;
      case "next-offset":
        return hasMore ? index : end;
    }
  }

  #recordJson(shown: Shown): Json {
    let json = tell(this.#record, this.#telling(shown));
    if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
    for (const { path, isTime, isFixed } of this.#fields.values()) {
      const at = isFixed ? shown.record.versions[0]!.at : shown.version.at;
      json = put(
        json,
        path,
        isTime ? writeTime(at, this.format, this.#hypotheses.rounding) : shown.record.number,
      );
    }
    return json;
  }

  readonly #telling = (shown: Shown) => ({
    ...shown,
    format: this.format,
    hypotheses: this.#hypotheses,
    isOnlyEmail: this.#isOnlyEmail,
  });

  #anyRecord(): Shown {
    const [record] = this.#collection.records;
    const version = record?.versions[0] ?? { number: 1, at: 0, shownFrom: 0 };
    return { record: record ?? { number: 0, versions: [version], deletedAt: undefined }, version };
  }
}

/** What the service knows of the page that it gives. */
interface Paging extends Reading {
  readonly query: Query;
  readonly most: number;
  readonly hasMore: boolean;
  readonly url: URL;
}

function firstPage(roles: Protocol["roles"]): number {
  for (const { role } of roles) if (role.kind === "page") return role.start;
  return 1;
}

/** A list that is frozen at its first page stays so for ten minutes. */
const FROZEN = 600_000;

/** Where the records behind one begin, whether it is still there or not. */
function behind(list: readonly Shown[], last: Shown, order: (a: Shown, b: Shown) => number): number {
  const index = list.findIndex((shown) => shown.record !== last.record && order(shown, last) > 0);
  return index < 0 ? list.length : index;
}

function timeFormat({ answer, list, field }: Protocol): TimeFormat | undefined {
  let shape: Shape | undefined = answer;
  for (const name of [...list, "[]", ...(field?.path ?? [])]) {
    shape =
      shape?.kind === "object"
        ? shape.members[name]
        : shape?.kind === "list" && name === "[]"
          ? shape.item
          : undefined;
  }
  if (shape?.kind === "epoch") return "epoch";
  if (shape?.kind === "time") return "iso-seconds";
  return shape?.kind === "number" ? "epoch" : undefined;
}

function recordShape({ answer, list }: Protocol): Shape {
  let shape: Shape | undefined = answer;
  for (const name of list) shape = shape?.kind === "object" ? shape.members[name] : undefined;
  const own: Shape | undefined = shape?.kind === "list" ? shape.item : shape;
  const members = own?.kind === "object" ? own.members : {};
  if (own !== undefined && own.kind !== "object" && own.kind !== "text") return own;
  // Records have an id, and what nothing reads may be there: it tells the versions apart where whole records are passed on.
  return {
    kind: "object",
    members: {
      ...("id" in members ? {} : { id: plainLeaf("id") }),
      ...members,
      ...("version" in members ? {} : { version: plainLeaf("text") }),
    } as Readonly<Record<string, Shape>>,
  };
}

/** The answer's other members. */
function withoutList(
  shape: Shape,
  list: readonly string[],
  any: Shown,
  telling: (shown: Shown) => Parameters<typeof tell>[1],
): Json {
  if (list.length === 0) return [];
  if (shape.kind !== "object") return {};
  const [first = "", ...rest] = list;
  return Object.fromEntries(
    Object.entries(shape.members).map(([name, member]) => [
      name,
      name === first ? withoutList(member, rest, any, telling) : tell(member, telling(any), name),
    ]),
  );
}
