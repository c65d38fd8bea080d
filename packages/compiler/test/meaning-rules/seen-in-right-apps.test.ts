import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";
import { byEmail, cases, get, jq, post } from "../support/steps.ts";

/** What whole right apps do and a rule once told, each beside what is still told. */

const target = "/workflows/0/data_pipeline/target";
const fields = "/workflows/0/setup/select/form_fields";
const list = "${custom_data.list.value}";

describe("command/exchanged-cases: an option that leads to a case only if something is missing", () => {
  const told = (condition: string): string[] =>
    findings("command/exchanged-cases", "outbound", {
      [`${fields}/1`]: {
        id: "channel",
        label: "Channel",
        type: "dropdown",
        options: [
          { display: "Email", value: "email" },
          { display: "Text message", value: "sms" },
        ],
      },
      "/workflows/0/setup/map/describe_target/options": [
        { id: "email", title: "Email", required: true },
        { id: "mobile", title: "Mobile number (for text messages)" },
      ],
      [target]: cases(
        `if ${condition} then 0 else 1 end`,
        { "!error": "The contact has no number." },
        post("/subscribers", { mobile: "${piped_content.0.mobile | default}", list }),
      ),
    });
  test.each([
    ['${custom_data.channel.value} == "sms"', 1],
    ['${custom_data.channel.value} == "sms" and (.mobile // "") == ""', 0],
  ])("%s", (condition, count) => {
    expect(told(condition)).toHaveLength(count);
  });
});

describe("response/two-shapes: one address for everything", () => {
  const told = (first: string, second: string): string[] =>
    findings("response/two-shapes", "outbound", {
      "/workflows/0/setup/connect/describe_connection": {
        "!pipe": [
          post("/call", { op: first, args: {} }),
          jq("{account_id: .value.officeId, description: .value.title}"),
        ],
      },
      [`${fields}/0/options`]: {
        "!pipe": [
          post("/call", { op: second, args: {} }),
          jq("[.value[] | {display: .title, value: .code}]"),
        ],
      },
    });
  test.each([
    ["office.show", "office.show", 1],
    ["office.show", "choirs.list", 0],
  ])("%s and %s", (first, second, count) => {
    expect(told(first, second)).toHaveLength(count);
  });
});

describe("value/record-of-other-list: what ties two records together", () => {
  const told = (method: string, listed: string): string[] =>
    findings("value/record-of-other-list", "outbound", {
      [target]: {
        "!pipe": [
          get("/people", { email: "${piped_content.0.email}" }),
          get(`/courses/${list}/${listed}`, { email: "${piped_content.0.email}" }),
          {
            "!http": { method, path: `/courses/${list}/${listed}/\${piped_content.2.${listed}.0.person_id}` },
          },
        ],
      },
    });
  test.each([
    ["DELETE", "enrolments", 0],
    ["PUT", "enrolments", 0],
    ["DELETE", "invoices", 1],
  ])("%s /courses/1/%s/2", (method, listed, count) => {
    expect(told(method, listed)).toHaveLength(count);
  });
});

describe("intake/refuses-genuine: a header that only the handshake has", () => {
  const told = (headers: object, hashed = ".raw_body"): string[] =>
    findings("intake/refuses-genuine", "inbound-webhook", {
      "/data_intake/0/scope": "workflow",
      "/data_intake/0/verification": cases(
        'if .headers["x-hook-secret"] then 0 else 1 end',
        {
          "!pipe": [
            jq('{hook_secret: .headers["x-hook-secret"]}'),
            { "!save": { scope: "workflow" } },
            { "!respond": { code: 200, process_payload: false, headers } },
          ],
        },
        {
          "!pipe": [
            jq(`{value_to_encrypt: ${hashed}}`),
            { "!sha": { algorithm: "sha256", secret: "${data.workflow.hook_secret}" } },
            cases(
              `if .hash == \${piped_content.0.headers.x-hook-signature | default} then 0 else 1 end`,
              { "!respond": { process_payload: true } },
              { "!respond": { code: 401, process_payload: false } },
            ),
          ],
        },
      ),
    });
  const returned = { "X-Hook-Secret": "${piped_content.1.hook_secret}" };
  test("it is sent back", () => expect(told(returned)).toEqual([]));
  test("another one is sent back", () => expect(told({ "X-Seen": "yes" })).toHaveLength(1));
  test("something else than the body is hashed", () =>
    expect(told(returned, '.headers["x-event"]')).toHaveLength(1));
});

