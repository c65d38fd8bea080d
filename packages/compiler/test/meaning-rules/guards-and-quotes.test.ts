import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What stands between a value and its use: a step that refuses, quotes, a default, another group. */

const inTarget = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });
const send = (body: unknown) => ({
  "!http": { method: "POST", path: "/lists/${custom_data.list.value}/people", body },
});
const refuse = {
  "!switch": {
    jq: 'if .email == "" then 0 else 1 end',
    cases: [{ "!error": "The contact has no address." }, { "!jq": "." }],
  },
};
const targets = "/workflows/0/setup/map/describe_target/options";

describe("a step that refuses gives on what came", () => {
  const make = { "!jq": '{email: (.email // ""), tags: (${custom_data.list.value} | split(","))}' };
  test("so a member that only stands before it is read by nobody", () => {
    const raw = send({ email: "${piped_content.1.email}", tags: "${custom_data.list.value}" });
    expect(inTarget("pipeline/raw-value", [make, refuse, raw])).toEqual(["${custom_data.list.value}"]);
  });
  test.each([
    ["read behind it", "${piped_content.2.tags}"],
    ["read before it", "${piped_content.1.tags}"],
  ])("%s is read", (_, tags) => {
    const body = { email: "${piped_content.1.email}", tags, list: "${custom_data.list.value}" };
    expect(inTarget("unused/step-member", [make, refuse, send(body)])).toEqual([]);
  });
  test("and whoever takes all of it takes each member", () => {
    expect(inTarget("unused/step-member", [make, refuse, send("${piped_content.2}")])).toEqual([]);
  });
});

describe("jq/absent-alternative", () => {
  const options = [
    { id: "email", title: "Email", group: "Person", required: true },
    { id: "street", title: "Street", group: "Address" },
    { id: "town", title: "Town", group: "Address" },
  ];
  test.each([
    ["{to: .Person.email, street: .Address.street, town: (.Person.town // null)}", [".town"]],
    ["{to: .Person.email, street: .Address.street, town: (.Address.town // null)}", []],
    // In neither group: the pipeline may put it there.
    ["{to: .Person.email, street: .Address.street, town: (.Person.region // null)}", []],
  ])("%s", (program, marked) => {
    const more = { [targets]: options, "/workflows/0/setup/map/default_group": "Person" };
    expect(inTarget("jq/absent-alternative", [{ "!jq": program }, send("${piped_content.1}")], more)).toEqual(
      marked,
    );
  });
});

describe("mapping/misspelled-fixed-value", () => {
  const access = {
    id: "access",
    title: "Access",
    source_fields: [
      { id: "at_home", title: "At home" },
      { id: "key_safe", title: "Key safe" },
    ],
  };
  test.each([
    ['.access == "keysafe"', ['"keysafe"']],
    ['.access == "Key-Safe"', ['"Key-Safe"']],
    ['.access == "key_safe"', []],
    // A customer may map a field that has words of its own.
    ['.access == "concierge"', []],
    // Both spellings are asked for.
    ['.access == "keysafe" or .access == "key_safe"', []],
    ['.other == "keysafe"', []],
  ])("%s", (condition, marked) => {
    const more = { [targets]: [{ id: "email", title: "Email", required: true }, access] };
    const steps = [{ "!jq": `{email, key: (${condition})}` }, send("${piped_content.1}")];
    expect(inTarget("mapping/misspelled-fixed-value", steps, more)).toEqual(marked);
  });
});

describe("mapping/lost-field", () => {
  const options = ["email", "street", "town"].map((id) => ({ id, title: id, required: id === "email" }));
  const address = 'address: ([.street, .town] | map(select(. != null)) | join(", "))';
  const told = (program: string, body: unknown) =>
    inTarget("mapping/lost-field", [{ "!jq": program }, send(body)], { [targets]: options });
  const email = "${piped_content.1.email}";
  test.each([
    ["nothing takes it", `{email, ${address}}`, { email }, [address]],
    ["it is sent", `{email, ${address}}`, { email, address: "${piped_content.1.address}" }, []],
    ["all of it is sent", `{email, ${address}}`, "${piped_content.1}", []],
    [
      "the fields are sent by themselves",
      `{email, ${address}}`,
      { email, town: "${piped_content.0.town}" },
      [],
    ],
    [
      "the fields are members too",
      `{email, street, town, ${address}}`,
      { email, to: "${piped_content.1.street}" },
      [],
    ],
    ["it isn't made of what is mapped", '{email, source: "crm"}', { email }, []],
  ])("%s", (_, program, body, marked) => {
    expect(told(program, body)).toEqual(marked);
  });
});

