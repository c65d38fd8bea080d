import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const target = "/workflows/0/data_pipeline/target";
const source = "/workflows/0/data_pipeline/source";

/** What is told of a program that makes a request's body, by comments on it and on the service. */
const sent = (comment: string, program: string, more: Record<string, unknown> = {}): string[] =>
  findings("value/other-unit", "outbound", {
    [target]: {
      _comment: comment,
      "!pipe": [
        { "!jq": program },
        {
          "!http": {
            method: "POST",
            path: "/lists/${custom_data.list.value}/labels",
            body: "${piped_content.1}",
          },
        },
      ],
    },
    ...more,
  });

describe("a member that is sent counts what a comment says", () => {
  test.each([
    ["amount is in cents.", "{email, amount: .price_eur}", [".price_eur"]],
    ["Amounts are cents.", "{email, gift_amount: .price_eur}", [".price_eur"]],
    ["order.amount is in cents.", "{email, amount: .price_eur}", [".price_eur"]],
    ["All money is in pence, times in milliseconds.", "{email, fee: .fee_gbp}", [".fee_gbp"]],
    ["Weights are grams, lengths metres.", "{email, weight: .parcel_kg}", [".parcel_kg"]],
    ["length and width are in cm.", "{email, width: .width_mm}", [".width_mm"]],
    ["send_at is milliseconds since 1970.", "{email, send_at: (.day | fromdate)}", ["(.day | fromdate)"]],
    [
      "Every time is in milliseconds since 1970.",
      "{email, from: (now + 3600 | floor)}",
      ["(now + 3600 | floor)"],
    ],
    [
      "It counts days: born and died are days since 1970.",
      "{email, born: (.born_on | fromdate)}",
      ["(.born_on | fromdate)"],
    ],
    [
      "The times in the API are milliseconds.",
      "{email, starts_at: (try (.day | fromdate) catch null)}",
      ["(try (.day | fromdate) catch null)"],
    ],
    ["The discount is from 0 to 1.", "{email, discount: .discount_percent}", [".discount_percent"]],
  ])("%s %s", (comment, program, expected) => {
    expect(sent(comment, program)).toEqual(expected);
  });

  test.each([
    ["amount is in cents.", "{email, amount: (.price_eur * 100)}"],
    ["amount is in cents.", "{email, amount: .price}"],
    ["amount.tax is in cents.", "{email, amount: .price_eur}"],
    // A noun that only stands beside it.
    ["The list of amounts is long; cents are cut off.", "{email, amount: .price_eur}"],
    ["Amounts are cents, but for those of old orders.", "{email, amount: .price_eur}"],
    ["Amounts are not cents.", "{email, amount: .price_eur}"],
    ["amount is in cents or euros.", "{email, amounts: .price_eur}"],
    ["The answer comes in seconds.", "{email, at: (now * 1000 | floor)}"],
    ["Times are milliseconds.", "{email, took: (now - (.begun | fromdate) | floor)}"],
    ["Times are milliseconds.", "{email, day: (now | todate)}"],
    ["Times are milliseconds.", "{email, send_at: ((now + 3600) * 1000 | floor)}"],
    ["duration is 30 minutes, count is 5.", "{email, duration: (.minutes_asked * 60)}"],
    ["The window is five minutes; a delivery is seconds late.", "{email, window: .wait_seconds}"],
    ["rate is 5 percent.", "{email, rate: .rate_percent}"],
    // Two comments that say two things.
    ["amount is in cents. The amount is in euros.", "{email, amount: .price_eur}"],
  ])("right: %s %s", (comment, program) => {
    expect(sent(comment, program)).toEqual([]);
  });

  test("a comment on the service counts too", () => {
    const api = { "/api/_comment": "Money is in minor units, shares are from 0 to 1." };
    expect(sent("", "{email, fee: .fee_eur}", api)).toEqual([".fee_eur"]);
    expect(sent("", "{email, shareOfPrice: .share_percent}", api)).toEqual([".share_percent"]);
    expect(sent("", "{email, shareOfPrice: (.share_percent / 100)}", api)).toEqual([]);
  });

  test("of two comments the inner one counts", () => {
    const api = { "/api/_comment": "Amounts are euros." };
    expect(sent("Amounts are cents.", "{email, amount: .price_eur}", api)).toEqual([".price_eur"]);
  });
});

