import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

describe("response/payload-member", () => {
  const told = (program: string, comment?: string, request: unknown = undefined): number =>
    findings("response/payload-member", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          request ?? {
            ...(comment === undefined ? {} : { _comment: comment }),
            "!http": { path: "/donors/${piped_content.0.gift.donor_id}" },
          },
          { "!jq": program },
        ],
      },
    }).length;
  const chosen = {
    "!switch": {
      jq: "if .gift == null then 0 else 1 end",
      cases: [{ "!jq": "null" }, { "!http": { path: "/donors/${piped_content.0.gift.donor_id}" } }],
    },
  };
  test.each([
    [".gift as $gift | {email: .donor.email, amount: $gift.amount}"],
    ["{email: .donor.email, amount: .gift.amount}"],
    [".donor as $d | . | {email: $d.email, amount: .gift.amount}"],
    ["if .donor.email == null then null else {email: .donor.email, amount: (.gift.amount / 100)} end"],
  ])("told: %s", (program) => {
    expect(told(program)).toBe(1);
    expect(told(program, undefined, chosen)).toBe(1);
  });
  test.each([
    ["${piped_content.0.gift} as $gift | {email: .donor.email, amount: $gift.amount}"],
    ["{email: .email, amount: .gift.amount}"],
    [".donor as $d | ${piped_content.0} | {email: $d.email, amount: .gift.amount}"],
    ["{email: .donor.email, amount: .donor.gift.amount}"],
    ["{email: .donor.email, link: .links.self}"],
  ])("not told: %s", (program) => expect(told(program)).toBe(0));
  test("not where the comment of the request shows it", () => {
    const program = "{email: .donor.email, amount: .gift.amount}";
    expect(told(program, "Answers {donor: {id, email}, gift: {amount}}, the last one.")).toBe(0);
    expect(told(program, "Answers {donor: {id, email}}.")).toBe(1);
    const list = { "!http": { path: "/donors/${piped_content.0.gift.donor_id}/gifts" } };
    expect(told(program, undefined, list)).toBe(0);
  });
});

describe("value/record-beside: another id of the record that is meant", () => {
  const told = (given: string, comment: string): number =>
    findings("value/record-beside", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            _comment: comment,
            "!http": { method: "PUT", path: "/members", body: { email: "${piped_content.0.email}" } },
          },
          { "!jq": `{list_id: \${custom_data.list.value}, ${given}}` },
          { "!http": { method: "POST", path: "/entries", body: "${piped_content.2}" } },
        ],
      },
    }).length;
  const shown = "Answers {member: {id, billing_account_id, name}}.";
  test.each([
    ["member_id: .member.billing_account_id"],
    ["member_id: ${piped_content.1.member.billing_account_id}"],
    ["member_id: (.member.billing_account_id | tostring)"],
    ["memberId: .member.billing_account_id"],
  ])("told: %s", (given) => expect(told(given, shown)).toBe(1));
  test.each([
    ["member_id: .member.id", shown],
    ["account_id: .member.billing_account_id", shown],
    ["member_id: .member.member_id", "Answers {member: {id, member_id}}."],
    ["member_id: .member.billing_account_id", "Answers {member: {billing_account_id, name}}."],
    ["member_id: .member.billing_account_id", "Saves the member."],
    ["member_id: .member.billing_account_id", `${shown} billing_account_id is what entries take as member.`],
  ])("not told: %s, %s", (given, comment) => expect(told(given, comment)).toBe(0));
});

describe("value/selection-of-account", () => {
  const told = (
    routed: string,
    account: string,
    connected: string,
    list = "/forms",
    field = "form",
  ): number =>
    findings("value/selection-of-account", "inbound-webhook", {
      "/data_intake/0/scope": "connection",
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": "{hook_id: .id}" },
          { "!save": { scope: "connection" } },
        ],
      },
      "/data_intake/0/account_id": { "!jq": account },
      "/data_intake/0/resource_id": { "!jq": routed },
      "/workflows/0/setup/connect/describe_connection": {
        "!pipe": [
          { "!http": { path: "/me" } },
          { "!jq": `{account_id: ${connected}, description: "Connected"}` },
        ],
      },
      "/workflows/0/setup/select/form_fields/0": {
        label: "Choice",
        id: field,
        type: "dropdown",
        options: {
          "!pipe": [
            { "!http": { path: list } },
            { "!jq": `[.${list.slice(1)}[] | {display: .title, value: .id}]` },
          ],
        },
      },
      "/workflows/0/setup/select/describe_selection/resource_id": { "!jq": `\${custom_data.${field}.value}` },
    }).length;
  test("told where both are the account", () => {
    expect(told(".account.id", ".account.id", ".account.id")).toBe(1);
    expect(told(".firm.id", ".firm.id", ".firm.id", "/desks", "desk")).toBe(1);
    expect(told(".event.firm.id", ".event.firm.id", "(.firm.id | tostring)", "/desks", "desk")).toBe(1);
  });
  test("not where they differ, or customers choose the account", () => {
    expect(told(".form.id", ".account.id", ".account.id")).toBe(0);
    expect(told(".account.form_id", ".account.id", ".account.id")).toBe(0);
    expect(told(".firm.id", ".firm.id", ".firm.id", "/firms", "firm")).toBe(0);
    expect(told(".firm.id", ".firm.id", ".user.id", "/desks", "desk")).toBe(0);
  });
});

