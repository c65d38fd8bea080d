import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Cases, tables, roles and chosen ids that don't match what the setup says; and what is right although it looks alike. */

const dropdown = (
  id: string,
  options: readonly (readonly [string, string])[],
  type = "dropdown",
): object => ({
  label: "Choice",
  id,
  type,
  options: options.map(([value, display]) => ({ value, display })),
});
const fetched = (id: string, list: string, type = "dropdown"): object => ({
  label: "Choice",
  id,
  type,
  options: {
    "!pipe": [{ "!http": { path: `/${list}` } }, { "!jq": `[.${list}[] | {display: .name, value: .id}]` }],
  },
});

describe("command/exchanged-cases", () => {
  const post = (path: string, body: object): object => ({ "!http": { method: "POST", path, body } });
  const told = (
    jq: string,
    cases: readonly object[],
    options: readonly (readonly [string, string])[],
    titles: readonly string[] = ["Phone (for the courier)"],
  ): number =>
    findings("command/exchanged-cases", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown("way", options),
      "/workflows/0/setup/map/describe_target/options": [
        { id: "email", title: "Email" },
        ...titles.map((title, at) => ({ id: at === 0 ? "phone" : `other_${at}`, title })),
      ],
      "/workflows/0/data_pipeline/target": { "!switch": { jq, cases } },
    }).length;

  const ways = [
    ["parcel", "Parcel"],
    ["courier", "Courier"],
    ["shop", "Shop"],
  ] as const;
  const sent = [
    post("/labels", { format: "pdf" }),
    post("/pickups", { phone: "${piped_content.0.phone}" }),
    post("/vouchers", { format: "qr" }),
  ];
  const table = (courier: number, shop: number): string =>
    `{parcel: 0, courier: ${courier}, shop: ${shop}}[\${custom_data.way.value}]`;

  test.each([
    [table(2, 1), ["Phone (for the courier)"], 1],
    [table(2, 1), ["Phone, needed only with a courier"], 1],
    ['["parcel", "shop", "courier"] | index(${custom_data.way.value})', ["Phone (for the courier)"], 1],
    [
      'if ${custom_data.way.value} == "parcel" then 0 elif ${custom_data.way.value} == "courier" then 2 else 1 end',
      ["Phone (for the courier)"],
      1,
    ],
    [table(1, 2), ["Phone (for the courier)"], 0],
    // Which of the two it is for isn't said.
    [table(2, 1), ["Phone (for the courier or the shop)"], 0],
    [table(2, 1), ["Phone of the courier"], 0],
    [table(2, 1), ["Phone"], 0],
    // Two options may lead there.
    [table(2, 1).replace("parcel: 0", "parcel: 1"), ["Phone (for the courier)"], 0],
  ])("titles: %s %j", (jq, titles, count) => {
    expect(told(jq, sent, ways, titles)).toBe(count);
  });

  const stands = [
    ["hold", "Put on hold"],
    ["release", "Release"],
    ["cash", "Cash only"],
  ] as const;
  const held = (hold: object, release: object): object[] => [
    post("/customers/1/hold", hold),
    post("/customers/1/hold", release),
    post("/customers/1/terms", { terms: "cash" }),
  ];
  const swapped = "{hold: 1, release: 0, cash: 2}[${custom_data.way.value}]";
  const right = "{hold: 0, release: 1, cash: 2}[${custom_data.way.value}]";
  test.each([
    [{ on_hold: true }, { on_hold: false }],
    [{ onHold: true }, { onHold: false }],
    [{ released: false }, { released: true }],
    [{ standing: "held" }, { standing: "released" }],
  ])("flags: %j", (hold, release) => {
    expect(told(swapped, held(hold, release), stands)).toBe(1);
    expect(told(right, held(hold, release), stands)).toBe(0);
  });
});

