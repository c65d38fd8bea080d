import { describe, expect, test } from "vitest";
import { dropdown, multiselect } from "../support/form-fields.ts";
import { findings } from "../support/rule-findings.ts";

/** What options and comments say of numbers, codes and orders, and what is right although it looks alike. */

const source = "/workflows/0/data_pipeline/source";
const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/workflows/0/data_pipeline/_comment";

/** A target that sends what a program makes. */
const sending = (program: string, said?: string) => ({
  "!pipe": [
    { ...(said === undefined ? {} : { _comment: said }), "!jq": program },
    { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
  ],
});

describe("value/said-number", () => {
  const plans = { trial: "Trial, four lessons", term: "Term (twelve lessons)", year: "Year, 40 lessons" };
  const tests = { quick: "Quick test (10 minutes)", full: "Full test (40 minutes)" };
  const times = { am: "Morning (8 to 12)", pm: "Afternoon (12 to 17)", eve: "Evening (17 to 21)" };
  const told = (options: Readonly<Record<string, string>>, program: string): string[] =>
    findings("value/said-number", "outbound", {
      [fields]: [dropdown("plan", options)],
      [target]: sending(program),
    });
  const chosen = "${custom_data.plan.value}";

  test.each([
    [plans, `{lessons: {trial: 4, term: 4, year: 40}[${chosen}]}`, ["4"]],
    [tests, `{minutes: (if ${chosen} == "full" then 10 else 40 end)}`, ["10"]],
    [times, `{starts: {am: "08:00", pm: "14:00", eve: "17:00"}[${chosen}]}`, ['"14:00"']],
    [times, `{ends: {am: "12:00", pm: "17:00", eve: "22:00"}[${chosen}]}`, ['"22:00"']],
  ])("told: %o, %s", (options, program, expected) => {
    expect(told(options, program)).toEqual(expected);
  });

  test.each([
    [plans, `{lessons: {trial: 4, term: 12, year: 40}[${chosen}]}`],
    // Seconds of minutes, and prices.
    [tests, `{seconds: (if ${chosen} == "full" then 2400 else 600 end)}`],
    [plans, `{price: {trial: 0, term: 240, year: 700}[${chosen}]}`],
    // Of two, the member says nothing of what they count.
    [tests, `{price: (if ${chosen} == "full" then 40 else 15 end)}`],
    [tests, `{minutes: (if ${chosen} == "full" then 40 else 10 end)}`],
    [times, `{starts: {am: "08:00", pm: "12:00", eve: "17:00"}[${chosen}]}`],
    [times, `{cases: {am: 0, pm: 1, eve: 2}[${chosen}]}`],
  ])("right: %o, %s", (options, program) => {
    expect(told(options, program)).toEqual([]);
  });
});

describe("command/other-order", () => {
  const post = (path: string) => ({
    "!http": { method: "POST", path, body: { to: "${piped_content.0.email}" } },
  });
  const told = (said: string, words: string, options: Readonly<Record<string, string>>): string[] =>
    findings("command/other-order", "outbound", {
      [fields]: [dropdown("way", options)],
      [target]: {
        _comment: said,
        "!switch": {
          jq: `${words} | index("\${custom_data.way.value}")`,
          cases: [post("/a"), post("/b"), post("/c")],
        },
      },
    });
  const inOrder = { sms: "Text message", mail: "E-mail", post: "Letter" };
  const other = { post: "Letter", mail: "E-mail", sms: "Text message" };
  const wrong = '["mail", "sms", "post"]';
  const right = '["sms", "mail", "post"]';

  test.each([
    ["In this order: sms, mail, post. A post is a letter.", wrong, other, 1],
    ["sms, mail and post are sent at night.", wrong, inOrder, 1],
    // Nothing says that it is an order.
    ["sms, mail and post are sent at night.", wrong, other, 0],
    ["In this order: sms, mail, post.", right, other, 0],
    ["In this order: sms, then mail; a post-it for post.", wrong, inOrder, 0],
  ])("%s %s", (said, words, options, count) => {
    expect(told(said, words, options)).toHaveLength(count);
  });
});

describe("value/short-of-both and value/label-of-other-code", () => {
  const topics = (both: string): string[] =>
    findings("value/short-of-both", "outbound", {
      [fields]: [dropdown("kind", { won: "Won", lost: "Lost", both: "Both" })],
      [target]: sending(
        `{topics: {won: ["deal.won"], lost: ["deal.lost"], both: ${both}}[\${custom_data.kind.value}]}`,
      ),
    });

  test.each([
    ['["deal.won"]', 1],
    ['["deal.won", "deal.lost"]', 0],
    ["[]", 0],
    ['["deal.any"]', 0],
  ])("both: %s", (both, count) => {
    expect(topics(both)).toHaveLength(count);
  });

  const tags = (condition: string): string[] =>
    findings("value/label-of-other-code", "inbound-webhook", {
      [source]: {
        "!jq": `{email, state: {"10": "Reserved", "20": "On hire", "30": "Collected"}[.state | tostring], _tags: (${condition})}`,
      },
    });

  test.each([
    ['if .state == 30 then ["On hire"] else [] end', 1],
    ['if .state == 20 then ["On hire"] else [] end', 0],
    ['if .state == 30 then ["Past hirer"] else [] end', 0],
    ['if .stage == 30 then ["On hire"] else [] end', 0],
    ['if .state == 30 then ["Machine on hire"] else [] end', 1],
    ['if .state == 30 then ["No longer on hire"] else [] end', 0],
  ])("%s", (condition, count) => {
    expect(tags(condition)).toHaveLength(count);
  });
});

describe("value/exchanged-labels and value/flag-of-other-option", () => {
  const labels = (table: string): string[] =>
    findings("value/exchanged-labels", "inbound-webhook", {
      [source]: { "!jq": `{email, status: (${table}[.status])}` },
    });

  test.each([
    ['{active: "Active", paused: "Ended", ended: "Paused"}', 1],
    ['{active: "Active", paused: "Paused", ended: "Ended"}', 0],
    ['{active: "Running", paused: "On hold", ended: "Over"}', 0],
    // What comes next.
    ['{locked: "unlocked", unlocked: "locked", broken: "broken"}', 0],
    ['{locked: "Unlocked", unlocked: "Locked"}', 0],
  ])("%s", (table, count) => {
    expect(labels(table)).toHaveLength(count);
  });

  const flags = (value: string): string[] =>
    findings("value/flag-of-other-option", "outbound", {
      [fields]: [
        dropdown("days", { "3": "Three days (express)", "7": "One week", "14": "Two weeks" }),
        dropdown("cover", { full: "Full cover", none: "No cover" }),
      ],
      [target]: sending(`{email, ${value}}`),
    });

  test.each([
    ['express: (${custom_data.days.value} == "7")', ['"7"']],
    ['express: (${custom_data.days.value} == "3")', []],
    ['late: (${custom_data.days.value} == "14")', []],
    // Both have the word.
    ['cover: (${custom_data.cover.value} == "none")', []],
  ])("%s", (value, expected) => {
    expect(flags(value)).toEqual(expected);
  });
});

describe("value/crossed-codes with what a comment spells", () => {
  const told = (said: string, table: string): string[] =>
    findings("value/crossed-codes", "inbound-webhook", {
      [comment]: said,
      [source]: { "!jq": `{email, status: (${table})}` },
    });
  const letters = "state: P(acked), V(an), D(elivered), R(efused).";

  test.each([
    [letters, '{P: "Packed", V: "Delivered", D: "On its way", R: "Refused"}[.state]', 1],
    [letters, '{P: "Packed", V: "On its way", D: "Delivered", R: "Refused"}[.state]', 0],
    // Another vocabulary: nothing is the same.
    [letters, '{P: "Delivered", V: "On its way", D: "Done", R: "Sent back"}[.state]', 0],
    [
      "grade: 0 fine, 1 minor fault, 2 out of service.",
      '["Minor fault", "Fine", "Out of service"][.grade]',
      1,
    ],
    [
      "grade: 0 fine, 1 minor fault, 2 out of service.",
      '["Fine", "Minor fault", "Out of service"][.grade]',
      0,
    ],
  ])("%s %s", (said, table, count) => {
    expect(told(said, table)).toHaveLength(count);
  });
});

describe("options that no table knows", () => {
  const told = (value: string, tag: string): string[] =>
    findings("value/other-code", "inbound-webhook", {
      [fields]: [multiselect("states", { applied: "Applied for", [value]: "Running", ended: "Ended" })],
      [source]: {
        "!jq": `if (.state | IN(\${custom_data.states.value}[])) then {email, state: {applied: "Applied for", running: "Running", ended: "Ended"}[.state], _tags: (${tag})} else null end`,
      },
    });
  const used = 'if .state == "running" then ["Rides"] else [] end';

  test("the option is told where the program knows the other word in two places", () => {
    expect(told("active", used)).toHaveLength(1);
    expect(told("running", used)).toEqual([]);
  });

  test.each([
    ["family is one of strings, woodwind, brass, other.", "keys", 1],
    ["family is one of strings, woodwind, brass, other.", "other", 0],
    // That is open.
    ["family is one of strings, woodwind, brass or other.", "keys", 0],
  ])("%s %s", (said, value, count) => {
    const options = { strings: "Strings", woodwind: "Woodwind", brass: "Brass", [value]: "Keys" };
    expect(
      findings("value/undocumented-word", "inbound-webhook", {
        [fields]: [multiselect("families", options)],
        [comment]: said,
      }),
    ).toHaveLength(count);
  });
});

describe("words that only another workflow or the pipeline knows", () => {
  const filtered = (
    state: string,
    path: string,
    shown = '"hire": {"id": "H2", "state": "standing"}',
  ): string[] =>
    findings("value/undocumented-word", "outbound", {
      "/workflows/1": {
        name: "acme-other",
        label: "Acme - Other",
        type: "automations",
        setup: {},
        data_pipeline: { _comment: [`{"seq": 1, ${shown}}`, "state: quoted, booked, standing, struck."] },
      },
      [target]: {
        "!pipe": [
          { "!http": { path, params: { email: "${piped_content.0.email}", state } } },
          { "!http": { method: "POST", path: "/strikes", body: "${piped_content.1.hires}" } },
        ],
      },
    });

  test.each([
    ["on_hire", "/hires", undefined, ["on_hire"]],
    ["standing", "/hires", undefined, []],
    ["on_hire", "/people", undefined, []],
    ["on_hire", "/hires", '"offer": {"state": "standing"}', []],
    // Of another member's words.
    ["on_hire", "/hires", '"hire": {"id": "H2", "state": "open"}', []],
  ])("%s of %s, %s", (state, path, shown, expected) => {
    expect(filtered(state, path, shown)).toEqual(expected);
  });

  const imported = (type: string, table: string): string[] =>
    findings("intake/history-event", "historical-sync", {
      "/data_intake/0/create/!pipe/0/!http/body": {
        url: "${webhook.url}",
        events: ["item.paid", "item.moved", "result.made"],
      },
      "/data_intake/1/request/!pipe/1/!jq": `{results: [.items[] | {type: "${type}", item: .}], iterate: false, polling_state: \${polling_state}}`,
      [source]: { "!jq": `${table} as $names | {email: .item.email, status: $names[.type]}` },
    });
  const table = '{"item.paid": "entered", "item.moved": "entered", "result.made": "raced"}';

  test.each([
    ["item.created", table, 1],
    ["item.paid", table, 0],
    ["item.imported", table, 0],
    ["item.created", '{"item.created": "entered", "item.moved": "entered", "result.made": "raced"}', 0],
  ])("%s, %s", (type, names, count) => {
    expect(imported(type, names)).toHaveLength(count);
  });
});