describe("what a value counts is followed", () => {
  test.each([
    [
      "through definitions",
      'def number: tostring | gsub("[^0-9.]"; "") | if test("^[0-9]+$") then tonumber else null end; {email, price_cents: (.price_eur | number)}',
      1,
    ],
    [
      "through definitions with a factor",
      "def over($n): if . == null then null else . / $n end; {email, price_cents: (.price_cents | over(100))}",
      1,
    ],
    [
      "to the same unit",
      "def over($n): if . == null then null else . / $n end; {email, price_eur: (.price_cents | over(100))}",
      0,
    ],
    ["past what is constant", '{email, price_cents: (if .kind == "free" then 0 else .price_eur end)}', 1],
    [
      "but not past another way",
      '{email, price_cents: (if .kind == "free" then .price else .price_eur end)}',
      0,
    ],
    ["through try", "{email, price_cents: (try (.price_eur | tonumber) catch null)}", 1],
    [
      "into itself no further",
      "def deep: if . > 1 then deep else . end; {email, price_cents: (.price_eur | deep)}",
      0,
    ],
    ["from what options show", '{email, price_cents: ("${custom_data.worth.value}" | tonumber)}', 1],
    [
      "from what options show, as a number",
      "{email, price_cents: (${custom_data.worth.value} | tonumber)}",
      1,
    ],
    [
      "from what options show, times a hundred",
      "{email, price_cents: ((${custom_data.worth.value} | tonumber) * 100)}",
      0,
    ],
  ])("%s", (_, program, count) => {
    const worth = {
      label: "Worth",
      id: "worth",
      type: "dropdown",
      options: ["10", "25"].map((value) => ({ display: `£${value}`, value })),
    };
    expect(sent("", program, { "/workflows/0/setup/select/form_fields/-": worth })).toHaveLength(count);
  });

  test.each([
    ["lead_minutes: ((${custom_data.worth.value} | tonumber) * 24)", 1],
    ["lead_minutes: ((${custom_data.worth.value} | tonumber) * 1440)", 0],
    ["lead_hours: (${custom_data.worth.value} | tonumber)", 1],
    ["lead_days: (${custom_data.worth.value} | tonumber)", 0],
    ["price_eur: (${custom_data.worth.value} | tonumber)", 0],
  ])("from the times that options show: %s", (member, count) => {
    const worth = {
      label: "How long before",
      id: "worth",
      type: "dropdown",
      options: [
        { display: "3 days", value: "3" },
        { display: "A week", value: "7" },
      ],
    };
    const more = { "/workflows/0/setup/select/form_fields/-": worth };
    expect(sent("", `{email, ${member}}`, more)).toHaveLength(count);
  });

  test("values of options that are no plain numbers", () => {
    const worth = {
      label: "Worth",
      id: "worth",
      type: "dropdown",
      options: ["+5", "c++", "1e3", "(2", "7"].map((value) => ({ display: `£${value}`, value })),
    };
    const program = "{email, price_cents: (${custom_data.worth.value} | tonumber)}";
    expect(sent("", program, { "/workflows/0/setup/select/form_fields/-": worth })).toEqual([]);
  });

  test("a factor of the clock that makes nothing of it", () => {
    const told = (program: string): string[] =>
      findings("value/other-unit", "inbound-webhook", { [source]: { "!jq": program } });
    const minutes = (by: number): string =>
      `{email: .email, length_minutes: (((.end | fromdate) - (.start | fromdate)) / ${by})}`;
    expect(told(minutes(60))).toEqual([]);
    expect(told(minutes(60_000))).toHaveLength(1);
    expect(told(minutes(45))).toEqual([]);
  });
});