describe("jq/no-such-key: what a comment shows", () => {
  const told = (options: readonly string[], comment: string, program: string): number =>
    findings("jq/no-such-key", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown(
        "ticket",
        options.map((each) => [each, each] as const),
      ),
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/performances/${custom_data.list.value}" } },
          { _comment: comment, "!jq": program },
          { "!http": { method: "POST", path: "/bookings", body: "${piped_content.2}" } },
        ],
      },
    }).length;
  const chosen = "${custom_data.ticket.value}";
  const shown = "A performance: {id, prices: {adult, child, concession}}.";

  test.each([
    [shown, `{cents: .prices[${chosen}]}`],
    [shown, `{cents: (.prices as $p | ${chosen} as $t | $p[$t] * 2)}`],
    [shown, `{cents: (.prices | .[${chosen}])}`],
    [
      'Answers {"id": 1, "prices": {"adult": 12, "child": 7, "concession": 9}}.',
      `{cents: .prices[${chosen}]}`,
    ],
  ])("%s %s", (comment, program) => {
    expect(told(["adult", "child", "reduced"], comment, program)).toBe(1);
    expect(told(["adult", "child", "concession"], comment, program)).toBe(0);
  });
  test("right", () => {
    const program = `{cents: .prices[${chosen}]}`;
    // Nobody chooses the third, and a comment may show a part alone.
    expect(told(["adult", "child"], shown, program)).toBe(0);
    expect(told(["adult", "child", "reduced"], "{id, prices: {adult, child}}", program)).toBe(0);
    expect(told(["adult", "child", "reduced"], "{id, rates: {adult, child, concession}}", program)).toBe(0);
  });
});

describe("intake/unregistered-event: the only one of its kind that is left", () => {
  const told = (
    events: unknown,
    source: string,
    comment = "item.added and item.removed bring the item.",
  ): string[] =>
    findings("intake/unregistered-event", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/update": undefined,
      "/workflows/0/data_pipeline/source": { _comment: comment, "!jq": source },
    });
  const all = ["item.added", "item.removed", "fitting.finished"];
  const done = '{email, done: (.event == "fitting.completed")}';

  test.each([
    [all, done, ['"fitting.completed"']],
    [all, '.event as $e | {email, done: {"fitting.completed": true}[$e]}', ['"fitting.completed"']],
    [all, '{email, done: (.event == "fitting.finished")}', []],
    // Both are known, or several are of that kind.
    [
      all,
      '{email, done: (.event == "fitting.finished" or .event == "fitting.completed")}',
      ['"fitting.completed"'],
    ],
    [[...all, "fitting.begun"], done, []],
    [["item.added", "fitting.finished"], done, []],
  ])("%j %s", (events, source, marked) => {
    expect(told(events, source)).toEqual(marked);
  });
  test("payloads may have words of their own", () => {
    expect(told(all, done, "")).toEqual([]);
    expect(
      told(all, done, "item.added brings the item, fitting.finished comes as fitting.completed."),
    ).toEqual([]);
  });
  test("a table of states looked up by the event", () => {
    const table = '{added: "There", removed: "Gone"}';
    expect(told(["item.added", "item.removed"], `{email, a: ${table}[.event]}`)).toEqual([
      "added",
      "removed",
    ]);
    expect(told(["item.added", "item.removed"], `{email, a: ${table}[.state]}`)).toEqual([]);
  });
});

describe("value/crossed-codes: in other words", () => {
  const told = (program: string, comment: string): number =>
    findings("value/crossed-codes", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown("access", [
        ["supervised", "Only with a supervisor"],
        ["daytime", "Alone in the daytime"],
        ["anytime", "Alone at any time"],
      ]),
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { _comment: comment, "!jq": program },
          { "!http": { method: "POST", path: "/access", body: "${piped_content.1}" } },
        ],
      },
    }).length;
  const said = "Levels: 1 under supervision, 2 alone in the daytime, 3 alone at any time.";
  const table = (day: number, any: number): string =>
    `{level: {supervised: 1, daytime: ${day}, anytime: ${any}}[\${custom_data.access.value}]}`;
  const choice = (day: number, any: number): string =>
    `{level: (if \${custom_data.access.value} == "supervised" then 1 elif \${custom_data.access.value} == "daytime" then ${day} else ${any} end)}`;

  test.each([table, choice])("%#", (program) => {
    expect(told(program(3, 2), said)).toBe(1);
    expect(told(program(2, 3), said)).toBe(0);
    expect(told(program(3, 2), "level: 1 = supervised, 2 = alone by daytime, 3 = alone at any time.")).toBe(
      1,
    );
    // What both have tells them not apart.
    expect(told(program(3, 2), "Levels: 1 under supervision, 2 alone at work, 3 alone at all times.")).toBe(
      0,
    );
    expect(
      told(program(3, 2), "Zones: 1 under supervision, 2 alone in the daytime, 3 alone at any time."),
    ).toBe(0);
  });
});

