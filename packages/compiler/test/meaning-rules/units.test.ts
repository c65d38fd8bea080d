import { describe, expect, test } from "vitest";
import { allFindings, findings, inSource } from "../support/rule-findings.ts";

/** Rules about units and amounts: the same kind of mistake in other words, and what is right although it looks alike. */

describe("units by titles and labels", () => {
  const source = (title: string, program: string) => ({
    "/workflows/0/setup/map/describe_source/options": [
      { title: "Email", id: "email" },
      { title, id: "n" },
    ],
    "/workflows/0/data_pipeline/source": { "!jq": program },
  });

  test.each([
    ["Open rate in percent", "{email: .email, n: (if .open_ratio != null then .open_ratio else null end)}"],
    ["Open rate (%)", ".subscriber as $s | {email: .email, n: $s.openRatio}"],
    ["Use in kWh", "{email: .email, n: .usage_wh}"],
    ["Storage (MB)", "{email: .email, n: (.used_bytes / 1024)}"],
    ["Total in EUR", "{email: .email, n: .amount_cents}"],
    ["Score in percent", "{email: .email, n: (.score_per_mille / 1000)}"],
    ["Length in days", "{email: .email, n: .length_hours}"],
    ["Discount (0.15 = 15 %)", "{email: .email, n: .discount_pct}"],
    ["Discount (15 % is 0,15)", "{email: .email, n: .discount_pct}"],
    ["Discount (15 = 15 %)", "{email: .email, n: (.discount_pct / 100)}"],
  ])("%s: %s", (title, program) => {
    expect(findings("value/other-unit", "inbound-webhook", source(title, program))).toHaveLength(1);
  });

  test.each([
    ["Storage (MB)", "{email: .email, n: (.used_bytes / 1048576)}"],
    ["Rate in percent", "{email: .email, n: (.open_ratio * 100 | round)}"],
    ["Rate in percent", "{email: .email, n: (.opened / .sent * 100 | round)}"],
    ["Use in kWh", "{email: .email, n: (.usage_wh / 1000)}"],
    ["Descuento (0,15 = 15 %)", "{email: .email, n: ((.descuento_pct // 0) / 100)}"],
    ["Discount (15 % is 0.15)", "{email: .email, n: (.discount_pct / 100)}"],
    ["Discount (1 means 100 percent)", "{email: .email, n: (.discount_pct / 100)}"],
    ["Booked slots (1 = 30 minutes)", "{email: .email, n: .booked_hours}"],
  ])("right: %s: %s", (title, program) => {
    expect(findings("value/other-unit", "inbound-webhook", source(title, program))).toEqual([]);
  });

  test("the title of an offered field counts more than its id", () => {
    const told = (title: string, program: string): string[] =>
      findings("value/other-unit", "inbound-webhook", {
        "/workflows/0/setup/map/describe_source/options": [
          { title: "Email", id: "email" },
          { title, id: "fee_share" },
        ],
        "/workflows/0/data_pipeline/source": { "!jq": program },
      });
    const percent =
      "{email, fee_share: (.fee_share | if . == null then null else . * 1000 | round / 10 end)}";
    expect(told("Fees to pay in percent", percent)).toEqual([]);
    expect(told("Fees to pay", percent)).toHaveLength(1);
    expect(told("Fees to pay", "{email, fee_share}")).toEqual([]);
  });

  test.each([
    ["List price", "{email: .email, n: (if .price_cents != null then .price_cents else null end)}", 1],
    ["Total", "{email: .email, n: ([.lines[].amountCents] | add)}", 1],
    ["Total", "{email: .email, n: ([.lines[] | .price_cents * .quantity] | add)}", 1],
    ["Fee", ".fee.amount_minor as $fee | {email: .email, n: $fee}", 1],
    ["Fee", "{email: .email, n: (.lines | map(.fee_pence) | max)}", 1],
    ["Fee", "{email: .email, n: (.feeCents // null)}", 1],
    ["Total in cents", "{email: .email, n: .total_cents}", 0],
    ["Total (minor units)", "{email: .email, n: .total_cents}", 0],
    ["Importe en céntimos", "{email: .email, n: .total_cents}", 0],
    ["Belopp i öre", "{email: .email, n: .total_minor}", 0],
    ["Total, ¢", "{email: .email, n: .total_cents}", 0],
    ["Total", "{email: .email, n: (.total_cents / 100)}", 0],
    ["Total", '{email: .email, n: "\\(.total_cents / 100) EUR"}', 0],
  ])("cents as %s: %s", (title, program, times) => {
    expect(findings("value/minor-units", "inbound-webhook", source(title, program))).toHaveLength(times);
  });

  const typed = (label: string, program: string) => ({
    "/workflows/0/setup/select/form_fields/1": { label, id: "amount", type: "text" },
    "/workflows/0/data_pipeline/target": {
      "!pipe": [
        { "!jq": program },
        { "!http": { method: "POST", path: "/gifts", body: "${piped_content.1}" } },
      ],
    },
  });
  const amount = "(${custom_data.amount.value} | tonumber)";

  test.each([
    ["Amount", `{email: .email, value_cents: (${amount} | round)}`, 1],
    ["Amount", `${amount} as $a | {email: .email, valueCents: $a}`, 1],
    ["Donation", `{gift: {amount_minor: ${amount}}}`, 1],
    ["Price", `{price_pence: ${amount}}`, 1],
    ["Budget", `{email: .email} + {budgetCents: (${amount} | floor)}`, 1],
    ["Amount", "{amount_in_cents: ${custom_data.amount.value}}", 1],
    ["Amount in cents", `{value_cents: ${amount}}`, 0],
    ["Amount", `{value_cents: (${amount} * 100 | round)}`, 0],
  ])("typed as %s: %s", (label, program, times) => {
    expect(findings("value/typed-amount", "outbound", typed(label, program))).toHaveLength(times);
  });

  test.each([
    ["Length in minutes", `{duration_seconds: ${amount}}`, 1],
    ["Length in minutes", `{duration_seconds: (${amount} * 60)}`, 0],
    ["Length", `{duration_seconds: ${amount}}`, 0],
  ])("%s: %s", (label, program, times) => {
    expect(findings("value/other-unit", "outbound", typed(label, program))).toHaveLength(times);
  });
});

