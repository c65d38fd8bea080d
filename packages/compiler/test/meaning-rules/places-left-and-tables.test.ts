import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What is never fewer than none, tables beside what is compared, and steps that are taken one level too high or too early. */

const target = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

const dropdown = (id: string, options: Readonly<Record<string, string>>, type = "dropdown") => ({
  "/workflows/0/setup/select/form_fields/1": {
    label: id,
    id,
    type,
    options: Object.entries(options).map(([value, display]) => ({ display, value })),
  },
});

describe("places that are left", () => {
  const inIf = (condition: string): string =>
    `{email: .email, _tags: (if ${condition} then ["free"] else [] end)}`;

  test.each([
    ".places_free >= 0",
    "0 <= .places_free",
    ".course.places_left >= 0",
    ".freeSeats >= 0",
    ".remaining_slots > -1",
    ".number_of_open_spots < 0",
    "(.places_left // 0) >= 0",
    "(.spaces_available | tonumber) >= 0",
    "any(.sessions[]; .beds_available >= 0)",
  ])("a comparison that all numbers of them pass: %s", (condition) => {
    expect(inSource("jq/contradiction", inIf(condition))).toHaveLength(1);
  });

  test("as a variable, in a filter, and of an earlier step", () => {
    const source = ".course.places_left as $left | {email: .email, full: (if $left >= 0 then 0 else 1 end)}";
    expect(inSource("jq/contradiction", source)).toEqual(["$left >= 0"]);
    expect(
      inSource("jq/contradiction", "{email: .email, open: [.dates[] | select(.seats_free >= 0) | .id]}"),
    ).toEqual([".seats_free >= 0"]);
    const steps = [
      { "!http": { path: "/courses/${custom_data.list.value}" } },
      {
        "!switch": {
          jq: "if ${piped_content.1.places_free} >= 0 then 0 else 1 end",
          cases: [{ "!jq": "." }, { "!error": "Full." }],
        },
      },
      { "!http": { method: "POST", path: "/bookings", body: { course: "${piped_content.1.id}" } } },
    ];
    expect(target("jq/contradiction", steps)).toEqual(["${piped_content.1.places_free} >= 0"]);
  });

  test.each([
    ".places_left > 0",
    "0 < .places_left",
    "1 <= .places_left",
    ".places_left >= 1",
    ".places_left >= .wanted",
    ".days_left >= 0",
    ".credits_left >= 0",
    ".memory_free >= 0",
    ".space_left >= 0",
    ".stock_available >= 0",
    ".places_left == null or .places_left >= 0",
    "(.places_left // -1) >= 0",
    '(.places_left | type) == "number" and .places_left >= 0',
  ])("what asks for one, may be below none, or asks whether it is there: %s", (condition) => {
    expect(inSource("jq/contradiction", inIf(condition))).toEqual([]);
  });

  test.each([
    "places_left is null for open courses.",
    "places_left is negative where a course is overbooked.",
    "-1 stands for a course without a limit.",
    "Some courses are unlimited.",
  ])("a comment says that there may be none or fewer: %s", (comment) => {
    const said = { "/workflows/0/data_pipeline/_comment": comment };
    expect(inSource("jq/contradiction", inIf(".places_left >= 0"), said)).toEqual([]);
    expect(
      inSource("jq/contradiction", inIf(".places_left >= 0"), { "/data_intake/0/_comment": comment }),
    ).toEqual([]);
  });

  test("what a step reckons may be below none", () => {
    const steps = [
      { "!http": { path: "/courses/${custom_data.list.value}" } },
      { "!jq": "{id, places_left: (.places - .booked)}" },
      {
        "!switch": {
          jq: "if .places_left >= 0 then 0 else 1 end",
          cases: [{ "!jq": "." }, { "!error": "Overfull." }],
        },
      },
      { "!http": { method: "POST", path: "/bookings", body: { course: "${piped_content.2.id}" } } },
    ];
    expect(target("jq/contradiction", steps)).toEqual([]);
    const own = "(.places - .booked) as $places_left | {email: .email, over: ($places_left < 0)}";
    expect(inSource("jq/contradiction", own)).toEqual([]);
  });
});

