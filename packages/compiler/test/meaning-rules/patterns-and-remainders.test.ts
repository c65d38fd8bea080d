import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What is told of the program that makes a contact. */
const told = (rule: string, program: string): number =>
  findings(rule, "inbound-webhook", { "/workflows/0/data_pipeline/source": { "!jq": program } }).length;

describe("jq/matches-all", () => {
  test.each([
    ['if .phone | test("[0-9]*") then {email: .email} else null end', 1],
    ['{email: .email, tags: [.tags[] | select(test("(vip)?"))]}', 1],
    ['if (.phone // "" | test("^(00)?")) then {email: .email} else null end', 1],
    ['if .phone | test("^[+]?$") then {email: .email} else null end', 0],
    ['if .phone | test("^[+]?[0-9]") then {email: .email} else null end', 0],
    ['if .phone | test("(?=a)") then {email: .email} else null end', 0],
    ['if .phone | test("\\\\b") then {email: .email} else null end', 0],
    ['{email: .email, phone: (.phone | sub("^[+]?"; ""))}', 0],
    ['def test(x): false; if .phone | test("a?") then {email: .email} else null end', 0],
  ])("%s", (program, count) => {
    expect(told("jq/matches-all", program)).toBe(count);
  });
});

describe("jq/unpadded-remainder", () => {
  test.each([
    ['{email: .email, price: "EUR \\(.cents / 100 | floor),\\(.cents % 100)"}', 1],
    ['{email: .email, at: "\\(.minutes / 60 | floor):\\(.minutes % 60 | tostring)"}', 1],
    ['.cents as $c | {email: .email, price: "\\($c / 100 | floor).\\(($c % 100) | floor)"}', 1],
    ['{email: .email, total: "\\(.n / 1000 | floor).\\(.n % 1000)"}', 1],
    ['{email: .email, price: ((.cents / 100 | floor | tostring) + "." + (.cents % 100 | tostring))}', 1],
    ['{email: .email, length: "\\(.minutes / 60 | floor) h \\(.minutes % 60) min"}', 0],
    ['{email: .email, release: "\\(.version / 100 | floor).\\(.version % 100)"}', 0],
    ['{email: .email, part: "\\(.n / 7 | floor).\\(.n % 7)"}', 0],
    ['{email: .email, note: "Left over: \\(.n % 100)"}', 0],
    ["{email: .email, rest: (.cents % 100)}", 0],
    [
      '{email: .email, price: "\\(.cents / 100 | floor).\\(.cents % 100 | tostring | if length < 2 then "0" + . else . end)"}',
      0,
    ],
  ])("%s", (program, count) => {
    expect(told("jq/unpadded-remainder", program)).toBe(count);
  });
});

describe("jq/idle-alternative: a value before its own member", () => {
  test.each([
    ["{email: (.student // .student.email)}", 1],
    [".student as $s | {email: ($s // $s.parent).email}", 1],
    ["{email: (.student.email // .student)}", 0],
    ["{email: (.student // .students.email)}", 0],
    ["{email: (.student // .parent.student)}", 0],
    ["{email: (.students[] // .students[0].email)}", 0],
  ])("%s", (program, count) => {
    expect(told("jq/idle-alternative", program)).toBe(count);
  });
});

describe("intake/id-as-secret: a word of our own", () => {
  const hashed = (saved: string, secret: string): number =>
    findings("intake/id-as-secret", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm: "sha256", secret } },
          {
            "!switch": {
              jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    }).length;
  test.each([
    ["{hook_id: .id, hook_key: .key, word: .word}", "${data.workflow.word}", 1],
    ["{hook_id: .id, hook_key: .key, word: .word}", "${data.workflow.hook_key}", 0],
    ["{hook_id: .id, word: .word}", "${data.workflow.word}", 0],
    // Which of them the sender signs with isn't known.
    ["{hook_id: .id, hook_key: .key, access_token: .token}", "${data.workflow.hook_key}", 0],
    ["{hook_id: .id, hook_key: .key, hook_token: .token, word: .word}", "${data.workflow.word}", 0],
    ["{hook_id: .id, hook_key: .key}", "<OUR_SECRET>", 0],
  ])("%s, hashed with %s", (saved, secret, count) => {
    expect(hashed(saved, secret)).toBe(count);
  });
});

