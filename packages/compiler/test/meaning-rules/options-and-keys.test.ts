import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What an option keeps and where it goes: the same kind of mistake in other words, and what is right although it looks alike. */

const field = (id: string, path: string, program: string, more: object = {}) => ({
  label: id,
  id,
  type: "dropdown",
  ...more,
  options: { "!pipe": [{ "!http": { path } }, { "!jq": program }] },
});

describe("setup/other-option-value", () => {
  const list = (params: object | undefined, value: string) => ({
    "!pipe": [
      { "!http": { method: "GET", path: "/areas", ...(params && { params }) } },
      { "!jq": `[.areas[] | {display: .name, value: ${value}}]` },
    ],
  });
  const told = (one: object, two: object, second = "/areas/${custom_data.second.value}/shops"): string[] =>
    findings("setup/other-option-value", "outbound", {
      "/workflows/0/setup/select/form_fields": [
        { label: "Area", id: "first", type: "dropdown", options: one },
        { label: "Other area", id: "second", type: "dropdown", options: two },
        field(
          "team",
          "/areas/${custom_data.first.value}/teams",
          "[.teams[] | {display: .title, value: .id}]",
        ),
        field("shop", second, "[.shops[] | {display: .title, value: .id}]"),
      ],
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/people",
          body: {
            email: "${piped_content.0.email}",
            team: "${custom_data.team.value}",
            shop: "${custom_data.shop.value}",
          },
        },
      },
    });

  test("a filter makes the same list shorter", () => {
    expect(told(list({ open: true }, ".code"), list(undefined, ".name"))).toEqual([".name"]);
    expect(told(list(undefined, ".name"), list({ open: true }, ".code"))).toEqual([".name"]);
    expect(told(list({ open: true }, ".code"), list({ open: false }, ".name"))).toEqual([".name"]);
  });

  test.each([
    ["the same member", list({ open: true }, ".code"), list(undefined, ".code"), undefined],
    [
      "another place",
      list({ open: true }, ".code"),
      list(undefined, ".name"),
      "/shops/of/${custom_data.second.value}",
    ],
  ])("right: %s", (_, one, two, path) => {
    expect(told(one, two, path)).toEqual([]);
  });
});

