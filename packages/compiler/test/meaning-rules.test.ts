import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument, setAt } from "./rule-examples.ts";
import { baseWorld } from "./support/bases.ts";

/** Rules about meaning: the same kind of mistake in other words, and what is right although it looks alike. */

type Template = "inbound-webhook" | "inbound-polling" | "outbound" | "historical-sync";

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

/** The commands of the template's polling intake. */
function polling(
  setUp: string,
  prePoll: string | undefined,
  request: readonly object[],
  postPoll?: object,
): Readonly<Record<string, unknown>> {
  return {
    "/data_intake/0/initial_setup": { "!jq": setUp },
    ...(prePoll === undefined ? {} : { "/data_intake/0/pre_poll": { "!jq": prePoll } }),
    "/data_intake/0/request": { "!pipe": request },
    ...(postPoll === undefined ? {} : { "/data_intake/0/post_poll": postPoll }),
  };
}

describe("a window whose URL the state holds", () => {
  const page = { "!http": { url: "${polling_state.next_url}" } };
  const base = "https://api.example.com/v1/customers?limit=50";
  const setUp = "{polling_state: {placed_from: (now - 86400 | todate), placed_before: null, next_url: null}}";
  const begun = (url: string): string =>
    `.polling_state as $s | if $s.next_url != null then {polling_state: $s} else (now - 60 | todate) as $end | {polling_state: {placed_from: $s.placed_from, placed_before: $end, next_url: ${url}}} end`;
  const ended = (from: string): string =>
    `{results: .items, iterate: (.next != null), polling_state: (if .next != null then {placed_from: \${polling_state.placed_from}, placed_before: \${polling_state.placed_before}, next_url: .next} else {placed_from: ${from}, placed_before: null, next_url: null} end)}`;
  const url = `("${base}&from=" + ($s.placed_from | @uri) + "&to=" + ($end | @uri))`;
  const last = "${polling_state.placed_before}";
  const told = (rule: string, made: string, from: string): string[] =>
    findings(rule, "inbound-polling", polling(setUp, begun(made), [page, { "!jq": ended(from) }]));

  test.each([
    ["only its end", `("${base}&to=" + ($end | @uri))`],
    ["neither", `"${base}"`],
    ["a made up start", `("${base}&from=2020-01-01&to=" + ($end | @uri))`],
    ["the end twice", `("${base}&from=" + ($end | @uri) + "&to=" + ($end | @uri))`],
    ["a written text", `"${base}&to=\\($end | @uri)"`],
  ])("the start isn't in it: %s", (_, made) => {
    expect(told("polling/idle-key", made, last)).toEqual([last]);
  });

  test.each([
    ["now", "(now | todate)"],
    ["a minute ago", "(now - 60 | floor | todate)"],
    ["another form", '(now | strftime("%Y-%m-%dT%H:%M:%SZ"))'],
  ])("the clock moves the start: %s", (_, from) => {
    expect(told("polling/clock-watermark", url, from)).toEqual([from]);
  });

  test.each([
    ["put together", url],
    ["a written text", `"${base}&from=\\($s.placed_from | @uri)&to=\\($end | @uri)"`],
    ["with an overlap", `("${base}&from=" + ($s.placed_from | fromdate - 300 | todate) + "&to=" + $end)`],
  ])("%s is right", (_, made) => {
    for (const rule of ["polling/idle-key", "polling/clock-watermark", "polling/standing-window"])
      expect(told(rule, made, last)).toEqual([]);
  });
});

