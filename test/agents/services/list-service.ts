import type { Answer } from "../../api/request.ts";
import { matching, optional, type Shape } from "../../api/shape.ts";
import { type Call, missing, ok, type Routes, type ThirdParty } from "../../api/third-party.ts";
import type { Access } from "./access.ts";
import {
  dateTime,
  integer,
  list,
  nullable,
  object,
  openApi,
  operation,
  type Parameter,
  text,
} from "./document.ts";

/** How a list is divided. Each has what its documentation says, its parameters, and the members of an answer beside the items. */
export type Paging = "page" | "offset" | "cursor" | "next-url" | "after-id" | "windows";

export type TimeFormat = "iso" | "seconds" | "milliseconds";

export interface ListOptions {
  readonly host: string;
  readonly prefix?: string;
  readonly access: Access;
  readonly paging: Paging;
  /** How `updated_since` and `updated_at` are written. */
  readonly time?: TimeFormat;
  /** The name of the list in an answer. */
  readonly items?: string;
  /** Whether people are kept in lists, one of which a customer chooses. */
  readonly inLists?: boolean;
  /** Whether some people have no address, or no name. */
  readonly sparse?: boolean;
}

export interface Person {
  readonly id: number;
  readonly email: string | null;
  readonly first: string;
  readonly last: string | null;
  /** Milliseconds since 1970. */
  updated: number;
  /** When the list shows that, if it does so later. */
  visible?: number;
}

const SIZE = 25;
const DAY = 86_400_000;
/** Of a window that a list is asked for. */
const LONGEST = 7 * DAY;
/** Nobody in a list of windows is older. */
export const FOUNDED = Date.parse("2025-02-01T00:00:00Z");

/** A service with people that are asked for in pages: what was changed last comes last. */
export class ListService implements ThirdParty {
  readonly guard;
  readonly once = /^never$/;
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly people: Person[] = [];
  /** Is called with the people of each page, once its answer is made. */
  served: (people: readonly Person[]) => void = () => undefined;
  readonly #options: Required<ListOptions>;
  readonly #now: () => number;

  constructor(options: ListOptions, now: () => number) {
    this.#options = {
      prefix: "/v1",
      time: "iso",
      items: "people",
      inLists: false,
      sparse: false,
      ...options,
    };
    this.#now = now;
    this.guard = options.access.guard;
    this.hosts = { [options.host]: this.#routes() };
  }

  add(count: number): void {
    for (let number = 0; number < count; number++) {
      const id = this.people.length + 1;
      const lacks = this.#options.sparse ? id % 5 : 1;
      this.people.push({
        id,
        email: lacks === 0 ? null : `p${id}@example.com`,
        first: `First ${id}`,
        last: this.#options.sparse && id % 3 === 0 ? null : `Last ${id}`,
        updated: this.#now() - (count - number) * 1_000,
      });
    }
  }

  /** Has everybody be changed last at another time: from the account's first day to yesterday. */
  spread(): void {
    const days = this.#now() - DAY - FOUNDED;
    for (const [index, person] of this.people.entries())
      person.updated = FOUNDED + Math.floor((days * index) / this.people.length);
  }