describe("value/documented-time", () => {
  const told = (comment: string, program: string): string[] =>
    findings("value/documented-time", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      [source]: { "!jq": program },
    });
  const days = "born and died are days since 1970-01-01.";
  const seconds = "due_at and paid_at are seconds since 1970.";
  test.each([
    [days, "{email, born: (.born | todate)}", 1],
    [days, "{email, born: (.born * 86400 | todate)}", 0],
    [days, "{email, born: (.born | if . then todate | .[:10] else null end)}", 1],
    [
      seconds,
      "def day: if . == null then null else todate | .[:10] end; {email, paid: (.paid_at | if . then . / 1000 else null end | day)}",
      1,
    ],
    [seconds, "def day: if . == null then null else todate | .[:10] end; {email, paid: (.paid_at | day)}", 0],
    ["The times in the API are milliseconds.", "{email, at: (.created_at | floor | todate)}", 1],
    ["The times in the API are milliseconds.", "{email, at: (.created_at / 1000 | floor | todate)}", 0],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("jq/fixed-decimals", () => {
  const told = (comment: string, program: string): string[] =>
    findings("jq/fixed-decimals", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      [source]: { "!jq": program },
    });
  const yen = "total is in the smallest coin of the currency: cents, but whole yen.";
  test.each([
    [yen, "{email, total: (.total / 100)}", 1],
    ["decimals says how many there are (JPY 0).", "{email, total: (.price / 100)}", 1],
    [yen, '{email, total: (if .currency == "JPY" then .total else .total / 100 end)}', 0],
    [yen, "{email, total: (.total / pow(10; .decimals))}", 0],
    [yen, "{email, share: (.share / 100)}", 0],
    [yen, "{email, total: (.total / 1000)}", 0],
    ["Totals are in cents.", "{email, total: (.total / 100)}", 0],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("jq/one-sided-offset", () => {
  const told = (program: string): string[] =>
    findings("jq/one-sided-offset", "inbound-webhook", { [source]: { "!jq": program } });
  test.each([
    ['{email, day: (.at + .utc_offset * 60 | strftime("%F")), hour: (.at | strftime("%H:%M"))}', 1],
    ['{email, day: (.at - .tz | floor | strftime("%F")), hour: (.at | floor | strftime("%H:%M"))}', 1],
    ['{email, day: (.at + .utc_offset * 60 | strftime("%F")), utc: (.at | strftime("%FT%TZ"))}', 0],
    ['{email, day: (.at + .utc_offset * 60 | strftime("%F")), made: (.made_at | strftime("%F"))}', 0],
    ['{email, day: (.at + 3600 | strftime("%F")), hour: (.at | strftime("%H:%M"))}', 0],
    ['{email, day: (.at | strftime("%F")), zone: .timezone}', 0],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
});

describe("polling/documented-bound", () => {
  const told = (comment: string, since: string): string[] =>
    findings("polling/documented-bound", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": { "!jq": `{polling_state: {page: 1, since: ${since}}}` },
      "/data_intake/0/request/!pipe/0/!http/params": {
        page: "${polling_state.page}",
        changed_from: "${polling_state.since}",
      },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
    });
  test.each([
    ["changed_from is in milliseconds.", "(now | floor)", 1],
    ["changed_from is inclusive, in milliseconds.", "(now | floor)", 1],
    ["All times are milliseconds.", "(now | floor)", 1],
    ["changed_from is 2026-01-31T00:00:00Z or the like.", "(now | floor)", 1],
    ["changed_from is in seconds.", "(now * 1000 | floor)", 1],
    ["changed_from is in milliseconds.", "(now * 1000 | floor)", 0],
    ["changed_to is in milliseconds.", "(now | floor)", 0],
    ["Durations are milliseconds.", "(now | floor)", 0],
    ["changed_from is in milliseconds.", ".since", 0],
    ["A change is listed some seconds late.", "(now * 1000 | floor)", 0],
    ["changed_from is Unix time in milliseconds and includes the moment itself.", "(now | floor)", 1],
    ["changed_at is the clock of the service (milliseconds) at the last change.", "(now | floor)", 1],
    ["changed_at of a record is Unix time in seconds.", "(now * 1000 | floor)", 1],
    ["Oldest first by changed_at, an ISO time in UTC like 2026-05-04T09:30:00Z.", "(now | floor)", 1],
    ["Oldest first by changed_at, an ISO time in UTC like 2026-05-04T09:30:00Z.", "(now | todate)", 0],
    ["changed_at is text, and read_at is Unix time in milliseconds.", "(now | todate)", 0],
    ["changed_at is not Unix time in milliseconds but a date.", "(now | floor)", 0],
    ["changed_at moves within some milliseconds of a change.", "(now | floor)", 0],
    ["changed_at is checked every 30 seconds.", "(now * 1000 | floor)", 0],
    ["All times are in whole seconds.", "(now | todate)", 1],
    ["All times are text in UTC with whole seconds.", "(now | todate)", 0],
  ])("%s %s", (comment, since, count) => {
    expect(told(comment, since)).toHaveLength(count);
  });
});