describe("a state that goes through further stages", () => {
  const asked = {
    "!http": {
      path: "/lists/${custom_data.list.value}/customers",
      params: {
        since: "${polling_state.since}",
        until: "${polling_state.until}",
        page: "${polling_state.page}",
      },
    },
  };
  const setUp = "{polling_state: {since: (now - 86400 | floor), until: null, page: 1}}";
  const ended = (since: string): string =>
    `{results: .items, iterate: .has_more, polling_state: (if .has_more then \${polling_state} + {page: (\${polling_state.page} + 1)} else {since: ${since}, until: null, page: 1} end)}`;
  const told = (rule: string, prePoll: string, since = "${polling_state.until}"): string[] =>
    findings(rule, "inbound-polling", polling(setUp, prePoll, [asked, { "!jq": ended(since) }]));
  const ways = (until: string): string[] => [
    `{polling_state: (.polling_state | if .page > 1 then . else . + {until: ${until}} end)}`,
    `{polling_state: (.polling_state | . + (if .page > 1 then {} else {until: ${until}} end))}`,
    `{polling_state: (\${polling_state} | if .page == 1 then . + {until: ${until}} end)}`,
    `.polling_state | {polling_state: (if .page > 1 then . else (. + {until: ${until}}) end)}`,
    `.polling_state as $s | {polling_state: ($s | if .page > 1 then . else . + {until: ${until}} end)}`,
    `{polling_state: (.polling_state | {since: .since, page: .page, until: (if .page > 1 then .until else ${until} end)})}`,
  ];

  test.each(ways("(now - 60) * 1000"))("milliseconds: %s", (prePoll) => {
    expect(told("polling/mixed-kinds", prePoll).length).toBeGreaterThan(0);
  });

  test.each(ways("(now - 60 | floor)"))("a start that stays: %s", (prePoll) => {
    expect(told("polling/standing-window", prePoll, "${polling_state.since}").length).toBeGreaterThan(0);
  });

  test.each(ways("(now - 60 | floor)"))("right: %s", (prePoll) => {
    for (const rule of [
      "polling/mixed-kinds",
      "polling/standing-window",
      "polling/idle-key",
      "polling/clock-watermark",
      "polling/early-watermark",
    ])
      expect(told(rule, prePoll)).toEqual([]);
  });
});

describe("polling/skipped-ahead", () => {
  const list = { "!http": { path: "/feed", params: { after: "${polling_state.seq}" } } };
  const head = { "!http": { path: "/feed/head" } };
  const read = (seq: string): object => ({
    "!jq": `{results: .items, iterate: .has_more, polling_state: {seq: ${seq}}}`,
  });
  const greatest = "(.items | map(.seq) | max // ${polling_state.seq})";
  const told = (seq: string, postPoll: object | undefined): string[] =>
    findings(
      "polling/skipped-ahead",
      "inbound-polling",
      polling("{polling_state: {seq: 0}}", undefined, [list, read(seq)], postPoll),
    );
  const takes = (program: string): object => ({ "!pipe": [head, { "!jq": program }] });

  test.each([
    ["as it is", greatest, takes("{polling_state: {seq: .seq}}"), [".seq"]],
    ["below", greatest, takes("{polling_state: {seq: .feed.last_seq}}"), [".feed.last_seq"]],
    [
      "of the last record",
      "(.items[-1].seq // ${polling_state.seq})",
      takes("{polling_state: {seq: .seq}}"),
      [".seq"],
    ],
    [
      "beside a fallback",
      greatest,
      takes("{polling_state: {seq: (.seq // ${polling_state.seq})}}"),
      [".seq"],
    ],
    ["on the state", greatest, takes("{polling_state: (${polling_state} + {seq: .seq})}"), [".seq"]],
    ["a newest record", greatest, takes("{polling_state: {seq: .items[0].seq}}"), [".items[0].seq"]],
    ["kept", greatest, takes("{polling_state: ${polling_state}}"), []],
    [
      "asked by the state",
      greatest,
      {
        "!pipe": [
          { "!http": { path: "/feed/${polling_state.seq}" } },
          { "!jq": "{polling_state: {seq: .seq}}" },
        ],
      },
      [],
    ],
    [
      "confirmed",
      greatest,
      {
        "!pipe": [
          { "!http": { method: "POST", path: "/feed/ack" } },
          { "!jq": "{polling_state: {seq: .seq}}" },
        ],
      },
      [],
    ],
  ])("%s", (_, seq, postPoll, at) => {
    expect(told(seq, postPoll)).toEqual(at);
  });

  test("within the request", () => {
    const request = [
      list,
      head,
      {
        "!jq":
          "{results: ${piped_content.1.items}, iterate: ${piped_content.1.has_more}, polling_state: {seq: (if ${piped_content.1.has_more} then ([${piped_content.1.items}[].seq] | max) else .seq end)}}",
      },
    ];
    expect(
      findings(
        "polling/skipped-ahead",
        "inbound-polling",
        polling("{polling_state: {seq: 0}}", undefined, request),
      ),
    ).toEqual([".seq"]);
  });
});

