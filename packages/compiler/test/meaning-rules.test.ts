import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument, setAt } from "./rule-examples.ts";
import { baseWorld } from "./support/bases.ts";

/** Rules about meaning: the same kind of mistake in other words, and what is right although it looks alike. */

type Template = "inbound-webhook" | "inbound-polling" | "outbound";

function findings(rule: string, template: Template, changes: Readonly<Record<string, unknown>>): string[] {
  const name = { in: template, at: "/api/base_url", bad: "", good: "" } as const;
  let { text } = exampleDocument(name, '"https://api.example.com/v1"');
  for (const [pointer, json] of Object.entries(changes)) text = setAt(text, pointer, JSON.stringify(json));
  const { diagnostics } = compile(text, { uri: "x.app.json", samples: { world: baseWorld } });
  return diagnostics.flatMap(({ finding, span }) =>
    finding.rule.id === rule
      ? [text.slice(span.start, span.end).replaceAll('\\"', '"').replaceAll("\\\\", "\\")]
      : [],
  );
}

describe("setup/other-scale", () => {
  const told = (options: readonly (readonly [string, string | number])[]): string[] =>
    findings("setup/other-scale", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": options.map(([display, value]) => ({
        display,
        value,
      })),
    });

  test.each([
    [
      "minutes among hours",
      [
        ["1 hour", 60],
        ["2 hours", 120],
        ["8 hours", 8],
      ],
      "8",
    ],
    [
      "milliseconds among seconds",
      [
        ["One day", "86400"],
        ["A week", "604800"],
        ["A month", "2592000000"],
      ],
      '"2592000000"',
    ],
    [
      "hours among days, with one that has no length",
      [
        ["Always", "0"],
        ["7 days", "168"],
        ["30 days", "30"],
      ],
      '"30"',
    ],
    [
      "shares",
      [
        ["10 %", "0.1"],
        ["20 %", "0.2"],
        ["50 %", "50"],
      ],
      '"50"',
    ],
    [
      "a zero too many",
      [
        ["5 stars", "5"],
        ["4 stars", "4"],
        ["3 stars", "30"],
      ],
      '"30"',
    ],
  ] as const)("%s", (_, options, at) => {
    expect(told(options)).toEqual([at]);
  });

  test.each([
    [
      "all in days",
      [
        ["A day", 1],
        ["A week", 7],
        ["A month", 30],
        ["A year", 365],
      ],
    ],
    [
      "numbers of the list's places",
      [
        ["One month", 1],
        ["Two months", 2],
        ["Three months", 3],
        ["A year", 4],
      ],
    ],
    [
      "names with numbers",
      [
        ["Hall 1", "1"],
        ["Hall 2", "2"],
        ["Hall 3", "7"],
      ],
    ],
    [
      "ids",
      [
        ["Plan 1", "101"],
        ["Plan 2", "102"],
        ["Plan 3", "103"],
      ],
    ],
    [
      "ranges",
      [
        ["1-10 people", 10],
        ["11-50 people", 50],
        ["51-200 people", 200],
      ],
    ],
    [
      "two of which nothing says how they count",
      [
        ["1 star", 1],
        ["5 stars", 500],
      ],
    ],
  ] as const)("%s is right", (_, options) => {
    expect(told(options)).toEqual([]);
  });
});