describe("value/other-answer: what a change answers", () => {
  const keyed = (path: string) => post(path, { url: "${webhook.url}" });
  const kept = (program: string) => [jq(program), { "!save": { scope: "workflow" } }];
  const told = (create: readonly unknown[], update: readonly unknown[]): string[] =>
    findings("value/other-answer", "inbound-webhook", {
      "/data_intake/0/scope": "workflow",
      "/data_intake/0/create": { "!pipe": create },
      "/data_intake/0/update": { "!pipe": update },
    });
  const made = [keyed("/hooks"), ...kept("{hook_id: .hook.id}")];
  const withKey = [
    ...made,
    keyed("/hooks/${data.workflow.hook_id}/keys"),
    ...kept("{hook_key: .key.secret}"),
  ];
  const changed = [
    { "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } } },
    ...kept("{hook_id: .hook.id, hook_key: .key.secret}"),
  ];
  test("`create` gets the key from a request of its own", () => expect(told(withKey, changed)).toEqual([]));
  test("the key is read of the hook, behind the request for it", () => {
    const mixed = [...withKey, keyed("/hooks"), ...kept("{hook_id: .hook.id, hook_key: .key.secret}")];
    expect(told(mixed, changed)).toHaveLength(1);
  });
});

describe("intake/unsaved-secret: the former secret", () => {
  const kept = (program: string) => [jq(program), { "!save": { scope: "workflow" } }];
  const told = (update: string): string[] =>
    findings("intake/unsaved-secret", "inbound-webhook", {
      "/data_intake/0/scope": "workflow",
      "/data_intake/0/create": {
        "!pipe": [
          post("/hooks", { url: "${webhook.url}" }),
          ...kept("{hook_id: .id, secret: .secret, former: .secret}"),
        ],
      },
      "/data_intake/0/update": {
        _comment: "Each change gives a new secret.",
        "!pipe": [post("/hooks/${data.workflow.hook_id}", { url: "${webhook.url}" }), ...kept(update)],
      },
      "/data_intake/0/verification": cases(
        'if .headers["x-key"] == ${data.workflow.secret} or .headers["x-key"] == ${data.workflow.former} then 0 else 1 end',
        { "!respond": { process_payload: true } },
        { "!respond": { code: 401 } },
      ),
    });
  test.each([
    ["{secret: .secret, former: ${data.workflow.secret}}", 0],
    ["{secret: .secret}", 1],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
});

describe("api/other-next-token: where a log was read to", () => {
  const told = (iterate: string): string[] =>
    findings("api/other-next-token", "inbound-polling", {
      "/api/pagination": {
        style: { type: "cursor" },
        parser: { next_result_token: { "!jq": ".page.next_cursor" } },
      },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {after: null}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request": {
        "!pipe": [
          get("/changes", { cursor: "${polling_state.after}" }),
          jq(`{results: .items, iterate: (${iterate}), polling_state: {after: .page.cursor}}`),
        ],
      },
    });
  test.each([
    [".page.cursor != null", 1],
    [".page.has_more == true", 0],
  ])("%s", (iterate, count) => {
    expect(told(iterate)).toHaveLength(count);
  });
});

describe("unused/step-output: a step that only may fail", () => {
  test.each([
    ['if .hits > 0 then error("A conflict.") else {clear: true} end', 0],
    ['if .hits > 0 then error("A conflict.") else {clear: .checked_at} end', 1],
  ])("%s", (program, count) => {
    const found = findings("unused/step-output", "outbound", {
      [target]: { "!pipe": [get("/conflicts"), jq(program), post("/subscribers", byEmail)] },
    });
    expect(found).toHaveLength(count);
  });
});
