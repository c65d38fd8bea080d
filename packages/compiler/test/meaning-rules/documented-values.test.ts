import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

describe("jq/documented-null", () => {
  const comment =
    "A visit: fee_cents is null until it is invoiced, ended_at (null while it lasts) is a time.";
  test.each([
    ["{fee: (.fee_cents / 100)}", 1],
    ["{end: (.ended_at | fromdate)}", 1],
    ['select((.email // "") != "") | {fee: (.fee_cents / 100)}', 1],
    [". as $visit | {fee: ($visit.fee_cents / 100)}", 1],
    ["{fee: (if .fee_cents == null then null else .fee_cents / 100 end)}", 0],
    ["{fee: (.fee_cents // 0 | . / 100)}", 0],
    ["{fee: (.fee_cents | if . then . / 100 else null end)}", 0],
    // Another member may say the same.
    ['{fee: (if .state == "invoiced" then .fee_cents / 100 else null end)}', 0],
    ['select(.state == "invoiced") | {fee: (.fee_cents / 100)}', 0],
    ["select(.invoiced) | {fee: (.fee_cents / 100)}", 0],
    ["{fee: .fee_cents}", 0],
    // Null and a number give the number.
    ["{fee: (.fee_cents + .tax_cents)}", 0],
    ["{price: (.price_cents / 100)}", 0],
  ])("%s", (program, count) => {
    const found = inSource("jq/documented-null", program, { "/data_intake/0/_comment": comment });
    expect(found).toHaveLength(count);
  });

  test.each([
    ["Guests who booked at the desk have null as name and phone.", '.name | split(" ")', 1],
    ["Guests who booked at the desk have null as name and phone.", '.phone | test("^0")', 1],
    ["name and phone may be null.", '.name | split(" ")', 1],
    ["Walk-ins have a null name.", ".name | ascii_downcase", 1],
    ["Owners who booked at the desk have name null and are left out.", ".name | ascii_downcase", 1],
    ["name (null for walk-ins) is a text.", ".name | ascii_downcase", 1],
    ["fee_cents is in cents, null without one.", ".fee_cents / 100", 1],
    ["paid_at can be missing.", ".paid_at | fromdate", 1],
    ["sent_on is written 31.12.2026, null before the first time.", '.sent_on | strptime("%d.%m.%Y")', 1],
    ["Guests who booked at the desk have null as name and phone.", '.email | split("@")', 0],
    ["Guests who booked at the desk have null as name and phone.", '(.name // "") | split(" ")', 0],
    ["name and phone are texts, never null.", '.name | split(" ")', 0],
    ["The parameter name may be left out of a search; null is an error.", '.phone | split(" ")', 0],
    ["A name has no null in it.", '.name | split(" ")', 0],
  ])("%s %s", (said, value, count) => {
    const found = inSource("jq/documented-null", `{email, made: (${value})}`, {
      "/data_intake/0/_comment": said,
    });
    expect(found).toHaveLength(count);
  });

  // That a record has an address says nothing of its other members.
  test.each([
    ['if (.email // "") == "" then null else {email, fee: (.fee_cents / 100)} end', 1],
    ["if .owner.phone != null then {fee: (.fee_cents / 100)} else null end", 1],
    ["if .state == null then null else {email, fee: (.fee_cents / 100)} end", 0],
    ['if .fee_cents == null or .email == "" then null else {email, fee: (.fee_cents / 100)} end', 0],
    ['if .email == "" then null elif .paid then {fee: (.fee_cents / 100)} else {} end', 0],
  ])("%s", (program, count) => {
    const edits = { "/data_intake/0/_comment": comment };
    expect(inSource("jq/documented-null", program, edits)).toHaveLength(count);
  });

  // What a step gives comes on to those behind it.
  test.each([
    [0, 1],
    [1, 0],
  ])("the comment on step %i of two", (step, count) => {
    const steps = [
      { "!http": { path: "/visits/${piped_content.0.id}" } },
      { "!jq": "{fee: (.fee_cents / 100)}" },
      { "!http": { path: "/fees" } },
    ];
    const said = steps.map((each, at) => (at === 2 * step ? { _comment: comment, ...each } : each));
    const found = findings("jq/documented-null", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": said },
    });
    expect(found).toHaveLength(count);
  });

  test("without a comment", () => {
    expect(inSource("jq/documented-null", "{fee: (.fee_cents / 100)}")).toEqual([]);
  });
});

describe("jq/other-date-order", () => {
  const told = (comment: string | undefined, ...programs: string[]): string[] =>
    findings("jq/other-date-order", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!pipe": programs.map((program) => ({ "!jq": program })) },
    });
  const [dayFirst, monthFirst] = ["%d.%m.%Y", "%m/%d/%Y"].map(
    (format) => `. + {day: (now | strftime("${format}"))}`,
  ) as [string, string];
  test.each([
    [undefined, [dayFirst, monthFirst], ["%m/%d/%Y"]],
    [undefined, [monthFirst, dayFirst, dayFirst], ["%m/%d/%Y"]],
    [undefined, [monthFirst, monthFirst], []],
    [undefined, [dayFirst, '. + {at: (now | strftime("%Y-%m-%d"))}'], []],
    ["Dates are DD/MM/YYYY.", [monthFirst], ["%m/%d/%Y"]],
    ["Dates are month/day/year.", [dayFirst], ["%d.%m.%Y"]],
    ["Dates are DD/MM/YYYY.", [dayFirst], []],
    ["Either DD/MM/YYYY or MM/DD/YYYY.", [monthFirst], []],
    ["Americans have MM/DD/YYYY, all others DD/MM/YYYY.", [dayFirst, monthFirst], []],
    // It is asked which one it is.
    [
      undefined,
      ['{email, day: (.day | strptime(if test("/") then "%m/%d/%Y" else "%d.%m.%Y" end) | mktime)}'],
      [],
    ],
    [
      undefined,
      ['{email, day: (.day | (try strptime("%d.%m.%Y") catch strptime("%m/%d/%Y")) | mktime)}'],
      [],
    ],
  ])("%s %j", (comment, programs, expected) => {
    expect(told(comment, ...programs)).toEqual(expected);
  });
});
