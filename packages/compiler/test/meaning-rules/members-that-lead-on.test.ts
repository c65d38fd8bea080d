import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Where lists go on, how many pages there are and where pages begin: in other forms, and what is right although it looks alike. */

const offered = {
  "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
};
const paged = (rule: string, pagination: unknown): string[] =>
  findings(rule, "outbound", { ...offered, "/api/pagination": pagination });
const cursor = (program: string, comment?: string, param?: string): unknown => ({
  ...(comment === undefined ? {} : { _comment: comment }),
  style: { type: "cursor", ...(param === undefined ? {} : { cursor: { param } }) },
  parser: { next_result_token: { "!jq": program } },
});

describe("another member than the one that a comment says leads on", () => {
  test.each([
    [
      ".page.after",
      "Answers carry page: {after, next}: after repeats what was asked for, next is null on the last page.",
    ],
    [".cursors.first", "{data: [...], cursors: {prev, next}}; next is null on the last page"],
    [".last", "A list answers with 'next', the token of the next page; null on the last."],
    [
      '.links.last | if . == null then null else capture("after=(?<token>[a-z]+)").token end',
      "links.next is a whole URL with after=TOKEN in it, null on the last page.",
    ],
    [
      ".paging.last",
      "The token for the following page stands in paging.next and is missing on the last page.",
    ],
    [".links.start", "links.after is the token for the next page."],
  ])("%s", (program, comment) => {
    expect(paged("api/other-page", cursor(program, comment))).toHaveLength(1);
  });

  test.each([
    [".page.next", "next is null on the last page."],
    [".links.next // null", "links.next is null on the last page."],
    [".token", "The token is null on the last page."],
    [".next_cursor", "next is null on the last page."],
    [".items[-1].id", "The list is sorted by id; it is empty behind the last page."],
    [".links.more", "previous is null on the first page."],
    ["if .has_more then .data[-1].id else null end", "next is null on the last page."],
  ])("right: %s", (program, comment) => {
    expect(paged("api/other-page", cursor(program, comment))).toEqual([]);
  });
});

describe("a token that leads back", () => {
  test.each([
    [".page.before", "after"],
    [".meta.page.before", "page[after]"],
    [".links.previous", "starting_after"],
    ["(.cursors.after // .cursors.before)", undefined],
    [".paging.next // .paging.prev", undefined],
  ])("%s", (program, param) => {
    expect(paged("api/other-page", cursor(program, undefined, param))).toHaveLength(1);
  });

  test.each([
    [".page.before", "before"],
    [".page.before", undefined],
    [".page.after", "after"],
    [".cursors.after // .next.before", undefined],
    [".paging.next // .next_cursor", undefined],
  ])("right: %s as %s", (program, param) => {
    expect(paged("api/other-page", cursor(program, undefined, param))).toEqual([]);
  });
});

describe("the length of a page for the number of pages or records", () => {
  const told = (member: string, program: string, _comment = "Lists."): string[] =>
    paged("api/page-counted", {
      _comment,
      style:
        member === "total_pages"
          ? {
              type: "page",
              page_number: { param: "page", value: 1 },
              page_size: { param: "size", value: 100 },
            }
          : {
              type: "limitoffset",
              limit: { param: "limit", value: 100 },
              offset: { param: "offset", value: 0 },
            },
      parser: { [member]: { "!jq": program } },
    });

  test.each([
    ["total_pages", "(.items | length / 100) | ceil"],
    ["total_pages", ".data | length / 100 | ceil"],
    ["total_items", ".page.items | length"],
  ])("%s: %s", (member, program) => {
    expect(told(member, program)).toHaveLength(1);
  });

  test.each([
    ["total_pages", "(.total / 100) | ceil"],
    ["total_pages", ".pages | length"],
    ["total_pages", ".page_links.items | length"],
    ["total_items", ".page.total"],
  ])("right: %s: %s", (member, program) => {
    expect(told(member, program)).toEqual([]);
  });

  test.each([
    ["Lists answer with meta: total is the number of all rows, count the number of rows in this answer.", 1],
    ["Offset pagination: every list answers with the total in count.", 0],
  ])("as a comment says: %s", (comment, count) => {
    expect(told("total_pages", "(.count / 100) | ceil", comment)).toHaveLength(count);
  });
});

describe("pages begin elsewhere than a comment says, whatever the parameter is called", () => {
  const told = (comment: string, value: number): string[] =>
    paged("api/documented-start", {
      _comment: comment,
      style: { type: "page", page_number: { param: "p", value } },
      parser: { total_pages: { "!jq": ".pages" } },
    });

  test.each([
    "The first page is 0, this is a count all the same.",
    "Pages count from 0.",
    "Pages are zero-based.",
  ])("%s", (comment) => {
    expect(told(comment, 1)).toHaveLength(1);
  });

  test.each(["The first page is 1.", "Rows count from 0.", "Report pages count from 0."])(
    "right: %s",
    (comment) => {
      expect(told(comment, 1)).toEqual([]);
    },
  );
});

describe("one list that is read without pages, where all lists have them by a comment", () => {
  const told = (comment: string, path: string, others: unknown = { pagination: true }): string[] =>
    findings("http/first-page-only", "outbound", {
      "/api/pagination": { ...(cursor(".next", comment) as object) },
      "/workflows/0/setup/select/form_fields": [
        ["sites", "/sites"],
        ["docks", "/docks"],
        ["other", undefined],
      ].map(([id, list]) => ({
        id,
        label: id,
        type: "dropdown",
        options: {
          "!pipe": [
            { "!http": list === undefined ? { path } : { path: list, ...(others as object) } },
            { "!jq": "[.items[] | {display: .name, value: .id}]" },
          ],
        },
      })),
    });

  test.each([
    ["Listings come 50 to a page; next is null on the last page.", "/wagons"],
    ["All lists are paged.", "/sellers"],
    ["Lists come in pages of 20.", "/sites/1/wagons"],
  ])("%s", (comment, path) => {
    expect(told(comment, path)).toHaveLength(1);
  });

  test.each([
    ["Long lists come in pages.", "/wagons"],
    ["Lists come in pages if they are long.", "/wagons"],
    ["Listings come 50 to a page.", "/price-tiers"],
    ["Listings come 50 to a page.", "/wagons?limit=100"],
    ["Listings come 50 to a page.", "/wagon"],
  ])("right: %s %s", (comment, path) => {
    expect(told(comment, path)).toEqual([]);
  });

  test("right: where another one is read so, too", () => {
    expect(told("Listings come 50 to a page.", "/wagons", {})).toEqual([]);
  });
});
