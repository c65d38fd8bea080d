import { describe, expect, test } from "vitest";
import { dropdown, multiselect } from "../support/form-fields.ts";
import { findings, inSource } from "../support/rule-findings.ts";

/** Dates, times and units in other words, and what is right although it looks alike. */

const target = "/workflows/0/data_pipeline/target";
const options = "/workflows/0/setup/map/describe_source/options";
const taken = "/workflows/0/setup/map/describe_target/options";

const sending = (program: string, more: object = {}): object => ({
  ...more,
  "!pipe": [
    { "!jq": program },
    {
      "!http": {
        method: "POST",
        path: "/lists/${custom_data.list.value}/people",
        body: "${piped_content.1}",
      },
    },
  ],
});

describe("a value counts what its name or title says, over roundings and steps", () => {
  const offered = (program: string, title: string): string[] =>
    inSource("value/other-unit", program, {
      [options]: [
        { title: "Email", id: "email" },
        { title, id: "sum" },
      ],
    });

  test.each([
    ["Time (hours)", "{email, sum: (.ms_played / 60000 * 10 | round / 10)}", 1],
    ["Time (hours)", "{email, sum: (.seconds_spent / 6 | round / 10)}", 1],
    ["Energy (kWh)", "{email, sum: (.used_wh / 10 | round / 10)}", 1],
    ["Energy in kilowatt-hours", "{email, sum: (.used_wh / 10 | round / 10)}", 1],
    [
      "Area (m²)",
      "{email, sum: (if .area_sqft == null then null else (.area_sqft / 0.0929 | round) end)}",
      1,
    ],
    ["Weight (lb)", "{email, sum: .weight_kg}", 1],
    ["Skipped (%)", "{email, sum: (.skip_share | round)}", 1],
    ["Power (kW)", "{email, sum: .peak_w}", 1],
    ["Pressure (psi)", "{email, sum: .pressure_kpa}", 1],
    ["Time (hours)", "{email, sum: (.ms_played / 3600000 * 10 | round / 10)}", 0],
    ["Time (hours)", "{email, sum: (.seconds_spent / 360 | round / 10)}", 0],
    ["Hours, last 28 days", "{email, sum: (.seconds_spent / 360 | round / 10)}", 0],
    ["Energy (kWh)", "{email, sum: (.used_wh / 10 | round / 100)}", 0],
    ["Area (m²)", "{email, sum: (.area_sqft * 0.092903 | round)}", 0],
    ["Weight (lb)", "{email, sum: (.weight_kg * 2.2046 | round)}", 0],
    ["Weight (lb)", "{email, sum: (.weight_kg / 0.4536)}", 0],
    ["Skipped (%)", "{email, sum: (.skip_share * 100 | round)}", 0],
    ["Plan", "{email, sum: .ms_teams_id}", 0],
    ["Price with tax (€)", "{email, sum: (.price_cents / 100 * 1.19)}", 0],
    ["Minutes of the meeting", "{email, sum: .minutes}", 0],
  ])("%s: %s", (title, program, count) => {
    expect(offered(program, title)).toHaveLength(count);
  });

  const sent = (program: string, comment: string, more: Record<string, unknown> = {}): string[] =>
    findings("value/other-unit", "outbound", { [target]: sending(program, { _comment: comment }), ...more });
  const worth = (values: Readonly<Record<string, string>>): Record<string, unknown> => ({
    "/workflows/0/setup/select/form_fields/1": dropdown("worth", values),
  });
  const chosen = "(${custom_data.worth.value} | tonumber)";

  test.each([
    ["All money is in cents.", `{email, amount: ${chosen}}`, worth({ 5: "5 dollars", 10: "10 dollars" }), 1],
    ["", `{email, worth_cents: (${chosen} * 100)}`, worth({ 500: "5 euros", 1000: "10 euros" }), 1],
    ["", `{email, microlitres: (${chosen} / 1000)}`, worth({ 0.5: "0.5 mL", 2: "2 mL" }), 1],
    ["All …_ts are Unix seconds.", "{email, ready_ts: (.day | fromdate * 1000)}", {}, 1],
    ["max_temp is in tenths of a degree Celsius.", "{email, max_temp: (.max_temp_deci_c / 10)}", {}, 1],
    ["max_temp is in tenths of a degree Celsius.", "{email, max_temp: .max_temp_deci_c}", {}, 0],
    [
      "All money is in cents.",
      `{email, amount: (${chosen} * 100)}`,
      worth({ 5: "5 dollars", 10: "10 dollars" }),
      0,
    ],
    ["", `{email, worth_cents: ${chosen}}`, worth({ 500: "5 euros", 1000: "10 euros" }), 0],
    ["", `{email, microlitres: (${chosen} * 1000)}`, worth({ 0.5: "0.5 mL", 2: "2 mL" }), 0],
    ["All …_ts are Unix seconds.", "{email, ready_ts: (.day | fromdate)}", {}, 0],
    [
      "Weights are grams.",
      "{email, weight: ((.weight | tonumber) * 1000)}",
      { [taken]: [{ title: "Weight (kg)", id: "weight" }] },
      0,
    ],
    [
      "Weights are grams.",
      "{email, weightGrams: ((.parcel.weight | tonumber) * 1000)}",
      { [taken]: [{ title: "Weight (kg)", id: "weight", group: "parcel" }] },
      0,
    ],
  ])("%s %s", (comment, program, more, count) => {
    expect(sent(program, comment, more)).toHaveLength(count);
  });
});