describe("value/cents-limit", () => {
  const field = (display: string, label = "Smallest order") => ({
    "/workflows/0/setup/select/form_fields/0": {
      label,
      id: "form",
      type: "dropdown",
      options: [
        { display: `${display} 50`, value: "50" },
        { display: "All", value: "0" },
      ],
    },
  });
  const chosen = "(${custom_data.form.value} | tonumber)";
  test.each([
    [`if .total_cents < ${chosen} then null else {email: .email} end`, "From", 1],
    [`${chosen} as $m | if .order.amountCents >= $m then {email: .email} else null end`, "More than", 1],
    [`if ${chosen} > ([.lines[].price_cents] | add) then null else {email: .email} end`, "From", 1],
    [`.total_minor as $t | if $t <= ${chosen} then {email: .email} else null end`, "Up to", 1],
    [`[.orders[] | select(.paid_cents > ${chosen})] | first`, "Above", 1],
    [`[.orders[] | select(.fee_pence < ${chosen})] | {email: first.email}`, "Below", 1],
    [`if .total_cents < ${chosen} * 100 then null else {email: .email} end`, "From", 0],
    [`if .total_cents / 100 < ${chosen} then null else {email: .email} end`, "From", 0],
    [`if .total_cents < ${chosen} then null else {email: .email} end`, "Cents:", 0],
    [`if .total < ${chosen} then null else {email: .email} end`, "From", 0],
  ])("%s: %s", (program, display, times) => {
    expect(inSource("value/cents-limit", program, field(display))).toHaveLength(times);
  });
});