describe("value/other-unit", () => {
  const told = (program: string, changes = {}): string[] =>
    findings("value/other-unit", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!jq": program },
      ...changes,
    });

  test.each([
    ["{email, distanceKm: .distanceMeters}", ".distanceMeters"],
    ["{email, volume_l: (.size.ml | round)}", "(.size.ml | round)"],
    ["{email, stay_hours: .stay_minutes}", ".stay_minutes"],
    ["{email, weight_g: (.weight_kg / 1000)}", "(.weight_kg / 1000)"],
    [". as $p | {email, weight_g: $p.parcel.weight_kg}", "$p.parcel.weight_kg"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    "{email, weight_kg: (.weight_g / 1000)}",
    "{email, weight_kg: (.weight_g / 1000 | round)}",
    "{email, size_m: .size_cm_total, size_l: .size_xl}",
    "{email, length_m: .duration_minutes}",
    "{email, weight: .weight_g}",
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("in a request, of what a step made", () => {
    const sent = (value: string, member = "due_ms") =>
      findings("value/other-unit", "outbound", {
        "/workflows/0/data_pipeline/target": {
          "!pipe": [
            { "!jq": `{due: ${value}, email: .email}` },
            {
              "!http": {
                method: "POST",
                path: "/lists/${custom_data.list.value}/tasks",
                body: { [member]: "${piped_content.1.due}", email: "${piped_content.1.email}" },
              },
            },
          ],
        },
      });
    expect(sent("(now + 86400 | floor)")).toEqual(["${piped_content.1.due}"]);
    expect(sent("((now + 86400) * 1000 | floor)")).toEqual([]);
    expect(sent("(now + 86400 | floor)", "due")).toEqual([]);
    expect(sent("(.weight_g * 2)", "weight_kg")).toEqual([]);
  });

  test("under a title that says another unit", () => {
    const options = "/workflows/0/setup/map/describe_source/options";
    const titled = (title: string) =>
      told("{email: .email, weight: .weight_grams}", {
        [options]: [
          { id: "email", title: "Email" },
          { id: "weight", title },
        ],
      });
    expect(titled("Weight (kg)")).toEqual([".weight_grams"]);
    expect(titled("Weight in grams")).toEqual([]);
    expect(titled("Weight")).toEqual([]);
  });
});

describe("jq/lost-object", () => {
  const told = (program: string): string[] =>
    findings("jq/lost-object", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    [
      "if .gone then null else {email: .email} + {city: (.addresses[] | select(.main).city)} end",
      "(.addresses[] | select(.main).city)",
    ],
    ["{email, tier: (.tier | select(. != null))}", "(.tier | select(. != null))"],
    ['{email, born: (.born | strptime("%Y")? | mktime)}', '(.born | strptime("%Y")? | mktime)'],
    ['{email, zip: (if .zip == "" then empty else .zip end)}', '(if .zip == "" then empty else .zip end)'],
    ['{email, year: (.born | capture("(?<y>[0-9]{4})").y)}', '(.born | capture("(?<y>[0-9]{4})").y)'],
    [
      "(.phones[] | select(.main) | .number) as $phone | {email, phone: $phone}",
      "(.phones[] | select(.main) | .number)",
    ],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    "{email, phone: ([.phones[] | select(.main) | .number] | first)}",
    "{email, phone: first(.phones[] | select(.main) | .number)}",
    "{email, phone: ((.phones[] | select(.main) | .number) // null)}",
    "{email: (.emails[] | select(.main) | .address), city: .city}",
    "{email, tags: [.tags[] | {name: (.names[] | select(.main).text)}]}",
    "(.people[] | select(.main)) as $p | {email: $p.email, city: $p.city}",
    ".people[] | select(.main) | {email, city}",
    "{email, age: (.age | tonumber? // null)}",
    '{phone: (.phones[] | select(.kind == "mobile") | .number), name: .name}',
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("pipeline/record-made", () => {
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const make = { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } };
  const change = {
    "!http": {
      method: "PATCH",
      path: "/people/${piped_content.1.people[0].id}",
      body: { name: "${piped_content.0.name}" },
    },
  };
  const decide = { "!switch": { jq: "if (.people | length) > 0 then 0 else 1 end", cases: [change, make] } };
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/record-made", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": [lookup, decide, ...steps] },
    });
  const add = (path: string) => ({
    "!http": { method: "POST", path, body: { list: "${custom_data.list.value}" } },
  });

  test("in one of several cases", () => {
    const chosen = (path: string) => ({
      "!switch": {
        jq: "if ${custom_data.list.value} == 7 then 0 else 1 end",
        cases: [add(path), { "!jq": "." }],
      },
    });
    expect(told(chosen("/people/${piped_content.1.people[0].id}/lists"))).toEqual([
      "${piped_content.1.people[0].id}",
    ]);
  });

  test("by way of a program", () => {
    const program = {
      "!jq": "{person: ${piped_content.1.people[0] | default}, list: ${custom_data.list.value}}",
    };
    expect(told(program, add("/people/${piped_content.3.person.id}/lists"))).toEqual([
      "${piped_content.1.people[0] | default}",
    ]);
  });

  test("is right where the answer is read, another list, or only those that were found", () => {
    expect(told(add("/people/${piped_content.2.person.id}/lists"))).toEqual([]);
    expect(told(add("/lists/${piped_content.1.lists[0].id}/people"))).toEqual([]);
    const found = {
      "!switch": {
        jq: "if ${piped_content.1.people | default} == [] then 0 else 1 end",
        cases: [{ "!jq": "." }, add("/people/${piped_content.1.people[0].id}/lists")],
      },
    };
    expect(told(found)).toEqual([]);
  });
});

describe("pipeline/other-case", () => {
  const byChoice = (cases: unknown[]) => ({
    "!switch": { jq: "if ${custom_data.list.value} == 1 then 0 else 1 end", cases },
  });
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/other-case", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const send = { "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.1.mail}" } } };

  test("in a branch of a case, with a step between", () => {
    const first = byChoice([
      { "!jq": "{mail: .email}" },
      { "!jq": "if .vip then {vip: .email} else {mail: .email} end" },
    ]);
    const between = byChoice([
      { "!jq": "." },
      {
        "!pipe": [
          { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } },
          { "!jq": "{mail: .mail}" },
        ],
      },
    ]);
    const later = { "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.2.mail}" } } };
    expect(told(first, between, later)).toEqual(["{vip: .email}"]);
  });

  test.each([
    [
      "a default",
      [{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }],
      {
        "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.1.mail | default}" } },
      },
    ],
    [
      "a decision by it",
      [{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }],
      {
        "!switch": { jq: "if .none then 0 else 1 end", cases: [{ "!jq": "." }, send] },
      },
    ],
    ["an answer that isn't known", [{ "!jq": "{mail: .email}" }, { "!http": { path: "/me" } }], send],
  ])("is right with %s", (_, cases, reader) => {
    expect(told(byChoice(cases), reader)).toEqual([]);
  });

  test("is right where a step between ends the run", () => {
    const stop = {
      "!switch": {
        jq: "if .none then 0 else 1 end",
        cases: [{ "!error": "Nobody is there." }, { "!jq": "." }],
      },
    };
    expect(told(byChoice([{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }]), stop, send)).toEqual([]);
  });
});