describe("http/url-as-path", () => {
  const request = (step: object, made: string): object[] => [{ "!jq": made }, step];
  const told = (rule: string, target: object): string[] =>
    findings(rule, "outbound", { "/workflows/0/data_pipeline/target": target });
  const byPath = {
    "!http": { method: "POST", path: "${piped_content.1.address}", body: "${piped_content.0}" },
  };
  const byUrl = {
    "!http": { method: "POST", url: "${piped_content.1.address}", body: "${piped_content.0}" },
  };

  test.each([
    ["a text", '{address: "https://api.example.com/v1/people"}'],
    ["a sum", '{address: ("https://api.example.com/v1/people/" + .email)}'],
    ["one with a value in it", '{address: "https://api.example.com/v1/people/\\(.email)"}'],
    ["a variable", '"https://api.example.com/v1/people" as $url | {address: $url}'],
    [
      "on one way",
      '{address: (if .email == null then "https://api.example.com/v1/people" else "https://api.example.com/v1/people/\\(.email)" end)}',
    ],
  ])("%s", (_, made) => {
    expect(told("http/url-as-path", { "!pipe": request(byPath, made) })).toEqual([
      '"${piped_content.1.address}"',
    ]);
    expect(told("http/url-as-path", { "!pipe": request(byUrl, made) })).toEqual([]);
  });

  test.each(['{address: "/people"}', '{address: ("/people/" + .email)}'])("a path: %s", (made) => {
    expect(told("http/url-as-path", { "!pipe": request(byPath, made) })).toEqual([]);
    expect(told("http/path-as-url", { "!pipe": request(byUrl, made) })).toEqual([
      '"${piped_content.1.address}"',
    ]);
  });

  test("an answer's member says nothing by itself, but beside another request", () => {
    const asks = { "!http": { path: "/people" } };
    const path = { "!http": { path: "${piped_content.1.next_url}" } };
    const url = { "!http": { url: "${piped_content.1.next_url}" } };
    const body = { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } };
    expect(told("http/url-as-path", { "!pipe": [asks, path, body] })).toEqual([]);
    expect(told("http/url-as-path", { "!pipe": [asks, url, path, body] })).toEqual([
      '"${piped_content.1.next_url}"',
    ]);
  });

  test("the state's address", () => {
    const changes = (key: "path" | "url"): Readonly<Record<string, unknown>> =>
      polling('{polling_state: {next: "https://api.example.com/v1/customers"}}', undefined, [
        { "!http": { [key]: "${polling_state.next}" } },
        {
          "!jq":
            '{results: .items, iterate: (.next != null), polling_state: {next: (.next // "https://api.example.com/v1/customers")}}',
        },
      ]);
    expect(findings("http/url-as-path", "inbound-polling", changes("path"))).toEqual([
      '"${polling_state.next}"',
    ]);
    expect(findings("http/url-as-path", "inbound-polling", changes("url"))).toEqual([]);
  });
});

describe("what create and update have of a registration", () => {
  const body = { url: "${webhook.url}" };
  const made = (program: string): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body } },
      { "!jq": program },
      { "!save": { scope: "workflow" } },
    ],
  });
  const changed = (method: string, path: string, ...rest: readonly object[]): object => ({
    "!pipe": [{ "!http": { method, path, body } }, ...rest],
  });
  const saves = (program: string): object[] => [{ "!jq": program }, { "!save": { scope: "workflow" } }];
  const own = "/hooks/${data.workflow.hook_id}";
  const told = (rule: string, create: object, update: object): string[] =>
    findings(rule, "inbound-webhook", { "/data_intake/0/create": create, "/data_intake/0/update": update });

  test.each([
    ["without the wrapper", "{hook_id: .hook.id}", "{hook_id: .id}", [".id"]],
    [
      "another wrapper",
      "{hook_id: .hook.id, key: .hook.key}",
      "{hook_id: .data.id, key: .hook.key}",
      [".data.id"],
    ],
    ["the secret", "{hook_id: .hook.id, key: .hook.key}", "{key: .key}", [".key"]],
    ["below by a variable", "{hook_id: .hook.id}", ". as $a | {hook_id: $a.id}", ["$a.id"]],
    ["with a wrapper in one", "{hook_id: .id}", "{hook_id: .hook.id}", [".id"]],
    ["too deep", "{hook_id: .id, key: .key}", "{hook_id: .hook.id, key: .key}", [".hook.id"]],
    [
      "JSON:API",
      "{hook_id: .data.id, key: .data.attributes.key}",
      "{hook_id: .data.id, key: .data.key}",
      [".data.key"],
    ],
    ["the same", "{hook_id: .hook.id}", "{hook_id: .hook.id}", []],
    ["another name", "{hook_id: .hook.id}", "{hook_id: .hook_id}", []],
  ])("a value from another place: %s", (_, create, update, at) => {
    expect(told("intake/moved-answer", made(create), changed("PUT", own, ...saves(update)))).toEqual(at);
  });

  test.each([
    ["nothing is saved", changed("POST", "/hooks"), true],
    ["the id is saved", changed("POST", "/hooks", ...saves("{hook_id: .hook.id}")), true],
    ["the secret too", changed("POST", "/hooks", ...saves("{hook_id: .hook.id, key: .hook.key}")), true],
    [
      "and more is asked",
      changed("POST", "/hooks", ...saves("{hook_id: .hook.id}"), { "!http": { path: "/hooks" } }),
      true,
    ],
    [
      "the first one is removed",
      changed("POST", "/hooks", { "!http": { method: "DELETE", path: own } }),
      false,
    ],
    ["the id goes along", changed("POST", own), false],
    ["it is changed", changed("PATCH", own, ...saves("{hook_id: .hook.id}")), false],
  ])("a second registration: %s", (_, update, isTold) => {
    expect(told("intake/second-registration", made("{hook_id: .hook.id}"), update)).toEqual(
      isTold ? ['"!http"'] : [],
    );
  });
});

