import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Rules about values: the same kind of mistake in other words, and what is right although it looks alike. */

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
      "halves in words",
      [
        ["30 minutes", "30"],
        ["One hour", "60"],
        ["An hour and a half", "90"],
      ],
    ],
    [
      "hours and minutes",
      [
        ["30 minutes", "30"],
        ["1 hour", "60"],
        ["1 hour 15", "75"],
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
    // Whether there is one has been asked.
    '(.link | if . == null then null else capture("after=(?<t>[a-z]+)").t end) as $t | {email, token: $t}',
    '(if .link == null then null else (.link | capture("after=(?<t>[a-z]+)").t) end) as $t | {email, token: $t}',
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
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

test.each([
  ["phone: .wa_id", 0],
  ["phone: .caller_id", 0],
  ["phone: .person_id", 1],
])("a number that is called an id: %s", (member, count) => {
  const source = { "!jq": `{email, ${member}}` };
  const told = findings("value/other-role", "inbound-webhook", {
    "/workflows/0/data_pipeline/source": source,
  });
  expect(told).toHaveLength(count);
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
    'if .cancelled_at == null or .cancelled_at == "" then {email} else null end',
    'if .people[0].id != "" and (.people[0].id != null) then {email} else null end',
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

describe("jq/cut-prefix", () => {
  test.each([
    ['with_entries(select(.key | startswith("x_")) | .key |= ltrimstr("x"))', ['"x"']],
    ['with_entries(select(.key | startswith("x_")) | .key |= ltrimstr("x_"))', []],
    [
      '{p: (.p | if startswith("00") then "+" + .[2:] elif startswith("0") then "+49" + .[2:] else . end)}',
      ["2"],
    ],
    ['{p: (if .p | startswith("0") then "+49" + .p[2:] else .p end)}', ["2"]],
    ['.p as $p | {p: (if ($p | startswith("00")) then "+" + $p[1:] else $p end)}', ["1"]],
    // The country that is cut off is another one, or stays; and so is a text.
    [
      '{p: (.p | if startswith("00") then "+" + .[2:] elif startswith("0") then "+49" + .[1:] else . end)}',
      [],
    ],
    [
      '{p: (.p | if startswith("0049") then "0" + .[4:] elif startswith("+49") then "0" + .[3:] else . end)}',
      [],
    ],
    ['{p: (.p | if startswith("0049") then "+" + .[2:] else . end)}', []],
    ['{p: (if .p | startswith("0") then "+49" + .q[2:] else .p end)}', []],
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

describe("jq/contradiction: two constants", () => {
  const told = (condition: string): string[] =>
    findings("jq/contradiction", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!jq": `if ${condition} then null else {email: .email} end` },
    });

  test.each([
    ['"form" == "7"', true],
    ['"7" == "form"', true],
    ['"form" != "7"', true],
    ['("form") == "7"', true],
    ['.email == null or "form" == "7"', true],
    ['"custom_data.form.value" == "7"', true],
    ['"${custom_data.form.value}" == "7"', false],
    ['.form == "7"', false],
  ])("%s", (condition, isTold) => {
    expect(told(condition).length > 0).toBe(isTold);
  });
});

describe("polling/ends-early: the size that a query asks for", () => {
  const told = (query: string, variables: object, iterate: string): string[] =>
    findings("polling/ends-early", "inbound-polling", {
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {cursor: null}}" },
      "/data_intake/0/pre_poll": { "!jq": "{polling_state: .polling_state}" },
      "/data_intake/0/post_poll": { "!jq": "{polling_state: .polling_state}" },
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: "/graphql",
              body: { query, variables: { ...variables, after: "${polling_state.cursor}" } },
            },
          },
          {
            "!switch": {
              jq: "if (.errors // [] | length) > 0 then 0 else 1 end",
              cases: [{ "!error": "No answer." }, { "!jq": ".data" }],
            },
          },
          {
            "!jq": `.people | {results: .nodes, iterate: (${iterate}), polling_state: {cursor: (.pageInfo.endCursor // \${polling_state.cursor})}}`,
          },
        ],
      },
    });
  const inQuery =
    "query($after: String) { people(first: 100, after: $after) { nodes { id tags(first: 5) { id } } pageInfo { hasNextPage endCursor } } }";
  const asVariable = inQuery.replace("($after", "($size: Int, $after").replace("100", "$size");

  test.each([
    [inQuery, {}, "(.nodes | length) > 100", 1],
    [inQuery, {}, "(.nodes | length) >= 200", 1],
    [inQuery, {}, "(.nodes | length) == 50", 1],
    [inQuery.replace("first: 100", "limit: 100"), {}, ".nodes | length > 100", 1],
    [asVariable, { size: 100 }, "(.nodes | length) > 100", 1],
    [inQuery, {}, ".pageInfo.hasNextPage | not", 1],
    [inQuery, {}, "(.nodes | length) == 100", 0],
    [inQuery, {}, "(.nodes | length) >= 100", 0],
    [asVariable, { size: 200 }, "(.nodes | length) > 100", 0],
    [inQuery, {}, ".pageInfo.hasNextPage", 0],
  ])("%s %o %s", (query, variables, iterate, count) => {
    expect(told(query, variables, iterate)).toHaveLength(count);
  });
});

describe("http/graphql-variable-type: variables that a step makes", () => {
  const told = (query: string, variables: string, comment = ""): string[] =>
    findings("http/graphql-variable-type", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        id: "seats",
        label: "Seats",
        type: "dropdown",
        options: [
          { display: "One", value: "1" },
          { display: "Two", value: "2" },
        ],
      },
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{query: "${query}", variables: ${variables}}` },
          { "!http": { method: "POST", path: "/graphql", body: "${piped_content.1}" } },
        ],
      },
    });
  const seats = "${custom_data.seats.value}";
  const plain = "mutation Issue($seats: Int!) { issue(seats: $seats) { id } }";
  const input = "mutation Issue($pass: PassInput!) { issue(pass: $pass) { id } }";
  const documented = "issue takes input PassInput { show: ID! seats: Int! }.";

  test("a text for a number", () => {
    expect(told(plain, `{seats: ${seats}}`)).toEqual([seats]);
    expect(told(plain, `{"seats": (${seats})}`)).toEqual([seats]);
    expect(told(input, `{pass: {show: "a", seats: ${seats}}}`, documented)).toEqual([seats]);
  });

  test("is right where it is converted, or another type is declared", () => {
    expect(told(plain, `{seats: (${seats} | tonumber)}`)).toEqual([]);
    expect(told(plain.replace("Int", "String"), `{seats: ${seats}}`)).toEqual([]);
    expect(told(plain.replace("Int", "SeatCount"), `{seats: ${seats}}`)).toEqual([]);
    expect(told(input, `{pass: {show: ${seats}, seats: 1}}`, documented)).toEqual([]);
    expect(told(input, `{pass: {seats: ${seats}}}`, "input OtherInput { seats: Int! }")).toEqual([]);
    expect(told(input, `{pass: {seats: ${seats}}}`)).toEqual([]);
  });
});
