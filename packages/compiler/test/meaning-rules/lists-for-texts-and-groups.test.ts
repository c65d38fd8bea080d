import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Lists where one text is wanted, empty choices, factors that records show, ids that other requests take, accounts and groups. */

const fields = (title: string): Record<string, unknown> => ({
  "/workflows/0/setup/map/describe_source/options": [
    { id: "email", title: "Email" },
    { id: "glass", title },
  ],
});

describe("mapping/list-for-text", () => {
  const told = (title: string, value: string): string[] =>
    inSource("mapping/list-for-text", `.panes as $p | {email: .email, glass: (${value})}`, fields(title));

  test.each([
    ["a pipeline", ".panes | map(.glass) | unique"],
    ["a variable", "[$p[].glass] as $all | $all | sort"],
    ["a condition", "if .panes == null then null else [.panes[].glass] end"],
    ["with a default", "[.panes[].glass] // []"],
    ["turned round", ".panes | sort_by(.size) | map(.glass) | reverse"],
  ])("%s", (_, value) => {
    expect(told("Glass (comma-separated text)", value)).toHaveLength(1);
  });

  test.each([
    ["joined", "Glass (comma-separated text)", '.panes | map(.glass) | unique | join(", ")'],
    [
      "joined in a condition",
      "Glass (comma-separated text)",
      'if .panes == null then null else [.panes[].glass] | join(",") end',
    ],
    ["a list", "Kinds of glass", ".panes | map(.glass) | unique"],
    ["one of them", "Glass (text)", ".panes | map(.glass) | first"],
  ])("right: %s", (_, title, value) => {
    expect(told(title, value)).toEqual([]);
  });
});

const select = (field: object): Record<string, unknown> => ({
  "/workflows/0/setup/select/form_fields/1": field,
});

const sending = (rule: string, steps: readonly object[], more: Record<string, unknown> = {}): string[] =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("http/list-form-field: a name of several words", () => {
  const told = (comment: string, ids: string): string[] =>
    sending("http/list-form-field", [
      { "!http": { path: "/cards" } },
      { "!jq": `[.cards[].id] | {ids: ${ids}}` },
      {
        _comment: comment,
        "!http": {
          method: "POST",
          path: "/cards/block",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: { card_ids: "${piped_content.2.ids}", list: "${custom_data.list.value}" },
        },
      },
    ]);

  test("a list", () => {
    expect(told("card_ids is one text with commas.", ".")).toHaveLength(1);
  });

  test.each([
    ["joined", "card_ids is one text with commas.", '(map(tostring) | join(","))'],
    ["it may come often", "tag_names is one text with commas. card_ids is repeated.", "."],
  ])("right: %s", (_, comment, ids) => {
    expect(told(comment, ids)).toEqual([]);
  });
});

describe("http/sends-empty: a choice", () => {
  const field = {
    id: "helper",
    label: "Helper",
    type: "dropdown",
    required: false,
    options: {
      "!pipe": [{ "!http": { path: "/staff" } }, { "!jq": "[.[] | {display: .name, value: .id}]" }],
    },
  };
  const told = (comment: string, program: string): string[] =>
    sending(
      "http/sends-empty",
      [
        { _comment: comment, "!jq": program },
        {
          "!http": {
            method: "POST",
            path: "/lists/${custom_data.list.value}/calls",
            body: "${piped_content.1}",
          },
        },
      ],
      select(field),
    );
  const plain = "{email: .email, helper_id: ${custom_data.helper.value | default}}";

  test.each([
    ["without it", "Without helper_id the clinic decides; an empty one is refused.", plain],
    ["may be left out", "helper_id may be left out, but an empty text is refused.", plain],
  ])("%s", (_, comment, program) => {
    expect(told(comment, program)).toHaveLength(1);
  });

  test.each([
    [
      "left out",
      "Without helper_id the clinic decides; an empty one is refused.",
      '{email: .email} + (${custom_data.helper.value | default} | if . == "" then {} else {helper_id: .} end)',
    ],
    ["of something else", "Without letter_id none is sent; an empty one is refused.", plain],
    ["nothing is refused", "Without helper_id the clinic decides.", plain],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });
});

describe("value/unapplied-factor: what a record shows", () => {
  const told = (comment: string, program: string): string[] =>
    inSource("value/unapplied-factor", program, { "/data_intake/0/_comment": comment });

  test.each([
    ["a member", '{"bottles_per_crate": 12}', "{email, bottles: .crates}"],
    ["in camel", "{wine: {bottlesPerCrate: 12}}", ".o as $o | {email, bottleCount: $o.crateCount}"],
  ])("%s", (_, comment, program) => {
    expect(told(comment, program)).toHaveLength(1);
  });

  test("what is chosen", () => {
    const field = { id: "bunches", label: "Bunches", type: "text", required: true };
    const stems = (value: string): string[] =>
      sending(
        "value/unapplied-factor",
        [
          { _comment: "{variety: {id, stems_per_bunch: 10}}", "!http": { path: "/varieties" } },
          { "!jq": `{stems: (${value})}` },
        ],
        select(field),
      );
    expect(stems("${custom_data.bunches.value} | tonumber")).toHaveLength(1);
    expect(stems("(${custom_data.bunches.value} | tonumber) * .variety.stems_per_bunch")).toEqual([]);
  });

  test.each([
    ["multiplied", "{bottles_per_crate: 12}", "{email, bottles: (.crates * .bottles_per_crate)}"],
    ["the same", "{bottles_per_crate: 12}", "{email, bottles: .bottles, crates: .crates}"],
    ["how often", "{visits_per_week: 3}", "{email, visits: .weeks}"],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });
});

