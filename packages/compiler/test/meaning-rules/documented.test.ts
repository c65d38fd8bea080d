import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What comments say of the service: the same kind of mistake in other words, and what is right although it looks alike. */

describe("http/first-of-search", () => {
  const told = (comment: string, params: object, program: string, next: string): string[] =>
    findings("http/first-of-search", "outbound", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params } },
          { "!jq": program },
          {
            "!switch": {
              jq: next,
              cases: [
                { "!http": { method: "POST", path: "/people", body: { person: "${piped_content.0}" } } },
                {
                  "!http": {
                    method: "PATCH",
                    path: "/people/${piped_content.2.id}",
                    body: "${piped_content.0}",
                  },
                },
              ],
            },
          },
        ],
      },
    });
  const byEmail = { email: "${piped_content.0.email}", per_page: 50 };
  const loose = "GET /people?email= gives {people: [...]}: everybody whose address contains the text.";
  const first = "{id: .people[0].id}";
  const isNew = "if .id == null then 0 else 1 end";

  test.each([
    ["said", loose, byEmail, first, [".people[0]"]],
    ["begins", "GET /people?email=: whose address begins with it.", byEmail, first, [".people[0]"]],
    ["parts", "GET /people?email= finds parts of addresses too.", byEmail, first, [".people[0]"]],
    ["piped", loose, byEmail, "{id: (.people | first | .id)}", [".people | first | .id"]],
    ["by its name", "", { email_like: "${piped_content.0.email}" }, first, [".people[0]"]],
    [
      "beside another request",
      "GET /teams?name= exactly, and GET /people?email= also in parts of it.",
      byEmail,
      first,
      [".people[0]"],
    ],
  ])("%s", (_, comment, params, program, expected) => {
    expect(told(comment, params, program, isNew).map((each) => each.replace(/\.id$/, ""))).toEqual(
      expected.map((each) => each.replace(/\.id$/, "")),
    );
  });

  test.each([
    ["nothing is said", "People.", byEmail, first, isNew],
    [
      "exactly",
      "GET /people?email= finds the one with exactly this address, never one that contains it.",
      byEmail,
      first,
      isNew,
    ],
    ["another list", "GET /teams?email= contains the text.", byEmail, first, isNew],
    ["another parameter", "GET /people?name= contains the text.", byEmail, first, isNew],
    [
      "selected",
      loose,
      byEmail,
      "{id: ([.people[] | select(.email == ${piped_content.0.email})] | first | .id)}",
      isNew,
    ],
    [
      "compared behind",
      loose,
      byEmail,
      "{id: .people[0].id, email: .people[0].email}",
      "if .email == ${piped_content.0.email} then 1 else 0 end",
    ],
    ["a second value", loose, { ...byEmail, phone: "${piped_content.0.phone}" }, first, isNew],
    ["what was chosen", loose, { email: "${custom_data.list.value}" }, first, isNew],
    [
      "the best",
      "GET /people?email=: addresses that contain it, the best match first.",
      byEmail,
      first,
      isNew,
    ],
    ["errors", loose, byEmail, "if .errors then error(.errors[0].message) else {id: null} end", isNew],
  ])("%s is right", (_, comment, params, program, next) => {
    expect(told(comment, params, program, next)).toEqual([]);
  });
});

describe("keys that prevent repeats", () => {
  const pipeline = (made: string, request: object, comment: string): Readonly<Record<string, unknown>> => ({
    "/workflows/0/data_pipeline/_comment": comment,
    "/workflows/0/data_pipeline/target": {
      "!pipe": [{ "!jq": made }, { "!http": { method: "POST", path: "/vouchers", ...request } }],
    },
  });
  const body = { email: "${piped_content.0.email}", list: "${custom_data.list.value}" };
  const header = (key: string, more: object = body): object => ({
    headers: { "idempotency-key": key },
    body: more,
  });
  const day = '{day: (now | strftime("%Y-%m-%d"))} | with_entries(select(.value != ""))';

  test.each([
    ["the setup alone", "{email}", header("add/${custom_data.list.value}"), "", 1],
    ["with the day", day, header("${custom_data.list.value}/${piped_content.1.day}"), "", 1],
    [
      "in the body",
      "{email}",
      { body: { ...body, ref: "to-${custom_data.list.value}" } },
      "A voucher with a ref that is there replaces it.",
      1,
    ],
    [
      "of which nothing is said",
      "{email}",
      { body: { ...body, ref: "to-${custom_data.list.value}" } },
      "",
      0,
    ],
    ["with the record", "{email}", header("${custom_data.list.value}/${piped_content.0.email}"), "", 0],
    [
      "with a step's",
      "{mail: (.email | ascii_downcase)}",
      header("${custom_data.list.value}/${piped_content.1.mail}"),
      "",
      0,
    ],
    [
      "a request for all",
      "{email}",
      header("start/${custom_data.list.value}", { list: "${custom_data.list.value}" }),
      "",
      0,
    ],
    [
      "with the time",
      "{at: (now | floor)}",
      header("${custom_data.list.value}/${piped_content.1.at}"),
      "",
      0,
    ],
  ])("shared: %s", (_, made, request, comment, times) => {
    expect(findings("http/shared-key", "outbound", pipeline(made, request, comment))).toHaveLength(times);
  });

  const once = "POST /vouchers: no second voucher for a key it has seen, the idempotency-key too.";
  test.each([
    ["seconds", '{key: "\\(.email)/\\(now | floor)"}', once, 1],
    ["a format with seconds", '{key: (.email + (now | strftime("%Y%m%d%H%M%S")))}', once, 1],
    ["nothing is said", '{key: "\\(.email)/\\(now | floor)"}', "Vouchers.", 0],
    ["the day", '{key: (.email + (now | strftime("%Y%m%d")))}', once, 0],
    ["the number of the day", '{key: "\\(.email)/\\(now / 86400 | floor)"}', once, 0],
    ["the record", "{key: .email}", once, 0],
  ])("changing: %s", (_, made, comment, times) => {
    for (const request of [
      { body: { ...body, key: "${piped_content.1.key}" } },
      header("${piped_content.1.key}"),
    ])
      expect(findings("http/changing-key", "outbound", pipeline(made, request, comment))).toHaveLength(times);
  });
});
