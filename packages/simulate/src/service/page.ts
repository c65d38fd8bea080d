import type { Json } from "@configc/jq";
import type { Field, Indicator, Protocol } from "../protocol/protocol.ts";
import type { Hypotheses } from "../world/hypotheses.ts";
import type { Collection, Shown } from "./collection.ts";
import { indicate } from "./indicate.ts";
import { put } from "./json.ts";
import { hasText, tell, writeTime } from "./leaf.ts";
import type { Query } from "./query.ts";
import { firm, plainLeaf, type Shape, type TimeFormat } from "./shape.ts";
import type { Since, Tokens } from "./tokens.ts";

/** A list as it is read, and where in it a request is. */
export interface Reading {
  readonly list: readonly Shown[];
  readonly start: number;
  readonly snapshot: number | undefined;
  readonly since: Since | undefined;
  readonly began: number;
}

/** What the service knows of the page that it gives. */
interface Paging extends Reading {
  readonly query: Query;
  readonly most: number;
  readonly hasMore: boolean;
  readonly url: URL;
}

/** Writes what a list answers: some of its records, and what it says of the others. */
export class PageWriter {
  readonly #protocol: Protocol;
  readonly #collection: Collection;
  readonly #hypotheses: Hypotheses;
  readonly #tokens: Tokens;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #format: () => TimeFormat;
  readonly #record: Shape;
  readonly #isOnlyEmail: boolean;

  /**
   * @param fields by which the list is filtered, by name
   * @param format how times are written, which may show only with the first request
   */
  constructor(
    protocol: Protocol,
    collection: Collection,
    hypotheses: Hypotheses,
    tokens: Tokens,
    fields: ReadonlyMap<string, Field>,
    format: () => TimeFormat,
  ) {
    this.#protocol = protocol;
    this.#collection = collection;
    this.#hypotheses = hypotheses;
    this.#tokens = tokens;
    this.#fields = fields;
    this.#format = format;
    this.#record = firm(recordShape(protocol), protocol.keys);
    this.#isOnlyEmail = !hasText(this.#record);
  }

  /** The answer with these records. */
  json(records: readonly Shown[], paging: Paging): Json {
    const { list, others, indicators, answer } = this.#protocol;
    const lists = [list, ...others];
    let json = withoutList(answer, list, records.length > 0 ? records : [this.#anyRecord()], this.#telling);
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
      json = indicate(json, indicator, value, paging.url.href);
    }
    return json;
  }

  /** @returns what a member says of the paging; undefined: it isn't there */
  #indicated(
    { says, atEnd, within }: Indicator,
    records: readonly Shown[],
    paging: Paging,
  ): Json | undefined {
    const { query, most, list, start, hasMore, snapshot, since, began, url } = paging;
    const { isLinked, roles } = this.#protocol;
    const end = { null: null, absent: undefined, blank: "" }[atEnd];
    const index = start + records.length;
    const last = records.at(-1);
    const address = isLinked || within !== undefined ? { url, parameter: within ?? "cursor" } : undefined;
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
          last === undefined
            ? (since ?? sinceBound(query))
            : { at: last.version.shownFrom, number: last.record.number };
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
        isTime ? writeTime(at, this.#format(), this.#hypotheses.rounding) : shown.record.number,
      );
    }
    return json;
  }

  readonly #telling = (shown: Shown) => ({
    ...shown,
    format: this.#format(),
    hypotheses: this.#hypotheses,
    isOnlyEmail: this.#isOnlyEmail,
  });

  #anyRecord(): Shown {
    const [record] = this.#collection.records;
    const version = record?.versions[0] ?? { number: 1, at: 0, shownFrom: 0 };
    return { record: record ?? { number: 0, versions: [version], deletedAt: undefined }, version };
  }
}

/** Where an empty list began: what comes later is behind that. */
function sinceBound({ bounds }: Query): Since | undefined {
  const from = bounds.find(({ side }) => side === "from");
  return from === undefined ? undefined : { at: from.value, number: 0 };
}

function firstPage(roles: Protocol["roles"]): number {
  for (const { role } of roles) if (role.kind === "page") return role.start;
  return 1;
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
  records: readonly Shown[],
  telling: (shown: Shown) => Parameters<typeof tell>[1],
): Json {
  if (list.length === 0) return [];
  if (shape.kind !== "object") return {};
  const [first = "", ...rest] = list;
  return Object.fromEntries(
    Object.entries(shape.members).map(([name, member]) => [
      name,
      name === first ? withoutList(member, rest, records, telling) : beside(member, records, telling, name),
    ]),
  );
}

/** What stands beside the list: of others that its records name, such as `included` people, those of all of them. */
function beside(
  shape: Shape,
  [any, ...others]: readonly Shown[],
  telling: (shown: Shown) => Parameters<typeof tell>[1],
  name: string,
): Json {
  const told = tell(shape, telling(any!), name);
  if (shape.kind !== "list" || shape.item.kind !== "object" || !Array.isArray(told)) return told;
  return [
    ...(told as readonly Json[]),
    ...others.flatMap((shown) => {
      const more = tell(shape, telling(shown), name);
      return Array.isArray(more) ? (more as readonly Json[]) : [];
    }),
  ];
}