describe("pipeline/written-back", () => {
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/written-back", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": [lookup, ...steps] },
    });
  const put = (path: string, body: unknown) => ({ "!http": { method: "PUT", path, body } });

  test("by way of a program", () => {
    const program = { "!jq": ".people[0] | {id: .id, fields: {name: .name, city: .city}}" };
    expect(told(program, put("/people/${piped_content.2.id}", "${piped_content.2.fields}"))).toEqual([
      "${piped_content.2.fields}",
    ]);
  });

  test.each([
    [
      "what the customer mapped",
      put("/people/${piped_content.1.people[0].id}", { name: "${piped_content.0.email}" }),
    ],
    [
      "a constant",
      put("/people/${piped_content.1.people[0].id}", {
        state: "active",
        name: "${piped_content.1.people[0].name}",
      }),
    ],
    [
      "another record",
      put("/lists/${custom_data.list.value}", { person: "${piped_content.1.people[0].id}" }),
    ],
    [
      "ids only",
      put("/members/${piped_content.1.people[0].id}", { person_id: "${piped_content.1.people[0].id}" }),
    ],
  ])("is right with %s", (_, request) => {
    expect(told(request)).toEqual([]);
  });
});

describe("value/other-id", () => {
  const source = (path: string) => ({ "!pipe": [{ "!http": { path } }, { "!jq": "{email: .email}" }] });
  const thin = {
    "/data_intake/0/delivery_id": { "!jq": ".body.id" },
    "/data_intake/0/resource_id": { "!jq": ".booking_id" },
  };
  const asked = (path: string, changes: Readonly<Record<string, unknown>>): string[] =>
    findings("value/delivery-for-record", "inbound-webhook", {
      ...changes,
      "/workflows/0/data_pipeline/source": source(path),
    });

  test("a record by the id of its delivery", () => {
    expect(asked("/bookings/${piped_content.0.id}", thin)).toEqual(["id"]);
    expect(asked("/bookings/${piped_content.0.booking_id}", thin)).toEqual([]);
    // Events are asked for by the id of the delivery, and who has an id of something else may be anything.
    expect(asked("/events/${piped_content.0.id}", thin)).toEqual([]);
    expect(
      asked("/bookings/${piped_content.0.id}", {
        ...thin,
        "/data_intake/0/delivery_id": { "!jq": ".body.event_id" },
      }),
    ).toEqual([]);
  });

  test("a chosen record of another list for each item", () => {
    const chosen = (path: string, request = "/lists/${custom_data.list.value}/changes") =>
      findings("value/chosen-for-item", "inbound-polling", {
        "/data_intake/0/request/!pipe/0/!http/path": request,
        "/workflows/0/data_pipeline/source": source(path),
      });
    expect(chosen("/members/${custom_data.list.value}")).toHaveLength(1);
    expect(chosen("/lists/${custom_data.list.value}")).toEqual([]);
    expect(chosen("/newsletters/${custom_data.list.value}")).toEqual([]);
    expect(chosen("/members/${custom_data.list.value}", "/changes")).toEqual([]);
    expect(chosen("/members/${custom_data.list.value}?of=${piped_content.0.id}")).toEqual([]);
  });

  test("a delivery by an id that the setup doesn't give", () => {
    const options = "/workflows/0/setup/select/form_fields/0/options";
    const routed = (resource: string, account: string) =>
      findings("value/routed-by-other-id", "inbound-webhook", {
        "/data_intake/0/resource_id": { "!jq": resource },
        "/data_intake/0/account_id": { "!jq": account },
        [options]: {
          "!pipe": [{ "!http": { path: "/forms" } }, { "!jq": "[.forms[] | {display: .title, value: .id}]" }],
        },
      });
    expect(routed(".webinar_id", ".form_id")).toEqual([".webinar_id"]);
    expect(routed(".survey_id", ".form_id")).toEqual([]);
    expect(routed(".webinar_id", ".account_id")).toEqual([]);
  });
});

describe("value/name-for-id", () => {
  const told = (path: string, program: string, body: unknown): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": { path: "/lists" } }, { "!jq": "[.lists[] | {display: .title, value: .id}]" }],
      },
      "/workflows/0/setup/select/form_fields/1": {
        label: "Choice",
        id: "choice",
        type: "dropdown",
        options: { "!pipe": [{ "!http": { path } }, { "!jq": program }] },
      },
      "/workflows/0/data_pipeline/target": {
        "!http": { method: "POST", path: "/lists/${custom_data.list.value}/people", body },
      },
    });
  const sent = { email: "${piped_content.0.email}", choice: "${custom_data.choice.value}" };

  test("a person, or a record with a code", () => {
    expect(told("/users", ".users | map({display: .name, value: .name})", sent)).toEqual([".name"]);
    const coded = '[.rooms[] | {display: "\\(.code) \\(.title)", value: .title}]';
    expect(told("/rooms", coded, sent)).toEqual([".title"]);
  });

  test("is right for what is known by its name", () => {
    expect(told("/tags", "[.tags[] | {display: .name, value: .name}]", sent)).toEqual([]);
    expect(told("/rooms", '[.rooms[] | {display: "\\(.code) \\(.title)", value: .code}]', sent)).toEqual([]);
    expect(
      told("/users", "[.users[] | {display: .name, value: .name}]", { email: "${piped_content.0.email}" }),
    ).toEqual([]);
  });
});

