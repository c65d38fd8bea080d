import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Units, nulls, counts and forms of days in the words of many authors: beside other facts, in front of them and behind them. */

const target = "/workflows/0/data_pipeline/target";
const sent = (rule: string, comment: string, program: string, more: Record<string, unknown> = {}): string[] =>
  findings(rule, "outbound", {
    [target]: {
      _comment: comment,
      "!pipe": [
        { "!jq": program },
        {
          "!http": {
            method: "POST",
            path: "/lists/${custom_data.list.value}/visits",
            body: "${piped_content.1}",
          },
        },
      ],
    },
    ...more,
  });

describe("value/other-unit", () => {
  const amount = (comment: string): string[] =>
    sent("value/other-unit", comment, "{email, amount: .price_eur}");
  test.each([
    "'amount' comes in cents, 'currency' is ISO 4217.",
    "amount: integer, in cents",
    "The service returns amount as a whole number of cents.",
    "amount = cents",
    "Cents in amount.",
    "The value of `amount` is measured in pence",
    "amount is in cents, may be null, and counts all lines",
    "amount & tax are in cents",
    "`amount` is given in whole cents (1050 = 10.50)",
    "amount - in cents",
    "Every monetary value is expressed in minor units (cents).",
    "Amounts everywhere are integer cents.",
    "Amounts are cents, never euros.",
    "Every amount the API returns is in cents",
    "The amount field is in cents",
    "amount is net and in cents",
    "amount must be in cents",
    "Ids are strings and amount (nullable) is in cents.",
  ])("%s", (comment) => {
    expect(amount(comment)).toEqual([".price_eur"]);
  });
  test.each([
    "amount is not in cents.",
    "total is in cents; amount is in euros.",
    "amount is a decimal text, not cents like total.",
    "We store amount in cents in our own database.",
    "amount was in cents until v2, now it is euros.",
    "Amounts used to be in cents before v2.",
    "Some amounts are in cents.",
    "Amounts in reports are in cents, elsewhere in euros.",
    "Our own records keep amounts in cents.",
    "fee_minor is in the smallest coin of the amount: cents and pence.",
    "The tax of an amount is in cents.",
    "One of the amounts is in cents.",
    "amount is cents or euros depending on version",
    "amount counts cents only if currency is JPY",
    "All amounts over 1000 cents are reviewed.",
    "The old API has amounts in cents.",
    "Amounts are cents, not all of them.",
  ])("right: %s", (comment) => {
    expect(amount(comment)).toEqual([]);
  });

  const elsewhere = (comment: string): string[] =>
    sent("value/other-unit", "", "{email, due_at: (now + 3600 | floor)}", { "/api/_comment": comment });
  test.each([
    "The service counts time in milliseconds since the epoch.",
    "Dates and times in responses are given as milliseconds since 1970.",
    "Times (created_at, updated_at, …) are all epoch milliseconds, not seconds.",
    "timestamps are ms since epoch everywhere",
  ])("%s", (comment) => {
    expect(elsewhere(comment)).toHaveLength(1);
  });
  test.each(["Limits reset after 500 milliseconds; times are ISO 8601.", "Times used to be milliseconds."])(
    "right: %s",
    (comment) => {
      expect(elsewhere(comment)).toEqual([]);
    },
  );
});

describe("jq/documented-null", () => {
  const told = (comment: string): number =>
    inSource("jq/documented-null", "{email: .email, fee: (.fee / 100)}", {
      "/data_intake/0/_comment": comment,
    }).length;
  test.each([
    "'fee' can be null",
    "fee is nullable.",
    "fee (nullable), email (always set)",
    "email is always there, fee is sometimes missing.",
    "Guests have no fee: the member is null.",
    "Not every visit has a fee.",
    "The API omits fee when it is unknown.",
    "Some visits come without a fee.",
    "Nullable: tip, fee.",
    "Members that may be null: fee, title.",
    "fee isn't guaranteed to be present.",
    "tip and fee might be left out.",
    "fee is only set for members, otherwise null",
    "fee comes back null for guests",
    "ids are texts, fee may also be null",
    "fee, which may be unset, comes first",
    "fee is not always set",
    "fee doesn't have to be there",
  ])("%s", (comment) => {
    expect(told(comment)).toBe(1);
  });
  test.each([
    "fee is never null.",
    "tip may be null, fee never is.",
    "fee can't be null.",
    "fee may not be null.",
    "fee is required; notes are optional.",
    "Send fee as null to clear it.",
    "The payer of the fee is nullable.",
    "The payer of a fee may be null.",
    "fee may be 0, never null",
    "fee is always present, tip isn't guaranteed to be present",
  ])("right: %s", (comment) => {
    expect(told(comment)).toBe(0);
  });
});

