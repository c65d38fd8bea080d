import type { Answer, Exchange } from "./request.ts";

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Ascending; changes are found by it. */
  readonly version: number;
}

export interface People {
  readonly all: Person[];
  answer(exchange: Exchange): Answer | undefined;
}

/**
 * People in pages of three kinds: `/people` by page, maybe of one email, `/people-by-offset`, `/people-by-cursor` (the cursor is opaque, and lists
 * what changed after `since`).
 */
export function peopleOf(count: number): People {
  const all = Array.from({ length: count }, (_, index) => person(index + 1, {}, index + 1));
  let version = count;
  return {
    all,
    answer({ method, path, query, json }) {
      const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
      const id = /^\/people\/(\d+)$/.exec(path)?.[1];
      if (id !== undefined) {
        const index = all.findIndex((each) => each.id === Number(id));
        const found = all[index];
        if (found === undefined) return { status: 404, json: { error: "no such person" } };
        if (method === "GET") return { json: found };
        if (method === "DELETE") {
          all.splice(index, 1);
          return { status: 204 };
        }
        const changed = { ...found, ...(json as Partial<Person>), id: found.id, version: ++version };
        all[index] = changed;
        return { json: changed };
      }
      if (path === "/people" && method === "POST") {
        const created = person(all.length + 1, json as Partial<Person>, ++version);
        all.push(created);
        return { status: 201, json: created };
      }
      switch (path) {
        case "/people": {
          const size = number("per_page", 10);
          const start = (number("page", 1) - 1) * size;
          const email = query.get("email");
          const found = email === null ? all : all.filter((each) => each.email === email);
          return { json: { items: found.slice(start, start + size), pages: Math.ceil(found.length / size) } };
        }
        case "/people-by-offset": {
          const start = number("offset", 0);
          return { json: { records: all.slice(start, start + number("limit", 10)), total: all.length } };
        }
        case "/people-by-cursor": {
          const since = number("since", 0);
          const changed = all.filter((each) => each.version > since).sort((a, b) => a.version - b.version);
          const start = Number(Buffer.from(query.get("cursor") ?? "", "base64url").toString() || 0);
          const end = start + number("limit", 10);
          const next = end < changed.length ? Buffer.from(`${end}`).toString("base64url") : null;
          return { json: { data: changed.slice(start, end), next } };
        }
        default:
          return undefined;
      }
    },
  };
}

function person(id: number, given: Partial<Person>, version: number): Person {
  return { name: `Person ${id}`, email: `person${id}@example.com`, ...given, id, version };
}
