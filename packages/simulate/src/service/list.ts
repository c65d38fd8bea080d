import type { Json } from "@configc/jq";
import type { Field, Protocol } from "../protocol/protocol.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import { type Collection, orderOf, type Shown } from "./collection.ts";
import { formatOf, hasText, rounded, type TimeFormat, tell, writeTime } from "./leaf.ts";
import { type Given, type Query, readQuery } from "./query.ts";
import type { Shape } from "./shape.ts";

/** A page of the list, with what the service knows of it. */
export interface Page {
  readonly records: readonly Shown[];
  readonly json: Json;
  readonly query: Query;
  readonly hasMore: boolean;
}

/** A place in the list that a token stands for. */
interface Place {
  readonly snapshot: number | undefined;
  readonly index: number;
  readonly last: Shown | undefined;
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
  readonly #snapshots: Shown[][] = [];
  readonly #tokens = new Map<string, Place>();
  #frozen: { readonly subject: string; readonly list: Shown[]; readonly until: number } | undefined;

  /** @param pageSize records on a page, where the app's programs don't count on a size of their own */
  constructor(protocol: Protocol, collection: Collection, hypotheses: Hypotheses, pageSize: number) {
    this.#protocol = protocol;
    this.#pageSize = pageSize;
    this.#collection = collection;
    this.#hypotheses = hypotheses;
    this.#format = formatOf(protocol.initial) ?? timeFormat(protocol);
    this.#fields = new Map(
      protocol.roles.flatMap(({ role }) => ("field" in role ? [[role.field.name, role.field]] : [])),
    );
    this.#record = recordShape(protocol);
    this.#isOnlyEmail = !hasText(this.#record);
  }

  get format(): TimeFormat {
    return this.#format ?? "iso";
  }

  /** @param url of the request, of which a token that is a URL is made */
  answer(given: Given, url: URL, now: number): Page {
    const { roles, size } = this.#protocol;
    const query = readQuery(given, roles);
    // A bound made of the clock shows how the app writes times.
    this.#format ??= query.bounds
      .map(({ text }) => formatOf(/^\d+$/.test(text) ? Number(text) : text))
      .find((each) => each !== undefined);
    const most = size.isFixed
      ? (query.size ?? size.size)
      : Math.min(query.size ?? this.#pageSize, this.#pageSize);
    const { list, start, snapshot } = this.#placeOf(query, most, now);
    const records = list.slice(start, start + most);
    const hasMore = start + most < list.length;
    const json = this.#json(records, {
      query,
      total: list.length,
      size: most,
      start,
      hasMore,
      url,
      snapshot,
    });
    return { records, json, query, hasMore };
  }

  #placeOf(
    query: Query,
    size: number,
    now: number,
  ): { list: Shown[]; start: number; snapshot: number | undefined } {
    const isFrozen = this.#hypotheses.paging === "snapshot";
    if (query.cursor !== undefined) {
      const place = this.#tokens.get(query.cursor);
      if (place?.snapshot !== undefined)
        return { list: this.#snapshots[place.snapshot]!, start: place.index, snapshot: place.snapshot };
      const list = this.#select(query, now);
      const start = place?.last === undefined ? 0 : behind(list, place.last, this.#order);
      return { list, start, snapshot: undefined };
    }
    if (query.after !== undefined) {
      const number = Number(/\d+/.exec(query.after)?.[0] ?? 0);
      const list = this.#select(query, now);
      const index = list.findIndex(({ record }) => record.number === number);
      if (index >= 0) return { list, start: index + 1, snapshot: undefined };
      const record = this.#collection.records[number - 1];
      const last = record === undefined ? undefined : { record, version: record.versions.at(-1)! };
      const start = last === undefined ? 0 : behind(list, last, this.#order);
      return { list, start, snapshot: undefined };
    }
    const start =
      query.offset ?? (query.page === undefined ? 0 : Math.max(0, query.page - this.#firstPage) * size);
    if (isFrozen && start > 0 && this.#frozen?.subject === query.subject && now < this.#frozen.until)
      return { list: this.#frozen.list, start, snapshot: undefined };
    const list = this.#select(query, now);
    if (isFrozen) {
      this.#frozen = { subject: query.subject, list, until: now + FROZEN };
      this.#snapshots.push(list);
      return { list, start, snapshot: this.#snapshots.length - 1 };
    }
    return { list, start, snapshot: undefined };
  }

  get #firstPage(): number {
    for (const { role } of this.#protocol.roles) if (role.kind === "page") return role.start;
    return 1;
  }

  get #direction(): "ascending" | "descending" {
    const { direction } = this.#protocol.order;
    if (this.#hypotheses.order === "supposed") return direction;
    return direction === "ascending" ? "descending" : "ascending";
  }

  get #order(): (a: Shown, b: Shown) => number {
    return orderOf({ keyOf: (shown) => this.#keyOf(shown), direction: this.#direction }, this.#hypotheses);
  }

  #select({ bounds }: Query, now: number): Shown[] {
    const inside = this.#collection.shownAt(now).filter((shown) =>
      bounds.every(({ side, field, value, isInclusive }) => {
        const own = this.#keyOf(shown, this.#fields.get(field));
        const inclusive = isInclusive ?? this.#hypotheses.boundary === "inclusive";
        if (own === value) return inclusive;
        return side === "from" ? own > value : own < value;
      }),
    );
    return inside.sort(this.#order);
  }

  /** By what the list is filtered and sorted. */
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

  #json(
    records: readonly Shown[],
    paging: {
      query: Query;
      total: number;
      size: number;
      start: number;
      hasMore: boolean;
      url: URL;
      snapshot: number | undefined;
    },
  ): Json {
    const { list, indicators, answer } = this.#protocol;
    const items = records.map((shown) => this.#recordJson(shown));
    const base = withoutList(answer, list, records[0] ?? this.#anyRecord(), this.#telling);
    let json = put(base, list, items);
    const { query, total, size, start, hasMore } = paging;
    for (const { path, says } of indicators) {
      const value = ((): Json => {
        switch (says) {
          case "more":
            return hasMore;
          case "last":
            return !hasMore;
          case "token":
            return hasMore ? this.#token(records, start + records.length, paging) : null;
          case "pages":
            return Math.ceil(total / size);
          case "count":
            return total;
          case "page":
            return query.page ?? 1;
          case "size":
            return size;
          case "next-offset":
            return hasMore ? start + records.length : null;
        }
      })();
      json = put(json, path, value);
    }
    return json;
  }

  #token(
    records: readonly Shown[],
    index: number,
    { snapshot, url }: { snapshot: number | undefined; url: URL },
  ): string {
    const isUrl = this.#protocol.exchange.url.some(
      (part) => part.kind === "place" && part.root.kind === "state",
    );
    const name = `next-${this.#tokens.size + 1}`;
    const next = new URL(url);
    next.searchParams.set("cursor", name);
    this.#tokens.set(name, { snapshot, index, last: records.at(-1) });
    return isUrl ? next.href : name;
  }

  #recordJson(shown: Shown): Json {
    let json = tell(this.#record, this.#telling(shown));
    if (typeof json !== "object" || json === null) return json;
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
  if (own !== undefined && own.kind !== "object" && Object.keys(members).length === 0 && own.kind !== "text")
    return own;
  // Records have an id, and what nothing reads may be there: it tells the versions apart where whole records are passed on.
  return {
    kind: "object",
    members: {
      ...("id" in members ? {} : { id: { kind: "id", isNullable: false, choices: [] } }),
      ...members,
      ...("version" in members ? {} : { version: { kind: "text", isNullable: false, choices: [] } }),
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

/** A value with another one at a path below it. */
export function put(into: Json, path: readonly string[], value: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const object = typeof into === "object" && into !== null && !Array.isArray(into) ? into : {};
  return {
    ...object,
    [first]: put((object as { readonly [name: string]: Json })[first] ?? {}, rest, value),
  } as Json;
}
