import { createTracer, type Json, type TraceEvent } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { testEffects } from "../support/effects.ts";
import { type Received, serve } from "../support/server.ts";

/** D22, row by row of the specification's table of pagination. */
interface Case {
  readonly name: string;
  readonly style: object;
  readonly parser: object;
  readonly answer: (request: Received, number: number) => unknown;
  /** What is asked for, one query a page. */
  readonly asked: readonly string[];
  readonly output?: unknown;
  readonly error?: RegExp;
  readonly reason?: string;
}

const jq = (program: string) => ({ "!jq": program });
const page = { type: "page", page_number: { param: "p" }, page_size: { param: "n", value: 2 } };
const total = { total_pages: jq(".pages") };
const offsets = { type: "limitoffset", limit: { param: "n", value: 2 }, offset: { param: "o" } };
const cursor = { type: "cursor", limit: { param: "n", value: 2 } };
const nth =
  (...bodies: readonly unknown[]): Case["answer"] =>
  (_request, number) =>
    bodies[number - 1];

const cases: readonly Case[] = [
  {
    name: "pagination.page_number begins at 1, pagination.page_size is sent, pagination.total_pages ends it",
    style: page,
    parser: total,
    answer: nth({ pages: 2, items: [1], at: "a" }, { pages: 2, items: [2], at: "b" }),
    asked: ["p=1&n=2", "p=2&n=2"],
    output: { pages: 2, items: [1, 2], at: "b" },
    reason: "total",
  },
  {
    name: "pagination.page_number begins where its value says, in digits too; pages are counted, not numbers",
    style: { ...page, page_number: { param: "p", value: "5" } },
    parser: total,
    answer: nth({ pages: "2", items: [1] }, { pages: "2", items: [2] }),
    asked: ["p=5&n=2", "p=6&n=2"],
    output: { pages: "2", items: [1, 2] },
    reason: "total",
  },
  {
    name: "pagination.extra is an object",
    style: { ...page, extra: { param: "sort", value: "a b" } },
    parser: total,
    answer: nth({ pages: 1, items: [1] }),
    asked: ["p=1&n=2&sort=a%20b"],
    reason: "total",
  },
  {
    name: "pagination.extra is an array, for limitoffset",
    style: {
      ...offsets,
      extra: [
        { param: "a", value: 1 },
        { param: "b", value: true },
      ],
    },
    parser: { total_items: jq(".total") },
    answer: nth({ total: 1, items: [1] }),
    asked: ["o=0&n=2&a=1&b=true"],
    reason: "total",
  },
  {
    name: "pagination.offset begins at 0, pagination.limit is added, pagination.total_items ends it",
    style: offsets,
    parser: { total_items: jq(".total") },
    answer: nth({ total: 4, items: [1, 2] }, { total: 4, items: [3, 4] }),
    asked: ["o=0&n=2", "o=2&n=2"],
    output: { total: 4, items: [1, 2, 3, 4] },
    reason: "total",
  },
  {
    name: "pagination.offset that isn't 0-based",
    style: { ...offsets, offset: { param: "o", value: 1 } },
    parser: { total_items: jq(".total") },
    answer: nth({ total: 3, items: [1, 2] }, { total: 3, items: [3] }),
    asked: ["o=1&n=2", "o=3&n=2"],
    output: { total: 3, items: [1, 2, 3] },
    reason: "total",
  },
  {
    name: "pagination.ordering and pagination.next_result_token, which may be any scalar, until there is none",
    style: { ...cursor, ordering: { param: "by", value: "id" } },
    parser: { next_result_token: jq(".next") },
    answer: nth({ items: [1], next: "a/b &" }, { items: [2], next: 0 }, { items: [3], next: false }),
    asked: ["n=2&by=id", "cursor=a%2Fb%20%26&n=2&by=id", "cursor=0&n=2&by=id"],
    output: { items: [1, 2, 3], next: false },
    reason: "no-token",
  },
  {
    name: "pagination.previous_result_token, where there is no other",
    style: cursor,
    parser: { previous_result_token: jq(".back") },
    answer: nth({ items: [2], back: "b" }, { items: [1], back: "" }),
    asked: ["n=2", "cursor=b&n=2"],
    output: { items: [2, 1], back: "" },
    reason: "no-token",
  },
  {
    name: "D22 a repeated token ends it",
    style: cursor,
    parser: { next_result_token: jq('"same"') },
    answer: (_request, number) => ({ items: [number] }),
    asked: ["n=2", "cursor=same&n=2"],
    output: { items: [1, 2] },
    reason: "repeat",
  },
  {
    name: "pagination.cursor names the parameter",
    style: { ...cursor, cursor: { param: "after" } },
    parser: { next_result_token: jq(".next") },
    answer: nth({ items: [1], next: "x" }, { items: [], next: "y" }),
    asked: ["n=2", "after=x&n=2"],
    output: { items: [1], next: "y" },
    reason: "empty",
  },
  {
    name: "a cursor that is a URL is followed",
    style: cursor,
    parser: { next_result_token: jq(".next") },
    answer: ({ headers }, number) => ({
      items: [number],
      next: number === 1 ? `http://${headers.host}/list?from=here` : null,
    }),
    asked: ["n=2", "from=here"],
    output: { items: [1, 2], next: null },
    reason: "no-token",
  },
  {
    name: "pagination.next_page_url is followed, relative too",
    style: page,
    parser: { next_page_url: jq(".next") },
    answer: nth({ items: [1], next: "/list?p=2&x=1" }, { items: [2], next: null }),
    asked: ["p=1&n=2", "p=2&x=1"],
    output: { items: [1, 2], next: null },
    reason: "no-token",
  },
  {
    name: "pagination.next_page_url of another origin is refused",
    style: page,
    parser: { next_page_url: jq(".next") },
    answer: nth({ items: [1], next: "https://elsewhere.example.com/" }),
    asked: ["p=1&n=2"],
    error: /one origin only/,
  },
  {
    name: "D22 a link that was followed before ends it",
    style: page,
    parser: { next_page_url: jq(".next") },
    answer: (_request, number) => ({ items: [number], next: "/list?p=2" }),
    asked: ["p=1&n=2", "p=2"],
    output: { items: [1, 2], next: "/list?p=2" },
    reason: "repeat",
  },
  {
    name: "D22 pages without any list are read as long as the API says that there is more",
    style: page,
    parser: total,
    answer: nth(
      { pages: 3, people: { a: 1 } },
      { pages: 3, people: { b: 2 } },
      { pages: 3, people: { c: 3 } },
    ),
    asked: ["p=1&n=2", "p=2&n=2", "p=3&n=2"],
    output: { pages: 3, people: { a: 1, b: 2, c: 3 } },
    reason: "total",
  },
  {
    name: "D22 one page without a list where nothing says that there is more",
    style: page,
    parser: { total_pages: jq("null") },
    answer: nth({ people: { a: 1 } }),
    asked: ["p=1&n=2"],
    output: { people: { a: 1 } },
    reason: "empty",
  },
  {
    name: "D22 a list that is null on a page is an empty one",
    style: page,
    parser: total,
    answer: nth({ pages: 9, items: [1] }, { pages: 9, items: null }),
    asked: ["p=1&n=2", "p=2&n=2"],
    output: { pages: 9, items: [1] },
    reason: "empty",
  },
  {
    name: "D22 a page whose lists are all empty ends it, whatever else is the same on every page",
    style: page,
    parser: total,
    answer: nth({ pages: 9, items: [1], columns: ["a"] }, { pages: 9, items: [], columns: ["a"] }),
    asked: ["p=1&n=2", "p=2&n=2"],
    output: { pages: 9, items: [1], columns: ["a"] },
    reason: "empty",
  },
  {
    name: "D22 equal pages are read where the API says that there are so many; what is equal on all isn't concatenated",
    style: page,
    parser: total,
    answer: nth(
      { pages: 3, ids: ["a"], tags: ["t"] },
      { pages: 3, ids: ["a"], tags: ["t"] },
      { pages: 3, ids: ["b"], tags: ["t"] },
    ),
    asked: ["p=1&n=2", "p=2&n=2", "p=3&n=2"],
    output: { pages: 3, ids: ["a", "a", "b"], tags: ["t"] },
    reason: "total",
  },
  {
    name: "D22 where nothing is said, pages that come again end it, with a period of two too",
    style: page,
    parser: { total_pages: jq("null") },
    answer: (_request, number) => ({ items: [number % 2], at: number }),
    asked: ["p=1&n=2", "p=2&n=2", "p=3&n=2"],
    output: { items: [1, 0], at: 2 },
    reason: "repeat",
  },
  {
    name: "D22 objects merge recursively, a list that becomes null stays",
    style: page,
    parser: total,
    answer: nth(
      { pages: 2, r: { a: { x: [1] }, b: 1 } },
      { pages: 2, r: { a: { x: [2], y: 3 }, b: null }, z: [] },
    ),
    asked: ["p=1&n=2", "p=2&n=2"],
    output: { pages: 2, r: { a: { x: [1, 2], y: 3 }, b: null }, z: [] },
    reason: "total",
  },
  {
    name: "D20 a body that is a list",
    style: page,
    parser: { total_pages: jq(".body[0].of") },
    answer: nth([{ of: 2 }], [{ of: 2, n: 2 }]),
    asked: ["p=1&n=2", "p=2&n=2"],
    output: { body: [{ of: 2 }, { of: 2, n: 2 }] },
    reason: "total",
  },
  {
    name: "pagination.total_pages that is no number fails",
    style: page,
    parser: { total_pages: jq('"many"') },
    answer: nth({ items: [1] }),
    asked: ["p=1&n=2"],
    error: /`total_pages` must give a number; it gave `many`/,
  },
];

