import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Branches that fail, conditions that are always the same and choices that have no effect, each beside right ones that look like it. */

describe("jq/failing-branch", () => {
  const told = (program: string): string[] => inSource("jq/failing-branch", program);

  test.each([
    ["a text to a list", '{email, _tags: (["A"] + (if .kind == "done" then "B" else [] end))}', '"B"'],
    [
      "by a variable",
      '(if .kind == "done" then "B" else [] end) as $more | {email, _tags: (["A"] + $more)}',
      '"B"',
    ],
    [
      "the list by a variable",
      '["A"] as $all | {email, _tags: ($all + (if .n == 1 then [] else "B" end))}',
      '"B"',
    ],
    [
      "behind elif",
      '{email, _tags: (["A"] + (if .n == 1 then [] elif .n == 2 then "C" else ["D"] end))}',
      '"C"',
    ],
    ["a number to a text", '{email, note: ("No. " + (if .n == null then 0 else (.n | tostring) end))}', "0"],
    ["a text to an object", '{email} + (if .phone == "" then "" else {phone} end)', '""'],
    ["that is joined", '{email, all: ((if .n == 1 then "one" else [.a, .b] end) | join(", "))}', '"one"'],
    ["that is cut", '{email, all: ((if .n == 1 then .a else [] end) | split(","))}', "[]"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["lists alone", '{email, _tags: (["A"] + (if .kind == "done" then ["B"] else [] end))}'],
    ["null", '{email, _tags: (["A"] + (if .kind == "done" then ["B"] else null end))}'],
    ["nothing", '{email, _tags: (["A"] + (if .kind == "done" then ["B"] else empty end))}'],
    ["what isn't known", '{email, _tags: (.tags + (if .kind == "done" then "B" else "" end))}'],
    ["a member", '{email, _tags: (["A"] + (if .kind == "done" then .tags else [] end))}'],
    ["inside the list", '{email, _tags: (["A", (if .kind == "done" then "B" else empty end)])}'],
    ["wrapped", '{email, _tags: (["A"] + [if .kind == "done" then "B" else "C" end])}'],
    ["texts", '{email, note: ("No. " + (if .n == null then "-" else (.n | tostring) end))}'],
    [
      "an own function",
      'def join(x): tostring; {email, all: ((if .n == 1 then "one" else [.a] end) | join(","))}',
    ],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/always-in-range: records with 0 that are left out", () => {
  const told = (comment: string, program: string): string[] =>
    inSource("jq/always-in-range", program, { "/data_intake/0/_comment": comment });

  test.each([
    [
      "a unit",
      "Aborted sessions come with 0 Wh; they are left out.",
      "if .energy_wh >= 0 then {email} else null end",
      ".energy_wh >= 0",
    ],
    [
      "the other way",
      "Sessions with 0 minutes are skipped.",
      "if .minutes < 0 then null else {email} end",
      ".minutes < 0",
    ],
    [
      "camel case",
      "We ignore orders with 0 items.",
      "if .itemsOrdered >= 0 then {email} else null end",
      ".itemsOrdered >= 0",
    ],
    [
      "by a variable",
      "Left out are sessions with energy 0.",
      ". as $s | if $s.energy_wh >= 0 then {email} else null end",
      "$s.energy_wh >= 0",
    ],
  ])("%s", (_, comment, program, marked) => {
    expect(told(comment, program)).toEqual([marked]);
  });

  test.each([
    [
      "more than 0",
      "Aborted sessions come with 0 Wh; they are left out.",
      "if .energy_wh > 0 then {email} else null end",
    ],
    [
      "0 is asked for",
      "Sessions with 0 Wh are left out.",
      "if .energy_wh == 0 then null elif .energy_wh >= 0 then {email} else null end",
    ],
    ["0 is wanted", "Sessions with 0 Wh are free.", "if .energy_wh >= 0 then {email} else null end"],
    [
      "of something else",
      "Sessions with 0 minutes are left out.",
      "if .energy_wh >= 0 then {email} else null end",
    ],
    ["10", "Sessions below 10 Wh are left out.", "if .energy_wh >= 0 then {email} else null end"],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });
});

describe("jq/forgotten-limit: a fixed day", () => {
  const told = (program: string): string[] => inSource("jq/forgotten-limit", program);
  const today = '(now | strftime("%Y-%m-%d")) as $today | ';

  test.each([
    [
      "in select",
      `${today}{email, n: ([.passes[] | select(.valid_until >= "2024-01-01")] | length)}`,
      '.valid_until >= "2024-01-01"',
    ],
    [
      "in a condition",
      `${today}if .ends_on < "2025-06-30" then null else {email} end`,
      '.ends_on < "2025-06-30"',
    ],
    [
      "the constant first",
      `${today}{email, is_open: ("2024-01-01" <= .ends_on)}`,
      '"2024-01-01" <= .ends_on',
    ],
    ["seconds", "now as $now | if .ends_at < 1735689600 then null else {email} end", ".ends_at < 1735689600"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["today", `${today}if .ends_on < $today then null else {email} end`],
    ["both", `${today}if .ends_on < "2020-01-01" or .ends_on < $today then null else {email} end`],
    ["another variable", '.name as $name | if .ends_on < "2020-01-01" then null else {email} end'],
    ["a number that is no time", `${today}if .amount > 2000000000 then null else {email} end`],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/digits-as-text: one digit beside an amount", () => {
  const told = (program: string): string[] =>
    inSource("jq/digits-as-text", program, {
      "/workflows/0/setup/select/form_fields/0": {
        ...{ id: "form", label: "Seats", type: "dropdown" },
        options: ["1", "2", "4"].map((value) => ({ display: value, value })),
      },
    });

  test.each([
    [".seats_left < ${custom_data.form.value}"],
    ["${custom_data.form.value} > .free_places"],
    ["(.guests | length) >= ${custom_data.form.value}"],
    [".guest_count <= ${custom_data.form.value}"],
  ])("%s", (condition) => {
    expect(told(`if ${condition} then null else {email} end`)).toEqual([condition]);
  });

  test.each([
    [".seats_left < (${custom_data.form.value} | tonumber)"],
    [".level < ${custom_data.form.value}"],
    [".grade[0:1] >= ${custom_data.form.value}"],
    [".seats_left == ${custom_data.form.value}"],
  ])("right: %s", (condition) => {
    expect(told(`if ${condition} then null else {email} end`)).toEqual([]);
  });
});

describe("jq/empty-text: nulls in other words", () => {
  const told = (comment: string, condition: string): string[] =>
    inSource("jq/empty-text", `if ${condition} then null else {email: .email} end`, {
      "/data_intake/0/_comment": comment,
    });

  test.each([
    ["born is written like 31.12.2023, and null for children not yet born.", '.child.born == ""'],
    ["born is given as DD.MM.YYYY, but null until it is known.", '.born == ""'],
    ["Sales over the counter often have no customer_id (null).", '.sale.customer_id == ""'],
    ["Guests have no number (it is null then).", '.number == ""'],
  ])("%s", (comment, condition) => {
    expect(told(comment, condition)).toEqual(['""']);
  });

  test.each([
    ["born is written like 31.12.2023, and null for children not yet born.", ".child.born == null"],
    ["born is written like 31.12.2023, and empty for children not yet born.", '.child.born == ""'],
    ["Sales over the counter often have no customer_id.", '.sale.customer_id == ""'],
    ["Guests have no number (null or empty).", '.number == ""'],
  ])("right: %s", (comment, condition) => {
    expect(told(comment, condition)).toEqual([]);
  });
});

describe("mapping/object-as-field: comments, variables and other programs", () => {
  const map = {
    "/workflows/0/setup/map/describe_source/options": ["email", "club", "team"].map((id) => ({
      id,
      title: id,
    })),
  };
  const told = (program: string, more: Readonly<Record<string, unknown>> = {}): string[] =>
    inSource("mapping/object-as-field", program, { ...map, ...more });
  const shown = { "/data_intake/0/_comment": "A player: {email, club: {id, name}, team: {id, name}}." };

  test.each([
    ["a variable", '. as $r | {email: $r.email, club: $r.club, team: "\\($r.club.name) II"}', {}, "$r.club"],
    ["a comment", ". as $r | {email: $r.email, club: $r.club, team: $r.team.name}", shown, "$r.club"],
    [
      "in a branch",
      'if .email == "" then null else {email, club: .club, team: .team.name} end',
      shown,
      ".club",
    ],
    [
      "cleaned",
      "{email: .email, club: .club.name, team: .team} | with_entries(select(.value != null))",
      shown,
      ".team",
    ],
  ])("%s", (_, program, more, marked) => {
    expect(told(program, more)).toEqual([marked]);
  });

  test("another program", () => {
    const changes = (club: string) => ({
      ...map,
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/teams" } },
          { "!jq": "[.teams[] | {display: (.club.name + .title), value: .id}]" },
        ],
      },
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!jq": `. as $r | {email: $r.email, club: ${club}, team: $r.team.name}` },
          { "!jq": "if . == null then null else . + {_tags: []} end" },
        ],
      },
    });
    const rule = "mapping/object-as-field";
    expect(findings(rule, "inbound-webhook", changes("$r.club"))).toEqual(["$r.club"]);
    expect(findings(rule, "inbound-webhook", changes("$r.club.name"))).toEqual([]);
  });

  test.each([
    ["its name", ". as $r | {email: $r.email, club: $r.club.name, team: $r.team.name}", shown],
    ["nothing is known", ". as $r | {email: $r.email, club: $r.club, team: $r.team.name}", {}],
    [
      "a text by the comment",
      ". as $r | {email: $r.email, club: $r.club, team: $r.team.name}",
      { "/data_intake/0/_comment": 'A player: {email, club: "FC", team: {id, name}}.' },
    ],
    [
      "two records",
      "{email: .email, club: .club, team: .team.name}",
      { "/data_intake/0/_comment": 'A player: {email, club: "FC"}. A team: {id, club: {id, name}}.' },
    ],
  ])("right: %s", (_, program, more) => {
    expect(told(program, more)).toEqual([]);
  });
});
