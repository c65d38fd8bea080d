import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const RULE = "http/documented-range";

const options = "/workflows/0/setup/select/form_fields/0/options";
const asked = (comment: unknown, params: object, path = "/lists"): string[] =>
  findings(RULE, "outbound", {
    [options]: {
      "!pipe": [
        { _comment: comment, "!http": { path, params } },
        { "!jq": "[.lists[] | {display: .name, value: .id}]" },
      ],
    },
  });

describe("a comment says how much a page may have", () => {
  test.each([
    ["100 rows a page at most", "limit", 500, 1],
    ["At most 100 a call.", "per_page", 250, 1],
    ["Lists come at most 200 at a time.", "limit", 500, 1],
    ["50 is the most that a page can have; a larger limit is taken as 50.", "limit", 100, 1],
    ["200 is the most that one call gives.", "size", 201, 1],
    ["A limit above 200 is quietly cut down to 200.", "limit", 500, 1],
    ["page length is between 10 and 50", "page_size", 5, 1],
    ["page length is between 10 and 50", "page_size", 100, 1],
    ["limit is 1 to 100", "limit", 200, 1],
    ["Lists take `limit` (1 to 50) and `offset` (from 0).", "limit", 100, 1],
    ["per_page (at most 100)", "per_page", 250, 1],
    ["size is 50 at most. archived=no leaves out what was put away.", "size", 100, 1],
    ["page[size] is 1 to 100.", "page[size]", 500, 1],
    ["Query of GET /lists: page (from 1); per_page (at most 100).", "per_page", 250, 1],
    ["Up to 1,000 rows per page", "limit", 2000, 1],
    ["100 is the most that per_page takes.", "per_page", 250, 1],
    ["100 is the most that per_page takes.", "per_page", 100, 0],
    ["100 is the most that weeks takes.", "per_page", 250, 0],
    ["first is an Int from 1 to 200", "first", 250, 1],
    ["Pages of at most 25 records.", "limit", 50, 1],
    // As it should be.
    ["100 rows a page at most", "limit", 100, 0],
    ["A limit above 200 is quietly cut down to 200.", "limit", 200, 0],
    ["page length is between 10 and 50", "page_size", 10, 0],
    ["Up to 1,000 rows per page", "limit", 1000, 0],
    // Of something else.
    ["A school has at most 250 courses.", "limit", 500, 0],
    ["At most 100 requests per page load", "limit", 500, 0],
    ["A cycle gives up to 100 records.", "limit", 500, 0],
    ["Names have at most 40 characters per answer.", "limit", 500, 0],
    ["GET /people: 50 rows a page at most", "limit", 100, 0],
    ["limit is at most 100 (200 for readings)", "limit", 200, 0],
    ["limit is at most 100, but 500 for admins", "limit", 200, 0],
    ["weeks is 1 to 4", "limit", 10, 0],
    ["100 rows a page at most", "year", 2026, 0],
    ["limit is 1 to 100; 0 means all of them", "limit", 0, 0],
    ["limit is 1 to 100. 0 = everything", "limit", 0, 0],
    ["limit is 1 to 100; 0 means all of them", "limit", 500, 1],
  ])("%s: %s=%s", (comment, name, value, count) => {
    expect(asked(comment, { [name]: value })).toHaveLength(count);
    expect(asked([comment], { [name]: String(value) })).toHaveLength(count);
  });

  test("in the query of the path, and in a query of GraphQL", () => {
    expect(asked("limit is 1 to 100", {}, "/lists?limit=500")).toHaveLength(1);
    expect(asked("limit is 1 to 100", {}, "/lists?limit=100")).toEqual([]);
    const query = (first: number): string[] =>
      findings(RULE, "outbound", {
        [options]: {
          "!pipe": [
            {
              _comment: "first is 100 at most",
              "!http": {
                method: "POST",
                path: "/graphql",
                body: { query: `query { lists(first: ${first}) { id name } }` },
              },
            },
            { "!jq": "[.data.lists[] | {display: .name, value: .id}]" },
          ],
        },
      });
    expect([query(250).length, query(100).length]).toEqual([1, 0]);
  });

  test("in the pagination of all lists", () => {
    const paged = (place: string, comment: string, value: number): string[] =>
      findings("api/page-over-limit", "outbound", {
        "/api/pagination": {
          style: { type: "page", page_number: { param: "page", value: 1 }, page_size: { param: "n", value } },
          parser: { total_pages: { "!jq": ".pages" } },
        },
        [`${options}/!pipe/0/!http`]: { path: "/lists", pagination: true },
        [place]: comment,
      });
    expect(paged("/api/pagination/_comment", "At most 50 a page.", 100)).toEqual(["100"]);
    expect(paged("/api/_comment", "Lists answer {rows, total}, 100 rows a page at most.", 250)).toEqual([
      "250",
    ]);
    expect(paged("/api/_comment", "Lists answer {rows, total}, 100 rows a page at most.", 100)).toEqual([]);
    expect(paged("/api/_comment", "GET /jobs: 100 rows a page at most.", 250)).toEqual([]);
  });
});

describe("a comment says between which numbers a member lies", () => {
  const offered = (comment: string, values: readonly string[], target: unknown): string[] =>
    findings(RULE, "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Seats",
        id: "seats",
        type: "dropdown",
        options: values.map((value) => ({ display: `For ${value}`, value })),
      },
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": target,
    });
  const sent = (value: string): object => ({
    "!pipe": [
      { "!jq": `{email: .email, seats: ${value}}` },
      { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
    ],
  });
  test.each([
    ["seats, 0 to 3", ["1", "4"], "${custom_data.seats.value}", ['"4"']],
    ["seats: 1 to 4", ["1", "5"], "(${custom_data.seats.value} | tonumber)", ['"5"']],
    ["seats is at most 4", ["1", "5"], "(${custom_data.seats.value} | tonumber)", ['"5"']],
    ["seats, 0 to 3", ["1", "3"], "${custom_data.seats.value}", []],
    // It is another number when it is sent.
    ["seats, 0 to 3", ["10", "40"], "((${custom_data.seats.value} | tonumber) / 10)", []],
    ["rows, 0 to 3", ["1", "4"], "${custom_data.seats.value}", []],
  ] as const)("%s %s %s", (comment, values, value, marked) => {
    expect(offered(comment, values, sent(value))).toEqual(marked);
  });
});