describe("events that nothing registers", () => {
  const fields = (values: readonly string[]): object => ({
    label: "Changes",
    id: "changes",
    type: "multiselect",
    options: values.map((value) => ({ display: value, value })),
  });
  const told = (
    rule: string,
    events: unknown,
    source: string,
    values: readonly string[] = ["item.added", "item.removed"],
  ): string[] =>
    findings(rule, "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/update": undefined,
      "/workflows/0/setup/select/form_fields/1": fields(values),
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });
  const chosen = "${custom_data.changes.value}";
  const all = ["item.added", "item.removed"];
  const gone = (condition: string): string =>
    `{email, status: (if ${condition} then "gone" else "there" end)}`;

  test.each([
    ["a choice", chosen, gone('.event == "left"'), ['"left"']],
    ["a list", all, gone('.event == "left"'), ['"left"']],
    ["one text", "item.added,item.removed", gone('.event == "left"'), ['"left"']],
    ["the other side", all, gone('"left" == .event'), ['"left"']],
    ["unequal", all, gone('.event != "item.gone"'), ['"item.gone"']],
    ["by a variable", all, `.event as $e | ${gone('$e == "item.gone"')}`, ['"item.gone"']],
    [
      "in a table",
      all,
      '{email, status: {"item.added": "there", "item.gone": "gone"}[.event]}',
      ['"item.gone"'],
    ],
    ["what is registered", all, gone('.event == "item.removed"'), []],
    ["a ping", all, gone('.event == "ping"'), []],
    ["everything", ["*"], gone('.event == "item.gone"'), []],
    ["another member", all, gone('.state == "left"'), []],
    ["payloads with words of their own", all, gone('.event == "in" or .event == "out"'), []],
  ])("%s", (_, events, source, at) => {
    expect(told("intake/unregistered-event", events, source)).toEqual(at);
  });

  test.each([
    [
      "one left out",
      ["item.added", "item.removed"],
      ["item.added", "item.removed", "item.moved"],
      ['"item.moved"'],
    ],
    ["one of two", ["item.added"], ["item.added", "item.removed"], ['"item.removed"']],
    [
      "two left out",
      ["item.added"],
      ["item.added", "item.moved", "item.removed"],
      ['"item.moved"', '"item.removed"'],
    ],
    ["by slashes", ["item/added"], ["item/added", "item/removed"], ['"item/removed"']],
    ["all", ["item.added", "item.removed"], ["item.added", "item.removed"], []],
    ["other words", ["item.added", "item.removed"], ["all", "none"], []],
    ["of something else", ["item.added"], ["item.added", "note.added"], []],
    ["with a star", ["item.*"], ["item.added", "item.removed"], []],
  ])("options: %s", (_, events, values, at) => {
    const source = `.event as $e | if (${chosen} | index($e)) == null then null else {email} end`;
    expect(told("intake/unregistered-option", events, source, values)).toEqual(at);
  });
});

