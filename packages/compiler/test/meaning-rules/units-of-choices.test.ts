import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings } from "../support/rule-findings.ts";

/** What customers' choices and documented factors count, and what is right although it looks alike. */

const source = "/workflows/0/data_pipeline/source";
const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/workflows/0/data_pipeline/_comment";
const offered = "/workflows/0/setup/map/describe_source/options";

/** A target that sends what a program makes. */
const sending = (program: string, said?: string) => ({
  "!pipe": [
    { ...(said === undefined ? {} : { _comment: said }), "!jq": program },
    { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
  ],
});

describe("units of choices and factors", () => {
  const money = (field: object, value: string): string[] =>
    findings("value/other-unit", "outbound", {
      [fields]: [field],
      [target]: sending(`{email, credit_pence: (${value})}`),
    });
  const labelled = { ...dropdown("credit", { "500": "500", "2000": "2,000" }), label: "Credit in pounds" };

  test.each([
    [labelled, "${custom_data.credit.value} | tonumber", 1],
    [labelled, "(${custom_data.credit.value} | tonumber) * 100", 0],
    [
      dropdown("credit", { "500": "500 pounds", "2000": "2,000 pounds" }),
      "${custom_data.credit.value} | tonumber",
      1,
    ],
    [dropdown("credit", { "500": "Small", "2000": "Large" }), "${custom_data.credit.value} | tonumber", 0],
  ])("%o %s", (field, value, count) => {
    expect(money(field, value)).toHaveLength(count);
  });

  test.each([
    ["{email, days: (${custom_data.weeks.value} | tonumber)}", undefined, 1],
    ["{email, days: ((${custom_data.weeks.value} | tonumber) * 7)}", undefined, 0],
    ["{email, weeks: (${custom_data.weeks.value} | tonumber)}", undefined, 0],
    ["{email, duration_s: .duration_minutes}", undefined, 1],
    ["{email, length_dm: (.known.length_dm // (.length_m * 100))}", undefined, 1],
    ["{email, length_dm: (.known.length_dm // (.length_m * 10))}", undefined, 0],
    ["{email, size_s: .duration_minutes}", undefined, 0],
    [
      "{email, due_in: (if .urgent then 8 * 3600 else 5 * 24 * 60 end)}",
      "due_in is in minutes: 8 hours or 5 days",
      1,
    ],
    [
      "{email, due_in: (if .urgent then 8 * 60 else 5 * 24 * 60 end)}",
      "due_in is in minutes: 8 hours or 5 days",
      0,
    ],
    [
      "{email, due_in: (if .urgent then 90 else 5 * 24 * 60 end)}",
      "due_in is in minutes: 8 hours or 5 days",
      0,
    ],
  ])("%s %s", (program, said, count) => {
    expect(
      findings("value/other-unit", "outbound", {
        [fields]: [dropdown("weeks", { "1": "A week", "2": "Two weeks", "4": "A month" })],
        [target]: sending(program, said),
      }),
    ).toHaveLength(count);
  });

  test.each([
    ["size is in square rods, one is 25.29 square metres.", ".size / 25.29", 1],
    ["size is in square rods, one is 25.29 square metres.", ".size * 25.29", 0],
    ["Acme keeps square metres: 1 square rod = 25.29.", ".size / 25.29", 1],
    ["Acme keeps square metres: 1 square rod = 25.29.", ".size * 25.29", 0],
  ])("%s %s", (said, value, count) => {
    expect(
      findings("value/documented-factor", "inbound-webhook", {
        [comment]: said,
        [offered]: [
          { id: "email", title: "Email" },
          { id: "area", title: "Size in square metres" },
        ],
        [source]: { "!jq": `{email, area: (${value} | round)}` },
      }),
    ).toHaveLength(count);
  });

  test.each([
    ["slot: {id, starts_at, ends_at} in epoch seconds.", "* 60", 0],
    ["slot: {id, starts_at, ends_at} in epoch seconds.", "", 1],
    ["slot: {id, starts_at, ends_at}.", "", 0],
  ])("a choice added to a time: %s %s", (said, factor, count) => {
    const options = { "30": "30 minutes", "60": "One hour", "90": "An hour and a half" };
    expect(
      findings("value/other-duration", "outbound", {
        [fields]: [dropdown("length", options)],
        [target]: {
          "!pipe": [
            { _comment: said, "!http": { path: "/next-slot" } },
            { "!jq": `{ends_at: (.slot.starts_at + (\${custom_data.length.value} | tonumber) ${factor})}` },
            { "!http": { method: "POST", path: "/fittings", body: "${piped_content.2}" } },
          ],
        },
      }),
    ).toHaveLength(count);
  });

  test("a choice that is read without an expansion", () => {
    const told = (factor: number): string[] =>
      findings("value/other-duration", "historical-sync", {
        [fields]: [dropdown("list", { "30": "The last 30 days", "90": "The last 90 days" })],
        "/data_intake/1/initial_setup": {
          "!jq": `{polling_state: {page: 1, since: (now - (.custom_data.list.value | tonumber) * ${factor} | floor | todate)}}`,
        },
      });
    expect(told(3600)).toEqual(["3600"]);
    expect(told(86400)).toEqual([]);
  });
});