describe("jq/empty-text", () => {
  const told = (program: string): string[] =>
    findings("jq/empty-text", "inbound-webhook", { "/workflows/0/data_pipeline/source": { "!jq": program } });

  test.each([
    '.people[0].id as $id | if $id != "" then {email} else null end',
    'if "" == .guests[-1].guest_id then null else {email} end',
    'if .cancelled_at == "" then {email, paid: (.paid_at != null)} else null end',
  ])("%s", (program) => {
    expect(told(program)).toEqual(['""']);
  });

  test.each([
    '(.people[0].id // "") as $id | if $id != "" then {email} else null end',
    'if .cancelled_at == "" then {email} else null end',
    'if .cancelled_at == "" then {email, paid: (.paid_at != null), sent: (.sent_at != "")} else null end',
    'if (.cancelled_at // "") == "" then {email, paid: (.paid_at != null)} else null end',
    'if .people[0].name == "" then null else {email, paid: (.paid_at != null)} end',
    'if .person_id == "" then null else {email} end',
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/uncut-fractions", () => {
  const told = (program: string): string[] =>
    findings("jq/uncut-fractions", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test("of the same member, in any record", () => {
    const cut = '{email, on: (.at | sub("\\\\.[0-9]+Z$"; "Z") | fromdate)';
    expect(told(`${cut}, off: (${"${piped_content.0.end.at}"} | fromdate)}`)).toEqual(["fromdate"]);
    expect(told(`${cut}, off: (.end_at | fromdate)}`)).toEqual([]);
    expect(told("{email, on: (.at | fromdate), off: (.end.at | fromdate)}")).toEqual([]);
  });
});

describe("pipeline/raw-value", () => {
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/raw-value", "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const program = (form: string) => ({ "!jq": `{id: .people[0].id, form: ${form}}` });
  const filled = "(${piped_content.0} | with_entries(select(.value != null)))";
  const put = (body: unknown) => ({
    "!http": { method: "PUT", path: "/people/${piped_content.2.id}", body },
  });

  test("as the whole body, or under the name of what was made", () => {
    expect(told(lookup, program(filled), put("${piped_content.0}"))).toEqual(["${piped_content.0}"]);
    expect(told(lookup, program(filled), put({ form: "${piped_content.0}" }))).toEqual([
      "${piped_content.0}",
    ]);
  });

  test("as a list of pairs in one case only", () => {
    const pairs = program("(${piped_content.0} | to_entries)");
    const cases = (form: string) => ({
      "!switch": {
        jq: "if .id == null then 0 else 1 end",
        cases: [
          { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}", form } } },
          put({ form: "${piped_content.2.form}" }),
        ],
      },
    });
    expect(told(lookup, pairs, cases("${piped_content.0}"))).toEqual(["${piped_content.0}"]);
    expect(told(lookup, pairs, cases("${piped_content.2.form}"))).toEqual([]);
    // New records may get all, and known ones what isn't empty.
    expect(told(lookup, program(filled), cases("${piped_content.0}"))).toEqual([]);
  });

  test("is right where what was made is sent, too", () => {
    const both = put({ all: "${piped_content.0}", form: "${piped_content.2.form}" });
    expect(told(lookup, program(filled), both)).toEqual([]);
  });
});

describe("pipeline/input-of-step", () => {
  const told = (first: string, second: string): string[] =>
    findings("pipeline/input-of-step", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": [{ "!jq": first }, { "!jq": second }] },
    });
  const made = "{email: .person.email} + (reduce .person.own[] as $o ({}; .[$o.key] = $o.value))";

  test("of members that a program collects", () => {
    expect(told(made, ". + {city: ${piped_content.1.person.city}}")).toEqual(["1"]);
    expect(told(made, ". + {city: ${piped_content.0.person.city}}")).toEqual([]);
    expect(told(made, ". + {city: ${piped_content.1.own.city}}")).toEqual([]);
    expect(told(`. + ${made}`, ". + {city: ${piped_content.1.person.city}}")).toEqual([]);
  });
});

describe("http/repeated-item", () => {
  test.each([
    ["names", ["a.created", "a.deleted", "a.created"], ['"a.created"']],
    ["cells of a row", ["x", "", "", "y"], []],
    ["what customers chose", ["${custom_data.form.value}", "${custom_data.form.value}"], []],
    ["what people read", ["First name", "First name"], []],
    ["different names", ["a.created", "a.deleted"], []],
  ])("%s", (_, events, told) => {
    expect(
      findings("http/repeated-item", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      }),
    ).toEqual(told);
  });
});

describe("intake/deletes-new", () => {
  const post = { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } };
  const save = [{ "!jq": "{hook_id: .id}" }, { "!save": { scope: "workflow" } }];
  const remove = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const keep = { "!jq": "." };
  const cases = { "!switch": { jq: "if .hook_id == null then 0 else 1 end", cases: [keep, remove] } };

  test.each([
    ["right behind the save", [post, ...save, remove], 1],
    ["in a case behind it", [post, ...save, cases], 1],
    ["before it", [post, remove, keep, ...save], 0],
    ["another key", [post, { "!jq": "{secret: .secret}" }, { "!save": { scope: "workflow" } }, remove], 0],
    ["a change of the new one", [post, ...save, { "!http": { ...remove["!http"], method: "PATCH" } }], 0],
  ])("%s", (_, steps, told) => {
    expect(
      findings("intake/deletes-new", "inbound-webhook", { "/data_intake/0/update": { "!pipe": steps } }),
    ).toHaveLength(told);
  });
});