describe("D22 pagination", () => {
  test.each(cases)("$name", async ({ style, parser, answer, asked, output, error, reason }) => {
    const { origin, received } = await serve((request, number) => ({ json: answer(request, number) }));
    const events: TraceEvent[] = [];
    const effects = testEffects();
    const run = runCommand(
      { "!http": { path: "/list", pagination: true } },
      {
        api: { base_url: origin, pagination: { style, parser } },
        effects,
        trace: createTracer(effects.clock, (event) => events.push(event)),
      },
    );
    if (error === undefined) {
      const given = await run;
      if (output !== undefined) expect(given).toEqual(output);
    } else expect((await failureOf(run)).message).toMatch(error);
    expect(received.map(({ url }) => url.replace("/list?", ""))).toEqual(asked);
    const notes = events.filter(({ kind }) => kind === "note").map(({ data }) => data as { reason: Json });
    if (reason !== undefined) expect(notes).toEqual([{ pages: expect.any(Number), reason }]);
  });

  test("limit.pages: after 100 pages the trace says that it is truncated", async () => {
    const { origin, received } = await serve((_request, number) => ({
      json: { pages: 500, items: [number] },
    }));
    const events: TraceEvent[] = [];
    const effects = testEffects();
    const output = await runCommand(
      { "!http": { path: "/list", pagination: true } },
      {
        api: { base_url: origin, pagination: { style: page, parser: total } },
        effects,
        trace: createTracer(effects.clock, (event) => events.push(event)),
      },
    );
    expect([received.length, (output as { items: Json[] }).items.length]).toEqual([100, 100]);
    expect(events.at(-2)?.data).toEqual({ pages: 100, reason: "max-pages", truncated: true });
  });
});
