import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { allFindings, findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Times that are reckoned from the present: the wrong sign, a division instead of a product, another unit. */

const field = dropdown("valid", { "30": "Thirty days", "90": "Ninety days", "365": "A year" });
const delay = dropdown("due-in", { "30": "30 minutes", "120": "2 hours", "1440": "1 day" });

const inTarget = (member: string): Readonly<Record<string, unknown>> => ({
  "/workflows/0/setup/select/form_fields/1": field,
  "/workflows/0/setup/select/form_fields/2": delay,
  "/workflows/0/data_pipeline/target": {
    "!pipe": [
      { "!jq": `{email: .email, ${member}}` },
      { "!http": { method: "POST", path: "/lists/${custom_data.list.value}/x", body: "${piped_content.1}" } },
    ],
  },
});
const valid = "(${custom_data.valid.value} | tonumber)";
const dueIn = "(${custom_data.due-in.value} | tonumber)";

describe("value/past-deadline", () => {
  const told = (member: string): string[] => findings("value/past-deadline", "outbound", inTarget(member));

  test.each([
    [`valid_until: (now - ${valid} * 86400 | strftime("%Y-%m-%d"))`, `now - ${valid} * 86400`],
    [`DueOn: (now - ${valid} * 86400 | floor | todate)`, `now - ${valid} * 86400`],
    [`expires_at: ((now - ${valid} * 86400) * 1000 | floor)`, `now - ${valid} * 86400`],
    [`due_at: (now - ${dueIn} * 60 | floor)`, `now - ${dueIn} * 60`],
    [`"send_at": (now - ${dueIn} * 60 | floor | todate)`, `now - ${dueIn} * 60`],
    [`"expires-at": (if .forever then null else (now - 30 * 86400 | todate) end)`, "now - 30 * 86400"],
  ])("%s", (member, marked) => {
    expect(told(member)).toEqual([marked]);
  });

  test.each([
    `valid_until: (now + ${valid} * 86400 | strftime("%Y-%m-%d"))`,
    `valid_from: (now - ${valid} * 86400 | strftime("%Y-%m-%d"))`,
    `created_at: (now - ${valid} * 86400 | todate)`,
    `due_since: (now - ${valid} * 86400 | todate)`,
    `due_before: (now - ${valid} * 86400 | todate)`,
    // The end of a window, as far as all is stored.
    "until: (now - 300 | floor)",
    // A clock that is ahead.
    "expires_at: (now - 5 | floor)",
    `due_at: (${valid} * 86400 + now | todate)`,
  ])("%s is right", (member) => {
    expect(told(member)).toEqual([]);
  });
});

describe("polling/future-start by the key's own name", () => {
  const setup = (state: string): Readonly<Record<string, unknown>> => ({
    initial_setup: { "!jq": `{polling_state: {page: 1, ${state}}}` },
    request: {
      "!pipe": [
        { "!http": { path: "/orders", params: { filter: "changed gt ${polling_state.since}" } } },
        {
          "!jq":
            "{results: .items, iterate: .more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}",
        },
      ],
    },
  });

  test.each([
    ["since: (now + 30 * 86400 | floor | todate)", "now + 30 * 86400"],
    ['since: ((now + 30 * 86400 | todate) + ",0")', "now + 30 * 86400"],
    ["changed_from: (now + 7 * 86400 | floor)", "now + 7 * 86400"],
  ])("%s", (state, marked) => {
    expect(inPolling("polling/future-start", setup(state))).toEqual([marked]);
  });

  test.each([
    "since: (now - 30 * 86400 | floor | todate)",
    "since: (now + 60 | floor | todate)",
    "retry_after: (now + 2 * 3600 | floor)",
    "until: (now + 7 * 86400 | floor)",
  ])("%s is right", (state) => {
    expect(inPolling("polling/future-start", setup(state))).toEqual([]);
  });
});

describe("jq/divided-span", () => {
  test.each([
    ["{email, until: (now + .trial / 86400 | todate)}", ".trial / 86400"],
    ["{email, until: (now + 365 / 86400 | todate)}", "365 / 86400"],
    ["{email, until: (.swept_at + 365 / 86400 | todate)}", "365 / 86400"],
    ["{email, until: ((.at | fromdate) + (.trial / 3600) | todate)}", "(.trial / 3600)"],
    ["{email, until: (now + .trial * 7 / 86400 | todate)}", ".trial * 7 / 86400"],
  ])("%s", (program, marked) => {
    expect(inSource("jq/divided-span", program)).toEqual([marked]);
  });

  test.each([
    "{email, until: (now + .trial * 86400 | todate)}",
    "{email, until: (now + .trial / 1000 | todate)}",
    "{email, until: (now + .trial / 60 * 3600 | todate)}",
    "{email, until: (now + .hours / 24 * 86400 | todate)}",
    "{email, until: (now + .ttl / 2 | todate)}",
    "{email, days: (now / 86400 - .start / 86400 | floor)}",
    "{email, days: ((now - (.at | fromdate)) / 86400 | floor)}",
    "{email, hours: (.worked + .seconds / 3600)}",
  ])("%s is right", (program) => {
    expect(inSource("jq/divided-span", program)).toEqual([]);
  });

  test("of a choice, told once", () => {
    const found = allFindings(
      "outbound",
      inTarget(`valid_until: (now + ${valid} / 86400 | strftime("%Y-%m-%d"))`),
    ).filter(({ rule }) => /span|duration|units|factor/.test(rule));
    expect(found.map(({ rule }) => rule)).toEqual(["jq/divided-span"]);
  });
});

describe("value/other-duration with numbers in words", () => {
  test.each([
    [`${valid} * 1440`, 1],
    [`${valid} * 864000`, 1],
    [`${valid} * 86400`, 0],
    [`${valid} * 24 * 3600`, 0],
  ])("now + %s", (span, count) => {
    const found = findings(
      "value/other-duration",
      "outbound",
      inTarget(`valid_until: (now + ${span} | todate)`),
    );
    expect(found).toHaveLength(count);
  });
});

describe("jq/wrong-factor with other powers of ten", () => {
  test.each([
    "{email, dues: (.dues_cents / 1000)}",
    "{email, dues: (.duesCents / 10)}",
    "{email, dues: (.dues_pence / 100000)}",
    "{email, dues: (.total_minor / 10000)}",
  ])("%s", (program) => {
    expect(inSource("jq/wrong-factor", program)).toHaveLength(1);
  });

  test.each([
    "{email, dues: (.dues_cents / 100)}",
    // A thousand parts, as dinars have.
    "{email, dues: (.total_minor / 1000)}",
    "{email, dues: (.dues_cents / 12)}",
    "{email, dues: (.dues_cents / 10 | round / 10)}",
    "{email, dues: (.dues_cents / 10 / 10)}",
    "{email, dues: (.cost_micros / 10000)}",
  ])("%s is right", (program) => {
    expect(inSource("jq/wrong-factor", program)).toEqual([]);
  });
});

describe("jq/added-times", () => {
  test.each([
    '{email, years: ((now + (.born | strptime("%Y-%m-%d") | mktime)) / 31557600 | floor)}',
    "{email, age: (now + (.at | fromdate) | floor)}",
    "{email, minutes: ((.left_at + .entered_at) / 60 | round)}",
    ". as $v | {email, minutes: (($v.leftAt + $v.enteredAt) / 60 | round)}",
    "(.at | fromdate) as $begin | {email, age: (now + $begin | floor)}",
  ])("%s", (program) => {
    expect(inSource("jq/added-times", program)).toHaveLength(1);
  });

  test.each([
    '{email, years: ((now - (.born | strptime("%Y-%m-%d") | mktime)) / 31557600 | floor)}',
    "{email, until: (now + .trial * 86400 | floor)}",
    "{email, middle: ((now + (.at | fromdate)) / 2 | todate)}",
    '{email, text: (.created_at + " " + .updated_at)}',
    "{email, text: (.created_at + .updated_at)}",
    "{email, until: ((.at | fromdate) + .offset | todate)}",
  ])("%s is right", (program) => {
    expect(inSource("jq/added-times", program)).toEqual([]);
  });
});
