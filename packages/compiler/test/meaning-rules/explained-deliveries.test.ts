import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Events, checks of the URL and signatures, where a comment or a name says that it is another thing than it looks like. */

const intake = "/data_intake/0";
const source = "/workflows/0/data_pipeline/source";
const url = "${webhook.url}";
const create = (body: object) => ({
  "!pipe": [
    { "!http": { method: "POST", path: "/hooks", body: { url, ...body } } },
    { "!jq": "{hook_id: .id}" },
    { "!save": { scope: "workflow" } },
  ],
});
const registered = (body: object, program: string, said = "") => ({
  [`${intake}/_comment`]: said,
  [`${intake}/create`]: create(body),
  [`${intake}/update`]: {
    "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url, ...body } },
  },
  [source]: { "!jq": program },
});
const told = (rule: string, changes: Readonly<Record<string, unknown>>): number =>
  findings(rule, "inbound-webhook", changes).length;

describe("events", () => {
  const listed =
    "Payload: {event, email, stage}; events are enquiry.created, place.offered and place.accepted.";
  test.each([
    [listed, 1],
    [`${listed} place.accepted comes to every hook by itself.`, 0],
    [`${listed} The last is for partners on the school plan.`, 0],
    [`${listed} Another workflow takes place.accepted.`, 0],
    [`${listed} An offer that is taken sends place.offered again with the stage accepted.`, 0],
  ])("intake/left-out-event: %s", (said, count) => {
    const program = '{email: .email, family: (.stage == "accepted")}';
    const events = ["enquiry.created", "place.offered"];
    expect(told("intake/left-out-event", registered({ events }, program, said))).toBe(count);
  });

  test.each([
    [".event", "order.updated", 1],
    [".event", "order.all", 0],
    [".reason", "order.updated", 0],
  ])("intake/other-event: %s, %s", (read, event, count) => {
    const program = `if ${read} == "order.paid" then {email: .email, name: .name} else null end`;
    const changes = {
      [`${intake}/name`]: "order.paid",
      "/workflows/0/data_intake": "order.paid",
      ...registered({ event }, program),
    };
    expect(told("intake/other-event", changes)).toBe(count);
  });

  const orders = ["order.created", "order.updated"];
  test.each([
    [".event", "order.deleted", orders, "", 1],
    [".event", "order.deleted", orders, "order.deleted comes to every hook, whatever it is for.", 0],
    [".cause", "order.split", orders, "", 0],
    [
      ".event",
      "order.paid",
      ["order.created", "order.changes"],
      "order.changes stands for order.paid and order.shipped.",
      0,
    ],
    [".event", "order.paid", ["order.all", "order.created"], "", 0],
  ])("intake/unregistered-event: %s == %s of %j %s", (read, event, events, said, count) => {
    const program = `if ${read} == "${event}" then null else {email: .email, kind: .event} end`;
    expect(told("intake/unregistered-event", registered({ events }, program, said))).toBe(count);
  });

  test.each([
    ["", 1],
    ["refund.* events come unasked to each hook of orders.", 0],
  ])("intake/every-event: %s", (said, count) => {
    const program =
      '{email: .email, source: (if (.event | startswith("refund.")) then "refund" else "order" end)}';
    expect(told("intake/every-event", registered({ events: orders }, program, said))).toBe(count);
  });

  test.each([
    ["order.other", 1],
    ["order.any", 0],
  ])("intake/unregistered-option: %s", (value, count) => {
    const chosen = "${custom_data.kind.value}";
    const changes = {
      ...registered({ events: orders }, `if ${chosen} == .event then {email: .email} else null end`),
      "/workflows/0/setup/select/form_fields/1": {
        id: "kind",
        label: "Kind",
        type: "dropdown",
        options: [
          { display: "New", value: "order.created" },
          { display: "Both", value },
        ],
      },
    };
    expect(told("intake/unregistered-option", changes)).toBe(count);
  });

  test.each([
    ["booking", orders, 1],
    ["event", orders, 0],
    ["notification", orders, 0],
    ["record", ["booking.created", "order.created"], 0],
  ])("intake/shared-delivery-id: %s of %j", (member, events, count) => {
    const changes = {
      ...registered({ events }, "{email: .email}"),
      [`${intake}/delivery_id`]: { "!jq": `.body.${member}.id` },
    };
    expect(told("intake/shared-delivery-id", changes)).toBe(count);
  });
});

