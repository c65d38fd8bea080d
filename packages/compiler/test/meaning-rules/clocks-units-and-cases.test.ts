import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";
import { byEmail, cases, get, jq, post } from "../support/steps.ts";

/** Hours, measures, lengths of time and records of cases in other forms; and what is right although it looks alike. */

const outbound = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("hours and minutes of one text", () => {
  const offset = (sum: string, pattern = "^(?<sign>[+-])(?<h>..):(?<m>..)$"): string =>
    `(.offset | capture("${pattern}") | ${sum}) as $ahead | {email: .email, at: (.at - $ahead | todate)}`;

  test.each<[string, string]>([
    [offset("(.h | tonumber) * 3600 + (.m | tonumber)"), "(.m | tonumber)"],
    [offset("((.h | tonumber) * 60 * 60) + (.m | tonumber)"), "(.m | tonumber)"],
    [offset("(.zh | tonumber) * 3600 + (.zm | tonumber)", "(?<zh>..)(?<zm>..)"), "(.zm | tonumber)"],
    [offset("(.hh | tonumber) * 3600000 + (.mm | tonumber)", "(?<hh>..):(?<mm>..)"), "(.mm | tonumber)"],
  ])("minutes without a factor: %s", (program, marked) => {
    expect(inSource("jq/mixed-units", program)).toEqual([marked]);
  });

  test.each<[string, string]>([
    [offset("(.h | tonumber) * 3600 + (.m | tonumber) * 3600"), "(.m | tonumber) * 3600"],
    [offset("(.h | tonumber) * 60 + (.m | tonumber) * 60"), "(.m | tonumber) * 60"],
    [
      '(.offset | split(":") | map(tonumber) | .[0] * 3600 + .[1] * 3600) as $ahead | {email: .email, at: (.at - $ahead | todate)}',
      ".[1] * 3600",
    ],
  ])("minutes by the factor of hours: %s", (program, marked) => {
    expect(inSource("jq/wrong-factor", program)).toEqual([marked]);
  });

  test.each<string>([
    offset("(.h | tonumber) * 3600 + (.m | tonumber) * 60"),
    offset("(.h | tonumber) * 60 + (.m | tonumber)"),
    // Metres and months aren't minutes.
    "{email: .email, total: (.h * 3600 + .m)}",
    offset("(.h | tonumber) * 3600 + (.s | tonumber)", "(?<h>..):(?<m>..):(?<s>..)"),
    '(.size | split("x") | map(tonumber) | .[0] * 60 + .[1] * 60) as $all | {email: .email, at: $all}',
  ])("right: %s", (program) => {
    expect(inSource("jq/mixed-units", program)).toEqual([]);
    expect(inSource("jq/wrong-factor", program)).toEqual([]);
  });

  test.each<[string, string[]]>([
    ["{email: .email, until: (now + 7 * 24 | todate)}", ["7 * 24"]],
    ["{email: .email, until: ((now | floor) + 3 * 24)}", ["3 * 24"]],
    ["{email: .email, until: ((now - 14 * 24) * 1000 | floor)}", ["14 * 24"]],
    ["{email: .email, until: (now + 7 * 24 * 3600 | todate)}", []],
    ["{email: .email, hours: (.hours + 7 * 24)}", []],
    ["{email: .email, until: (now / 3600 + 7 * 24 | floor)}", []],
    ["{email: .email, until: (now + 24 * 60 | todate)}", []],
  ])("days in hours beside seconds: %s", (program, marked) => {
    expect(inSource("jq/mixed-units", program)).toEqual(marked);
  });
});

