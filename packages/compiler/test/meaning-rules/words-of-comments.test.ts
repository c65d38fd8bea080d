import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What comments say of words, factors and nulls, and what a choice is: mistakes in other forms, and what is right although it looks alike. */

const source = (rule: string, jq: string, comment?: string | string[], more: object = {}): string[] =>
  findings(rule, "inbound-webhook", {
    ...(comment === undefined ? {} : { "/data_intake/0/_comment": comment }),
    ...more,
    "/workflows/0/data_pipeline/source": { "!jq": jq },
  });

describe("value/qualified-word", () => {
  const told = (table: string, comment?: string, more: object = {}): string[] =>
    source("value/qualified-word", `{email: .email, outcome: {${table}}[.state]}`, comment, more);
  const said = "state is closed or missed";

  test.each([
    ['"visit.closed": "Came", "visit.missed": "Missed"', ['"visit.closed"']],
    ['"closed": "Came", "visit/missed": "Missed"', ['"visit/missed"']],
    ['"closed": "Came", "missed": "Missed"', []],
    // Neither is said of the other.
    ['"visit.opened": "Came", "visit.left": "Missed"', []],
  ])("%s", (table, at) => {
    expect(told(table, said)).toEqual(at);
  });

  test("the other way round", () => {
    expect(told('"closed": "Came", "missed": "Missed"', "state is visit.closed or visit.missed")).toEqual([
      '"closed"',
    ]);
  });

  test("one key of a table is an event that is registered", () => {
    const events = (...names: string[]) => ({
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events: names },
    });
    const table = '"booked": "Booked", "visit.done": "Done", "off": "Off"';
    expect(told(table, undefined, events("visit.booked", "visit.done"))).toEqual(['"visit.done"']);
    expect(told(table, undefined, events("visit.booked"))).toEqual([]);
  });
});

describe("value/table-of-other-member", () => {
  const comment = '{id, area: "housing", stage: "advice"}. stage is enquiry, advice or court.';
  const told = (member: string, said: string = comment): string[] =>
    source(
      "value/table-of-other-member",
      `{email: .email, stage: {enquiry: "New", advice: "Advised", court: "In court"}[.${member}]}`,
      said,
    );

  test("another member", () => {
    expect(told("area")).toHaveLength(1);
  });
  test.each([
    ["its own member", "stage", comment],
    ["a member that nothing is shown of", "phase", comment],
    ["a member with a list of its own", "area", `${comment} area is enquiry, advice or court.`],
    ["no list", "area", '{id, area: "housing", stage: "advice"}'],
  ])("%s", (_, member, said) => {
    expect(told(member, said)).toEqual([]);
  });
});

describe("value/undocumented-word", () => {
  const told = (keys: string, comment: string | string[], read = ".state"): string[] =>
    source("value/undocumented-word", `. as $d | {email: .email, state: {${keys}}[${read}]}`, comment);
  const letters = "state: P(acked), V(an), D(elivered), R(efused).";

  test.each([
    ['"P": "Packed", "T": "On its way", "D": "Delivered"', ['"T"']],
    ['"P": "Packed", "V": "On its way", "D": "Delivered"', []],
    ['"P": "Packed", "D": "Delivered"', []],
  ])("letters: %s", (keys, at) => {
    expect(told(keys, letters)).toEqual(at);
  });

  test("the record is named in another line of the comment", () => {
    const lines = [
      '{matter: {id: "912", stage: "advice"},',
      "client: {id}}. stage is enquiry, advice or court.",
    ];
    const keys = '"enquiry": "New", "advising": "Advised", "court": "In court"';
    expect(told(keys, lines, "$d.matter.stage")).toEqual(['"advising"']);
    expect(told(keys, lines, "$d.parcel.stage")).toEqual([]);
  });
});

describe("value/unapplied-factor", () => {
  const told = (entry: string, comment: string): string[] =>
    source("value/unapplied-factor", `.order as $o | {email: .email, ${entry}}`, comment);

  test.each([
    ["pages: $o.sheets", "A sheet has two pages, front and back.", ["$o.sheets"]],
    ["page_count: ($o.sheet_count // 0)", "Each sheet counts for 2 pages.", ["($o.sheet_count // 0)"]],
    ["crates: $o.bottles", "one crate holds 12 bottles", ["$o.bottles"]],
    ["pages: ($o.sheets * 2)", "A sheet has two pages.", []],
    ["pages: $o.pages", "A sheet has two pages.", []],
    ["sheets: $o.sheets", "A sheet has two pages.", []],
    ["pages: ($o.sheets | . + .)", "A sheet has two pages.", []],
    // A record, not a number of them.
    ["phones: $o.customer", "A customer has two phones.", []],
    ["pages: $o.sheets", "A sheet has two or more pages.", []],
  ])("%s, %s", (entry, comment, at) => {
    expect(told(entry, comment)).toEqual(at);
  });
});

describe("value/inclusive-days", () => {
  const told = (days: string, comment: string): string[] =>
    source(
      "value/inclusive-days",
      `.course as $c | {email: .email, first_day: $c.starts_on, last_day: ($c.starts_on | strptime("%Y-%m-%d") | mktime + ${days} * 86400 | strftime("%F"))}`,
      comment,
    );
  const intake = (days: string, comment: string): string[] =>
    findings("value/inclusive-days", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/source": {
        "!jq": `.course as $c | {email: .email, first_day: $c.starts_on, last_day: ($c.starts_on | strptime("%Y-%m-%d") | mktime + ${days} * 86400 | strftime("%F"))}`,
      },
    });

  test.each([
    ["$c.days", "days in a row, the first one included", ["$c.days"]],
    ["$c.days", "The first day counts.", ["$c.days"]],
    ["($c.days - 1)", "The first day counts.", []],
    ["$c.days", "The first day doesn't count.", []],
    ["$c.days", "A course runs on days in a row.", []],
  ])("%s, %s", (days, comment, at) => {
    expect(intake(days, comment)).toEqual(at);
  });
  test("nothing is said", () => {
    expect(told("$c.days", "courses")).toEqual([]);
  });
});