describe("value/titled-date", () => {
  const read = (title: string, program: string): string[] =>
    findings("value/titled-date", "outbound", {
      [taken]: [
        { title: "Email", id: "email" },
        { title, id: "born", required: true },
      ],
      [target]: sending(program),
    });

  test.each([
    ["Born (DD/MM/YYYY)", '{email, born: (.born | strptime("%m/%d/%Y") | mktime)}', 1],
    ["Born (DD/MM/YYYY)", '(.born | strptime("%Y-%m-%d") | mktime) as $b | {email, born: $b}', 1],
    ["Born (DD.MM.YYYY)", '{email, born: (.born | split(".") | "\\(.[2])-\\(.[0])-\\(.[1])")}', 1],
    ["Born (MM/DD/YYYY)", '{email, born: (.born | split("/") | [.[2], .[1], .[0]] | join("-"))}', 1],
    ["Born (DD.MM.YYYY)", '{email, born: (.born | "\\(.[6:10])-\\(.[0:2])-\\(.[3:5])")}', 1],
    ["Born (DD/MM/YYYY)", '{email, born: (.born | strptime("%d/%m/%Y") | mktime)}', 0],
    ["Born (DD.MM.YYYY)", '{email, born: (.born | split(".") | "\\(.[2])-\\(.[1])-\\(.[0])")}', 0],
    ["Born (MM/DD/YYYY)", '{email, born: (.born | split("/") | [.[2], .[0], .[1]] | join("-"))}', 0],
    ["Born (DD.MM.YYYY)", '{email, born: (.born | "\\(.[6:10])-\\(.[3:5])-\\(.[0:2])")}', 0],
    ["Born", '{email, born: (.born | strptime("%m/%d/%Y") | mktime)}', 0],
    // What a service gives has a form of its own.
    ["Born (DD/MM/YYYY)", '{email, born: (.other | strptime("%m/%d/%Y") | mktime)}', 0],
  ])("%s: %s", (title, program, count) => {
    expect(read(title, program)).toHaveLength(count);
  });

  test.each([
    ["Born (YYYY-MM-DD)", '{email, born: (.at | fromdate | strftime("%d.%m.%Y"))}', 1],
    [
      "Born (YYYY-MM-DD)",
      '{email, born: (if .at == null then null else (.at | fromdate | strftime("%F")) end)}',
      0,
    ],
    ["Born (YYYY-MM-DD)", '{email, born: (.at | fromdate | strftime("%F %T"))}', 0],
  ])("written: %s: %s", (title, program, count) => {
    const titles = [
      { title: "Email", id: "email" },
      { title, id: "born" },
    ];
    expect(inSource("value/titled-date", program, { [options]: titles })).toHaveLength(count);
  });
});

describe("value/odd-period", () => {
  test.each([
    ["{monthly: 12, quarterly: 3, yearly: 1}", ["3"]],
    ["{month: 1, quarter: 4, year: 12}", ["4"]],
    ["{weekly: 52, monthly: 12, quarterly: 4, yearly: 12}", ["12"]],
    ['{"half-yearly": 2, monthly: 12, annual: 12}', ["12"]],
    ["{monthly: 12, quarterly: 4, yearly: 1}", []],
    ["{month: 1, quarter: 3, year: 12}", []],
    ["{week: 7, month: 30, quarter: 91, year: 365}", []],
    // Two may count anything, and these are places in a list.
    ["{monthly: 10, yearly: 100}", []],
    ["{weekly: 1, monthly: 2, quarterly: 3, yearly: 4}", []],
    ["{monthly: 0, quarterly: 5, yearly: 10}", []],
  ])("%s", (table, expected) => {
    expect(inSource("value/odd-period", `{email, fee: (.fee * ${table}[.billed])}`)).toEqual(expected);
  });
});