describe("value/mixed-people: a part of a name", () => {
  const told = (program: string): string[] => inSource("value/mixed-people", program);
  const who = '(if .kind == "school" then .teacher else .booker end) as $who | ';
  const names = 'email: $who.email, first_name: ($who.name | split(" ") | first)';

  test.each([
    [`${who}{${names}, phone: .booker.phone}`, [".booker.phone"]],
    [`${who}{${names}, phone: (.booker.phone // "")}`, ['(.booker.phone // "")']],
    [`(.teacher // .booker) as $who | {${names}, phone: .teacher.phone}`, [".teacher.phone"]],
    [`. as $b | ${who}{${names}, phone: $b.booker.phone}`, ["$b.booker.phone"]],
    [`${who}{${names}, phone: $who.phone}`, []],
    [`${who}{${names}, phone: .venue.phone}`, []],
    // What a stage reads isn't the first one's.
    [`${who}{email: ($who | .email), first_name: ($who.name | .first), phone: .booker.phone}`, []],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual(marked);
  });
});

describe("value/compared-record", () => {
  const told = (condition: string, comment = "A client is {id, email, adviser_id}."): number =>
    findings("value/compared-record", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/setup/select/form_fields/1": fetched("adviser", "advisers"),
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/clients/${piped_content.0.client_id}" } },
          {
            "!jq": `.client as $c | \${custom_data.adviser.value} as $adviser | if ${condition} then null else {email: $c.email} end`,
          },
        ],
      },
    }).length;

  test.each([
    ["$c.id != $adviser", 1],
    ["(.client.id | tostring) != ${custom_data.adviser.value}", 1],
    ["($c.id | IN($adviser) | not)", 1],
    ["([$adviser] | index($c.id)) == null", 1],
    ["$c.adviser_id != $adviser", 0],
    ["$c.adviser.id != $adviser", 0],
    ["$c.owner_id != $adviser", 0],
    ["$c.code != $adviser", 0],
  ])("%s", (condition, count) => {
    expect(told(condition)).toBe(count);
  });
  test("where nothing else has such an id, it may be the same record", () => {
    expect(told("$c.id != $adviser", "")).toBe(0);
  });
});

describe("value/word-of-other-name", () => {
  const told = (
    program: string,
    description = "Writes to the next of kin.",
    roles = "roles are next_of_kin, doctor, guardian.",
  ): string[] =>
    inSource("value/word-of-other-name", program, {
      "/workflows/0/description": description,
      "/data_intake/0/_comment": `relations: [{role, email}]; ${roles}`,
    });
  const use = "if $kin == null then null else {email: $kin.email} end";

  test.each([
    `[.relations[] | select(.role == "guardian")][0] as $kin | ${use}`,
    `first(.relations[] | select(.role == "guardian" and .email != null)) as $kin | ${use}`,
    `def kin: map(select(.role == "guardian")) | first; {email: (.relations | kin | .email)}`,
    `{next_of_kin: ([.relations[] | select(.role == "guardian") | .email] | first)} | {email: .next_of_kin}`,
  ])("%s", (program) => {
    expect(told(program)).toEqual(['"guardian"']);
    expect(told(program.replace("guardian", "next_of_kin"))).toEqual([]);
  });
  test("right", () => {
    const program = `[.relations[] | select(.role == "guardian")][0] as $kin | ${use}`;
    expect(told(program, "Writes to relatives.")).toEqual([]);
    expect(told(program, "Writes to the guardian or the next of kin.")).toEqual([]);
    expect(told(program, undefined, "roles are child, doctor, guardian.")).toEqual([]);
    expect(told(program.replaceAll("$kin", "$person"))).toEqual([]);
    expect(told(`${program.replace("$kin |", '$kin | (.role == "next_of_kin") as $own |')}`)).toEqual([]);
  });
});