describe("seconds since the epoch", () => {
  const told = (program: string): string[] =>
    ["jq/wrong-factor", "jq/mixed-units", "jq/milliseconds-as-seconds"].flatMap((rule) =>
      inSource(rule, program),
    );

  test.each([
    "{email, on: (.seen_at_s / 1000 | todate)}",
    '{email, on: (.last.epoch_s / 1000 | floor | strftime("%F"))}',
    "(.created_unix / 1000) as $t | {email, on: ($t | todate)}",
    "{email, on: (.updated_at_seconds * 1000 | todate)}",
    "if now - .seen_at_s / 1000 > 60 then null else {email} end",
    "{email, on: (.seenAtS / 1000 | gmtime | todate)}",
    ".visits | map(.time_s / 1000 | todate) | {email: .[0]}",
    "{email, h: (.duration_s / 1000)}",
    "{email, on: (.updated_at_s * 1000 | floor | todate)}",
    "{email, on: (.updated_at_seconds * 1000 | todate)}",
    "{email, on: (.updated_at_s * 1000 | floor | todate)}",
    "{email, on: (.updated_at_ms * 1000 | todate)}",
    "{email, on: (.updated_at_seconds / 60 | todate)}",
  ])("%s", (program) => {
    expect(told(program)).not.toEqual([]);
  });

  test.each([
    "{email, on: (.seen_at_s | todate)}",
    "{email, on: (.seen_at_ms / 1000 | todate)}",
    "{email, on: (.created / 1000 | todate)}",
    "{email, m: (.duration_s / 60)}",
    "{email, ms: (.seen_at_s * 1000)}",
    "{email, x: (.expires_in / 1000)}",
    "{email, on: (.at_epoch / 1000 | todate)}",
    "{email, size_s: .s}",
    "{email, kb: (.options_s / 1000)}",
    "{email, on: (.seen_at_us / 1000000 | todate)}",
    "{email, on: (.requests_per_second / 1000)}",
    "{email, on: ((.seen_at_s + 86400) | todate)}",
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("value/typed-amount: fields of the map", () => {
  const told = (title: string, steps: readonly object[]): string[] =>
    findings("value/typed-amount", "outbound", {
      "/workflows/0/setup/map/describe_target/options": [
        { id: "email", title: "Email" },
        { id: "rent", title },
      ],
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const post = (body: unknown): object => ({
    "!http": { method: "POST", path: "/lists/${custom_data.list.value}/x", body },
  });

  test.each<[string, ...object[]]>([
    ["Rent", { "!jq": "{email, rent_cents: (.rent | tonumber)}" }, post("${piped_content.1}")],
    [
      "Rent",
      { "!jq": "{rent_cents_per_month: (${piped_content.0.rent} | tonumber | round)}" },
      post("${piped_content.1}"),
    ],
    ["Rent", post({ email: "${piped_content.0.email}", rent_cents: "${piped_content.0.rent}" })],
    [
      "Deposit (EUR)",
      post({ email: "${piped_content.0.email}", deposit: { amount_minor: "${piped_content.0.rent}" } }),
    ],
    [
      "Rent",
      { "!jq": "${piped_content.0} as $c | {priceCents: ($c.rent | tonumber)}" },
      post("${piped_content.1}"),
    ],
    [
      "Rent",
      { "!jq": "{email, rent}" },
      { "!jq": "{rent_cents: (if .rent == null then null else (.rent | tonumber) end)}" },
      post("${piped_content.2}"),
    ],
    [
      "Rent",
      { "!jq": "{email} + {rent_pence: ((.rent // 0) | tonumber | floor)}" },
      post("${piped_content.1}"),
    ],
  ])("%s: %j", (title, ...steps) => {
    expect(told(title, steps)).toHaveLength(1);
  });

  test.each<[string, ...object[]]>([
    ["Rent in cents", { "!jq": "{email, rent_cents: (.rent | tonumber)}" }, post("${piped_content.1}")],
    ["Rent", { "!jq": "{email, rent_cents: (.rent | tonumber * 100)}" }, post("${piped_content.1}")],
    [
      "Rent",
      { "!jq": "{email, rent_cents: ((.rent | tonumber) * 100 | round)}" },
      post("${piped_content.1}"),
    ],
    ["Rent", { "!jq": "{email, rent: (.rent | tonumber)}" }, post("${piped_content.1}")],
    ["Rent", { "!jq": "{amount: ((.rent | tonumber) * 100)}" }, post({ cents: "${piped_content.1.amount}" })],
    ["Rent", { "!http": { path: "/x" } }, { "!jq": "{rent_cents: .rent}" }, post("${piped_content.2}")],
    ["Rent", { "!jq": "{cents_limit: .rent}" }, post("${piped_content.1}")],
  ])("right: %s: %j", (title, ...steps) => {
    expect(told(title, steps)).toEqual([]);
  });
});

describe("value/documented-time", () => {
  const source = (comment: string, program: string): string[] =>
    findings("value/documented-time", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    ["{id, at: 1740851990123}", "{at: (.at | todate)}", "todate"],
    ["{id, at: 1740851990123}", '.form.at as $t | {at: ($t | floor | strftime("%F"))}', 'strftime("%F")'],
    ["at is in milliseconds", "{at: (if .at == null then null else .at | todate end)}", "todate"],
    [
      "at (Unix seconds, null at first)",
      "{at: (.at | if . == null then null else . / 1000 | todate end)}",
      "todate",
    ],
    ['{at: "2025-03-03T18:00:00+01:00"}', "{at: (.at | fromdate)}", "fromdate"],
    ["at (2025-03-03T18:00:00.5Z)", "{at: ((.at // .on) | fromdate)}", "fromdate"],
    ["born is like 31.12.1980", '{born: (.born | strptime("%m.%d.%Y") | mktime)}', 'strptime("%m.%d.%Y")'],
    ["{at: 1740851990}", "{at: (.at | fromdate)}", "fromdate"],
    ['{on: "2025-03-03"}', "{on: (.on | todate)}", "todate"],
    ["{id, at: 1740851990123}", "{age: (now - .at)}", ".at"],
    ["at is in milliseconds", "select(.at > now - 3600)", ".at"],
    ['{on: "2025-03-03"}', "select(now - 600 < .on)", ".on"],
    ["Amounts are in cents, all times are milliseconds.", "{at: (.created_at | todate)}", "todate"],
    ["Times are Unix seconds", "{at: (.changedAt / 1000 | todate)}", "todate"],
    ["sent is the time of sending in milliseconds", "{at: (.sent | tonumber? | todate)}", "todate"],
  ])("%s: %s", (comment, program, at) => {
    expect(source(comment, program)).toEqual([at]);
  });

  test.each([
    ["{id, at: 1740851990123}", "{at: (.at / 1000 | floor | todate)}"],
    ["at is in seconds", "{at: (.at | todate)}"],
    ['{at: "2025-03-03T18:00:00Z"}', "{at: (.at | fromdate)}"],
    ['{at: "2025-03-03T18:00:00+01:00"}', '{at: (.at[:19] + "Z" | fromdate)}'],
    ['{at: "2025-03-03T18:00:00+01:00"}', '{at: (.at | sub("\\\\+.*"; "Z") | fromdate)}'],
    ["born is like 31.12.1980", '{born: (.born | strptime("%d.%m.%Y") | mktime)}'],
    // Two samples of one name, and names that aren't shown.
    ["Forms have at: 1740851990123, pages at: 1740851990", "{at: (.at | todate)}"],
    ["{id, at: 1740851990123}", "{at: (.sent | todate)}"],
    ["{id, at: 1740851990123}", "{age: (now - .at / 1000)}"],
    ["{id, at: 1740851990123}", "{age: (now * 1000 - .at)}"],
    ["at: 2025-01-01T10:00:00Z in lists, 1740851990 in events", "{at: (.at | todate)}"],
    ["Sent at 1740851990 or so", "{at: (.at | fromdate)}"],
    ["length is in seconds", '{length: (.length | strftime("%M:%S"))}'],
    // Of all times, but for some; and a day is no time.
    ["All times are milliseconds, but for those of tasks", "{at: (.created_at | todate)}"],
    ["All times are milliseconds", "{day: (.birthday | todate)}"],
    ["Times are seconds. ends_at is in milliseconds.", "{at: (.ends_at / 1000 | todate)}"],
    // Two units, for some records each.
    [
      "at is in seconds from old devices and in milliseconds from new ones.",
      "{at: (if .at > 1e11 then .at / 1000 else .at end | todate)}",
    ],
    [
      "seen_at is in milliseconds, before 2020 in seconds.",
      "{at: (if .seen_at > 1e11 then .seen_at / 1000 else .seen_at end | todate)}",
    ],
    [
      "at is in milliseconds. For events before 2015 it is in seconds.",
      "{at: (if .at < 1e11 then .at else .at / 1000 end | todate)}",
    ],
    [
      "seen_at: Unix seconds; the new app sends milliseconds.",
      "{at: ([.seen_at, .seen_at / 1000] | map(select(. < 1e11)) | max | todate)}",
    ],
  ])("%s: %s is right", (comment, program) => {
    expect(source(comment, program)).toEqual([]);
  });
});

describe("jq/other-span", () => {
  test.each([
    [". as $b | {email, out: (($b.arrives | fromdate) + $b.nights * 1440 | todate)}", "$b.nights * 1440"],
    ['. as $b | {email, out: ($b.on | strptime("%Y-%m-%d") | mktime + $b.nights | todate)}', "$b.nights"],
    ["{email, out: (now + .trial_days * 3600 | todate)}", ".trial_days * 3600"],
    ["{email, out: (now * 1000 + .nights * 86400 | floor)}", ".nights * 86400"],
    ["(.nights | tonumber) as $n | {email, out: (now + $n * 60 * 24 | todate)}", "$n * 60 * 24"],
    ["if now - (.at | fromdate) > .days * 24 then null else {email} end", ".days * 24"],
    [
      "{email, days_left: (((.ends_at | fromdate) - now) / 3600 | floor)}",
      "((.ends_at | fromdate) - now) / 3600",
    ],
    ["{email, hours: (.minutes / 24)}", ".minutes / 24"],
    [
      "{email, nights: (((.b | fromdate) - (.a | fromdate)) / 1440)}",
      "((.b | fromdate) - (.a | fromdate)) / 1440",
    ],
  ])("%s", (program, at) => {
    expect(inSource("jq/other-span", program)).toEqual([at]);
  });

  test.each([
    "{email, out: (now + .days * 86400 | todate)}",
    "{email, out: (now + .nights * 24 * 60 * 60 | todate)}",
    "{email, out: (now * 1000 + .hours * 3600000 | floor)}",
    "{email, out: (now + .working_days * 3600 | todate)}",
    "{email, out: (now + .days * .length * 60 | todate)}",
    "{email, total: (.price_cents + .nights * 1440)}",
    "{email, hours: (.days * 24), minutes: (.hours * 60), weeks: (.hours / 168)}",
    "{email, hours: (.days * 8)}",
    "{email, days_left: (((.ends_at | fromdate) - now) / 86400 | floor)}",
    "{email, hours: (.minutes / .people)}",
  ])("%s is right", (program) => {
    expect(inSource("jq/other-span", program)).toEqual([]);
  });
});

test("value/documented-time: a comment that names the unit alone shows no time", () => {
  const [told] = allFindings("inbound-webhook", {
    "/workflows/0/data_pipeline/_comment": "All times are milliseconds",
    "/workflows/0/data_pipeline/source": { "!jq": "{email: .email, at: (.created_at | todate)}" },
  }).filter(({ rule }) => rule === "value/documented-time");
  expect(told?.message).toBe("A comment says that it is in milliseconds, but `todate` takes seconds.");
});

describe("value/documented-time of payloads", () => {
  const told = (sample: string, program: unknown): string[] =>
    findings("value/documented-time", "inbound-webhook", {
      "/data_intake/0/_comment": `Delivery: {id, email, at: ${sample}, state: "new"}`,
      "/workflows/0/data_pipeline/source": typeof program === "string" ? { "!jq": program } : program,
    });

  test.each([
    [
      "1740851990123",
      '. as $d | {email, day: ($d.at | floor | strftime("%Y-%m-%d"))}',
      'strftime("%Y-%m-%d")',
    ],
    ["1740851990123", "if .at < now - 86400 then null else {email} end", ".at"],
    ["1740851990123", "{email, age: ((now - .at) / 86400 | floor)}", ".at"],
    ['"2025-03-03T18:00:00+01:00"', "{email, at: (.at | fromdate)}", "fromdate"],
    ['"2025-03-03T18:00:00.123Z"', "{email, at: (.at | fromdate)}", "fromdate"],
    ['"2025-03-03"', "{email, at: (.at | fromdate | todate)}", "fromdate"],
    ['"2025-03-03T18:00:00Z"', "{email, at: (.at | todate)}", "todate"],
    ["1740851990", "{email, at: (.at | fromdate | todate)}", "fromdate"],
  ])("%s: %s", (sample, program, at) => {
    expect(told(sample, program)).toEqual([at]);
  });

  test.each([
    ["1740851990123", "{email, at: (.at / 1000 | floor | todate)}"],
    ["1740851990", "{email, at: (.at | todate)}"],
    ['"2025-03-03T18:00:00+01:00"', '{email, at: (.at[:19] + "Z" | fromdate)}'],
    ['"2025-03-03"', '{email, at: (.at + "T00:00:00Z" | fromdate)}'],
    ['"2025-03-03"', '{email, at: (.at | strptime("%Y-%m-%d") | mktime)}'],
    [
      "1740851990123",
      { "!pipe": [{ "!jq": "{email, at: (.at / 1000 | floor)}" }, { "!jq": "{email, at: (.at | todate)}" }] },
    ],
    ['1740851990123, on: "2025-03-03", at: 1740851990', "{email, at: (.at | todate)}"],
  ])("%s: %s is right", (sample, program) => {
    expect(told(sample, program)).toEqual([]);
  });
});
