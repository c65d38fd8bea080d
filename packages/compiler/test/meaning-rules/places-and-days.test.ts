import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Places that only one list has, and spans of days: the same kind of mistake in other words, and what is right although it looks alike. */

describe("api/place-in-one-list", () => {
  const options = (path: string, program: string) => ({
    "!pipe": [{ "!http": { path, pagination: true } }, { "!jq": program }],
  });
  const told = (
    parser: object,
    other: object = options("/users", "[.users[] | {display: .name, value: .id}]"),
  ): string[] =>
    findings("api/place-in-one-list", "outbound", {
      "/api/pagination": { style: { type: "cursor" }, parser },
      "/workflows/0/setup/select/form_fields/0/options": options(
        "/lists",
        "[.lists[] | {display: .name, value: .id}]",
      ),
      "/workflows/0/setup/select/form_fields/1": {
        label: "Owner",
        id: "owner",
        type: "dropdown",
        options: other,
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/people",
          body: {
            email: "${piped_content.0.email}",
            list_id: "${custom_data.list.value}",
            owner_id: "${custom_data.owner.value}",
          },
        },
      },
    });
  const token = (program: string) => ({ next_result_token: { "!jq": program } });

  test.each([
    [".lists[-1].id", [".lists[-1].id"]],
    [".lists | last | .id", [".lists"]],
    ["(.lists | last).id", [".lists"]],
    ["if .more then .lists[-1].id else null end", [".lists[-1].id"]],
    ["[.lists[].id] | max", [".lists[].id"]],
    // The records of both.
    ["(.lists // .users)[-1].id", []],
    [".lists[-1].id // .users[-1].id", []],
    [".page.next", []],
    [".lists.next", []],
    [".links[-1].next", []],
  ])("%s", (program, at) => {
    expect(told(token(program))).toEqual(at);
  });

  test.each([
    ["the same list", options("/lists", "[.lists[] | {display: .title, value: .id}]")],
    ["the same name", options("/users", "[.lists[] | {display: .name, value: .id}]")],
    ["a list in a record", options("/users", "[.lists[] | .users[] | {display: .name, value: .id}]")],
    [
      "a list that isn't read in pages",
      {
        "!pipe": [{ "!http": { path: "/users" } }, { "!jq": "[.users[] | {display: .name, value: .id}]" }],
      },
    ],
  ])("right: %s", (_, other) => {
    expect(told(token(".lists[-1].id"), other)).toEqual([]);
  });
});

describe("value/inclusive-days", () => {
  const told = (comment: string, until: string, from = "(now | todate | .[0:10])"): string[] =>
    findings("value/inclusive-days", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Valid for",
        id: "days",
        type: "dropdown",
        options: [
          { display: "One day", value: "1" },
          { display: "Five days", value: "5" },
        ],
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            _comment: comment,
            "!jq": `(\${custom_data.days.value} | tonumber) as $days | {email: .email, list: \${custom_data.list.value}, valid_from: ${from}, valid_until: ${until}}`,
          },
          { "!http": { method: "POST", path: "/passes", body: "${piped_content.1}" } },
        ],
      },
    });
  const both = "Both days count, so a pass of one day ends on the day it starts.";

  test.each([
    ["(now + $days * 86400 | todate | .[0:10])", ["$days"]],
    ["(now + 86400 * $days | todate | .[:10])", ["$days"]],
    ['(now + ($days * 86400) | strftime("%Y-%m-%d"))', ["$days"]],
    [
      "(now + (${custom_data.days.value} | tonumber) * 86400 | todate[0:10])",
      ["${custom_data.days.value} | tonumber"],
    ],
    ["(now + ($days - 1) * 86400 | todate | .[0:10])", []],
    // Fixed, or a moment.
    ["(now + 7 * 86400 | todate | .[0:10])", []],
    ["(now + $days * 86400 | todate)", []],
  ])("%s", (until, at) => {
    expect(told(both, until)).toEqual(at);
  });

  test.each([
    ["The last day is included.", ["$days"]],
    ["valid_from and valid_until: both dates are inclusive.", ["$days"]],
    ["The last day is not included.", []],
    ["Only the end day counts.", []],
    ["A pass begins today.", []],
  ])("%s", (comment, at) => {
    expect(told(comment, "(now + $days * 86400 | todate | .[0:10])")).toEqual(at);
  });

  test("right: it begins tomorrow", () => {
    const from = "(now + 86400 | todate | .[0:10])";
    expect(told(both, "(now + $days * 86400 | todate | .[0:10])", from)).toEqual([]);
  });
});