describe("what was cleaned", () => {
  const clean = {
    "!jq": "{email: (.email | ascii_downcase), first_name} | with_entries(select(.value != null))",
  };
  const find = (email: string) => ({ "!http": { method: "GET", path: "/people", params: { email } } });
  test("is looked for as it is written", () => {
    const steps = [clean, find("${piped_content.0.email}"), send("${piped_content.1}")];
    expect(inTarget("pipeline/raw-member", steps)).toEqual(["0"]);
    expect(
      inTarget("pipeline/raw-member", [clean, find("${piped_content.1.email}"), send("${piped_content.1}")]),
    ).toEqual([]);
  });
  test("is what a program gives on", () => {
    const filter = { "!jq": 'with_entries(select(.value != null and .value != ""))' };
    const email = "${piped_content.1.email}";
    const give = (step: number) => ({
      "!jq": `{changes: (\${piped_content.${step}} | del(.email)), ids: [.people[].id]}`,
    });
    const write = send("${piped_content.3}");
    expect(inTarget("pipeline/superseded-body", [filter, find(email), give(0), write])).toEqual([
      "piped_content.0",
    ]);
    expect(inTarget("pipeline/superseded-body", [filter, find(email), give(1), write])).toEqual([]);
  });
});

describe("value/record-at-hand", () => {
  const told = (condition: string, read: string) =>
    findings("value/record-at-hand", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!http": { path: "/bookings/${piped_content.0.booking_id}" } },
          {
            "!switch": {
              jq: `if ${condition} then 0 else 1 end`,
              cases: [{ "!jq": "null" }, { "!http": { path: `/pitches/\${piped_content.1.${read}}` } }],
            },
          },
        ],
      },
    });
  test.each([
    [".pitch_id == null", "clerk_id", 1],
    [".pitch_id == null", "pitch_id", 0],
    [".clerk_id == null", "clerk_id", 0],
    [".cancelled", "clerk_id", 0],
  ])("%s, then %s", (condition, read, count) => {
    expect(told(condition, read)).toHaveLength(count);
  });
});

describe("jq/contradiction", () => {
  test.each([
    ["$hour < 8 and $hour >= 20", 1],
    ["$hour < 8 or $hour >= 20", 0],
    ["$hour >= 8 and $hour < 20", 0],
    ["$hour >= 8 or $hour < 20", 1],
    ["$hour > 8 and $hour <= 8", 1],
    ["$hour >= 8 and $hour <= 8", 0],
    ["$hour > 8 or $hour < 8", 0],
    ["$hour < 8 and .other >= 20", 0],
    [".rows[].n < 8 and .rows[].n >= 20", 0],
    ["$hour >= 0 and $hour < 8 and $hour >= 20", 1],
  ])("%s", (condition, count) => {
    const program = `.hour as $hour | {email, name, first_name: (if ${condition} then "x" else "y" end)}`;
    expect(inTarget("jq/contradiction", [{ "!jq": program }, send("${piped_content.1}")])).toHaveLength(
      count,
    );
  });
});

describe("an expansion in quotes", () => {
  test.each([
    ['"${custom_data.list.display}"', 1],
    ['("${custom_data.list.display}" | if . == "" then null else . end)', 1],
    ['"${custom_data.list.value}"', 0],
  ])("%s as an id", (value, count) => {
    const steps = [{ "!jq": `{email: .email, list_id: ${value}}` }, send("${piped_content.1}")];
    expect(inTarget("expansion/display-for-id", steps)).toHaveLength(count);
  });
});