describe("mapping/unknown-fixed-value", () => {
  const told = (table: string, ids: readonly string[], beside = ""): number =>
    findings("mapping/unknown-fixed-value", "outbound", {
      "/workflows/0/setup/map/describe_target/options": [
        { id: "email", title: "Email", required: true },
        { id: "consent", title: "Consent", source_fields: ids.map((id) => ({ id, title: `${id} consent` })) },
      ],
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `{email, level: (${table})${beside}}` },
          {
            "!http": { method: "POST", path: "/lists/${custom_data.list.value}", body: "${piped_content.1}" },
          },
        ],
      },
    }).length;
  const table = "{full: 3, part: 2, low: 1}";
  test("told where one can't be found, and another one can't be picked", () => {
    expect(told(`${table}[.consent] // 0`, ["full", "part", "basic"])).toBe(1);
    expect(told(`${table}[.consent | tostring] // 0`, ["full", "mail", "low"])).toBe(1);
    expect(told(`${table} as $levels | $levels[.consent]`, ["all_of_it", "part", "low"])).toBe(1);
  });
  test("not where all are there, some are for the rest, or a program asks for it", () => {
    expect(told(`${table}[.consent] // 0`, ["full", "part", "low"])).toBe(0);
    expect(told(`${table}[.consent] // 0`, ["full", "part", "low", "basic"])).toBe(0);
    expect(told(`${table}[.consent] // 0`, ["full", "part"])).toBe(0);
    expect(told(`${table}[.consent] // 0`, ["full", "part", "none"])).toBe(0);
    expect(told(`${table}[.consent] // 0`, ["full", "part", "basic"], ', basic: (.consent == "basic")')).toBe(
      0,
    );
    expect(told(`${table}[.other] // 0`, ["full", "part", "basic"])).toBe(0);
  });
});

describe("value/word-of-other-name: two roles that a comment names in one breath", () => {
  const told = (role: string, comment: string, made?: string): number =>
    findings("value/word-of-other-name", "inbound-webhook", {
      "/workflows/0/description": "Keeps the consignee of each shipment.",
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": {
        "!jq": `first(.parties[] | select(.role == "${role}")) as $to | ${made ?? "{email: $to.email, consignee: {email: $to.email, name: $to.name}}"}`,
      },
    }).length;
  test("told where the other one is called so", () => {
    expect(told("shipper", "parties holds one shipper and one consignee.")).toBe(1);
    expect(told("shipper", "There is a consignee and a shipper, always.")).toBe(1);
    expect(told("shipper", "Each party is the consignee or the shipper.")).toBe(1);
  });
  test("not of the right one, or where nothing names both", () => {
    expect(told("consignee", "parties holds one shipper and one consignee.")).toBe(0);
    expect(told("shipper", "parties holds people.")).toBe(0);
    expect(told("shipper", "The shipper is the consignee and pays. One shipper and one consignee.")).toBe(0);
    const mixed = "{email: $to.email, consignee: {email: .email, name: .name, phone: $to.phone}}";
    expect(told("shipper", "parties holds one shipper and one consignee.", mixed)).toBe(0);
    const other = "{email: $to.email, sender: {email: $to.email, name: $to.name}}";
    expect(told("shipper", "parties holds one shipper and one consignee.", other)).toBe(0);
  });
});

describe("value/undocumented-word: options that a comment on their request explains", () => {
  const told = (comment: string, ...values: readonly string[]): number =>
    findings("value/undocumented-word", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Start",
        id: "start",
        type: "dropdown",
        options: values.map((value) => ({ display: `Start ${value}`, value })),
      },
      "/workflows/0/data_pipeline/target": {
        _comment: comment,
        "!http": {
          method: "POST",
          path: "/lists/${custom_data.list.value}/sync",
          body: { from: "${custom_data.start.value}", email: "${piped_content.0.email}" },
        },
      },
    }).length;
  test("told of one that isn't explained, where another word is", () => {
    expect(told("open counts what is under way, now starts with nothing.", "open", "new")).toBe(1);
    expect(told("now starts with nothing; open counts what is under way.", "open", "fresh")).toBe(1);
    expect(
      told("open counts all, late counts what waits, now starts with nothing.", "open", "late", "new"),
    ).toBe(1);
  });
  test("not told", () => {
    expect(told("open counts what is under way, now starts with nothing.", "open", "now")).toBe(0);
    expect(told("open counts what is under way, it starts with nothing.", "open", "new")).toBe(0);
    expect(told("open counts what is under way, now starts with nothing, as new does.", "open", "new")).toBe(
      0,
    );
    expect(told("open counts what is under way.", "open", "new")).toBe(0);
    expect(told("A sync starts at once, each list counts.", "open", "new")).toBe(0);
  });
});
