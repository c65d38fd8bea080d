import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Pence behind signs and numbers of pieces, days with both ends, nights, bounds by names, halves of places, cuts, lists with pages. */

const offered = "/workflows/0/setup/map/describe_source/options";
const comment = "/workflows/0/data_pipeline/_comment";

describe("value/minor-units behind what is reckoned", () => {
  const told = (value: string): string[] =>
    inSource("value/minor-units", `.sale as $sale | {email: .email, amount: ${value}}`, {
      [offered]: [
        { id: "email", title: "Email" },
        { id: "amount", title: "Amount in pounds" },
      ],
    });

  test.each([
    ['((if .kind == "refund" then -1 else 1 end) * $sale.total_pence)', 1],
    ['($sale.total_pence * (if .kind == "refund" then -1 else 1 end))', 1],
    ['((if .kind == "refund" then -1 else 1 end) as $sign | $sign * $sale.totalPence)', 1],
    ['({"refund": -1}[.kind] // 1) * $sale.total_pence', 1],
    ['(if .kind == "refund" then -$sale.total_pence else $sale.total_pence end)', 1],
    ["([$sale.lines[] | .quantity * .weekly_pence] | add // 0)", 1],
    ["(reduce $sale.lines[] as $line (0; . + $line.quantity * $line.price_pence))", 1],
    [String.raw`"£\($sale.total_pence)"`, 1],
    [String.raw`"\($sale.total_pence) GBP"`, 1],
    ['((if .kind == "refund" then -1 else 1 end) * $sale.total_pence / 100)', 0],
    ["([$sale.lines[] | .quantity * .weekly_pence] | add // 0 | . / 100)", 0],
    ["((reduce $sale.lines[] as $line (0; . + $line.price_pence)) / 100)", 0],
    [String.raw`"£\($sale.total_pence / 100)"`, 0],
    [String.raw`"\($sale.total_pence)p"`, 0],
    // A share in percent makes pounds of it.
    ["($sale.discount * $sale.total_pence / 100)", 0],
    ["([$sale.lines[] | select(.price_pence > 0)] | length)", 0],
  ])("%s", (value, count) => {
    expect(told(value)).toHaveLength(count);
  });
});

describe("value/inclusive-days in other forms", () => {
  const told = (
    value: string,
    said = "days counts the first and the last day: a day tour has 1.",
  ): string[] =>
    inSource(
      "value/inclusive-days",
      `.tour as $t | {email: .email, starts_on: $t.starts_on, ends_on: ${value}}`,
      {
        [comment]: said,
      },
    );
  const from = '($t.starts_on + "T00:00:00Z" | fromdate)';

  test.each([
    [`(${from} + $t.days * 86400 | todate | .[0:10])`, 1],
    ['($t.starts_on | strptime("%Y-%m-%d") | mktime + 86400 * $t.days | strftime("%F"))', 1],
    [String.raw`("\($t.starts_on)T00:00:00Z" | fromdate | . + $t.days * 24 * 3600 | todate | .[:10])`, 1],
    [`(if $t.days == null then null else (${from} + $t.days * 86400 | todate | .[0:10]) end)`, 1],
    [`(${from} + ($t.days - 1) * 86400 | todate | .[0:10])`, 0],
    [`(${from} + $t.nights * 86400 | todate | .[0:10])`, 0],
    [`(${from} + $t.days * 3600 | todate | .[0:10])`, 0],
  ])("%s", (value, count) => {
    expect(told(value)).toHaveLength(count);
  });

  test("Without a comment", () => {
    expect(told(`(${from} + $t.days * 86400 | todate | .[0:10])`, "A tour has some days.")).toEqual([]);
  });
});

