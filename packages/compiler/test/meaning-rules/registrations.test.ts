import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Rules about intakes and registrations: the same kind of mistake in other words, and what is right although it looks alike. */

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

describe("a signature's header that is taken apart the wrong way round", () => {
  const told = (parsed: string): string[] =>
    ["intake/refuses-genuine", "intake/accepts-forged"].flatMap((rule) =>
      findings(rule, "inbound-webhook", {
        "/data_intake/0/verification": {
          "!pipe": [
            { "!jq": `(.headers["x-signature"] // "") | split(",") | ${parsed}` },
            { "!jq": '{value_to_encrypt: ((.t // "") + "." + ${piped_content.0.raw_body})}' },
            { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
            {
              "!switch": {
                jq: "if .hash == ${piped_content.1.v1 | default} then 0 else 1 end",
                cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
              },
            },
          ],
        },
      }),
    );

  test.each([
    ['map(split("=") | {key: .[1], value: .[0]}) | from_entries', true],
    ['map(split("=") | {key: last, value: first}) | from_entries', true],
    ['map(split("=") | {name: .[1], value: .[0]}) | from_entries', true],
    ['map(split("=") | {k: .[-1], v: .[0]}) | from_entries', true],
    ['map(split("=") as [$k, $v] | {key: $v, value: $k}) | from_entries', true],
    ['map(split("=") | {(.[1]): .[0]}) | add', true],
    ['map(split("=") | {key: .[0], value: .[1]}) | from_entries', false],
    ['map(split("=") | {name: first, value: last}) | from_entries', false],
    ['map(split("=") | {(.[0]): .[1]}) | add', false],
    ['map(split("=") as [$k, $v] | {key: $k, value: $v}) | from_entries', false],
  ])("%s", (parsed, isTold) => {
    expect(told(parsed)).toEqual(isTold ? ['"!sha"'] : []);
  });
});