describe("polling/history-envelope", () => {
  const told = (results: string, source: string): string[] =>
    findings("polling/history-envelope", "historical-sync", {
      "/data_intake/1/request/!pipe/1/!jq": `{results: ${results}, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}`,
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });

  test.each([
    [".data", ".data as $o | {email: $o.attributes.email}"],
    [".data", "{email: .data.attributes.email}"],
    [".data // []", "{email: .data.attributes.email}"],
    ["[.data[]]", "{email: .data.attributes.email}"],
    ["[.data[] | select(.attributes.paid)]", "{email: .data.attributes.email}"],
    [
      ".data | map(select(.attributes.paid))",
      '[.included[] | select(.type == "people")][0] | {email: .attributes.email}',
    ],
    [".orders", "{email: .payload.order.email}"],
    [".orders", "{email: .order.email}"],
    ["[.orders[]]", "{email: .email, number: .order_id}"],
  ])("%s: %s", (results, source) => {
    expect(told(results, source)).toEqual([results]);
  });

  test.each([
    ["[.data[] | {data: .}]", "{email: .data.attributes.email}"],
    [".data", "{email: .attributes.email}"],
    [".orders", "{email: .email, shop: .shop_id}"],
    ["[.orders[] | {order_id: .id, email}]", "{email: .email, number: .order_id}"],
    [".orders", "{email: (.order.email // .email)}"],
  ])("%s is right with %s", (results, source) => {
    expect(told(results, source)).toEqual([]);
  });
});

describe("pipeline/unbuilt-body", () => {
  const told = (built: string, made: unknown, changed: unknown, path = "/people"): string[] =>
    findings("pipeline/unbuilt-body", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": built },
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{id: .people[0].id}" },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                { "!http": { method: "POST", path: "/people", body: made } },
                { "!http": { method: "PATCH", path: `${path}/\${piped_content.3.id}`, body: changed } },
              ],
            },
          },
        ],
      },
    });
  const wraps = "{person: {mail: .email, full: .name}}";

  test.each([
    ["wrapped", wraps, "${piped_content.1}", "${piped_content.0}", ["${piped_content.0}"]],
    [
      "renamed",
      "{mail: .email, full: .name}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "in a member",
      "{mail: .email}",
      { person: "${piped_content.1}" },
      { person: "${piped_content.0}" },
      ["${piped_content.0}"],
    ],
    ["the other way round", wraps, "${piped_content.0}", "${piped_content.1}", ["${piped_content.0}"]],
    [
      "with more",
      "{mail: .email} + (if .name != null then {full: .name} else {} end)",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "by the expansion",
      "${piped_content.0} as $c | {person: {mail: $c.email, full: $c.name}}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    ["both built", wraps, "${piped_content.1}", "${piped_content.1}", []],
    ["only more is added", ". + {owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    ["names stay", "{email, name, owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    [
      "without what is empty",
      "with_entries(select(.value != null))",
      "${piped_content.1}",
      "${piped_content.0}",
      [],
    ],
  ])("%s", (_, built, made, changed, at) => {
    expect(told(built, made, changed)).toEqual(
      at.map((text) => (typeof made === "string" ? `${text}` : text)),
    );
  });

  test("records of another kind may have another form", () => {
    expect(told(wraps, "${piped_content.1}", "${piped_content.0}", "/notes")).toEqual([]);
  });
});

describe("what is saved of a registration", () => {
  const create = (program: string, ...rest: readonly object[]): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": program },
      ...rest,
    ],
  });
  const save = { "!save": { scope: "workflow" } };
  const told = (rule: string, changes: Readonly<Record<string, unknown>>): string[] =>
    findings(
      rule,
      "inbound-webhook",
      Object.fromEntries(Object.entries(changes).map(([name, value]) => [`/data_intake/0/${name}`, value])),
    );
  const byId = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const changed = (method: string): object => ({
    "!pipe": [
      { "!http": { method, path: "/hooks/current", body: { url: "${webhook.url}" } } },
      { "!jq": "{hook_id: .id}" },
      save,
    ],
  });

  test.each([
    ["by update alone", { create: create("{hook_id: .id}"), update: changed("PUT"), delete: byId }, true],
    [
      "and read by it",
      {
        create: create("."),
        update: {
          "!pipe": [
            {
              "!http": {
                method: "PUT",
                path: "/hooks/${data.workflow.hook_id}",
                body: { url: "${webhook.url}" },
              },
            },
            { "!jq": "{hook_id: .id}" },
            save,
          ],
        },
        delete: byId,
      },
      true,
    ],
    ["by both", { create: create("{hook_id: .id}", save), update: changed("PUT"), delete: byId }, false],
    ["by create alone", { create: create("{hook_id: .id}", save), update: undefined, delete: byId }, false],
  ])("saved %s", (_, changes, isTold) => {
    expect(told("intake/saved-late", changes).length > 0).toBe(isTold);
  });

  test.each([
    [".hook.id, .hook.key", true],
    [".hook | .id, .key", true],
    [".hook | (.hook_id, .hook_key)", true],
    ["(.id), (.key)", true],
    [".hook.id", true],
    [".hook", false],
    ["{hook_id: .id}, {key: .key}", false],
    [".hook | {hook_id: .id}", false],
  ])("bare values: %s", (program, isTold) => {
    expect(told("intake/saved-text", { create: create(program, save), delete: byId })).toEqual(
      isTold ? [program] : [],
    );
  });

  test.each([
    ["in a query", { "!http": { method: "DELETE", path: "/hooks?url=${webhook.url}" } }, true],
    [
      "in the parameters",
      { "!http": { method: "DELETE", path: "/hooks", params: { url: "${webhook.url}" } } },
      true,
    ],
    [
      "in the body",
      { "!http": { method: "POST", path: "/hooks/remove", body: { url: "${webhook.url}" } } },
      true,
    ],
    ["in the path", { "!http": { method: "DELETE", path: "/hooks/${webhook.url}" } }, true],
    [
      "beside the id",
      {
        "!http": {
          method: "DELETE",
          path: "/hooks/${data.workflow.hook_id}",
          params: { url: "${webhook.url}" },
        },
      },
      false,
    ],
  ])("removed by the URL %s", (_, remove, isTold) => {
    const update = {
      "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
    };
    for (const change of [undefined, update])
      expect(
        told("intake/deleted-by-url", {
          create: create("{hook_id: .id}", save),
          update: change,
          delete: remove,
        }),
      ).toEqual(isTold ? ["${webhook.url}"] : []);
    expect(
      told("intake/deleted-by-url", { create: create("{seen: .at}"), update: undefined, delete: remove }),
    ).toEqual([]);
  });
});

