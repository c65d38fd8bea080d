import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Records that are joined by ids, people by titles, and challenges: in other words, and what is right although it looks alike. */

describe("included records", () => {
  const told = (program: string): string[] => inSource("value/own-include", program);
  test.each([
    [". as $doc | .data[0] as $m | {client: first($doc.included[] | select(.id == $m.id))}", "$m.id"],
    [
      '. as $doc | .data as $m | {client: ([$doc.included[] | select(.type == "clients" and $m.id == .id)] | first)}',
      "$m.id",
    ],
    [". as $doc | .data[0] as $m | {known: any($doc.included[]; .id == $m.id)}", "$m.id"],
    [
      '. as $doc | .data[0] as $m | {client: ($doc.included | map(select(.["id"] == $m.id)) | first)}',
      "$m.id",
    ],
    [".data[0] as $m | {client: INDEX(.included[]; .id)[$m.id]}", "$m.id"],
    [".data[0] as $m | INDEX(.included[]; .id) as $by | {client: $by[$m.id]}", "$m.id"],
    [
      ".data[0] as $m | (.included | map({key: .id, value: .}) | from_entries) as $by | {client: $by[$m.id].attributes}",
      "$m.id",
    ],
    [". as $doc | .data[0].id as $id | {client: first($doc.included[] | select(.id == $id))}", "$id"],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });
  test.each([
    ". as $doc | .data[0] as $m | {client: first($doc.included[] | select(.id == $m.relationships.client.data.id))}",
    ". as $doc | .data[0] as $m | {notes: [$doc.included[] | select(.relationships.matter.data.id == $m.id)]}",
    ". as $doc | .data[0] as $m | {others: [$doc.included[] | select(.id != $m.id)]}",
    ". as $doc | .data[0] as $m | {client: first($doc.included[] | select(.attributes.matter_id == $m.id))}",
    ".data[0] as $m | INDEX(.included[]; .id) as $by | {client: $by[$m.relationships.client.data.id]}",
    ".data[0] as $m | (.included | group_by(.attributes.matter) | map({key: .[0].id, value: .}) | length) as $n | {n: $n}",
    ". as $doc | .data[0] as $m | {same: first($doc.data[] | select(.id == $m.id))}",
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("a person by the title of the field", () => {
  const titles = (...all: readonly string[]) =>
    ["email", "first_name", "last_name", "phone"].map((id, at) => ({ id, title: all[at] ?? id }));
  const told = (program: string, options: unknown): string[] =>
    inSource("value/mixed-people", program, { "/workflows/0/setup/map/describe_source/options": options });
  const buyers = titles("Buyer's email", "Buyer's first name", "Buyer's last name", "Buyer's phone");
  test.each([
    [
      "{email: .accounts.email, first_name: .buyer.first, last_name: .buyer.last, phone: .buyer.phone}",
      buyers,
      ".accounts.email",
    ],
    [
      ". as $c | {email: $c.buyer.email, first_name: $c.buyer.first, last_name: $c.buyer.last, phone: $c.billing.phone}",
      buyers,
      "$c.billing.phone",
    ],
    [
      "{email: .invoicing.email, first_name: .member.first, last_name: .member.last}",
      titles("Email of the member", "First name", "Last name"),
      ".invoicing.email",
    ],
  ])("%s", (program, options, marked) => {
    expect(told(program, options)).toEqual([marked]);
  });
  test.each([
    ["{email: .buyer.email, first_name: .buyer.first, last_name: .buyer.last}", buyers],
    [
      "{email: .accounts.email, first_name: .buyer.first, last_name: .buyer.last}",
      titles("Email for accounts", "Buyer's first name"),
    ],
    [
      "{email: .contact.email, first_name: .buyer.first, last_name: .buyer.last}",
      titles("Email", "First name", "Last name"),
    ],
    [
      "{email: .accounts.email, first_name: .buyer.first, last_name: .buyer.last}",
      titles("Email of the buyer's accounts"),
    ],
  ])("right: %s", (program, options) => {
    expect(told(program, options)).toEqual([]);
  });
});

describe("a challenge that comes before create ends", () => {
  const hash = [
    { "!jq": "{value_to_encrypt: .raw_body}" },
    { "!sha": { algorithm: "sha256", secret: "${data.workflow.secret}" } },
  ];
  const answer = (place: string): unknown => ({
    "!respond": {
      process_payload: false,
      code: 200,
      body: { challenge: `\${piped_content.0.${place} | default}` },
    },
  });
  const yes = { "!respond": { process_payload: true, code: 200 } };
  const no = { "!respond": { process_payload: false, code: 401 } };
  const signed = ".hash == ${piped_content.0.headers.x-signature | default}";
  const decide = (jq: string, ...cases: readonly unknown[]): unknown => ({ "!switch": { jq, cases } });
  const early = "The service calls the URL with a challenge while create still waits.";
  const told = (
    verification: unknown,
    comment = early,
    secret = "{hook_id: .id, secret: .secret}",
  ): string[] =>
    findings("intake/early-challenge", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/create/!pipe/1": { "!jq": secret },
      "/data_intake/0/verification": verification,
    });
  const first = {
    "!pipe": [
      ...hash,
      decide(
        `if \${piped_content.0.method} == "GET" then 0 elif ${signed} then 1 else 2 end`,
        answer("query.challenge"),
        yes,
        no,
      ),
    ],
  };

  test.each([
    ["before a switch", first, early],
    [
      "with a challenge in the body",
      {
        "!pipe": [
          ...hash,
          decide(
            'if ${piped_content.0.body.type | default} == "url" then 0 else 1 end',
            answer("body.challenge"),
            yes,
          ),
        ],
      },
      early,
    ],
    [
      "in its condition",
      decide(
        'if ${data.workflow.secret} == "" then 0 elif .method == "GET" then 1 else 2 end',
        no,
        answer("query.challenge"),
        yes,
      ),
      early,
    ],
    [
      "before an inner switch",
      {
        "!pipe": [
          ...hash,
          decide(
            `if ${signed} then 0 else 1 end`,
            yes,
            decide('if ${piped_content.0.method} == "GET" then 0 else 1 end', answer("query.challenge"), no),
          ),
        ],
      },
      early,
    ],
    ["in other words", first, "Before it answers, the service calls the URL and wants the challenge back."],
    ["during the registration", first, "A challenge is sent during registration."],
  ])("%s", (_, verification, comment) => {
    expect(told(verification, comment)).toEqual(["secret"]);
  });

  test.each([
    [
      "a case of its own",
      decide('if .method == "GET" then 0 else 1 end', answer("query.challenge"), {
        "!pipe": [...hash, decide(`if ${signed} then 0 else 1 end`, yes, no)],
      }),
      early,
    ],
    ["it comes afterwards", first, "An hour after the registration the service sends a challenge."],
    ["no challenge", { "!pipe": [...hash, decide(`if ${signed} then 0 else 1 end`, yes, no)] }, early],
  ])("right: %s", (_, verification, comment) => {
    expect(told(verification, comment)).toEqual([]);
  });

  test("a default, and what nothing saves", () => {
    const lenient = { "!sha": { algorithm: "sha256", secret: "${data.workflow.secret | default}" } };
    const [, ...rest] = first["!pipe"];
    expect(told({ "!pipe": [hash[0], lenient, ...rest.slice(1)] })).toEqual([]);
    expect(told(first, early, "{hook_id: .id}")).toEqual([]);
  });
});

describe("options and the table for what they are compared with", () => {
  const options = (...values: readonly string[]) =>
    values.map((value) => ({ display: `Only ${value}`, value }));
  const told = (
    program: string,
    values: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): string[] =>
    findings("value/unlisted-key", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "States",
        id: "states",
        type: "multiselect",
        options: options(...values),
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
      ...more,
    });
  const chosen = "${custom_data.states.value}";
  const table = '{"booked": "B", "done": "D", "off": "O"}';
  test.each([
    `.state as $s | if (${chosen} | index($s)) == null then null else {email: .email, state: ${table}[$s]} end`,
    `. as $v | if any(${chosen}[]; . == $v.state) then {email: .email, state: ${table}[$v.state]} else null end`,
    `if (.state | IN(${chosen}[])) then {email: .email, state: ${table}[.state]} else null end`,
    `${table} as $names | if (.state | IN(${chosen}[])) then {email: .email, state: $names[.state]} else null end`,
  ])("%s", (program) => {
    expect(told(program, ["booked", "swept", "off"])).toEqual(["swept"]);
    expect(told(program, ["booked", "done", "off"])).toEqual([]);
    expect(told(program, ["booked", "off"])).toEqual([]);
    expect(told(program, ["booked", "off", "all"])).toEqual([]);
    expect(told(program, ["booked", "done", "off", "new"])).toEqual([]);
  });
  test("another member, and a word that stands elsewhere too", () => {
    const other = `if (.kind | IN(${chosen}[])) then {email: .email, state: ${table}[.state]} else null end`;
    expect(told(other, ["booked", "swept", "off"])).toEqual([]);
    const known = `if (.state | IN(${chosen}[])) then {email: .email, done: (.state == "swept"), state: ${table}[.state]} else null end`;
    expect(told(known, ["booked", "swept", "off"])).not.toContain('swept"');
  });
});