describe("checks of the URL", () => {
  const check = (said: string, read: string) => ({
    [`${intake}/_comment`]: said,
    [`${intake}/verification`]: {
      "!pipe": [
        {
          "!switch": {
            jq: `if .${read}.challenge != null then 0 else 1 end`,
            cases: [
              { "!respond": { code: 200, body: { challenge: `\${piped_content.0.${read}.challenge}` } } },
              { "!respond": { process_payload: true } },
            ],
          },
        },
      ],
    },
  });
  test.each([
    ["The service posts {challenge} to the URL and wants it echoed.", 1],
    ["Until v2 the service posts {challenge} to the URL; since then it comes in the address.", 0],
    ["Service sends {text, author} for each post; the challenge is a parameter of a call.", 0],
  ])("intake/query-of-post: %s", (said, count) => {
    expect(told("intake/query-of-post", check(said, "query"))).toBe(count);
  });

  test.each([
    ["It posts {challenge} and wants the challenge back as text/plain.", 1],
    ["Until 2023 it wanted the challenge back as text/plain; today JSON is taken.", 0],
    ["It posts {challenge} and takes the challenge back as text/plain or in an object.", 0],
    ["POST /hooks needs a verify token and is answered with {id, secret}.", 0],
  ])("intake/documented-challenge: %s", (said, count) => {
    expect(told("intake/documented-challenge", check(said, "body"))).toBe(count);
  });
});

describe("signatures", () => {
  const cases = [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }];
  const verify = (jq: string, secret = "<SIGNING_SECRET>", made = ".raw_body") => ({
    "!pipe": [
      { "!jq": `{value_to_encrypt: (${made})}` },
      { "!sha": { algorithm: "sha256", secret } },
      { "!switch": { jq, cases } },
    ],
  });
  const equal = "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end";
  const said = (_comment: string, verification: object) => ({
    [`${intake}/_comment`]: _comment,
    [`${intake}/verification`]: verification,
  });

  test.each([
    ["x-signature is signed with SHA-512.", 1],
    ["x-digest is a SHA-512 digest of the file that an event is about.", 0],
    ["The access token is signed with SHA-512.", 0],
    ["From version 3 on deliveries will be signed with SHA-512.", 0],
  ])("intake/other-algorithm: %s", (comment, count) => {
    expect(told("intake/other-algorithm", said(comment, verify(equal)))).toBe(count);
  });

  test.each([
    ["signing", 1],
    ["file_hash", 0],
    ["checksum", 0],
  ])("intake/other-algorithm, asked for as %s", (name, count) => {
    const changes = { ...said("", verify(equal)), [`${intake}/create`]: create({ [name]: "sha512" }) };
    expect(told("intake/other-algorithm", changes)).toBe(count);
  });

  test.each([
    ["The header has one or two signatures.", 1],
    ["Several signatures may come: ours by SHA-256, then older schemes.", 0],
    ["The header has two hashes: of the body, then of the file.", 0],
    ["One or two signatures; the one of the new key stands before that of the old key.", 0],
  ])("intake/first-signature: %s", (comment, count) => {
    const first =
      'if (.hash as $mine | ${piped_content.0.headers.x-signature} | split(",") | index($mine) == 0) then 0 else 1 end';
    expect(told("intake/first-signature", said(comment, verify(first)))).toBe(count);
  });

  test.each([
    ["Older than five minutes is a replay.", 300_000, 1],
    ["A booking stale for two hours is released by the service, and an event is sent.", 300, 0],
    ["Old events are kept for thirty days and can be fetched by GET /events.", 300, 0],
  ])("intake/other-tolerance: %s", (comment, seconds, count) => {
    const test = `if (now - (\${piped_content.0.headers.x-timestamp} | tonumber)) < ${seconds} and .hash == \${piped_content.0.headers.x-signature} then 0 else 1 end`;
    const made = '.headers["x-timestamp"] + .raw_body';
    expect(told("intake/other-tolerance", said(comment, verify(test, "<SIGNING_SECRET>", made)))).toBe(count);
  });

  test.each([
    ["The secret is shown once; a PUT doesn't show it again.", 1],
    ["The secret is shown once; a PUT makes a new one and shows that.", 0],
  ])("intake/lost-secret: %s", (comment, count) => {
    const saved = [{ "!jq": "{hook_id: .id, hook_secret: .secret}" }, { "!save": { scope: "workflow" } }];
    const sent = { "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url } } };
    const changes = {
      ...said(comment, verify(equal, "${data.workflow.hook_secret}")),
      [`${intake}/create`]: {
        "!pipe": [{ "!http": { method: "POST", path: "/hooks", body: { url } } }, ...saved],
      },
      [`${intake}/update`]: { "!pipe": [sent, ...saved] },
    };
    expect(told("intake/lost-secret", changes)).toBe(count);
  });
});