describe("api/other-first-page", () => {
  const told = (style: object, parser: object, param: string, begins: number, iterate: string): string[] =>
    findings("api/other-first-page", "inbound-polling", {
      "/api/pagination": { style, parser },
      ...polling(`{polling_state: {at: ${begins}}}`, undefined, [
        { "!http": { path: "/customers", params: { [param]: "${polling_state.at}" } } },
        {
          "!jq": `{results: .items, iterate: (${iterate}), polling_state: {at: (\${polling_state.at} + 1)}}`,
        },
      ]),
    });
  const page = (value: number | undefined): object => ({
    type: "page",
    page_number: { param: "page", ...(value === undefined ? {} : { value }) },
  });
  const pages = { total_pages: { "!jq": ".pages" } };
  const counts = "${polling_state.at} < .pages";
  const before = "${polling_state.at} + 1 < .pages";

  test.each([
    ["from 0 for 1", page(0), 1, counts, ["0"]],
    ["from 1 for 0", page(1), 0, before, ["1"]],
    ["0 for what is usual", page(undefined), 0, counts, ["0"]],
    ["from 2", page(2), 1, counts, ["1"]],
    ["alike", page(1), 1, counts, []],
    ["alike, from 0", page(0), 0, before, []],
    ["alike, as is usual", page(undefined), 1, counts, []],
  ])("%s", (_, style, begins, iterate, at) => {
    expect(told(style, pages, "page", begins, iterate)).toEqual(at);
  });

  test("another parameter counts by itself", () => {
    expect(told(page(1), pages, "offset", 0, counts)).toEqual([]);
  });

  test("an offset", () => {
    const style = {
      type: "limitoffset",
      limit: { param: "limit", value: 50 },
      offset: { param: "offset", value: 1 },
    };
    expect(told(style, { total_items: { "!jq": ".total" } }, "offset", 0, before)).toEqual(["1"]);
  });
});

describe("a secret that is saved under another name", () => {
  const verification = {
    "!pipe": [
      { "!jq": "{value_to_encrypt: .raw_body}" },
      { "!sha": { algorithm: "sha256", secret: "${data.workflow.key}" } },
      {
        "!switch": {
          jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  };

  test.each([
    ["{ref: .hook.key, key: .hook.key}", true],
    [".hook | {ref: .key, key: .key}", true],
    [".hook as $h | {ref: $h.key, key: $h.key}", true],
    ["{ref: .hook.ref, key: .hook.key}", false],
    ["{ref: .hook.id, key: .hook.id}", false],
  ])("%s", (program, isTold) => {
    const told = findings("security/signing-secret-in-url", "inbound-webhook", {
      "/data_intake/0/verification": verification,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.ref}" } },
    });
    expect(told).toEqual(isTold ? ["${data.workflow.ref}"] : []);
  });
});
