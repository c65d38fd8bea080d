import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What is saved and checked of a registration: the same kind of mistake in other words, and what is right although it looks alike. */

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
    ["a time in a header of its own", ".raw_body", `${signed} and ${dated}`, true],
    ["that time is signed", '(.headers["x-timestamp"] + .raw_body)', `${signed} and ${dated}`, false],
    [
      "a time in the body",
      ".raw_body",
      `${signed} and ${dated.replace("headers.x-timestamp", "body.sent_at")}`,
      false,
    ],
  ])("%s", (_, hashed, condition, isTold) => {
    const told = findings("intake/unsigned-time", "inbound-webhook", {
      "/data_intake/0/verification": verification(hashed, condition),
    });
    expect(told).toHaveLength(isTold ? 1 : 0);
    expect(told.every((marked) => marked.includes("value_to_encrypt"))).toBe(true);
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
    expect(told(parsed)).toHaveLength(isTold ? 1 : 0);
  });
});

describe("what is saved of a registration", () => {
  const create = (program: string, ...rest: readonly object[]): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": program },
      ...rest,
    ],
  });
  const save = { "!save": { scope: "workflow" } };
  const told = (rule: string, changes: Readonly<Record<string, unknown>>): string[] =>
    findings(
      rule,
      "inbound-webhook",
      Object.fromEntries(Object.entries(changes).map(([name, value]) => [`/data_intake/0/${name}`, value])),
    );
  const byId = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const changed = (method: string): object => ({
    "!pipe": [
      { "!http": { method, path: "/hooks/current", body: { url: "${webhook.url}" } } },
      { "!jq": "{hook_id: .id}" },
      save,
    ],
  });

  test.each([
    ["by update alone", { create: create("{hook_id: .id}"), update: changed("PUT"), delete: byId }, true],
    [
      "and read by it",
      {
        create: create("."),
        update: {
          "!pipe": [
            {
              "!http": {
                method: "PUT",
                path: "/hooks/${data.workflow.hook_id}",
                body: { url: "${webhook.url}" },
              },
            },
            { "!jq": "{hook_id: .id}" },
            save,
          ],
        },
        delete: byId,
      },
      true,
    ],
    ["by both", { create: create("{hook_id: .id}", save), update: changed("PUT"), delete: byId }, false],
    ["by create alone", { create: create("{hook_id: .id}", save), update: undefined, delete: byId }, false],
  ])("saved %s", (_, changes, isTold) => {
    expect(told("intake/saved-late", changes).length > 0).toBe(isTold);
  });

  test.each([
    [".hook.id, .hook.key", true],
    [".hook | .id, .key", true],
    [".hook | (.hook_id, .hook_key)", true],
    ["(.id), (.key)", true],
    [".hook.id", true],
    [".hook", false],
    ["{hook_id: .id}, {key: .key}", false],
    [".hook | {hook_id: .id}", false],
  ])("bare values: %s", (program, isTold) => {
    expect(told("intake/saved-text", { create: create(program, save), delete: byId })).toEqual(
      isTold ? [program] : [],
    );
  });

  test.each([
    // Who has a parameter for it finds registrations by their URLs.
    ["in a query", { "!http": { method: "DELETE", path: "/hooks?url=${webhook.url}" } }, false],
    [
      "in the parameters",
      { "!http": { method: "DELETE", path: "/hooks", params: { url: "${webhook.url}" } } },
      false,
    ],
    [
      "in the body",
      { "!http": { method: "POST", path: "/hooks/remove", body: { url: "${webhook.url}" } } },
      false,
    ],
    ["in the path", { "!http": { method: "DELETE", path: "/hooks/${webhook.url}" } }, true],
    [
      "beside the id",
      {
        "!http": {
          method: "DELETE",
          path: "/hooks/${data.workflow.hook_id}",
          params: { url: "${webhook.url}" },
        },
      },
      false,
    ],
  ])("removed by the URL %s", (_, remove, isTold) => {
    const update = {
      "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
    };
    for (const change of [undefined, update])
      expect(
        told("intake/deleted-by-url", {
          create: create("{hook_id: .id}", save),
          update: change,
          delete: remove,
        }),
      ).toEqual(isTold ? ["${webhook.url}"] : []);
    expect(
      told("intake/deleted-by-url", { create: create("{seen: .at}"), update: undefined, delete: remove }),
    ).toEqual([]);
  });
});

