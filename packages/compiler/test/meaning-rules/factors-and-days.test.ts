import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings } from "../support/rule-findings.ts";

/** Factors in definitions and by titles, chosen times, counts of a page in a poll, days that stand still. */

const source = "/workflows/0/data_pipeline/source";
const offered = "/workflows/0/setup/map/describe_source/options";

describe("value/documented-factor in a definition", () => {
  const told = (value: string, title: string): string[] =>
    findings("value/documented-factor", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": "1 ha is 2.471 acres.",
      [offered]: [
        { id: "email", title: "Email" },
        { id: "area", title },
      ],
      [source]: {
        "!jq": `def show($us): if . == null then null else . * $us | round end; def over($us): . / $us; {email, area: (${value})}`,
      },
    });

  test.each([
    [".area_ha | show(1 / 2.471)", "Area (ha or acres)", 1],
    [".area_ha | show(1 / 2.471)", "Area in acres", 1],
    [".area_acres | show(2.471)", "Area (ha)", 1],
    [".area_ha | show(2.471)", "Area (ha or acres)", 0],
    [".area_acres | show(1 / 2.471)", "Area (ha)", 0],
    // What the definition does with it is something else.
    [".area_ha | over(1 / 2.471)", "Area (ha or acres)", 0],
    // Nothing says what is read.
    [".area | show(1 / 2.471)", "Area (ha or acres)", 0],
  ])("%s, %s", (value, title, count) => {
    expect(told(value, title)).toHaveLength(count);
  });
});

describe("value/other-unit by titles and comments", () => {
  const told = (value: string, title: string, said = ""): string[] =>
    findings("value/other-unit", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": said,
      [offered]: [
        { id: "email", title: "Email" },
        { id: "amount", title },
      ],
      [source]: {
        "!jq": `def times($f): if . == null then null else . * $f | round end; {email, amount: (${value})}`,
      },
    });
  const wind = "MeanWindMs is metres per second.";

  test.each([
    [".spray | times(1 / 4.546)", "Spray (l or US gal)", "", 1],
    [".spray / 4.54609", "Spray (US gallons)", "", 1],
    [".spray | times(1 / 3.785)", "Spray (l or US gal)", "", 0],
    [".spray | times(1 / 4.546)", "Spray (imp. gal)", "", 0],
    // Of a length nothing is said.
    [".length | times(2.54)", "Spray (US gal)", "", 0],
    // `in` before a unit isn't inches.
    [".speed_mph | times(1.609344)", "Speed in km/h", "", 0],
    [".length | times(1.609344)", "Length (in)", "", 1],
    [".MeanWindMs | times(1.944)", "Mean wind (km/h)", wind, 1],
    [".MeanWindMs * 2.23694", "Mean wind (km/h)", wind, 1],
    [".MeanWindMs | times(3.6)", "Mean wind (km/h)", wind, 0],
    [".MeanWindMs", "Mean wind (m/s)", wind, 0],
  ])("%s as %s", (value, title, said, count) => {
    expect(told(value, title, said)).toHaveLength(count);
  });
});

describe("chosen times", () => {
  const remind = dropdown("remind", {
    "15": "15 minutes before",
    "60": "1 hour before",
    "1440": "1 day before",
  });
  const told = (rule: string, program: string): string[] =>
    findings(rule, "outbound", {
      "/workflows/0/setup/select/form_fields/1": remind,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/reminders", body: "${piped_content.1}" } },
        ],
      },
    });

  test.each([
    ["{email, lead_sec: (${custom_data.remind.value} | tonumber * 3600)}", 1],
    ["{email, lead_sec: ((${custom_data.remind.value} | tonumber) * 3600)}", 1],
    ["{email, lead_sec: (${custom_data.remind.value} | tonumber * 60)}", 0],
    ["{email, lead_minutes: (${custom_data.remind.value} | tonumber)}", 0],
  ])("value/other-unit: %s", (program, count) => {
    expect(told("value/other-unit", program)).toHaveLength(count);
  });

  test.each([
    ["{email, due_at: (now + (${custom_data.remind.value} | tonumber) * 60000 | floor)}", 1],
    ["{email, due_at: (now + (${custom_data.remind.value} | tonumber) * 60 | floor)}", 0],
    ["{email, due_ms: (now * 1000 + (${custom_data.remind.value} | tonumber) * 60000 | floor)}", 0],
  ])("value/other-duration: %s", (program, count) => {
    expect(told("value/other-duration", program)).toHaveLength(count);
  });
});

describe("polling/counted-page", () => {
  const told = (said: string, program: string): string[] =>
    findings("polling/counted-page", "inbound-polling", {
      "/data_intake/0/_comment": said,
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {offset: 0}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { offset: "${polling_state.offset}", limit: 50 },
      "/data_intake/0/request/!pipe/1/!jq": program,
    });
  const said = "meta.total is of the whole list, count of this page.";
  const ending = (end: string): string =>
    `(\${polling_state.offset} + 50) as $next | (${end}) as $done | {results: .items, iterate: ($done | not), polling_state: {offset: (if $done then 0 else $next end)}}`;

  test.each([
    [said, ending("$next >= .meta.count"), 1],
    [said, ending(".meta.count <= $next"), 1],
    [said, `.meta.count as $all | ${ending("$next >= $all")}`, 1],
    [said, ending("$next >= .meta.total"), 0],
    // The last page isn't full.
    [said, ending(".meta.count < 50"), 0],
    ["meta.count is the number of all records.", ending("$next >= .meta.count"), 0],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toHaveLength(count);
  });
});

describe("polling/standing-window of days", () => {
  const told = (since: string): string[] =>
    findings("polling/standing-window", "inbound-polling", {
      "/data_intake/0/initial_setup": {
        "!jq": '{polling_state: {since: (now - 30 * 86400 | strftime("%Y-%m-%d")), until: null}}',
      },
      "/data_intake/0/pre_poll": {
        "!jq": '{polling_state: {since: ${polling_state.since}, until: (now | strftime("%Y-%m-%d"))}}',
      },
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": {
        from: "${polling_state.since}",
        before: "${polling_state.until}",
      },
      "/data_intake/0/request/!pipe/1/!jq": `{results: .items, iterate: false, polling_state: {since: ${since}, until: null}}`,
    });

  test.each([
    ["${polling_state.since}", 1],
    ["${polling_state.until}", 0],
  ])("%s", (since, count) => {
    expect(told(since)).toHaveLength(count);
  });
});
