import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Lists in forms, algorithms in the names of headers, pages of new lists, deletions of what was chosen, guards that are missing. */

const form = { "content-type": "application/x-www-form-urlencoded" };
const multiselect = { "/workflows/0/setup/select/form_fields/0/type": "multiselect" };

describe("http/list-form-field: a name in the plural", () => {
  const told = (steps: readonly object[], more: Record<string, unknown> = {}): string[] =>
    findings("http/list-form-field", "outbound", {
      ...multiselect,
      ...more,
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const made = (program: string, comment?: string): string[] =>
    told([
      { "!jq": program },
      {
        ...(comment === undefined ? {} : { _comment: comment }),
        "!http": { method: "POST", path: "/people", headers: form, body: "${piped_content.1}" },
      },
    ]);
  const chosen = "${custom_data.list.value}";

  test.each([
    ["a variable", `${chosen} as $l | {email: .email, list_ids: $l}`],
    ["in a branch", `${chosen} as $l | {email: .email} + (if $l == "" then {} else {extra_ids: $l} end)`],
    ["made of parts", "{email: .email, topics: [.first_name, .last_name]}"],
    ["mapped", `{email: .email, listIds: (${chosen} | map(tostring))}`],
    ["as a variable of the whole", `{email: .email, lists: ${chosen}} as $body | $body`],
  ])("%s", (_, program) => {
    expect(made(program)).toHaveLength(1);
  });

  test("in the body, a step before", () => {
    const body = { email: "${piped_content.0.email}", gift_ids: "${piped_content.1.ids}" };
    const steps = (ids: string): object[] => [
      { "!jq": `{ids: ${ids}}` },
      { "!http": { method: "POST", path: "/people", headers: form, body } },
    ];
    expect(told(steps(chosen))).toHaveLength(1);
    expect(told(steps(`(${chosen} | join(","))`))).toEqual([]);
  });

  test.each([
    ["joined", `{email: .email, list_ids: (${chosen} | join(","))}`],
    ["one of them", `{email: .email, list_ids: (${chosen} | first)}`],
    ["brackets", `{email: .email, "list_ids[]": ${chosen}}`],
    ["sent once for each", `{email: .email, tag: ${chosen}}`],
    ["not known", "{email: .email, labels: .labels}"],
  ])("right: %s", (_, program) => {
    expect(made(program)).toEqual([]);
  });

  test("right: a comment says so, or the body is JSON", () => {
    const program = `{email: .email, list_ids: ${chosen}}`;
    expect(made(program, "list_ids may be repeated.")).toEqual([]);
    expect(made(program, "Lists come several times, once for each id.")).toEqual([]);
    const json = { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } };
    expect(told([{ "!jq": program }, json])).toEqual([]);
  });
});

describe("intake/other-algorithm: the header's name", () => {
  const told = (algorithm: string, read: string): string[] =>
    findings("intake/other-algorithm", "inbound-webhook", {
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm, secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: `if .hash == ${read} then 0 else 1 end`,
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });

  test.each([
    ["an expansion", "sha512", "${piped_content.0.headers.x-acme-hmac-sha256 | default}"],
    ["a member", "sha1", '(${piped_content.0} | .headers["x-hub-signature-256"])'],
    ["with a hyphen", "sha256", "${piped_content.0.headers.x-signature-sha-512}"],
    ["with another header", "sha512", '${piped_content.0.headers} as $h | $h["x-sig-sha256"]'],
  ])("%s", (_, algorithm, read) => {
    expect(told(algorithm, read)).toEqual([`"${algorithm}"`]);
  });

  test.each([
    ["the same", "sha256", "${piped_content.0.headers.x-acme-hmac-sha256}"],
    ["a version", "sha256", "${piped_content.0.headers.x-signature-1}"],
    ["no algorithm", "sha512", "${piped_content.0.headers.x-acme-signature}"],
    [
      "two signatures",
      "sha1",
      "((${piped_content.0.headers.x-signature-sha256}) // ${piped_content.0.headers.x-signature})",
    ],
    ["the hash of a file", "sha512", "${piped_content.0.headers.x-content-sha256}"],
  ])("right: %s", (_, algorithm, read) => {
    expect(told(algorithm, read)).toEqual([]);
  });
});

describe("polling/late-start: a new list", () => {
  const told = (
    prepare: object,
    state = "(${polling_state} + {page: (${polling_state.page} + 1)})",
    path = "/exports/${polling_state.export}/rows",
  ): string[] =>
    findings("polling/late-start", "inbound-polling", {
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {page: 1, export: null}}" },
      "/data_intake/0/pre_poll": prepare,
      "/data_intake/0/request": {
        "!pipe": [
          { "!http": { path, params: { page: "${polling_state.page}" } } },
          {
            "!jq": `{results: .rows, iterate: (\${polling_state.page} < .pages), polling_state: ${state}}`,
          },
        ],
      },
      "/data_intake/0/post_poll": { "!jq": "{polling_state: ${polling_state}}" },
    });
  const begin = (state: string): object => ({
    "!pipe": [{ "!http": { method: "POST", path: "/exports" } }, { "!jq": `{polling_state: ${state}}` }],
  });
  const inCase = (state: string): object => ({
    "!switch": {
      jq: "if ${polling_state.export} == null then 0 else 1 end",
      cases: [begin(state), { "!jq": "{polling_state: ${polling_state}}" }],
    },
  });

  test("a page that stays", () => {
    expect(told(begin("(${polling_state} + {export: .id})"))).toHaveLength(1);
    expect(told(inCase("(${polling_state} + {export: .export.id})"))).toHaveLength(1);
    expect(told(inCase("(.id as $id | ${polling_state} + {export: $id})"))).toHaveLength(1);
    const inVariable =
      "(${polling_state} as $s | $s + {page: ($s.page + 1), export: (if $s.page < .pages then $s.export else null end)})";
    expect(told(inCase("(${polling_state} + {export: .id})"), inVariable)).toHaveLength(1);
  });

  test("right", () => {
    expect(told(inCase("(${polling_state} + {export: .id, page: 1})"))).toEqual([]);
    expect(told(inCase("{export: .id, page: 1}"))).toEqual([]);
    const setBack =
      "(${polling_state} + {page: (if ${polling_state.page} < .pages then ${polling_state.page} + 1 else 1 end)})";
    expect(told(inCase("(${polling_state} + {export: .id})"), setBack)).toEqual([]);
    // The token of a session isn't a list.
    const session = "(${polling_state} + {export: .token})";
    expect(told(inCase(session), undefined, "/rows")).toEqual([]);
  });
});