describe("a secret that is saved under another name", () => {
  const verification = {
    "!pipe": [
      { "!jq": "{value_to_encrypt: .raw_body}" },
      { "!sha": { algorithm: "sha256", secret: "${data.workflow.key}" } },
      {
        "!switch": {
          jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  };

  test.each([
    ["{ref: .hook.key, key: .hook.key}", true],
    [".hook | {ref: .key, key: .key}", true],
    [".hook as $h | {ref: $h.key, key: $h.key}", true],
    ["{ref: .hook.ref, key: .hook.key}", false],
    ["{ref: .hook.id, key: .hook.id}", false],
  ])("%s", (program, isTold) => {
    const told = findings("security/signing-secret-in-url", "inbound-webhook", {
      "/data_intake/0/verification": verification,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.ref}" } },
    });
    expect(told).toEqual(isTold ? ["${data.workflow.ref}"] : []);
  });
});

describe("intake/saved-other-id", () => {
  const told = (saved: string, path = "/hooks"): string[] =>
    findings("intake/saved-other-id", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path,
              body: { hook: { url: "${webhook.url}", form_id: "${custom_data.form.value}" } },
            },
          },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
    });

  test.each([
    ["{hook_id: .hook.form_id}", true],
    ["{hook_id: .form_id}", true],
    [".hook as $h | {hook_id: $h.form_id}", true],
    [".hook | {hook_id: .form_id}", true],
    ["{hook_id: .hook.url}", true],
    ["{hook_id: .hook.id, form_id: .hook.form_id}", false],
    ["{hook_id: .hook.hook_id}", false],
    ["{hook_id: .hook.uuid}", false],
    ["{hook_id: (.hook.id // .hook.form_id)}", false],
  ])("%s", (saved, isTold) => {
    expect(told(saved)).toEqual(isTold ? ["${data.workflow.hook_id}"] : []);
  });

  test("another list may be named by it", () => {
    expect(told("{hook_id: .hook.form_id}", "/forms/${custom_data.form.value}")).toEqual([]);
  });
});

describe("intake/saved-record", () => {
  const person = ".person | {email, number: .id}";
  const told = (
    program: string,
    key: string,
    source = "{email: .person.email, number: .person.id}",
  ): string[] =>
    findings("intake/saved-record", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: `/hooks/\${data.workflow.${key}}` } },
      "/workflows/0/data_pipeline/source": {
        "!pipe": [{ "!http": { path: "/people/${piped_content.0.person_id}" } }, { "!jq": source }],
      },
    });
  test.each([
    ["{hook: .hook}", "hook", [".hook"]],
    ["{hook_id: .hook}", "hook_id", [".hook"]],
    [".hook as $h | {hook: $h, token: .token}", "hook", ["$h"]],
    ["{hook: .data}", "hook", [".data"]],
    [".hook", "hook_id", [".hook"]],
    [".data", "hook_id", [".data"]],
    ["{hook: .hook.id}", "hook", []],
    ["{hook: .id}", "hook", []],
    [".hook", "id", []],
    [".hook | {hook_id: .id}", "hook_id", []],
    ["{hook: .key}", "hook", []],
  ])("%s as %s", (program, key, marked) => {
    expect(told(program, key)).toEqual(marked);
  });
  test("how the API writes its records", () => {
    // Nothing says that its answers have records with an id.
    expect(told("{hook: .hook}", "hook", "{email: .email, number: .id}")).toEqual([]);
    expect(told("{hook: .hook}", "hook", "{email: .person_email}")).toEqual([]);
    expect(told("{hook: .hook}", "hook", person)).toEqual([]);
  });
});

describe("intake/unread-registration", () => {
  const told = (saved: string): string[] =>
    findings("intake/unread-registration", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "PUT", path: "/app/webhook", body: { url: "${webhook.url}" } } },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/app/webhook" } },
      "/data_intake/0/verification": {
        "!pipe": [
          { "!jq": "{value_to_encrypt: .raw_body}" },
          { "!sha": { algorithm: "sha256", secret: "${data.workflow.own_key}" } },
          { "!jq": "{ok: (.hash == ${piped_content.0.headers.x-sign})}" },
          {
            "!switch": {
              jq: "if .ok then 0 else 1 end",
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": "{email, hook: ${data.workflow.hook_id | default}}" },
    });

  test.each([
    ["the only thing that is saved signs deliveries", "{own_key: .key}", 0],
    ["an id is saved, too", "{own_key: .key, hook_id: .id}", 1],
  ])("%s", (_, saved, count) => {
    expect(told(saved)).toHaveLength(count);
  });
});
