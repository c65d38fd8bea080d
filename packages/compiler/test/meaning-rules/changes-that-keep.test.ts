import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a change of a registration keeps, and ages that are said of something else than deliveries. */

const intake = "/data_intake/0";
const url = "${webhook.url}";
const form = "${custom_data.form.value}";
const hook = "/hooks/${data.workflow.hook_id}";
const saved = (program: string) => [{ "!jq": program }, { "!save": { scope: "workflow" } }];
const put = (body: object, path = hook) => ({ "!http": { method: "PUT", path, body } });
const signed = (secret: string) => ({
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
});
const told = (rule: string, said: string, update: object): string[] =>
  findings(rule, "inbound-webhook", {
    [`${intake}/_comment`]: said,
    [`${intake}/create`]: {
      "!pipe": [
        { "!http": { method: "POST", path: "/hooks", body: { url, form } } },
        ...saved("{hook_id: .id, hook_secret: .secret}"),
      ],
    },
    [`${intake}/update`]: update,
    [`${intake}/verification`]: signed("${data.workflow.hook_secret}"),
  });

describe("intake/unsaved-secret", () => {
  test.each([
    ["A PUT makes a new secret.", 1],
    ["The customer changes the API key at will; PUT takes it.", 0],
    ["Each hook has its own secret.", 0],
  ])("the id alone is saved: %s", (said, count) => {
    const update = { "!pipe": [put({ url, form }), ...saved("{hook_id: .id}")] };
    expect(told("intake/unsaved-secret", said, update)).toHaveLength(count);
  });

  test.each([
    ["PUT /hooks/ID rolls the secret.", 1],
    ["PUT /hooks/ID/rotate rolls the secret; PUT /hooks/ID changes the rest.", 0],
  ])("nothing is saved: %s", (said, count) => {
    expect(told("intake/unsaved-secret", said, put({ url, form }))).toHaveLength(count);
  });
});

describe("intake/unsaved-new-id", () => {
  test.each([
    ["A PUT gives the hook a new id.", 1],
    ["A PUT gives a new version id of the hook.", 0],
    ["A PUT gives the hook a new number; its id is what it was.", 0],
  ])("%s", (said, count) => {
    expect(told("intake/unsaved-new-id", said, put({ url, form }))).toHaveLength(count);
  });
  test.each([
    ["The hook ends with every change. Keep the new one.", 1],
    ["The token is rotated with every change. Keep the new one.", 0],
    ["With each PUT the id changes.", 1],
    ["PUT to the id changes a hook; there is no PATCH.", 0],
    ["The token stays. A new callback is probed like the first one.", 0],
  ])("at the update itself: %s", (_comment, count) => {
    const update = { _comment, ...put({ url, form }) };
    expect(told("intake/unsaved-new-id", "Hooks are made by POST.", update)).toHaveLength(count);
  });
});

describe("intake/update-without-url", () => {
  test.each([
    ["PUT replaces the hook.", hook, 1],
    ["PUT changes the members that are sent and keeps the others.", hook, 0],
    ["The address of a hook can't be changed.", hook, 0],
    ["", `${hook}/filter`, 0],
  ])("%s %s", (said, path, count) => {
    expect(told("intake/update-without-url", said, put({ form }, path))).toHaveLength(count);
  });
});

describe("intake/unchecked-age", () => {
  test.each([
    ["Deliveries older than five minutes are replays.", 1],
    ["Deliveries older than five minutes are dropped by the service itself.", 0],
    ["GET /events shows events that are up to ten minutes old.", 0],
    ["Requests that take longer than 30 seconds are off; the event is then lost.", 0],
    ["A signed ticket is good for ten minutes.", 0],
  ])("%s", (said, count) => {
    const all = {
      [`${intake}/_comment`]: said,
      [`${intake}/verification`]: signed("<SIGNING_SECRET>"),
    };
    expect(findings("intake/unchecked-age", "inbound-webhook", all)).toHaveLength(count);
  });
});