  /** @param late milliseconds after which the list shows it */
  change(id: number, members: Partial<Person>, late = 0): void {
    const person = this.people.find((each) => each.id === id);
    if (person !== undefined)
      Object.assign(person, members, { updated: this.#now(), visible: this.#now() + late });
  }

  /** What the contacts of the platform have to be, by their addresses. */
  expected(): Map<string, { readonly first_name: string; readonly last_name?: string }> {
    return new Map(
      this.people.flatMap(({ email, first, last }) =>
        email === null ? [] : [[email, { first_name: first, ...(last === null ? {} : { last_name: last }) }]],
      ),
    );
  }

  /** Its documentation. */
  get document(): object {
    const { host, prefix, access, inLists, items } = this.#options;
    const person = object(
      {
        id: integer,
        email: nullable({ type: "string", format: "email" }),
        name: object({ first: text, last: nullable(text) }),
        updated_at: this.#options.time === "iso" ? dateTime : integer,
      },
      [],
    );
    const { parameters, members } = described(this.#options);
    const path = inLists ? "/lists/{list}/people" : "/people";
    const inPath: Parameter[] = inLists ? [{ name: "list", in: "path" }] : [];
    return openApi({
      title: "People",
      host,
      prefix,
      access,
      prose: prose(this.#options),
      paths: {
        [path]: {
          get: operation("People, the one changed longest ago first", [...inPath, ...parameters], {
            ...object({ [items]: list(person), ...members }),
          }),
        },
        ...(inLists
          ? {
              "/lists": {
                get: operation("All lists", [], object({ lists: list(object({ id: text, title: text })) })),
              },
            }
          : {}),
      },
    });
  }

  #routes(): Routes {
    const { prefix, inLists } = this.#options;
    const route = { query: shapeOf(this.#options), answer: (call: Call) => this.#page(call) };
    return {
      [`GET ${prefix}/me`]: { answer: () => ok({ id: "acc-7", name: "Ada's account" }) },
      ...(inLists
        ? {
            [`GET ${prefix}/lists`]: {
              answer: () =>
                ok({
                  lists: [
                    { id: "l1", title: "Customers" },
                    { id: "l2", title: "Empty" },
                  ],
                }),
            },
            [`GET ${prefix}/lists/:list/people`]: {
              ...route,
              answer: (call: Call) => (call.at["list"] === "l1" ? this.#page(call) : missing),
            },
          }
        : { [`GET ${prefix}/people`]: route }),
    };
  }

  #page({ query, host, path }: Call): Answer {
    const { paging, items } = this.#options;
    const since = this.#timeFrom(query.get("updated_since") ?? query.get("changed_from"));
    const until = this.#timeFrom(query.get("changed_to"));
    if (paging === "windows") {
      const [from = Number.NaN, to = Number.NaN] = [since, until];
      if (!(to > from && to - from <= LONGEST))
        return {
          status: 422,
          json: { error: "a window has 7 days at most, and its end lies behind its start" },
        };
      if (to > this.#now()) return { status: 422, json: { error: "changed_to lies in the future" } };
    }
    const all = this.people
      .filter(({ visible = 0 }) => visible <= this.#now())
      .filter(({ updated }) => since === undefined || updated >= since)
      .filter(({ updated }) => until === undefined || updated < until)
      .sort((one, other) =>
        paging === "after-id" ? one.id - other.id : one.updated - other.updated || one.id - other.id,
      );
    const shown = (people: readonly Person[]) => {
      const page = people.map((person) => this.#shown(person));
      this.served(people);
      return page;
    };
    const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    switch (paging) {
      case "page": {
        const page = number("page", 1);
        const pages = Math.ceil(all.length / SIZE);
        return ok({ [items]: shown(all.slice((page - 1) * SIZE, page * SIZE)), page, pages });
      }
      case "offset": {
        const offset = number("offset", 0);
        return ok({ [items]: shown(all.slice(offset, offset + SIZE)), total: all.length });
      }
      case "after-id": {
        const after = number("after_id", 0);
        return ok({ [items]: shown(all.filter(({ id }) => id > after).slice(0, SIZE)) });
      }
      default: {
        const after = keyOf(query.get("cursor"));
        const rest = all.filter((person) => after === undefined || placeOf(person) > after);
        const page = rest.slice(0, SIZE);
        const last = page.at(-1);
        const cursor = rest.length > SIZE && last !== undefined ? cursorOf(last) : null;
        if (paging !== "next-url") return ok({ [items]: shown(page), meta: { next_cursor: cursor } });
        const next = new URLSearchParams(query);
        if (cursor !== null) next.set("cursor", cursor);
        return ok({
          [items]: shown(page),
          links: { next: cursor === null ? null : `https://${host}${path}?${next}` },
        });
      }
    }
  }

  #shown({ id, email, first, last, updated }: Person): object {
    return { id, email, name: { first, last }, updated_at: this.#written(updated) };
  }

  #written(time: number): string | number {
    const { time: format } = this.#options;
    if (format === "iso") return new Date(time).toISOString();
    return format === "seconds" ? Math.floor(time / 1_000) : time;
  }

  #timeFrom(sent: string | null): number | undefined {
    if (sent === null || sent === "") return undefined;
    const { time: format } = this.#options;
    if (format === "iso") return Date.parse(sent);
    return Number(sent) * (format === "seconds" ? 1_000 : 1);
  }
}

/** The place of a person in the order of the list, as text that is ordered as the list is. */
const placeOf = ({ updated, id }: Person): string =>
  `${`${updated}`.padStart(15, "0")}.${`${id}`.padStart(9, "0")}`;
const cursorOf = (person: Person): string => Buffer.from(placeOf(person)).toString("base64url");
const keyOf = (cursor: string | null): string | undefined =>
  cursor ? Buffer.from(cursor, "base64url").toString() : undefined;

const pageWords: Readonly<Record<Paging, string>> = {
  page: `\`page\` counts from 1; a page has ${SIZE} people, and \`pages\` says how many pages there are. The list is alive: pages shift when somebody is changed between two requests.`,
  offset: `\`offset\` skips that many people; an answer has ${SIZE} at most, and \`total\` counts all that fit. The list is alive: it shifts when somebody is changed between two requests.`,
  cursor: `An answer has ${SIZE} people at most. \`meta.next_cursor\` is null on the last page; else send it as \`cursor\`, with the same other parameters. A cursor is a place in the order, so nobody is skipped when people change meanwhile.`,
  windows: `Only people whose last change lies in a window are given: \`changed_from\` is in it, \`changed_to\` isn't; both are needed, a window has 7 days at most, and \`changed_to\` may not lie in the future. A change may be shown up to two minutes after its \`updated_at\`, some at once and others late. Nobody was changed before ${new Date(FOUNDED).toISOString()}. An answer has ${SIZE} people at most; \`meta.next_cursor\` is null on the last page of a window, else send it as \`cursor\`, with the same window.`,
  "next-url": `An answer has ${SIZE} people at most. \`links.next\` is the whole address of the next page, or null. It is a place in the order, so nobody is skipped when people change meanwhile.`,
  "after-id": `People come by ascending \`id\`, and never change once they are there. An answer has ${SIZE} at most, those behind \`after_id\`; a shorter one is the last.`,
};

function prose({ paging, sparse }: Required<ListOptions>): string {
  const optionalMembers = sparse
    ? " Some people have no `email`, and some no last name: then it is null."
    : "";
  return `${pageWords[paging]}${optionalMembers}`;
}

function described({ paging, time }: Required<ListOptions>): {
  readonly parameters: readonly Parameter[];
  readonly members: Readonly<Record<string, object>>;
} {
  const unit = time === "iso" ? "ISO 8601, in UTC" : `${time} since 1970`;
  const since: Parameter = {
    name: "updated_since",
    schema: time === "iso" ? dateTime : integer,
    description: `Only people who were changed then or later; ${unit}.`,
  };
  switch (paging) {
    case "page":
      return {
        parameters: [since, { name: "page", schema: integer }],
        members: { page: integer, pages: integer },
      };
    case "offset":
      return { parameters: [since, { name: "offset", schema: integer }], members: { total: integer } };
    case "after-id":
      return { parameters: [{ name: "after_id", schema: integer }], members: {} };
    case "windows": {
      const edge = (name: string): Parameter => ({ ...since, name, required: true, description: unit });
      return {
        parameters: [edge("changed_from"), edge("changed_to"), { name: "cursor" }],
        members: { meta: object({ next_cursor: nullable(text) }) },
      };
    }
    case "cursor":
      return {
        parameters: [since, { name: "cursor" }],
        members: { meta: object({ next_cursor: nullable(text) }) },
      };
    default:
      return {
        parameters: [since, { name: "cursor" }],
        members: { links: object({ next: nullable(text) }) },
      };
  }
}

/** What it takes; anything else is refused. */
function shapeOf({ paging, time }: Required<ListOptions>): Shape {
  const moment = time === "iso" ? matching(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/) : matching(/^\d+$/);
  const since: Shape = { updated_since: optional(moment) };
  switch (paging) {
    case "page":
      return { ...since, page: optional(matching(/^[1-9]\d*$/)) };
    case "offset":
      return { ...since, offset: optional(matching(/^\d+$/)) };
    case "after-id":
      return { after_id: optional(matching(/^\d+$/)) };
    case "windows":
      return { changed_from: moment, changed_to: moment, cursor: optional(matching(/^[\w-]+$/)) };
    default:
      return { ...since, cursor: optional(matching(/^[\w-]+$/)) };
  }
}