describe("value/other-direction", () => {
  const reckoned = (field: object, program: string): string[] =>
    findings("value/other-direction", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field,
      [target]: sending(program),
    });
  const before = dropdown("remind", { 15: "15 minutes before", 60: "One hour before" });
  const later = dropdown("remind", { 1: "1 day later", 3: "3 days later", 0: "Never" });
  const back = dropdown("remind", { 7: "7 days ago", 30: "30 days ago" });
  const typed = { label: "Days before the start", id: "remind", type: "text" };
  const minutes = "(${custom_data.remind.value} | tonumber) * 60";

  test.each([
    ["before", before, `{email, at: ((.starts_at | fromdate) + ${minutes})}`, ["+"]],
    [
      "before, in a variable",
      before,
      `(${minutes}) as $m | {email, at: ((.starts_at | fromdate) + $m)}`,
      ["+"],
    ],
    ["later", later, `{email, at: ((.ends_at | fromdate) - ${minutes} * 1440)}`, ["-"]],
    ["ago", back, `{email, since: (now + ${minutes} * 1440)}`, ["+"]],
    ["typed", typed, `{email, at: ((.starts_at | fromdate) + ${minutes} * 1440)}`, ["+"]],
    ["right: before", before, `{email, at: ((.starts_at | fromdate) - ${minutes})}`, []],
    ["right: later", later, `{email, at: ((.ends_at | fromdate) + ${minutes} * 1440)}`, []],
    ["right: how old it has to be", later, `{email, until: (now - ${minutes} * 1440)}`, []],
    ["right: ago", back, `{email, since: (now - ${minutes} * 1440)}`, []],
    ["right: nothing said", dropdown("remind", { 15: "15 minutes" }), `{email, at: (now + ${minutes})}`, []],
    [
      "right: both",
      dropdown("remind", { 15: "15 minutes before", 60: "60 minutes after" }),
      `{email, at: (now + ${minutes})}`,
      [],
    ],
  ])("%s", (_, field, program, expected) => {
    expect(reckoned(field, program)).toEqual(expected);
  });
});

describe("value/turned-offset", () => {
  test.each([
    ["(.at | fromdate) - .utc_offset_minutes * 60", 1],
    ["(.at | fromdateiso8601) - .site.utcOffset * 60", 1],
    ['(.starts_local + "Z" | fromdate) + .utc_offset * 60', 1],
    ["(.at | fromdate) + .utc_offset_minutes * 60", 0],
    ['(.starts_local + "Z" | fromdate) - .utc_offset * 60', 0],
    ["(.at | fromdate) - .offset * 60", 0],
    ['(.at[0:19] + "Z" | fromdate) - .utc_offset_minutes * 60', 1],
    // The program puts the zone there: the text has none.
    ['(.starts + ":00Z" | fromdate) - .utc_offset * 60', 0],
    ['("\\(.day)T\\(.time):00Z" | fromdate) - .utc_offset_min * 60', 0],
    ["(.at | fromdate) - .utc_at", 0],
  ])("%s", (sum, count) => {
    expect(inSource("value/turned-offset", `{email, at: (${sum} | strftime("%H:%M"))}`)).toHaveLength(count);
  });
});

describe("value/documented-factor", () => {
  const told = (comment: string, program: string): string[] =>
    findings("value/documented-factor", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { _comment: comment, "!jq": program },
    });

  test.each([
    ["1 mmol/L is 18.016 mg/dL.", "{email, glucose_mmol: (.glucose_mg_per_dl * 18.016)}", 1],
    ["One credit is 30 hours.", "{email, hours: (.credits / 30)}", 1],
    ["1 mmol/L is 18.016 mg/dL.", "{email, glucose_mg_per_dl: (.glucose_mmol * 18.016)}", 0],
    ["1 mmol/L is 18.016 mg/dL.", "{email, glucose_mmol: (.glucose_mg_per_dl / 18.016)}", 0],
    ["One credit is 30 hours.", "{email, hours: (.credits * 30)}", 0],
    ["One page has 50 records.", "{email, share: (.done / 50)}", 0],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("http/skipped-list", () => {
  const tags = multiselect("tags", { new: "New", old: "Old" }, { required: false });
  const told = (program: string, field: object = tags): string[] =>
    findings("http/skipped-list", "outbound", {
      "/workflows/0/setup/select/form_fields/1": field,
      [target]: sending(program),
    });
  const value = "${custom_data.tags.value | default}";

  test.each([
    ["made by a step", `{email, tags: ${value}}`, 1],
    ["in a variable", `${value} as $t | {email, tags: $t}`, 1],
    ["right: asked about", `{email, tags: (${value} | if . == "" then [] else . end)}`, 0],
    ["right: left out", `if ${value} == "" then {email} else {email, tags: ${value}} end`, 0],
    ["right: joined", `{email, tags: (${value} | if type == "array" then join(",") else . end)}`, 0],
  ])("%s", (_, program, count) => {
    expect(told(program)).toHaveLength(count);
  });

  test("right: required", () => {
    const required = multiselect("tags", { new: "New", old: "Old" });
    expect(told("{email, tags: ${custom_data.tags.value}}", required)).toEqual([]);
  });
});
