import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What counts, days and ends of lists are written as: the same kind of mistake in other words, and what is right although it looks alike. */

describe("what only rounds a value", () => {
  test.each([
    ["{stay_hours: ((.stay_seconds / 60 * 10 | round) / 10)}", 1],
    ["{open_days: ((.closed_ms - .opened_ms) / 3600000 * 100 | round / 100)}", 1],
    ["{wait_minutes: (.wait_seconds / 3600 * 10 | floor / 10)}", 1],
    ["{open_days: ((.closed_ms - .opened_ms) / 86400000 * 10 | round / 10)}", 0],
    ["{stay_hours: (.stay_minutes / 60 * 10 | round / 10)}", 0],
    ["{stay_minutes: (.stay_seconds / 60 | round)}", 0],
    // A factor of ten that isn't taken back is one.
    ["{fee: (.fee_cents * (100 + .vat) / 100 | round / 100)}", 0],
    ["{share: (.part / .whole * 100 | round)}", 0],
  ])("%s", (program, count) => {
    const found = ["value/other-unit", "jq/other-span"].flatMap((rule) => inSource(rule, program));
    expect(found).toHaveLength(count);
  });
});

describe("jq/other-date-order behind the year", () => {
  test.each([
    ['{day: (.day | "\\(.[0:4])-\\(.[6:8])-\\(.[4:6])")}', 1],
    ['.day as $d | {day: ($d[0:4] + "-" + $d[6:8] + "-" + $d[4:6])}', 1],
    ['{day: (.day | [.[:4], .[8:10], .[5:7]] | join("/"))}', 1],
    ['{day: "\\(.at[0:4])-\\(.at[6:8])-\\(.at[4:6])"}', 1],
    ['{day: (.day | "\\(.[0:4])-\\(.[4:6])-\\(.[6:8])")}', 0],
    ['{day: (.day | "\\(.[8:10]).\\(.[5:7]).\\(.[0:4])")}', 0],
    // Of other values, and in other places.
    ["{year: .day[0:4], day: .day[6:8], month: .day[4:6]}", 0],
    ['{code: "\\(.a[0:4])-\\(.b[6:8])-\\(.c[4:6])"}', 0],
    ['{time: "\\(.at[0:4])-\\(.at[4:6])"}', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/other-date-order", program)).toHaveLength(count);
  });
});

describe("jq/offset-in-utc", () => {
  test.each([
    ["{due: (.starts + .utc_offset * 60 | todate)}", 1],
    ['{due: ((.local + "Z" | fromdateiso8601) + .tz_offset_minutes * 60 | todate)}', 1],
    [
      '(.hours * 3600 * (if .sign == "-" then -1 else 1 end)) as $offset | {due: (.at + $offset | todate)}',
      1,
    ],
    ['{due: (.starts + .utc_offset | strftime("%H:%M UTC"))}', 1],
    ["{due: (.starts - .utc_offset * 60 | todate)}", 0],
    ['{due: (.starts + .utc_offset * 60 | strftime("%H:%M"))}', 0],
    ["{due_local: (.starts + .utc_offset * 60 | todate)}", 0],
    ["(0 - .utc_offset) as $offset | {due: (.starts + $offset | todate)}", 0],
    [
      '(.hours * 3600 * (if .sign == "-" then 1 else -1 end)) as $offset | {due: (.at + $offset | todate)}',
      0,
    ],
    // Days from a beginning.
    [".day_offset as $offset | {due: (.starts + $offset * 86400 | todate)}", 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/offset-in-utc", program)).toHaveLength(count);
  });
});

describe("value/other-extreme", () => {
  test.each([
    ["{last_visit: (.visits | sort_by(.started_at) | first | .place)}", 1],
    ["{newest_order: ([.orders[].created_at] | min)}", 1],
    ["(.orders | max_by(.created_at)) as $oldest | {order: $oldest.number}", 1],
    ["{first_paid: (.bills | sort_by(.paid_at) | .[-1].paid_at)}", 1],
    ["{latest: (.visits | sort_by(.started_at) | reverse | last)}", 1],
    ["{last_visit: (.visits | sort_by(.started_at) | last | .place)}", 0],
    ["{newest_order: (.orders | sort_by(.created_at) | reverse | .[0].id)}", 0],
    // By something else than the time.
    ["{last_rating: (.orders | min_by(.stars))}", 0],
    ["{next_visit: (.visits | min_by(.starts_at))}", 0],
    ["{last_order: {id: .id, first_paid: ([.parts[].paid_at] | min)}}", 0],
    ["{first_to_last: ([.visits[].started_at] | min)}", 0],
  ])("%s", (program, count) => {
    expect(inSource("value/other-extreme", program)).toHaveLength(count);
  });

  test.each([
    ["Sends the latest paid invoice of a contact.", 1],
    ["Sends the oldest open invoice of a contact.", 0],
    ["Sends the latest terms with an invoice.", 1],
    ["Sends the latest prices.", 0],
    ["Sends an invoice.", 0],
    ["Sends the oldest invoice, and not the latest invoice.", 0],
  ])("%s", (description, count) => {
    const found = inSource("value/other-extreme", "{email, invoice: (.invoices | min_by(.created_at))}", {
      "/workflows/0/description": description,
    });
    expect(found).toHaveLength(count);
  });
});

describe("jq/number-as-text", () => {
  const told = (...programs: string[]): string[] =>
    findings("jq/number-as-text", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": programs.map((program) => ({ "!jq": program })) },
    });
  test.each([
    [['if .fee_cents == "0" then {email, fee: null} else {email, fee: (.fee_cents / 100)} end'], ['"0"']],
    [['. as $o | {email, is_free: ($o.order.total == "0"), total: ($o.order.total * 2)}'], ['"0"']],
    [['select(.stay_minutes != "0") | {email, hours: (.stay_minutes / 60)}'], ['"0"']],
    [["if .fee_cents == 0 then {email, fee: null} else {email, fee: (.fee_cents / 100)} end"], []],
    // A text all along.
    [['if .fee_cents == "0" then {email} else {email, fee: (.fee_cents | tonumber / 100)} end'], []],
    // Of something else that is called so.
    [['. as $o | {email, is_free: ($o.order.total == "0"), pages: ($o.pages.total - 1)}'], []],
    [['{email, code: (if .fee_code == "1" then "a" else "b" end), fee: (.fee_cents / 100)}'], []],
    [['{email, fee: (.fee_cents / 100), free: ((.fee_cents | tostring) == "0")}'], []],
  ])("%j", (programs, expected) => {
    expect(told(...programs)).toEqual(expected);
  });
});

describe("messages of what failed", () => {
  test.each([
    ['.errors[0].message as $e | if $e != "" then error($e) else {email} end', 1],
    ['first(.results[].errors[]?.message) as $e | if $e == "" then {email} else error($e) end', 1],
    ['[.results[]?.problems[]?.message][0] as $p | if $p != "" then error($p) else {email} end', 1],
    ['(.errors[0].message // "") as $e | if $e != "" then error($e) else {email} end', 0],
    [".errors[0].message as $e | if $e != null then error($e) else {email} end", 0],
    ['.items[0].description as $d | if $d == "" then {email} else {email, d: $d} end', 0],
    ['.error_message as $e | if $e != "" then error($e) else {email} end', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/empty-text", program)).toHaveLength(count);
  });

  test.each([
    ['.problem as $p | if $p != "" then {email} else error($p) end', 1],
    ["if .failed then .reason as $r | if $r == null then error($r) else {email} end else {email} end", 1],
    ['.problem as $p | if $p == "" then {email} else error($p) end', 0],
    ['.note as $n | if $n == "" then error("There is no note: \\($n).") else {email} end', 0],
    ['def or_none(x): x // "none"; .note as $n | if $n == "" then {note: or_none($n)} else {email} end', 0],
    ['.note as $n | if $n == "" then error("none") else {email, note: $n} end', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/used-where-empty", program)).toHaveLength(count);
  });
});