describe("setup/option-of-other-record", () => {
  const told = (value: string, given: string, id = "crew"): string[] =>
    findings("setup/option-of-other-record", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field(
        id,
        "/crews",
        `[.crews[] | {display: .callsign, value: ${value}}]`,
        { required: false },
      ),
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{crew_id: ${given}, list: \${custom_data.list.value}}` },
          { "!http": { method: "POST", path: "/jobs", body: "${piped_content.1}" } },
        ],
      },
    });

  test.each([
    ["${custom_data.crew.value | default}"],
    ['(${custom_data.crew.value | default} | if . == "" then null else . end)'],
    ['(${custom_data.crew.value | default} | if . != "" then . else null end)'],
  ])("under an id: %s", (given) => {
    expect(told(".truck.plate", given)).toEqual([".truck.plate"]);
    expect(told(".leader.code", given)).toEqual([".leader.code"]);
    expect(told(".callsign", given)).toEqual([]);
    expect(told(".crew_id", given)).toEqual([]);
    // It wraps the record itself.
    expect(told(".attributes.number", given)).toEqual([]);
    // An id inside may be its own.
    expect(told(".profile.id", given)).toEqual([]);
  });

  test("what becomes something else isn't looked into", () => {
    expect(told(".truck.plate", "(${custom_data.crew.value | default} | ascii_downcase)")).toEqual([]);
  });
});

describe("value/other-code", () => {
  const told = (program: string, values: readonly string[], more = {}): string[] =>
    findings("value/other-code", "inbound-webhook", {
      ...more,
      "/workflows/0/setup/select/form_fields/1": {
        label: "Kinds, such as a desk or a room",
        id: "kinds",
        type: "multiselect",
        options: ["Hot desk", "Meeting room", "Private office"].map((display, at) => ({
          display,
          value: values[at],
        })),
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });
  const table = '{desk: "Hot desk", room: "Meeting room", office: "Private office"}';
  const program = `if any(\${custom_data.kinds.value}[]; . == $b.kind) then {email: .email, _tags: [${table}[$b.kind]]} else null end`;

  test("words of labels and sentences are no codes", () => {
    expect(told(`. as $b | ${program}`, ["desk", "meeting_room", "office"])).toEqual([table]);
    expect(told(`. as $b | ${program}`, ["desk", "room", "office"])).toEqual([]);
  });

  test("a code that is written again is known: then the option is wrong", () => {
    const other = `. as $b | ${program.replace("_tags", 'isRoom: ($b.kind == "room"), _tags')}`;
    expect(told(other, ["desk", "meeting_room", "office"])).toHaveLength(1);
    expect(told(other, ["desk", "room", "office"])).toEqual([]);
  });
});

describe("expansion/display-for-id", () => {
  const told = (
    member: string,
    value: string,
    attribute = "display",
    build: (read: string) => object = (read) => ({
      "!http": {
        method: "POST",
        path: "/recalls",
        body: { [member]: read, list: "${custom_data.list.value}" },
      },
    }),
  ): string[] =>
    findings("expansion/display-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field(
        "reason",
        "/recall-reasons",
        `[.reasons[] | {display: .title, value: ${value}}]`,
      ),
      "/workflows/0/data_pipeline/target": build(`\${custom_data.reason.${attribute}}`),
    });
  const inProgram = (member: string) => (read: string) => ({
    "!pipe": [
      { "!jq": `{${member}: ${read}, list: \${custom_data.list.value}}` },
      { "!http": { method: "POST", path: "/recalls", body: "${piped_content.1}" } },
    ],
  });

  test("a member is named after what the options keep", () => {
    expect(told("reason_code", ".code")).toEqual(["display"]);
    expect(told("reasonCode", ".code")).toEqual(["display"]);
    expect(told("code", ".code")).toEqual(["display"]);
    expect(told("reason_key", ".reason_key")).toEqual(["display"]);
    expect(told("", ".code", "display", inProgram("reason_code"))).toEqual(["display"]);
  });

  test("right", () => {
    expect(told("reason_code", ".code", "value")).toEqual([]);
    expect(told("reason_title", ".code")).toEqual([]);
    expect(told("reason_text", ".code")).toEqual([]);
    // Another thing's code.
    expect(told("country_code", ".code")).toEqual([]);
    expect(told("reason_label", ".code", "display", inProgram("reason_label"))).toEqual([]);
  });
});

describe("jq/contradiction", () => {
  const told = (made: string, asked: string): string[] =>
    findings("jq/contradiction", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field(
        "crew",
        "/crews",
        "[.crews[] | {display: .callsign, value: .crew_id}]",
        { required: false },
      ),
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{crew_id: ${made}, list: \${custom_data.list.value}}` },
          {
            "!switch": {
              jq: `if ${asked} then 0 else 1 end`,
              cases: [
                { "!print_c": "No crew." },
                {
                  "!http": {
                    method: "PUT",
                    path: "/lists/${piped_content.1.list}/crew",
                    body: { crew_id: "${piped_content.1.crew_id}" },
                  },
                },
              ],
            },
          },
        ],
      },
    });
  const kept = "${custom_data.crew.value | default}";

  test("a step keeps a field with its default, and the next one asks for null", () => {
    expect(told(kept, "${piped_content.1.crew_id} == null")).toEqual(["${piped_content.1.crew_id} == null"]);
    expect(told(`(${kept})`, ".crew_id == null")).toEqual([".crew_id == null"]);
    expect(told(`(${kept} | ascii_downcase)`, "null != .crew_id")).toEqual(["null != .crew_id"]);
  });

  test("right", () => {
    expect(told(kept, '${piped_content.1.crew_id} == ""')).toEqual([]);
    expect(told(kept, '.crew_id == null or .crew_id == ""')).toEqual([]);
    expect(told(`(${kept} | if . == "" then null else . end)`, ".crew_id == null")).toEqual([]);
    expect(told("(.crew // null)", ".crew_id == null")).toEqual([]);
  });
});