describe("a table, and what its member is compared with", () => {
  const table = '{A: "Active", P: "Paused", L: "Left"}';

  test.each([
    `.member as $m | {email: $m.email, state: ${table}[$m.status], _tags: (if $m.status == "Left" then ["former"] else [] end)}`,
    `{email: .email, _tags: (if .status == "Left" then ["former"] else [] end), state: ${table}[.status]}`,
    `{email: .email, state: ${table}[.status], _tags: (if .status != "Left" then ["member"] else [] end)}`,
    `${table} as $names | {email: .email, state: $names[.status], former: (.status == "Left")}`,
  ])("the label is compared: %s", (program) => {
    expect(inSource("value/unlisted-key", program)).toEqual(['"Left"']);
  });

  test.each([
    `{email: .email, state: ${table}[.status], _tags: (if .status == "L" then ["former"] else [] end)}`,
    `{email: .email, status: ${table}[.status]} | if .status == "Left" then . + {_tags: ["former"]} else . end`,
    `.status |= ${table}[.] | {email: .email, former: (.status == "Left")}`,
    `{email: .email, state: ${table}[.status], former: (.place == "Left")}`,
    `{email: .email, state: {Left: "Left", A: "Active"}[.status], former: (.status == "Left")}`,
  ])("a word of the service, or what was looked up: %s", (program) => {
    expect(inSource("value/unlisted-key", program)).toEqual([]);
  });

  const two = (keys: string, more = ""): string =>
    `{email: .email, measure: {pollen: "Pollen", particles: "Particles", ozone: "Ozone"}[.kind], unit: {${keys}}[.kind]${more}}`;
  const kinds = { "/data_intake/0/_comment": "kind is pollen, particles or ozone." };

  test("a key that only one of two tables for a value has", () => {
    expect(inSource("value/unlisted-key", two('pollen: "g", pm25: "µg", ozone: "µg"'), kinds)).toEqual([
      "pm25",
    ]);
    const named = `.kind as $k | ${two('"pollen": "g", "dust": "µg", "ozone": "µg"').replaceAll(".kind", "$k")}`;
    expect(inSource("value/unlisted-key", named, kinds)).toEqual(['"dust"']);
  });

  test.each([
    two('pollen: "g", particles: "µg", ozone: "µg"'),
    two('pollen: "g", ozone: "µg"'),
    two('pollen: "g", particles: "µg", pm25: "µg", ozone: "µg"'),
    two('pollen: "g", pm25: "µg", ozone: "µg"', ', fine: (.kind == "pm25")'),
    two('pollen: "g", pm25: "µg", ozone: "µg"').replace('µg"}[.kind]', 'µg"}[.sort]'),
  ])("tables of the same keys, of fewer, or for something else: %s", (program) => {
    expect(inSource("value/unlisted-key", program, kinds)).toEqual([]);
  });
});

describe("a code that a table gives twice", () => {
  const perils = dropdown("perils", { hail: "Hail", frost: "Frost", flood: "Flood" }, "multiselect");
  const sent = (codes: string): string[] =>
    findings("value/crossed-codes", "inbound-webhook", {
      ...perils,
      "/workflows/0/data_pipeline/source": {
        "!jq": `{email: .email, peril: {H: "Hail", F: "Frost", W: "Flood"}[.peril], wanted: (\${custom_data.perils.value} | map(${codes}[.]))}`,
      },
    });

  test("for a name that has another one elsewhere", () => {
    expect(sent('{hail: "H", frost: "F", flood: "F"}')).toHaveLength(1);
  });

  test("each has its own, or one of several names has the same on purpose", () => {
    expect(sent('{hail: "H", frost: "F", flood: "W"}')).toEqual([]);
    expect(sent('{hail: "H", frost: "F", flood: "W", ice: "F"}')).toEqual([]);
    expect(sent('{hail: "X", frost: "X", flood: "X"}')).toEqual([]);
  });
});

describe("cases by a list of options", () => {
  const levels = dropdown("level", { beginner: "Introduction", improver: "Coaching", lead: "Lead test" });
  const post = (path: string) => ({ "!http": { method: "POST", path, body: "${piped_content.0}" } });
  const cases = [post("/introductions"), post("/coaching/requests"), post("/lead-tests")];
  const chosen = (jq: string, given: readonly unknown[] = cases, more = levels): string[] =>
    findings("command/exchanged-cases", "outbound", {
      ...more,
      "/workflows/0/data_pipeline/target": { "!switch": { jq, cases: given } },
    });

  test("what the options show says which case is meant", () => {
    expect(chosen('["beginner", "lead", "improver"] | index(${custom_data.level.value})')).toHaveLength(1);
    expect(chosen('["beginner", "improver", "lead"] | index(${custom_data.level.value})')).toEqual([]);
  });

  test("now is today", () => {
    const from = dropdown("from", { today: "Today", "season-end": "The end of the season" });
    const jq = '["today", "season-end"] | index(${custom_data.from.value})';
    const day = [
      { "!http": { path: "/seasons/current/last-day" } },
      { "!jq": '{day: (now | strftime("%F"))}' },
    ];
    expect(chosen(jq, day, from)).toHaveLength(1);
    expect(chosen(jq, day.toReversed(), from)).toEqual([]);
  });
});
