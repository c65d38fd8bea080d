import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Rules about opposites, options and results: the same kind of mistake in other words, and what is right although it looks alike. */

/** Findings of a rule for the programs of an inbound source, the parts of them that are told. */
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
    // A stay starts with the arrival, and a flight ends with it.
    "{email: .email, starts_on: .arrival, ends_on: .departure}",
    "{email: .email, starts_on: .departs_at, ends_on: .arrives_at}",
    // A pause lasts from the end of one to the start of the next.
    "{email: .email, starts: .first.end, ends: .second.start}",
    "{email: .email, deal_id: .deal.id, contact_id: .contact.id}",
  ])("right: %s", (program) => {
    expect(inSource("jq/crossed-members", program)).toEqual([]);
  });

  test("a comment says that the service has them so", () => {
    const source = (comment: string): string[] =>
      findings("jq/crossed-members", "inbound-webhook", {
        "/workflows/0/data_pipeline/source": {
          _comment: comment,
          "!jq": "{email, first_name: .last_name, last_name: .first_name}",
        },
      });
    expect(source("They have first_name and last_name the other way round.")).toEqual([]);
    expect(source("first_name and last_name are texts.")).toHaveLength(1);
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
    ["Start of the contract", "contracted_until", true],
    ["Start of the contract", "ends_on", true],
    ["Arrival", "departure_date", true],
    // What is quiet until a day can be met again from that day.
    ["Contact again from", "quiet_until", false],
    ["Bookable from", "closed_until", false],
    ["Occupied until", "available_from", false],
    ["End of the warranty", "paid_service_starts", false],
    // A stay starts with the arrival, and a flight ends with it.
    ["Arrival", "starts_on", false],
    ["Departure", "checkout", false],
    ["Departure", "starts_on", false],
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
    // What type a field is of isn't what kind of record it is; the word of a kind is.
    [
      options,
      '[.data[] | select(.type == "form" or .type == "survey") | {email: .attributes.email, isChoice: (.attributes.type == "choice")}] | first',
      0,
    ],
    [
      options,
      '[.data[] | select(.type == "form" or .type == "survey") | {email: .attributes.email, isForm: (.attributes.type == "form")}] | first',
      1,
    ],
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

describe("setup/exchanged-option: texts that are put together", () => {
  const told = (program: string, member: string): string[] => {
    const changes = {
      [fieldOptions]: madeBy(program),
      "/workflows/0/data_pipeline/target": {
        "!http": { method: "POST", path: "/people", body: { [member]: "${custom_data.list.value}" } },
      },
    };
    return ["setup/exchanged-option", "value/name-for-id"].flatMap((rule) =>
      findings(rule, "outbound", changes),
    );
  };

  test.each([
    '.p | map({display: .id, value: "\\(.date), \\(.time)"})',
    '[.p[] | {display: .id, value: (.first_name + " " + .last_name)}]',
    '[.p[] | {display: (.id | tostring), value: ([.city, .street] | join(", "))}]',
    '.p[] as $p | [{display: $p.id, value: "\\($p.name) (\\($p.city))"}]',
    '[.p[] | "\\(.day) \\(.hour)" as $when | {display: .id, value: $when}]',
    "[.p[] | {display: .uuid, value: (.title // .name)}]",
    "[.p[] | {display: .id, value: (.name | ascii_upcase)}]",
    "[.p[] | {display: .id, value: .starts_at}]",
    '[.p[] | {display: .code, value: "\\(.weekday) at \\(.hour)"}]',
  ])("%s", (program) => {
    expect(told(program, "performance_id")).not.toEqual([]);
    expect(told(program, "note")).not.toEqual([]);
  });

  test.each([
    '[.p[] | {display: "\\(.date) \\(.time)", value: .id}]',
    '[.p[] | {display: .id, value: "\\(.type):\\(.id)"}]',
    "[.p[] | {display: .id, value: .id}]",
    '[.p[] | {display: .code, value: "\\(.region)-\\(.zone)"}]',
    '[.p[] | {display: .name, value: "\\(.id) \\(.name)"}]',
    "[.p[] | {display: .slug, value: .url}]",
    '[.p[] | {display: .id, value: "{\\"a\\": \\(.x), \\"b\\": 1}"}]',
  ])("right: %s", (program) => {
    expect(told(program, "performance_id")).toEqual([]);
    expect(told(program, "note")).toEqual([]);
  });

  test("a member that nothing is known of, beside the id, where an id is wanted", () => {
    const program = "[.p[] | {display: .id, value: .teaser}]";
    expect(told(program, "performance_id")).toHaveLength(1);
    expect(told(program, "note")).toEqual([]);
  });
});

describe("value/undocumented-word", () => {
  const source = (comment: unknown, program: string, more: Readonly<Record<string, unknown>> = {}) =>
    findings("value/undocumented-word", "inbound-webhook", {
      ...more,
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    ["A form: state is open, closed or archived.", 'select(.state != "finished")', '"finished"'],
    ["A form: {id, size: s | m | l}", 'select(.form.size == "medium") | {email}', '"medium"'],
    [["Forms.", "outcome is one of won and lost"], '.outcome as $o | select($o == "gone")', undefined],
    [
      "Events: form.opened, form.sent, and test when somebody tries.",
      'if .event == "ping" then null else . end',
      '"ping"',
    ],
    ['status: "new", "read", "answered" in this order', 'select(.status | IN("new", "seen"))', '"seen"'],
    [
      "status queued, running, ready or failed",
      '["queued", "done"] | index($<piped_content.0.status>)',
      '"done"',
    ],
    // A word of another member, of which the comment may also speak.
    [
      "An export: status is ready or failed.",
      'if .phase == "done" or .phase == "idle" then null elif .status == "done" then . else null end',
      '"done"',
    ],
    [
      "change is stored or erased; changed is in seconds",
      '.changed as $at | select(.change == "changed")',
      '"changed"',
    ],
    ["A delivery: kind is opened or sent.", 'select(.body.kind == "posted")', '"posted"'],
    [
      "A pledge: rhythm is once, monthly or yearly.",
      '{email, times: ({"once": 1, "month": 12, "yearly": 1}[.rhythm] // 1)}',
      '"month"',
    ],
    [
      "A pledge: rhythm is once, monthly or yearly.",
      '{"once": 1, "monthly": 12, "annual": 1} as $times | {email, times: $times[.rhythm]}',
      '"annual"',
    ],
    ["A pledge: rhythm is once, monthly or yearly.", '{"once": 1, "yearly": 1}[.rhythm] // 12', undefined],
    ["A pledge: rhythm is once, monthly or yearly.", '{"euro": 1, "dollar": 2}[.rhythm]', undefined],
  ])("%s: %s", (comment, program, at) => {
    expect(source(comment, program)).toEqual(at === undefined ? [] : [at]);
  });

  test.each([
    ["A form: state is open, closed or archived.", 'select(.state != "closed")'],
    // Two lists of one name, prose, what the comment speaks of, what is for all.
    ["A form: state is open or done. A page: state is draft or live.", 'select(.state == "gone")'],
    ["The state is a text or null.", 'select(.state == "gone")'],
    ["state is open or closed, and gone once it was removed", 'select(.state == "gone")'],
    ["state is open or closed", 'select(.state == "all")'],
    ["state is open or closed", 'if .state == "gone" then {a: "gone"} else . end'],
    ["state is open or closed", 'select(.status == "gone")'],
    // Of another record, lists that go on, what a name is made of.
    ["A task: state is open or done.", 'select(.deal.state == "gone")'],
    ["state is open or done", 'select(.deal.state == "gone")'],
    ["A task: state is open or done.", '.deals[0] as $deal | select($deal.state == "gone")'],
    ["{id, kind: contact | survey | …}", 'select(.kind == "quiz")'],
    ["kind is contact, survey or another one", 'select(.kind == "quiz")'],
    ["status is active or inactive for now", 'select(.status == "trial")'],
    ["name (given or family)", 'select(.name == "test")'],
    ["status queued or ready", '["mine", "other"] | index(.status)'],
    // A service's own tests.
    ["Events: form.opened, form.sent and form.gone", 'if .event == "ping" then null else . end'],
    ["state is open or closed; gone is for what was removed", 'select(.state == "gone")'],
    [
      "state is open or done",
      'if .state == "gone" then null elif .last_state == "gone" then . else null end',
    ],
  ])("%s: %s is right", (comment, program) => {
    expect(source(comment, program)).toEqual([]);
  });

  test("options that are the words but for one", () => {
    const field = (...values: string[]) =>
      source("state is ACTIVE, PAUSED or CANCELLED", "{email}", {
        "/workflows/0/setup/select/form_fields/1": {
          label: "States",
          id: "states",
          type: "multiselect",
          required: false,
          options: values.map((value) => ({ display: value.toLowerCase(), value })),
        },
      });
    expect(field("ACTIVE", "PAUSED", "ENDED")).toEqual(["ENDED"]);
    expect(field("ACTIVE", "PAUSED", "CANCELLED", "NEVER_STARTED")).toEqual([]);
    expect(field("ACTIVE", "PAUSED", "all")).toEqual([]);
    expect(field("ACTIVE", "PAUSED")).toEqual([]);
  });

  test("texts that are sent", () => {
    const sent = (state: string, comment = "state is open, won or lost") =>
      findings("value/undocumented-word", "outbound", {
        "/workflows/0/data_pipeline/target": {
          _comment: comment,
          "!http": { method: "GET", path: "/deals", params: { state } },
        },
      });
    expect(sent("active")).toEqual(["active"]);
    expect(sent("open")).toEqual([]);
    expect(sent("${custom_data.list.value}")).toEqual([]);
  });

  test("values that a mapped field is set to", () => {
    const fixed = (...ids: readonly string[]) =>
      findings("value/undocumented-word", "outbound", {
        "/workflows/0/_comment": "POST /people: {email, channel}, channel is web, desk or phone.",
        "/workflows/0/setup/map/describe_target/options": [
          { id: "email", title: "Email", required: true },
          { id: "channel", title: "Channel", source_fields: ids.map((id) => ({ id, title: `By ${id}` })) },
        ],
      });
    expect(fixed("web", "front_desk")).toEqual(["front_desk"]);
    expect(fixed("web", "desk")).toEqual([]);
  });
});
