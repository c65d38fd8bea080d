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