describe("value/other-unit: measures in other forms", () => {
  test.each<[string, string[]]>([
    ["{email: .email, hours_on_site: (.minutes_on_site / 3600)}", [".minutes_on_site / 3600"]],
    ["{email: .email, hours: ((.minutes_this_year // 0) / 3600)}", ["(.minutes_this_year // 0) / 3600"]],
    ["{email: .email, battery_volts: (.battery_mv / 100)}", [".battery_mv / 100"]],
    ["{email: .email, weight_kg: ([.lines[].grams] | add / 100)}", ["[.lines[].grams] | add / 100"]],
    ["{email: .email, trip_litres: (.fuel_ml / 453.6)}", [".fuel_ml / 453.6"]],
    ["{email: .email, cm3: (.volume_m3 * 1000)}", [".volume_m3 * 1000"]],
    ["{email: .email, cm3: (.volume_m3 * 1000000)}", []],
    ["{email: .email, hours_on_site: (.minutes_on_site / 60)}", []],
    ["{email: .email, battery_volts: (.battery_mv / 1000)}", []],
    ["{email: .email, weight_kg: ([.lines[].grams] | add / 1000)}", []],
    ["{email: .email, weight_lb: (.weight_grams / 453.6)}", []],
    ["{email: .email, hours_left: .minutes_text}", []],
    ["{email: .email, hours_on: .hours_on}", []],
  ])("%s", (program, marked) => {
    expect(inSource("value/other-unit", program)).toEqual(marked.map((each) => `(${each})`));
  });

  test("pounds in brackets are money where the title is an amount's", () => {
    const told = (title: string, program: string) =>
      outbound("value/other-unit", [jq(program), post("/payments", "${piped_content.1}")], {
        "/workflows/0/setup/map/describe_target/options/2": { title, id: "paid" },
      });
    const plain = "{email: .email, paid_cents: (.paid | tonumber | round)}";
    expect(told("Amount (pounds)", plain)).toEqual(["(.paid | tonumber | round)"]);
    expect(told("Deposit (in pounds)", plain)).toEqual(["(.paid | tonumber | round)"]);
    expect(told("Amount (pounds)", "{email: .email, paid_cents: (.paid | tonumber * 100 | round)}")).toEqual(
      [],
    );
    expect(told("Weight (pounds)", plain)).toEqual([]);
  });

  test("what is said behind the kind of number", () => {
    const sent = (said: string, time: string) =>
      outbound("value/other-unit", [
        { _comment: said, "!jq": `{email: .email, expires_at: ${time}}` },
        post("/passes", "${piped_content.1}"),
      ]);
    const seconds = "(now + 86400 | floor)";
    expect(sent("Instants are integers: Unix time in milliseconds, UTC.", seconds)).toEqual([seconds]);
    expect(sent("Times are whole numbers: milliseconds since 1970.", seconds)).toEqual([seconds]);
    expect(sent("expires_at is integer, milliseconds since 1970.", seconds)).toEqual([seconds]);
    expect(sent("Instants are integers: Unix time in seconds, UTC.", seconds)).toEqual([]);
    expect(sent("Instants are integers: see the manual.", seconds)).toEqual([]);
  });
});

describe("value/other-duration: what was chosen in a variable, behind a pipe and before a date", () => {
  const weeks = {
    "/workflows/0/setup/select/form_fields/1": {
      label: "For",
      id: "weeks",
      type: "dropdown",
      options: [
        { display: "2 weeks", value: "2" },
        { display: "4 weeks", value: "4" },
      ],
    },
  };
  const told = (program: string) =>
    outbound("value/other-duration", [jq(program), post("/passes", "${piped_content.1}")], weeks).length;

  test.each<[string, number]>([
    ["(${custom_data.weeks.value} | tonumber * 86400) as $span | {until: (now + $span | todate)}", 1],
    ["((${custom_data.weeks.value} | tonumber) * 86400) as $span | {until: (now + $span | todate)}", 1],
    ["{until: (now + (${custom_data.weeks.value} | tonumber * 86400) | todate)}", 1],
    [
      '(${custom_data.weeks.value} | tonumber) as $n | {until: (.from + $n * 86400 | strftime("%Y-%m-%d"))}',
      1,
    ],
    ["(${custom_data.weeks.value} | tonumber * 604800) as $span | {until: (now + $span | todate)}", 0],
    ["(${custom_data.weeks.value} | tonumber * 7) as $days | {until: (now + $days * 86400 | todate)}", 0],
    ["(${custom_data.weeks.value} | tonumber) as $n | {until: (.from + $n * 604800 | todate)}", 0],
    ["(${custom_data.weeks.value} | tonumber) as $n | {until: (.from + $n * 7)}", 0],
  ])("%s", (program, count) => {
    expect(told(program)).toBe(count);
  });
});