describe("value/other-night", () => {
  const told = (name: string, nights: string, first = "first_night"): string[] =>
    inSource(
      "value/other-night",
      `.permit as $p | $p.nights as $nights | {email: .email, ${name}: (($p.${first} + "T00:00:00Z" | fromdate) + ${nights} * 86400 | todate | .[:10])}`,
    );

  test.each([
    ["leaves_on", "($p.nights - 1)", "first_night", 1],
    ["check_out", "($nights - 1)", "arrival", 1],
    ["departureDate", "($p.nights - 1)", "check_in", 1],
    ["last_night", "$nights", "first_night", 1],
    ["leaves_on", "$p.nights", "first_night", 0],
    ["last_night", "($p.nights - 1)", "first_night", 0],
    // The last day of something else, and a number of days.
    ["ends_on", "($p.nights - 1)", "first_night", 0],
    ["leaves_on", "($p.days - 1)", "first_night", 0],
    ["leaves_on", "($p.nights - 1)", "booked_on", 0],
  ])("%s, %s days after %s", (name, nights, first, count) => {
    expect(told(name, nights, first === "first_night" ? undefined : first)).toHaveLength(count);
  });
});

describe("value/days-between", () => {
  const told = (name: string, title: string, value: string): string[] =>
    inSource(
      "value/days-between",
      `def day: . + "T00:00:00Z" | fromdate; {email: .email, ${name}: ${value}}`,
      {
        [offered]: [
          { id: "email", title: "Email" },
          { id: name, title },
        ],
      },
    );
  const days = "(((.due_on | day) - (.out_on | day)) / 86400)";

  test.each([
    ["days", "Days on hire, both ends counted", days, 1],
    ["days", "Days (first and last included)", `(${days} | round)`, 1],
    ["nights", "Nights", `(${days} + 1)`, 1],
    ["days", "Days on hire, both ends counted", `(${days} + 1)`, 0],
    ["days", "Days on hire, both ends counted", `(${days} | floor | . + 1)`, 0],
    ["days", "Days until it is due", days, 0],
    ["nights", "Nights", days, 0],
    // Now is at some hour of its day.
    ["days", "Days left, both ends counted", "(((.due_on | day) - now) / 86400)", 0],
  ])("%s, %s, %s", (name, title, value, count) => {
    expect(told(name, title, value)).toHaveLength(count);
  });
});

describe("value/documented-time by what is said of all times, in and out", () => {
  const told = (value: string): string[] =>
    findings("value/documented-time", "inbound-webhook", {
      "/api/_comment": "All instants of this API, in and out, are Unix milliseconds.",
      "/workflows/0/data_pipeline/source": { "!jq": `.student as $s | {email: .email, last: (${value})}` },
    });

  test.each([
    ["$s.last_sailed_at | floor | todate", 1],
    ["$s.last_sailed_at / 1000 | floor | todate", 0],
    ["$s.last_sailed_on", 0],
  ])("%s", (value, count) => {
    expect(told(value)).toHaveLength(count);
  });
});

describe("polling/other-time where a comment says how the list is sorted", () => {
  const told = (newest: string): string[] =>
    inPolling("polling/other-time", {
      _comment: "The feed is sorted by changed_at. changed_from is inclusive.",
      initial_setup: {
        "!jq": "{polling_state: {since: (now - 86400 | floor | todate), cursor: null, newest: null}}",
      },
      pre_poll: undefined,
      "request/!pipe/0/!http/params": {
        changed_from: "${polling_state.since}",
        cursor: "${polling_state.cursor}",
      },
      "request/!pipe/1/!jq": `.items as $b | {results: $b, iterate: (.next != null), polling_state: {since: \${polling_state.since}, cursor: .next, newest: ${newest}}}`,
      post_poll: {
        "!jq":
          "${polling_state} as $s | if $s.cursor == null then {polling_state: {since: ($s.newest // $s.since), cursor: null, newest: null}} else {polling_state: $s} end",
      },
    });

  test.each([
    ["([${polling_state.newest}, $b[].starts_on] | max)", 1],
    ["($b[-1].ordered_at // ${polling_state.newest})", 1],
    ["([${polling_state.newest}, $b[].changed_at] | max)", 0],
    ["($b[-1].changed_at // $b[-1].created_at // ${polling_state.newest})", 0],
  ])("%s", (newest, count) => {
    expect(told(newest)).toHaveLength(count);
  });
});