describe("intake/shared-delivery-id", () => {
  test.each([
    [".body.sent_at", ["a.created"], true],
    [".body.booking.id", ["booking.created", "booking.changed"], true],
    // One event of each record: its number does.
    [".body.booking.id", ["booking.created"], false],
    [".body.event.id.text", ["booking.created", "booking.changed"], false],
    [".body.id", ["booking.created", "booking.changed"], false],
    ['.headers["x-delivery-at"]', ["booking.created", "booking.changed"], false],
  ])("%s of %j", (program, events, isTold) => {
    const told = findings("intake/shared-delivery-id", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/delivery_id": { "!jq": program },
    });
    expect(told).toEqual(isTold ? [program] : []);
  });
});

describe("jq/cut-prefix", () => {
  test.each([
    ['with_entries(select(.key | startswith("x_")) | .key |= ltrimstr("x"))', ['"x"']],
    ['with_entries(select(.key | startswith("x_")) | .key |= ltrimstr("x_"))', []],
    // The family is a part of the name that is kept.
    ['with_entries(select(.key | startswith("own_size")) | .key |= ltrimstr("own_"))', []],
    [
      'if .key | startswith("a_") then . else (if .key | startswith("b_") then .key | ltrimstr("b") else . end) end',
      [],
    ],
  ])("%s", (program, told) => {
    expect(
      findings("jq/cut-prefix", "inbound-webhook", {
        "/workflows/0/data_pipeline/source": { "!jq": program },
      }),
    ).toEqual(told);
  });
});