describe("jq/empty-text", () => {
  const told = (condition: string, comment: string): string[] =>
    source(
      "jq/empty-text",
      `.room as $room | {email: .email} + (if ${condition} then {} else {room: $room.name} end)`,
      comment,
    );
  const orNull = "room: {name, floor}, or null until one is booked";

  test.each([
    ["$room == {}", orNull, ["{}"]],
    [".room == []", orNull, ["[]"]],
    ["[] == .room", orNull, ["[]"]],
    ["$room == null", orNull, []],
    ["$room == null or $room == {}", orNull, []],
    // It may be so, or nothing is said.
    ["$room == {}", "room: {name, floor}, or null or {} until one is booked", []],
    ["$room == {}", "room: {name, floor}", []],
  ])("%s, %s", (condition, comment, at) => {
    expect(told(condition, comment)).toEqual(at);
  });

  const time = (condition: string, comment: string): string[] =>
    source(
      "jq/empty-text",
      `{email: .email, seen: (if ${condition} then null else .seen_at / 1000 end)}`,
      comment,
    );
  test.each([
    [".seen_at == 0", '{"id": 1, "seen_at": null}', ["0"]],
    [".seen_at == 0", '{"id": 1, "seen_at": 1746000000000}', []],
    [".visits == 0", '{"id": 1, "visits": null}', []],
  ])("%s, %s", (condition, comment, at) => {
    expect(time(condition, comment)).toEqual(at);
  });
});

describe("jq/documented-null", () => {
  const told = (jq: string): string[] =>
    findings("jq/documented-null", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": "result is done or nobody_there; of the last, left is null.",
      "/workflows/0/data_pipeline/source": {
        "!switch": { jq, cases: [{ "!jq": "null" }, { "!jq": "{email: .email, litres: (.left * 2)}" }] },
      },
    });

  test("a case for other states", () => {
    expect(told('if .result == "nobody_there" then 0 else 1 end')).toEqual([]);
    expect(told("{nobody_there: 0, done: 1}[.result]")).toEqual([]);
  });
  test("a case for those with an address", () => {
    expect(told('if (.email // "") == "" then 0 else 1 end')).toHaveLength(1);
  });
});

describe("jq/list-as-text", () => {
  const told = (program: string, field: object = {}): string[] =>
    findings("jq/list-as-text", "outbound", {
      "/workflows/0/setup/select/form_fields/0": {
        id: "list",
        label: "Boats",
        type: "multiselect",
        required: false,
        options: [
          { display: "Laser", value: "laser" },
          { display: "Keelboat", value: "keel" },
        ],
        ...field,
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/entries", body: "${piped_content.1}" } },
        ],
      },
    });
  const chosen = "${custom_data.list.value | default}";

  test.each([
    [`{boats: (${chosen} | split(","))}`, ['split(",")']],
    [`{boats: (${chosen} | gsub(" "; ""))}`, ['gsub(" "; "")']],
    [`${chosen} as $boats | {boats: [$boats | splits(", *")]}`, ['splits(", *")']],
    [`{boats: (${chosen} | [splits(",")] | length)}`, ['splits(",")']],
    [`{boats: (${chosen} | if type == "string" then split(",") else . end)}`, []],
    [`{boats: (${chosen} | arrays | map(ascii_upcase))}`, []],
    [`{boats: (try (${chosen} | split(",")) catch [])}`, []],
    // In quotes it is a text.
    [`{boats: ("${chosen}" | split(","))}`, []],
    [`{boats: ([${chosen}] | flatten | map(ascii_upcase))}`, []],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual(at);
  });
  test("one choice is a text", () => {
    expect(told(`{boats: (${chosen} | split(","))}`, { type: "dropdown" })).toEqual([]);
  });
});

describe("jq/same-for-each-option", () => {
  const told = (program: string): string[] =>
    source("jq/same-for-each-option", `${program} | {email: $me.email, name: $other.name}`, undefined, {
      "/workflows/0/setup/select/form_fields/0": {
        id: "form",
        label: "Side",
        type: "dropdown",
        options: [
          { display: "Gives", value: "giver" },
          { display: "Receives", value: "receiver" },
        ],
      },
    });
  const side = "${custom_data.form.value}";

  test.each([
    [`.${side} as $me | (if ${side} == "giver" then .giver else .receiver end) as $other`, 1],
    [`.[${side}] as $me | (if ${side} != "giver" then .receiver else .giver end) as $other`, 1],
    [`.${side} as $me | (if ${side} == "giver" then .receiver else .giver end) as $other`, 0],
    [`.${side} as $me | (if .state == "giver" then .giver else .receiver end) as $other`, 0],
    [`.giver as $me | (if ${side} == "giver" then .giver else .receiver end) as $other`, 0],
    // Told by what is the same for each option, nothing is chosen.
    [`(if ${side} == "giver" then .a else .a end) as $me | .a as $other`, 0],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
});
