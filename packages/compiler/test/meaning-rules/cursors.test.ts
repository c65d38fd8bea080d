import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Lists that customers choose from, beside an intake that pages by a token of its own. */

const told = (
  rule: string,
  pagination: object,
  params: object,
  token: string,
  body?: Readonly<Record<string, unknown>>,
): string[] =>
  findings(rule, "inbound-polling", {
    "/api/pagination": pagination,
    "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
    "/data_intake/0/initial_setup": { "!jq": "{polling_state: {at: null}}" },
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe": [
      { "!http": { path: "/customers", params, ...(body === undefined ? {} : { method: "POST", body }) } },
      {
        "!jq": `${token} as $token | {results: .items, iterate: ($token != null), polling_state: {at: $token}}`,
      },
    ],
  });

describe("api/unnamed-cursor", () => {
  const style = (param?: string): object => ({
    type: "cursor",
    ...(param === undefined ? {} : { cursor: { param } }),
  });
  const parser = (next: string): object => ({ next_result_token: { "!jq": next } });
  const sent = "${polling_state.at}";
  const cut = '(.links.next | if . == null then null else capture("after=(?<t>[a-z0-9]+)").t end)';

  test.each([
    ["a member", ".next_token", ".next_token"],
    ["brackets", "(.paging.next)", ".paging.next"],
    ["taken of a link", cut, cut],
  ])("%s", (_, own, intakes) => {
    const pagination = { style: style(), parser: parser(own) };
    expect(told("api/unnamed-cursor", pagination, { after: sent }, intakes)).toEqual(['"style"']);
  });

  test.each([
    ["it is named", { style: style("after"), parser: parser(".next_token") }, { after: sent }],
    ["it has the usual name", { style: style(), parser: parser(".next_token") }, { cursor: sent }],
    ["another token", { style: style(), parser: parser(".meta.next") }, { after: sent }],
    [
      "pages by number",
      { style: { type: "page" }, parser: { total_pages: { "!jq": ".next_token" } } },
      { after: sent },
    ],
  ])("right: %s", (_, pagination, params) => {
    expect(told("api/unnamed-cursor", pagination, params, ".next_token")).toEqual([]);
  });

  test("what a body has says nothing of a list's parameter", () => {
    const pagination = { style: style(), parser: parser(".next_token") };
    expect(told("api/unnamed-cursor", pagination, {}, ".next_token", { after: sent })).toEqual([]);
  });
});

describe("api/backward-parser", () => {
  const pagination = (parser: object): object => ({ style: { type: "cursor" }, parser });
  const back = (token: string): object => pagination({ previous_result_token: { "!jq": token } });
  const params = { cursor: "${polling_state.at}" };

  test.each([
    [".page.prev_cursor", ".page.next_cursor"],
    [".meta.previous", ".meta.next"],
    [".prev", ".next"],
  ])("%s for %s", (previous, next) => {
    expect(told("api/backward-parser", back(previous), params, next)).toEqual([previous]);
  });

  test.each([
    ["both go back: the newest come first", back(".page.prev_cursor"), params, ".page.prev_cursor"],
    ["another envelope", back(".page.prev_cursor"), params, ".next_cursor"],
    ["another parameter", back(".page.prev_cursor"), { after: "${polling_state.at}" }, ".page.next_cursor"],
    [
      "the next one is there too",
      pagination({ next_result_token: { "!jq": ".next" }, previous_result_token: { "!jq": ".prev" } }),
      params,
      ".next",
    ],
  ])("right: %s", (_, parser, sent, token) => {
    expect(told("api/backward-parser", parser, sent, token)).toEqual([]);
  });
});