describe("value/member-for-id: what another request takes", () => {
  const alert = (id: string, more: object = {}): object => ({
    "!http": {
      method: "POST",
      path: "/alerts",
      body: { intake_id: `\${piped_content.1.intake.${id}}`, ...more },
    },
  });
  const told = (...steps: readonly object[]): string[] =>
    sending("value/member-for-id", [
      { "!http": { method: "POST", path: "/intakes", body: { list: "${custom_data.list.value}" } } },
      ...steps,
    ]);

  test("the same member elsewhere", () => {
    expect(told(alert("id"), alert("reference", { to: "desk" }))).toEqual([
      "${piped_content.1.intake.reference}",
    ]);
  });

  test("a path to such records", () => {
    const path = "/intakes/${piped_content.1.intake.id}/close";
    expect(told({ "!http": { method: "POST", path } }, alert("number"))).toHaveLength(1);
  });

  test("right: its number alone, the id in both, and a number under its name", () => {
    expect(told(alert("number"))).toEqual([]);
    expect(told(alert("id"), alert("id"))).toEqual([]);
    expect(told(alert("id", { intake_number: "${piped_content.1.intake.number}" }))).toEqual([]);
  });
});

describe("value/connected-by-other-id", () => {
  const told = (account: string, made: string): string[] =>
    findings("value/connected-by-other-id", "inbound-webhook", {
      "/data_intake/0/account_id": { "!jq": account },
      "/workflows/0/setup/connect/describe_connection": {
        "!pipe": [{ "!http": { path: "/me" } }, { "!jq": made }],
      },
    });

  test.each([
    [".office.id", "{account_id: .user.id, description: (.user.name + .office.name)}"],
    [
      ".practice.id | tostring",
      ". as $me | {account_id: ($me.user.id | tostring), description: $me.practice.name}",
    ],
  ])("%s", (account, made) => {
    expect(told(account, made)).toHaveLength(1);
  });

  test.each([
    ["the same", ".office.id", "{account_id: .office.id, description: .user.name}"],
    ["no other is read", ".office.id", "{account_id: .user.id, description: .user.name}"],
    ["another word for it", ".company.id", "{account_id: .account.id, description: .account.name}"],
    ["by its name", ".office.id", "{account_id: .office_id, description: .office.name}"],
  ])("right: %s", (_, account, made) => {
    expect(told(account, made)).toEqual([]);
  });
});

describe("mapping/unread-field: in groups", () => {
  const field = (group: string, id: string): object => ({ id, title: id, group, required: true });
  const told = (program: string): string[] =>
    sending(
      "mapping/unread-field",
      [
        { "!http": { path: "/people", params: { email: "${piped_content.0.sailor.email}" } } },
        { "!jq": program },
        { "!http": { method: "POST", path: "/entries", body: "${piped_content.2}" } },
      ],
      {
        "/workflows/0/setup/map/default_group": "sailor",
        "/workflows/0/setup/map/describe_target/options": [
          field("sailor", "email"),
          field("sailor", "phone"),
          field("emergency", "name"),
          field("emergency", "phone"),
        ],
      },
    );

  test.each([
    [
      "of another group",
      "(${piped_content.0}) as $in | {own: $in.sailor.phone, emergency: {name: $in.emergency.name, phone: $in.sailor.phone}}",
    ],
    ["expansions", "{own: ${piped_content.0.sailor.phone}, name: ${piped_content.0.emergency.name}}"],
  ])("%s", (_, program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    [
      "both",
      "(${piped_content.0}) as $in | {own: $in.sailor.phone, emergency: {name: $in.emergency.name, phone: $in.emergency.phone}}",
    ],
    [
      "the whole group",
      "${piped_content.0} as $in | {own: $in.sailor.phone, who: $in.emergency.name, all: $in.emergency}",
    ],
    ["all of it", "${piped_content.0} as $in | $in + {own: $in.sailor.phone, who: $in.emergency.name}"],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/sum-of-records", () => {
  const told = (lines: string, value: string): string[] =>
    inSource("jq/sum-of-records", `. as $in | {email, pieces: (${value})}`, {
      "/data_intake/0/_comment": `Payload: {email, order: {id, lines: ${lines}}}.`,
    });
  const records = "[{product_id, quantity}]";

  test.each([
    "$in.order.lines | add // 0",
    "[.order.lines[]] | add // 0",
    "(.order.lines | map(select(.quantity > 0)) | add / 100)",
  ])("%s", (value) => {
    expect(told(records, value)).toHaveLength(1);
  });

  test.each([
    [records, "[$in.order.lines[].quantity] | add // 0"],
    [records, "$in.order.lines | map({(.product_id): .quantity}) | add // {}"],
    ["[3, 4]", "$in.order.lines | add // 0"],
  ])("right: %s, %s", (lines, value) => {
    expect(told(lines, value)).toEqual([]);
  });
});