describe("http/deletes-chosen", () => {
  const told = (path: string, lookup: string, more: object = {}): string[] =>
    findings("http/deletes-chosen", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: lookup, params: { email: "${piped_content.0.email}" } } },
          {
            "!switch": {
              jq: "if (.members | length) == 0 then 0 else 1 end",
              cases: [{ "!print_c": "Nobody" }, { "!http": { method: "DELETE", path, ...more } }],
            },
          },
        ],
      },
    });
  const list = "/lists/${custom_data.list.value}";

  test.each([
    ["the list itself", list, `${list}/members`],
    ["with a slash", `${list}/`, `${list}/members`],
    ["the other spelling", "/lists/$<custom_data.list.value>", `${list}/members`],
    ["a query in the path", list, `${list}/members?active=1`],
  ])("%s", (_, path, lookup) => {
    expect(told(path, lookup)).toHaveLength(1);
  });

  test.each([
    ["the item", `${list}/members/\${piped_content.1.members[0].id}`, `${list}/members`],
    ["the item of the record", `/subscriptions/\${piped_content.1.members[0].id}`, `${list}/members`],
    ["another list", "/hooks/${custom_data.list.value}", `${list}/members`],
  ])("right: %s", (_, path, lookup) => {
    expect(told(path, lookup)).toEqual([]);
  });

  test("right: the body says who", () => {
    expect(told(list, `${list}/members`, { params: { email: "${piped_content.0.email}" } })).toEqual([]);
  });
});

describe("jq/lacks-guard", () => {
  const told = (value: string, beside = 'town: (.town // ""), hours: ((.minutes // 0) / 60)'): string[] =>
    inSource("jq/lacks-guard", `. as $p | {email: .email, ${beside}, phone: (${value})}`);

  test.each([
    ["in a variable", '$p.phone | gsub("[^0-9+]"; "")'],
    ["another name", ".mobile_phone | ascii_downcase"],
    ["split", '.website | split("/") | .[0]'],
    ["a day", '.birthday | strptime("%Y-%m-%d") | strftime("%d.%m.")'],
  ])("%s", (_, value) => {
    expect(told(value)).toHaveLength(1);
  });

  test.each([
    ["guarded", '(.phone // "") | gsub("[^0-9+]"; "")'],
    ["asked for", 'if .phone == null then null else .phone | gsub(" "; "") end'],
    ["what everybody has", ".email | ascii_downcase"],
    ["what doesn't fail", ".phone[0:10]"],
    ["tried", '.phone | try gsub(" "; "") catch null'],
    ["asked for elsewhere", 'select(.phone) | .phone | gsub(" "; "")'],
  ])("right: %s", (_, value) => {
    expect(told(value)).toEqual([]);
  });

  test("right: others aren't guarded", () => {
    expect(told('.phone | gsub(" "; "")', "town: .town, hours: ((.minutes // 0) / 60)")).toEqual([]);
  });
});