describe("what a case sends in the place of what a step built", () => {
  const built = '{email: .email, starts: ${custom_data.note.value}, kind: "trial"}';
  const byList = (condition: string, second: string) =>
    outbound("pipeline/made-without-choice", [
      jq(built.replace("email: .email", "email: ${piped_content.0.email}, name: ${piped_content.0.name}")),
      cases(condition, post("/office/callbacks", "${piped_content.1}"), post("/teams/1/callbacks", second)),
    ]);
  const other = 'if ${custom_data.list.value} == "" then 0 else 1 end';

  test("two that make a record, told apart by another choice", () => {
    expect(byList(other, "${piped_content.0}")).toEqual(["${piped_content.0}"]);
    expect(byList(other, "${piped_content.1}")).toEqual([]);
    // The choice itself, or what came, decides.
    expect(byList('if ${custom_data.note.value} == "" then 1 else 0 end', "${piped_content.0}")).toEqual([]);
    expect(byList('if .name == "" then 1 else 0 end', "${piped_content.0}")).toEqual([]);
  });

  test("built behind what only refuses some", () => {
    const sent = (program: string, body: string) =>
      outbound("pipeline/unbuilt-body", [
        jq(program),
        get("/clients", byEmail),
        cases("if (.clients | length) == 0 then 0 else 1 end", post("/clients", body), {
          "!http": {
            method: "PATCH",
            path: "/clients/${piped_content.2.clients.0.id}",
            body: "${piped_content.1}",
          },
        }),
      ]);
    const made = '{mail: .email, title: ([.last, .first] | join(", "))}';
    const guard = 'if (.email // "") == "" then error("no mail") else . end';
    expect(sent(`${guard} | ${made}`, "${piped_content.0}")).toEqual(["${piped_content.0}"]);
    expect(sent(`${guard} | ${guard} | ${made}`, "${piped_content.0}")).toEqual(["${piped_content.0}"]);
    expect(sent(`${guard} | ${made} | with_entries(select(.value))`, "${piped_content.0}")).toEqual([
      "${piped_content.0}",
    ]);
    expect(sent(`${guard} | ${made}`, "${piped_content.1}")).toEqual([]);
    expect(sent(guard, "${piped_content.0}")).toEqual([]);
    expect(sent(`${guard} | {email, name}`, "${piped_content.0}")).toEqual([]);
  });

  test("a list of records that a step which may fail makes for nobody", () => {
    const sent = (program: string, body: string) =>
      outbound("unused/step-output", [jq(program), post("/batch", { calls: body })]).length;
    const mail = '(.email // error("no mail")) as $email | ';
    expect(sent(`${mail}[{method: "add", email: $email}]`, "${piped_content.0}")).toBe(1);
    expect(
      sent(`${mail}[{method: "add", email: $email}] + [.lists[] | {list: .}]`, "${piped_content.0}"),
    ).toBe(1);
    expect(sent(`${mail}[{email: $email, name: .name}]`, "${piped_content.0}")).toBe(1);
    expect(sent(`${mail}[{method: "add", email: $email}]`, "${piped_content.1}")).toBe(0);
    expect(sent('if .email == null then error("no mail") else . end', "${piped_content.0}")).toBe(0);
    expect(sent('if .email == null then error("no mail") else [] end', "${piped_content.0}")).toBe(0);
  });

  test("all that a search for the contact answered, as a new record of another list", () => {
    const sent = (path: string, body: string, params: object = byEmail) =>
      outbound("pipeline/search-as-record", [
        get("/tenants", params),
        cases("if (.tenants | length) > 0 then 0 else 1 end", jq("{}"), post(path, body)),
      ]).length;
    expect(sent("/portfolios/7/tenants", "${piped_content.1}")).toBe(1);
    expect(sent("/guests", "${piped_content.1}")).toBe(1);
    expect(sent("/shops/7/customers", "${piped_content.1}")).toBe(1);
    expect(sent("/portfolios/7/tenants", "${piped_content.0}")).toBe(0);
    expect(sent("/invoices", "${piped_content.1}")).toBe(0);
    expect(sent("/portfolios/7/tenants", "${piped_content.1}", { state: "template" })).toBe(0);
  });
});