describe("intake/unsigned-time", () => {
  const fields = '(.headers["x-sign"] | split(",") | map(split("=") | {(.[0]): .[1]}) | add)';
  const verification = (hashed: string, test: string): object => ({
    "!pipe": [
      { "!jq": `${fields} as $s | {value_to_encrypt: ${hashed}, s: $s}` },
      { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
      {
        "!switch": {
          jq: `if ${test} then 0 else 1 end`,
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  });
  const signed = ".hash == ${piped_content.1.s.v1}";
  const fresh = "(now - (${piped_content.1.s.t} | tonumber)) < 300";
  const dated = "(now - (${piped_content.0.headers.x-timestamp} | tonumber)) < 300";

  test.each([
    ["the body alone", ".raw_body", `${signed} and ${fresh}`, true],
    ["with the time", '"\\($s.t).\\(.raw_body)"', `${signed} and ${fresh}`, false],
    ["no look at the time", ".raw_body", signed, false],
    ["a time in a header of its own", ".raw_body", `${signed} and ${dated}`, false],
  ])("%s", (_, hashed, condition, isTold) => {
    const told = findings("intake/unsigned-time", "inbound-webhook", {
      "/data_intake/0/verification": verification(hashed, condition),
    });
    expect(told).toEqual(isTold ? ['"!sha"'] : []);
  });
});

describe("a header that lists signatures", () => {
  test.each([
    ["is followed", 'split(",") | index(${piped_content.2.hash})'],
    ["is followed by any", 'split(",") | any(. == ${piped_content.2.hash})'],
  ])("%s", (_, look) => {
    const verification = {
      "!pipe": [
        { "!jq": "{value_to_encrypt: .raw_body}" },
        { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
        {
          "!switch": {
            jq: `(\${piped_content.0.headers.x-signature} | ${look}) as $at | if $at == null or $at == false then 1 else 0 end`,
            cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
          },
        },
      ],
    };
    for (const rule of ["intake/refuses-genuine", "intake/accepts-forged"])
      expect(findings(rule, "inbound-webhook", { "/data_intake/0/verification": verification })).toEqual([]);
  });
});

/** Findings of a rule for the programs of an inbound source, the parts of them that are told. */
const inSource = (rule: string, program: string, more: Readonly<Record<string, unknown>> = {}): string[] =>
  findings(rule, "inbound-webhook", {
    ...more,
    "/workflows/0/data_pipeline/source": { "!jq": program },
  });

const fieldOptions = "/workflows/0/setup/select/form_fields/0/options";
const madeBy = (...programs: readonly string[]): object => ({
  "!pipe": [{ "!http": { path: "/forms" } }, ...programs.map((program) => ({ "!jq": program }))],
});

describe("jq/crossed-members: opposites", () => {
  test.each([
    "{email: .email, first_name: .name.family, last_name: .name.given}",
    "{email: .email, name: {first: .last_name, last: .first_name}}",
    ".person as $p | {email: .email, firstName: $p.lastName, lastName: $p.firstName}",
    '.a as $a | {email: .email, first_name: $a["last-name"], last_name: ($a["first-name"] // "")}',
    "{email: .email, starts_on: (.endsOn[0:10]), ends_on: (.startsOn[0:10])}",
    "{email: .email, net: .gross_amount, gross: .net_amount}",
    "{email: .email, billing_city: .shipping.city, shipping_city: .billing.city}",
    "{email: .email, first_name: (if .p != null then .p.last_name else null end), last_name: .p.first_name}",
    "{email: .email, latitude: .geo.lng, longitude: .geo.lat}",
    "{email: .email, giver_email: .reader.email, reader_email: .giver.email}",
    "{email: .email, person_id: .company.id, company_id: .person.id}",
  ])("%s", (program) => {
    expect(inSource("jq/crossed-members", program)).toHaveLength(1);
  });

  test.each([
    "{email: .email, first_name: .name.given, last_name: .name.family}",
    "{email: .email, billing_city: .shipping.city, shipping_city: .shipping.city}",
    "{email: .email, giver_email: .giver.email, reader_email: .reader.email}",
    // A pause lasts from the end of one to the start of the next.
    "{email: .email, starts: .first.end, ends: .second.start}",
    "{email: .email, deal_id: .deal.id, contact_id: .contact.id}",
  ])("right: %s", (program) => {
    expect(inSource("jq/crossed-members", program)).toEqual([]);
  });

  test("segments of a path", () => {
    const path = "/people/${piped_content.1.company.id}/companies/${piped_content.1.person_id}";
    const target = (url: string) => ({
      "!pipe": [{ "!http": { path: "/links" } }, { "!http": { method: "PUT", path: url } }],
    });
    const at = "/workflows/0/data_pipeline/target";
    expect(findings("jq/crossed-members", "outbound", { [at]: target(path) })).toHaveLength(1);
    const right = "/people/${piped_content.1.person_id}/companies/${piped_content.1.company.id}";
    expect(findings("jq/crossed-members", "outbound", { [at]: target(right) })).toEqual([]);
  });
});

describe("value/opposite-member", () => {
  test.each([
    ["{email: .email, latitude: .geo.lon}", ".geo.lon"],
    [". as $x | {email: .email} | .last_name = $x.first_name", "$x.first_name"],
    ["{email: .email} + {last_name: .given_name}", ".given_name"],
    ["{email: .email, min_price: .price_max, max_price: .price_max}", ".price_max"],
    ["{email: .email, ends_on: .startsOn, starts_on: .startsOn}", ".startsOn"],
    ["{email: .email, net_total: .gross, gross_total: .gross}", ".gross"],
  ])("%s", (program, at) => {
    expect(inSource("value/opposite-member", program)).toEqual([at]);
  });

  test("by the title that customers map", () => {
    const at = "/workflows/0/setup/map/describe_source/options";
    const options = [
      { title: "Email", id: "email" },
      { title: "Last name", id: "name2" },
    ];
    const program = "{email: .email, name2: .first_name}";
    expect(inSource("value/opposite-member", program, { [at]: options })).toEqual([".first_name"]);
  });

  test.each([
    "{email: .email, renewal_start: .period_end, start: .date, end: .date}",
    "{email: .email, created_on: .created_at, updated_on: .created_at}",
    "{email: .email, from: .to, to: .from, last_seen: .first_seen}",
  ])("right: %s", (program) => {
    expect(inSource("value/opposite-member", program)).toEqual([]);
  });
});

describe("value/other-event-time", () => {
  test.each([
    [".c as $c | {email: .email, supply_start: $c.supply_start, renewal_date: $c.supply_start}", 1],
    ["{email: .email, shipped_at: .ordered_at, ordered_at: .ordered_at}", 1],
    ["{email: .email, due_on: .due_date[0:10], paid_on: .due_date[0:10]}", 1],
    ["{email: .email, start: .starts_at, review_date: (.starts_at | .[0:10])}", 1],
    ["{email: .email, birthday: .born_on, born_on: .born_on, cancelled_on: .born_on}", 1],
    [".c as $c | {email: .email, checked_in_at: $c.checkin_time, left_at: $c.checkin_time}", 1],
    // What is created is also ordered, signed up, placed.
    ["{email: .email, created_at: .created_at, order_date: .created_at}", 0],
    ["{email: .email, updated_at: .updated_at, last_activity_at: .updated_at}", 0],
    ["{email: .email, due_on: .due_date, due_at: .due_date}", 0],
  ])("%s", (program, times) => {
    expect(inSource("value/other-event-time", program)).toHaveLength(times);
  });
});

describe("mapping/opposite-title", () => {
  test.each([
    ["Last name", "first_name", true],
    ["Given name", "familyName", true],
    ["Start of supply", "supply_end", true],
    ["Work phone", "home_phone", true],
    ["Gross amount", "net_amount", true],
    ["Latest departure", "arrival", true],
    ["Longitude", "lat", true],
    ["First name", "given_name", false],
    ["Date of the last order", "first_order", false],
    ["End of the trial", "trial_ends_on", false],
  ])("%s: %s", (title, id, isTold) => {
    const options = [
      { title: "Email", id: "email" },
      { title, id },
    ];
    const at = "/workflows/0/setup/map/describe_source/options";
    const told = inSource("mapping/opposite-title", `{email: .email, ${id}: .x}`, { [at]: options });
    expect(told).toEqual(isTold ? [`"${title}"`] : []);
  });
});

describe("setup/exchanged-option", () => {
  const told = (options: unknown): string[] =>
    findings("setup/exchanged-option", "outbound", {
      [fieldOptions]: options,
      "/workflows/0/data_pipeline/target": {
        "!http": { method: "POST", path: "/people", body: { note: "${custom_data.list.value}" } },
      },
    });

  test.each([
    [madeBy("[.w[] | {display: .code, value: .name}]")],
    [madeBy(".w | map({value: .title, display: .slug})")],
    [madeBy("[.w[] | {c: .code, n: .name}]", "map({display: .c, value: .n})")],
    [madeBy("[.w[] | {code, name}]", "[.[] | {display: .code, value: .name}]")],
    [madeBy('[.w[] | {display: "\\(.key)", value: "\\(.label)"}]')],
    [madeBy("[.w[] | {display: .uuid, value: .full_name}]")],
    [madeBy('{"new": "New car", "old": "Old car"} | to_entries | map({display: .key, value: .value})')],
    [madeBy('{"New car": "new", "Old car": "old"} | to_entries | map({display: .value, value: .key})')],
    [
      [
        { display: "new_car", value: "New car" },
        { display: "used", value: "Used" },
      ],
    ],
    [
      [
        { display: "Open", value: "open" },
        { display: "done", value: "Done" },
      ],
    ],
  ])("%j", (options) => {
    expect(told(options)).toHaveLength(1);
  });

  test.each([
    [madeBy("[.w[] | {display: .title, value: .name}]")],
    [madeBy("[.w[] | {display: .code, value: .code}]")],
    [madeBy('{"new": "New car", "old": "Old car"} | to_entries | map({display: .value, value: .key})')],
    [
      [
        { display: "New car", value: "new_car" },
        { display: "EUR", value: "EUR" },
      ],
    ],
  ])("right: %j", (options) => {
    expect(told(options)).toEqual([]);
  });
});

describe("value/compared-kind", () => {
  const ids = madeBy("[.forms[] | {display: .name, value: .id}]");
  const chosen = "${custom_data.form.value}";
  test.each([
    [ids, `.stage.name as $s | if (${chosen} | any(. == $s)) then {email: .email} else null end`],
    [ids, `.form.name as $n | if (${chosen} | index($n)) then {email: .email} else null end`],
    [ids, `if (.form.name | IN(${chosen}[])) then {email: .email} else null end`],
    [ids, `${chosen} as $f | if any(.forms[]; .name == $f) then {email: .email} else null end`],
    [ids, `${chosen} as $f | if ([.forms[].name] | index($f)) != null then {email: .email} else null end`],
    [ids, `[.forms[] | select(.name == ${chosen})] | first`],
    [
      madeBy('[.forms[] | {display: "\\(.name), \\(.city)", value: (.id | tostring)}]'),
      `if .form_name == ${chosen} then {email: .email} else null end`,
    ],
    [
      madeBy("[.forms[] | {display: .name, value: .name}]"),
      `if .form_id == ${chosen} then {email: .email} else null end`,
    ],
    [
      madeBy("[.forms[] | {display: .name, value: .code}]"),
      `if ([.forms[].name] | any(. == ${chosen})) then {email: .email} else null end`,
    ],
    [
      madeBy("[.columns | to_entries[] | {display: .key, value: .key}]"),
      `${chosen} as $c | [.columns[] | select(.id == $c)] | first`,
    ],
  ])("%j %s", (options, program) => {
    expect(inSource("value/compared-kind", program, { [fieldOptions]: options })).toHaveLength(1);
  });

  test.each([
    [ids, `if ([.forms[].id] | any(. == ${chosen})) then {email: .email, form: .name} else null end`],
    [ids, `[.fields[] | select(.id == ${chosen}) | .name] | {email: first}`],
    [ids, `if .form == ${chosen} then {email: .email} else null end`],
    [
      madeBy("[.forms[] | {display: .name, value: .name}]"),
      `[.fields[] | select(.name == ${chosen})] | first`,
    ],
  ])("right: %j %s", (options, program) => {
    expect(inSource("value/compared-kind", program, { [fieldOptions]: options })).toEqual([]);
  });
});

describe("value/compared-display", () => {
  const written = [
    { display: "Open orders", value: "open" },
    { display: "Done", value: "done" },
  ];
  const chosen = "${custom_data.form.display}";
  test.each([
    [written, `if .status == ${chosen} then {email: .email} else null end`, 1],
    [
      written,
      `${chosen} as $s | if ([.states[].state] | index($s)) != null then {email: .email} else null end`,
      1,
    ],
    [
      madeBy('[.forms[] | {display: "\\(.name) (\\(.order))", value: .name}]'),
      `[.signers[] | select(.role_name == ${chosen})] | first`,
      1,
    ],
    [
      madeBy('[.forms[] | {display: (.name + ", " + .city), value: .code}]'),
      `${chosen} as $d | if ([.places[].code] | index($d)) != null then {email: .email} else null end`,
      1,
    ],
    [written, `[.orders[] | select(.state != ${chosen})] | first`, 1],
    // A record may have what is shown.
    [
      madeBy("[.forms[] | {display: .name, value: .code}]"),
      `if .place_name == ${chosen} then {email: .email} else null end`,
      0,
    ],
  ])("%j %s", (options, program, times) => {
    expect(inSource("value/compared-display", program, { [fieldOptions]: options })).toHaveLength(times);
  });
});

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
  ])("%s: %s", (title, program) => {
    expect(findings("value/other-unit", "inbound-webhook", source(title, program))).toHaveLength(1);
  });

  test.each([
    ["Storage (MB)", "{email: .email, n: (.used_bytes / 1048576)}"],
    ["Rate in percent", "{email: .email, n: (.open_ratio * 100 | round)}"],
    ["Rate in percent", "{email: .email, n: (.opened / .sent * 100 | round)}"],
    ["Use in kWh", "{email: .email, n: (.usage_wh / 1000)}"],
  ])("right: %s: %s", (title, program) => {
    expect(findings("value/other-unit", "inbound-webhook", source(title, program))).toEqual([]);
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

describe("jq/impossible-result", () => {
  test.each([
    ['(.tags | type) as $t | $t == "dict"', ['"dict"']],
    ['[.tags[] | type] | index("text")', ['"text"']],
    ['.tags | map(type) | any(. == "integer")', ['"integer"']],
    ['.a | type | IN("list", "dict")', ['"list"', '"dict"']],
    ['any(.tags[]; type == "bool")', ['"bool"']],
    ['.a | select(type == "int")', ['"int"']],
    ['.tags | type | . != "None"', ['"None"']],
    ['(.c | type) | {"list": 1}[.] == 1', []],
    ['.country | ascii_downcase | IN("DE", "at")', ['"DE"']],
    ['.a | ascii_downcase as $x | ["Sent"] | index($x)', ['"Sent"']],
    ['{"PAID": true}[.a | ascii_downcase]', ['"PAID"']],
    ['(.s | ascii_upcase) != "paid"', ['"paid"']],
    ['.subject | ascii_downcase | startswith("Re:")', ['"Re:"']],
    ['"Paid" as $p | (.s // "" | ascii_downcase) == $p', ["$p"]],
    ['.status[0:3] == "sent"', ['"sent"']],
    ["(.tags | length) == -1", ["-1"]],
    ['.date[0:10] == "2024-01"', []],
    ['.type == "list"', []],
    ['def type: "list"; type == "list"', []],
    ['(.c | ascii_downcase | .[0:2]) == "de"', []],
    ['(.a | type) == "array" and (.b | ascii_downcase) == "x"', []],
  ])("%s", (condition, told) => {
    const program = `if (${condition}) then {email: .email} else null end`;
    expect(inSource("jq/impossible-result", program)).toEqual(told);
  });
});

describe("value/other-level", () => {
  const options = madeBy(
    '[.data[] | select(.attributes.status == "open") | {display: .attributes.title, value: .id}]',
  );
  test.each([
    [options, '.data as $d | if $d.status == "open" then {email: $d.attributes.email} else null end', 1],
    [options, '[.included[] | select(.status == "open")] | first | {email: .attributes.email}', 1],
    [options, '{email: (.data | map(select(.title == "x")) | first | .attributes.email)}', 1],
    [options, "{email: .data[0].title, name: .data[0].attributes.email, s: .data[0].id}", 1],
    [options, ".data | {email: .attributes.email, i: .id, j: .attributes.id, k: .id}", 1],
    [
      madeBy("[.data.forms.edges[] | {display: .node.title, value: .node.id}]"),
      "{email: .email, t: [.data.forms.edges[].title]}",
      1,
    ],
    [options, ".data | {email: .attributes.email, rel: .relationships.form.data.id, name: .meta.title}", 0],
    [options, ".data | {email: .attributes.email, title: (.attributes.title // .title)}", 0],
    // Lists of one name may have records of another kind.
    [
      madeBy("[.results[] | {display: .properties.name, value: .id, stage: .properties.stage}]"),
      "{email: .email, names: [.results[].name]}",
      0,
    ],
  ])("%j %s", (made, program, times) => {
    expect(inSource("value/other-level", program, { [fieldOptions]: made })).toHaveLength(times);
  });
});

describe("events that aren't registered", () => {
  const body = "/data_intake/0/create/!pipe/0/!http/body";
  const registers = { [body]: { url: "${webhook.url}", events: ["sub.added", "sub.removed"] } };
  test.each([
    ['if .event == "unsubscribed" then null else {email: .email} end', 1],
    ['if .type == "sub.deleted" then null else {email: .email} end', 1],
    ['if "left" == .event then null else {email: .email} end', 1],
    ['[select(.event != "cancelled")] | first', 1],
    ['.event as $e | if .event == "gone" then null else {email: .email} end', 1],
    ['if .event == "added" then {email: .email} elif .event == "sub.changed" then null else {} end', 2],
    ['if .event == "ping" then null else {email: .email} end', 0],
    ['if .kind == "unsubscribed" then null else {email: .email} end', 0],
    ['if .event == "sub.added" then {email: .email} else null end', 0],
  ])("%s", (program, times) => {
    expect(inSource("intake/unregistered-event", program, registers)).toHaveLength(times);
  });

  const offered = (...values: readonly string[]) => ({
    ...registers,
    [fieldOptions]: values.map((value) => ({ display: value.toUpperCase(), value })),
  });
  test.each([
    [["sub.added", "sub.removed", "sub.changed"], ['"sub.changed"']],
    [["sub.added", "sub.removed"], []],
    [["sub.added"], []],
    // Something else is chosen.
    [["order.paid", "order.sent", "sub.added"], []],
  ])("offered: %j", (values, told) => {
    expect(findings("intake/unregistered-option", "inbound-webhook", offered(...values))).toEqual(told);
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