describe("Pairs of a time and an id", () => {
  const told = (rule: string, time: string, start: string): string[] =>
    inPolling(rule, {
      _comment:
        "after_time and after_id name the last one that we have. generated_at is the time of the answer.",
      initial_setup: { "!jq": `{polling_state: {after_time: (${start}), after_id: 0}}` },
      pre_poll: undefined,
      "request/!pipe/0/!http/params": {
        after_time: "${polling_state.after_time}",
        after_id: "${polling_state.after_id}",
        limit: 100,
      },
      "request/!pipe/1/!jq": `\${polling_state} as $state | (.items | last) as $last | {results: .items, iterate: ((.items | length) == 100), polling_state: (if $last == null then $state else $state + {after_time: ${time}, after_id: $last.id} end)}`,
      post_poll: undefined,
    });
  const year = (now: string, other = '${custom_data.list.value} + "-01-01T00:00:00Z"'): string =>
    `if \${custom_data.list.value} == "today" then (${now}) else (${other}) end`;

  test.each([
    [".generated_at", 1],
    ["(if $last.id > 0 then .generated_at else $last.issued_at end)", 1],
    ["$last.issued_at", 0],
    ["(.items | last | .issued_at)", 0],
    [".last_time", 0],
  ])("polling/split-place, %s", (time, count) => {
    expect(told("polling/split-place", time, year("now | floor | todate"))).toHaveLength(count);
  });

  test.each([
    [year("now | floor"), 1],
    [year("now | floor | todate"), 0],
    [year("now | floor", '${custom_data.list.value} + "00"'), 0],
  ])("polling/mixed-kinds, %s", (start, count) => {
    expect(told("polling/mixed-kinds", "$last.issued_at", start)).toHaveLength(count);
  });
});

describe("polling/cut-cycle said in two clauses", () => {
  const told = (before: string, said: string): string[] =>
    inPolling("polling/cut-cycle", {
      _comment: said,
      initial_setup: {
        "!jq":
          "(now - 86400 | floor) as $start | {polling_state: {from: $start, to: $start, page: 1, done: true}}",
      },
      pre_poll: { "!jq": `\${polling_state} as $s | {polling_state: ${before}}` },
      "request/!pipe/0/!http/params": {
        from: "${polling_state.from}",
        to: "${polling_state.to}",
        page: "${polling_state.page}",
      },
      "request/!pipe/1/!jq":
        "${polling_state} as $s | (.page < .pages) as $more | {results: .items, iterate: $more, polling_state: ($s + {page: ($s.page + 1), done: ($more | not)})}",
      post_poll: undefined,
    });
  const next = "{from: $s.to, to: (now - 120 | floor), page: 1, done: false}";
  const goesOn =
    "A cycle may end by its limits before the window is read; the next one then goes on with the same window.";

  test.each([
    [next, goesOn, 1],
    [`(if $s.done then ${next} else $s end)`, goesOn, 0],
    [next, "A window is read in one cycle.", 0],
  ])("%s, %s", (before, said, count) => {
    expect(told(before, said)).toHaveLength(count);
  });
});

describe("http/first-page-only by a comment", () => {
  const told = (request: object, program: string, said = "halls, seats and clubs are paged."): string[] =>
    findings("http/first-page-only", "outbound", {
      "/api/pagination": {
        _comment: said,
        style: { type: "page", page_number: { param: "page" } },
        parser: { total_pages: { "!jq": ".pages" } },
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/lists/${custom_data.list.value}/seats", ...request } },
          { "!jq": program },
          { "!http": { method: "POST", path: "/bookings", body: "${piped_content.2}" } },
        ],
      },
    });
  const search = "[.seats[] | select(.free)] | first | {seat: .id}";

  test.each([
    [{}, search, undefined, 1],
    [{ params: { hall: "${custom_data.list.value}" } }, search, undefined, 1],
    [{ pagination: true }, search, undefined, 0],
    // One record is looked up, or as many as are asked for.
    [{ params: { email: "${piped_content.0.email}" } }, search, undefined, 0],
    [{ params: { limit: 200 } }, search, undefined, 0],
    [{}, "{seat: .seats[0].id}", undefined, 0],
    [{}, search, "halls and clubs are paged.", 0],
    [{}, search, "halls, seats and clubs are paged only if they are long.", 0],
  ])("%j, %s, %s", (request, program, said, count) => {
    expect(told(request, program, said)).toHaveLength(count);
  });
});
