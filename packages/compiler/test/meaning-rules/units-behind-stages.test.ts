import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings, inSource } from "../support/rule-findings.ts";

/** Units of what is reckoned in another form: in a branch, by a definition, of several, and under other names. */

const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const offered = "/workflows/0/setup/map/describe_source/options";

/** A target that sends what a program makes. */
const sending = (program: string, said?: string) => ({
  "!pipe": [
    { ...(said === undefined ? {} : { _comment: said }), "!jq": program },
    { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
  ],
});

describe("value/other-unit: behind a stage", () => {
  const cap = dropdown("cap", { "20": "20 € a tonne", "35": "35 € a tonne" });
  const sent = (program: string, said: string): string[] =>
    findings("value/other-unit", "outbound", { [fields]: [cap], [target]: sending(program, said) });

  test.each([
    ["tonumber", 1],
    ["tonumber | round", 1],
    ["(. | tonumber)", 1],
    ["tonumber * 100", 0],
    ["(tonumber * 100 | round)", 0],
  ])("%s in a branch", (value, count) => {
    const program = `{email} + (\${custom_data.cap.value} | if . == "" then {} else {max_price: (${value})} end)`;
    expect(sent(program, "max_price is in cents a tonne.")).toHaveLength(count);
  });

  test.each([
    ["def rounded($n): . * pow(10; $n) | round | . / pow(10; $n);", ".lost_w | rounded(2)", 1],
    ["def rounded($n): pow(10; $n) as $f | . * $f | round / $f;", ".lost_w | rounded(2)", 1],
    ["def rounded($n): . * pow(10; $n) | round | . / pow(10; $n);", ".lost_w / 1000 | rounded(2)", 0],
    ["def rounded($n): . * pow(10; $n) | round | . / pow(10; $n);", ".lost_w | rounded(2) / 1000", 0],
  ])("%s %s", (definition, value, count) => {
    const program = `${definition} {email, lost_kw: (${value})}`;
    expect(inSource("value/other-unit", program)).toHaveLength(count);
  });

  test.each([
    ["{email, hours: (.lessons * .lesson_minutes)}", 1],
    ["{email, hours: (.lesson_minutes * .lessons)}", 1],
    ["{email, hours: (.lessons * .lesson_minutes / 60)}", 0],
    ["{email, hours: (.lesson_minutes * .lessons / 60)}", 0],
    ["{email, minutes: (.lessons * .lesson_minutes)}", 0],
    ["{email, hours: (.rate * .lesson_minutes)}", 0],
    ["{email, total: (.price * .lesson_minutes)}", 0],
    ["{email, volume_dm3: .volume_m3}", 1],
    ["{email, volume_dm3: (.volume_m3 * 1000)}", 0],
  ])("%s", (program, count) => {
    expect(inSource("value/other-unit", program)).toHaveLength(count);
  });

  test.each([
    ["Days left", "3600", 1],
    ["Days left", "86400", 0],
    ["Left", "3600", 0],
  ])("a variable under %s", (title, factor, count) => {
    const program = `(((.due_on + "T00:00:00Z" | fromdate) - now) / ${factor} | ceil) as $left | {email, left_then: $left}`;
    expect(
      inSource("value/other-unit", program, {
        [offered]: [
          { id: "email", title: "Email" },
          { id: "left_then", title },
        ],
      }),
    ).toHaveLength(count);
  });

  test.each([
    ["now * 1000", 1],
    ["now", 0],
  ])("a start in seconds: %s", (value, count) => {
    expect(
      sent(`{email, valid_from: (${value} | floor)}`, "valid_from is Unix time in seconds"),
    ).toHaveLength(count);
  });
});

describe("jq/other-span: in other forms", () => {
  test.each([
    ["def on($days): now + $days * 3600 | todate; {email, on: on(.days)}", 1],
    ["def on($days): now + $days * 86400 | todate; {email, on: on(.days)}", 0],
    ["def on($hours): now + $hours * 3600 | todate; {email, on: on(.hours)}", 0],
    [
      '{email, on: (.moved_at | strftime("%Y")), days_in_process: ((.moved_at - .applied_at) / 3600 | floor)}',
      1,
    ],
    [
      '{email, on: (.moved_at | strftime("%Y")), days_in_process: ((.moved_at - .applied_at) / 86400 | floor)}',
      0,
    ],
    [
      '((.moved_at - .applied_at) / 3600 | floor) as $n | {email, on: (.moved_at | strftime("%Y")), days_since_then: $n}',
      1,
    ],
  ])("%s", (program, count) => {
    expect(inSource("jq/other-span", program)).toHaveLength(count);
  });

  test.each([
    ["Erste Lieferung in Wochen", "86400", 1],
    ["Erste Lieferung in Wochen", "604800", 0],
    ["Erste Lieferung in Tagen", "86400", 0],
    ["Première livraison (en semaines)", "86400", 1],
  ])("%s", (label, factor, count) => {
    const field = { id: "first", label, type: "text", options: [] };
    const program = `{email, start: (now + (\${custom_data.first.value} | tonumber) * ${factor} | todate)}`;
    expect(
      findings("jq/other-span", "outbound", { [fields]: [field], [target]: sending(program) }),
    ).toHaveLength(count);
  });
});

describe("value/other-duration: in other forms", () => {
  const days = dropdown("days", { "1": "One day", "5": "Five days", "30": "Thirty days" });

  test.each([
    ["now + (${custom_data.days.value} | tonumber - 1) * 86400", 0],
    ["now + ((${custom_data.days.value} | tonumber) - 1) * 3600", 1],
    ["now + ((${custom_data.days.value} | tonumber) - 1) * 86400", 0],
    ['now + (${custom_data.days.value} | if . == "" then 0 else tonumber * 3600 end)', 0],
  ])("%s", (value, count) => {
    const program = `{email, until: (${value} | todate)}`;
    expect(
      findings("value/other-duration", "outbound", { [fields]: [days], [target]: sending(program) }),
    ).toHaveLength(count);
  });
});

describe("value/documented-span", () => {
  const sent = (said: string, value: string, name = "hold_until"): string[] =>
    findings("value/documented-span", "outbound", {
      [target]: sending(`{email, ${name}: (${value})}`, said),
    });

  test.each([
    ["The offer is held for three days.", "now + 3 * 3600 | todate", 1],
    ["The offer is held for three days.", "(now + 3 * 60) | floor", 1],
    ["The offer is held for three days.", "now + 3 * 86400 | todate", 0],
    ["The offer is held for three days.", "now + 72 * 3600 | todate", 0],
    ["The offer is held for three days.", "now + 5 * 3600 | todate", 0],
    ["Three days, or three hours at night.", "now + 3 * 3600 | todate", 0],
    ["from and to are days; four weeks are looked through.", "now as $n | $n + 28 * 3600 | todate", 1],
    ["An invitation stands for seven days.", "now + 86400 | todate", 1],
    ["An invitation stands for at least seven days.", "now + 86400 | todate", 0],
    ["An invitation stands for seven days; we remind after a day.", "now + 86400 | todate", 0],
    ["The bank wants seven days notice.", "now + 86400 | todate", 0],
    ["Offsets are at most two days.", ".offset + 2 * 3600", 0],
  ])("%s %s", (said, value, count) => {
    expect(sent(said, value)).toHaveLength(count);
  });

  test("another member than an end", () => {
    expect(sent("An invitation stands for seven days.", "now + 86400 | todate", "begins_on")).toEqual([]);
  });

  test.each([
    [dropdown("when", { now: "At once", later: "In three days" }), 1],
    [dropdown("when", { "0": "At once", "3": "In three days" }), 0],
  ])("an option %j", (field, count) => {
    expect(
      findings("value/documented-span", "outbound", {
        [fields]: [field],
        [target]: sending("{email, when: ${custom_data.when.value}, due: (now + 3 * 3600 | todate)}"),
      }),
    ).toHaveLength(count);
  });
});

test("value/documented-span: hours from UTC, beside what customers choose", () => {
  const told = (name: string): string[] =>
    findings("value/documented-span", "outbound", {
      [fields]: [dropdown("when", { now: "At once", later: "In two days" })],
      [target]: sending(`{email, when: \${custom_data.when.value}, ${name}: (now + 2 * 3600 | todate)}`),
    });
  expect(told("local_time")).toEqual([]);
  expect(told("expires_at")).toHaveLength(1);
});

describe("value/documented-terms: what a field says of its options", () => {
  const field = {
    ...dropdown("priority", { R: "Routine", U: "Urgent", E: "Emergency" }),
    help_text: "Routine is due in three days, urgent in one day, emergency in two hours.",
  };
  test.each([
    ["60", 1],
    ["3600", 0],
  ])("times %s", (factor, count) => {
    const program = `{email, due: (now + {R: 72, U: 24, E: 2}[\${custom_data.priority.value}] * ${factor} | todate)}`;
    expect(
      findings("value/documented-terms", "outbound", { [fields]: [field], [target]: sending(program) }),
    ).toHaveLength(count);
  });
});