describe("polling/counted-page", () => {
  const told = (comment: string): number =>
    inPolling("polling/counted-page", {
      _comment: comment,
      initial_setup: { "!jq": "{polling_state: {offset: 0}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/visits", params: { offset: "${polling_state.offset}", limit: "50" } } },
          {
            "!jq":
              "(${polling_state.offset} + 50) as $next | ($next >= .meta.count) as $done | {results: .items, iterate: ($done | not), polling_state: {offset: (if $done then 0 else $next end)}}",
          },
        ],
      },
    }).length;
  test.each([
    "count counts this page, not all records.",
    "count is per page",
    "count says how many items the current page has.",
    "The number of records in this response is in count.",
    "count only covers the page at hand.",
    "total = all visits; count = this page.",
    "count refers to the page that was returned and may be null.",
    "Don't stop at count: it is the size of the page, not of the list.",
    "count is this page's length",
  ])("%s", (comment) => {
    expect(told(comment)).toBe(1);
  });
  test.each([
    "count doesn't count this page but all records.",
    "count isn't the number of this page.",
    "'count' is the number of all records, across pages",
    "count is independent of the page",
    "size is per page, count is the grand total of matches",
    "count is 50 per page",
  ])("right: %s", (comment) => {
    expect(told(comment)).toBe(0);
  });
});

describe("value/documented-date", () => {
  const told = (comment: string): number =>
    sent("value/documented-date", comment, '{email: .email, born: (now | strftime("%F"))}').length;
  test.each([
    "'born' comes as DD.MM.YYYY (24.12.2024)",
    "Dates are German style: DD.MM.YYYY.",
    "All dates are formatted as DD/MM/YYYY.",
    "Every date is DD.MM.YYYY",
    "born uses the format DD.MM.YYYY",
    "born is a date like 24.12.2024.",
    "born has the day first (24/12/2024)",
    "DD.MM.YYYY is the form of born.",
    'born, e.g. "24.12.2024", may be null',
    "born must be sent as DD/MM/YYYY",
    "amount is in cents and born in DD.MM.YYYY",
  ])("%s", (comment) => {
    expect(told(comment)).toBe(1);
  });
  test.each([
    "born is ISO 8601, not DD.MM.YYYY.",
    "created is DD.MM.YYYY; born is ISO 8601.",
    "born is never DD.MM.YYYY.",
    "The PDF shows born as DD.MM.YYYY.",
    "born was DD.MM.YYYY in v1.",
    "born is either DD/MM/YYYY or ISO",
    "born can't be DD/MM/YYYY",
  ])("right: %s", (comment) => {
    expect(told(comment)).toBe(0);
  });
});

describe("http/documented-range", () => {
  const told = (comment: string, params: Record<string, number>): number =>
    findings("http/documented-range", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0": {
        _comment: comment,
        "!http": { path: "/lists", params },
      },
    }).length;
  test.each([
    ["The page size may not exceed 100.", { limit: 500 }],
    ["The maximum for 'limit' is 100.", { limit: 500 }],
    ["depth can't be greater than 3, and limit is free.", { depth: 4 }],
    ["depth has a maximum of 3", { depth: 4 }],
    ["depth must be no greater than 3", { depth: 4 }],
    ["depth is 3 or less", { depth: 4 }],
    ["depth must be at least 2.", { depth: 1 }],
    ["depth is at least 2 and at most 5", { depth: 6 }],
    ["depth is at most 5. depth must be at least 2.", { depth: 1 }],
  ])("%s", (comment, params) => {
    expect(told(comment, params)).toBe(1);
  });
  test.each([
    ["limit has no maximum; 100 is the default.", { limit: 500 }],
    ["limit may exceed 100.", { limit: 500 }],
    ["name may not exceed 100 characters, limit is free.", { limit: 500 }],
    ["depth must be at least 2 if it is sent with tags.", { depth: 1 }],
    ["The depth of a list must be at least 2.", { list: 1 }],
    ["depth must be at least 2.", { depth: 2 }],
  ])("right: %s", (comment, params) => {
    expect(told(comment, params)).toBe(0);
  });
});

describe("polling/skipped-record", () => {
  const told = (comment: string): number =>
    inPolling("polling/skipped-record", {
      initial_setup: { "!jq": "{polling_state: {since: 0}}" },
      request: {
        _comment: comment,
        "!pipe": [
          { "!http": { path: "/visits", params: { since: "${polling_state.since}" } } },
          {
            "!jq":
              "{results: .items, iterate: .has_more, polling_state: {since: ((.items | last | .id + 1) // ${polling_state.since})}}",
          },
        ],
      },
    }).length;
  test.each([
    "'since' is exclusive",
    "since (exclusive), limit (at most 100)",
    "since returns records strictly after it.",
    "since and until are both exclusive",
    "since isn't included",
  ])("%s", (comment) => {
    expect(told(comment)).toBe(1);
  });
  test.each([
    "since is inclusive; until is exclusive.",
    "since is not exclusive.",
    "The offer is exclusive to members since May.",
    "since returns records at or after the given id.",
    "since was exclusive in v1, now it is inclusive.",
  ])("right: %s", (comment) => {
    expect(told(comment)).toBe(0);
  });
});