describe("http/unchecked-errors: the last mutation", () => {
  const query = (text: string): object => ({
    "!http": {
      method: "POST",
      path: "/graphql",
      body: { query: text, variables: { email: "${piped_content.0.email}" } },
    },
  });
  const checked = { "!jq": 'if .errors then error("refused") else .data end' };
  const find = query("query One($email: String!) { person(email: $email) { id } }");
  const save = query("mutation Two($email: String!) { save(email: $email) { id } }");
  const add = query("mutation Three($email: String!) { add(email: $email) { id } }");
  const count = (steps: readonly object[]): number =>
    findings("http/unchecked-errors", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    }).length;
  test.each([
    ["others are checked", [find, checked, save, checked, add], 1],
    ["it is checked, too", [find, checked, save, checked, add, checked], 0],
    ["one other is checked", [save, checked, add], 0],
    ["none is checked", [find, save, add], 0],
    ["the last one is a query", [save, checked, add, checked, find], 0],
  ])("%s", (_, steps, expected) => {
    expect(count(steps)).toBe(expected);
  });
});

describe("jq/contradiction", () => {
  test.each([
    ['if .plan != null or .plan.state.name != "ended" then {email: .email} else null end', 1],
    ["if .plan.state != 2 or .plan != null or .vip then {email: .email} else null end", 1],
    ['if .plan == null and .plan.state == "ended" then null else {email: .email} end', 1],
    ['if .plan == null or .plan.state != "ended" then {email: .email} else null end', 0],
    ['if .plan != null or .plans.state != "ended" then {email: .email} else null end', 0],
    ["if .plan != null or .plan.state != null then {email: .email} else null end", 0],
    ["if .plans[0] != null or .plans[0].state != 1 then {email: .email} else null end", 0],
    ["if null == ${custom_data.form.value} then null else {email: .email} end", 1],
    ["if ${custom_data.form.display} != null then {email: .email} else null end", 0],
    ["if (${custom_data.form.value} | tonumber?) != null then {email: .email} else null end", 0],
  ])("%s", (program, count) => {
    expect(told("jq/contradiction", program)).toBe(count);
  });

  test("an optional field", () => {
    const more = {
      "/workflows/0/setup/select/form_fields/0/required": false,
      "/workflows/0/data_pipeline/source": {
        "!jq": "if ${custom_data.form.value} != null then {email: .email} else null end",
      },
    };
    expect(findings("jq/contradiction", "inbound-webhook", more)).toEqual([]);
  });
});

describe("value/list-in-list", () => {
  const lists = (program: string, type = "multiselect"): number =>
    findings("value/list-in-list", "outbound", {
      "/workflows/0/setup/select/form_fields/0/type": type,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/x", body: "${piped_content.1}" } },
        ],
      },
    }).length;
  test.each([
    ["{email, lists: [${custom_data.list.value}]}", 1],
    ["{email, lists: ${custom_data.list.value}}", 0],
    ["{email, lists: [${custom_data.list.value}[]]}", 0],
    ["{email, lists: ([${custom_data.list.value}] | flatten)}", 0],
    ["{email, lists: [${custom_data.list.value} | length]}", 0],
  ])("%s", (program, count) => {
    expect(lists(program)).toBe(count);
  });

  test("one choice", () => {
    expect(lists("{email, lists: [${custom_data.list.value}]}", "dropdown")).toBe(0);
  });
});

describe("polling/always-past", () => {
  const past = (first: string, next: string, condition: string): number =>
    findings("polling/always-past", "inbound-polling", {
      "/data_intake/0/initial_setup": {
        "!jq": `{polling_state: {page: ${first}, since: (now - 86400 | todate)}}`,
      },
      "/data_intake/0/pre_poll": {
        "!jq": `\${polling_state} as $s | if ${condition} then {polling_state: $s} else {polling_state: {page: 1, since: (now - 1800 | todate)}} end`,
      },
      "/data_intake/0/request/!pipe/1/!jq": `{results: .items, iterate: .has_more, polling_state: {page: ${next}, since: \${polling_state.since}}}`,
      "/data_intake/0/post_poll": undefined,
    }).length;
  const counted = "(if .has_more then ${polling_state.page} + 1 else 1 end)";
  test.each([
    ["1", counted, "$s.page >= 1", 1],
    ["1", counted, "$s.page < 1", 1],
    ["1", counted, "$s.page == 0", 1],
    ["1", counted, "${polling_state.page} != 0", 1],
    ["1", counted, "$s.page > 1", 0],
    ["0", counted, "$s.page > 0", 0],
    // What the service says may be anything.
    ["1", "(.page // ${polling_state.page})", "$s.page > 0", 0],
    ["1", "(${polling_state.page} - 1)", "$s.page > 0", 0],
    ["null", counted, "$s.page > 0", 0],
    ["(${custom_data.list.value} | tonumber)", counted, "$s.page > 0", 0],
  ])("from %s, then %s: %s", (first, next, condition, count) => {
    expect(past(first, next, condition)).toBe(count);
  });
});
