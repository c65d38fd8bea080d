import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

const source = (rule: string, comment: string, program: string): number =>
  inSource(rule, program, { "/workflows/0/data_pipeline/_comment": comment }).length;

describe("a comment says what may be null, in a text", () => {
  const text = '{email: .email, visit: "\\(.guide.first) at \\(.place)"}';
  test.each([
    ["guide is one of our own people and null before planning.", text, 1],
    ["place: a text of the town (if any) or null.", text, 1],
    ["guide: {first, last} or null", text, 1],
    ['Row: {id: "p_51", place: "Bremen" | null}', text, 1],
    ["guide is null before planning.", `if (.email // "") == "" then null else ${text} end`, 1],
    ["guide is null before planning.", `if .state == "planned" then ${text} else null end`, 0],
    ['Row: {id: "p_51", place: "Bremen"} | nullable', text, 0],
    [
      "guide is null before planning.",
      '{email: .email, visit: (if .guide == null then null else "\\(.guide.first)" end)}',
      0,
    ],
    ["guide is null before planning.", '{email: .email, visit: "\\(.guide.first // "")"}', 0],
    ["owner is null before planning.", text, 0],
    ["guide is never null.", text, 0],
    ["Visit: {id, guide, place, seen_at: null or 2025-02-13}.", text, 0],
    ["Visit: {id, seen_at: 2025-02-13, place: null or a text}.", text, 1],
  ])("%s", (comment, program, count) => {
    expect(source("jq/documented-null-text", comment, program)).toBe(count);
  });

  test("arithmetic with what is described before", () => {
    const comment = "pressure: kilopascals (1 bar is 100 kPa) or null.";
    expect(source("jq/documented-null", comment, "{email: .email, bar: (.pressure / 100)}")).toBe(1);
    const asked = "{email: .email, bar: (if .pressure == null then null else .pressure / 100 end)}";
    expect(source("jq/documented-null", comment, asked)).toBe(0);
  });
});

test("what is said of one request's answer isn't said of another's", () => {
  const target = (comment: object, around = {}) => ({
    "/workflows/0/data_pipeline/target": {
      ...around,
      "!pipe": [
        { ...comment, "!http": { path: "/people/by-email", params: { email: "${piped_content.0.email}" } } },
        {
          "!switch": {
            jq: "if .person == null then 0 else 1 end",
            cases: [
              { "!http": { method: "POST", path: "/people", body: { list: "${custom_data.list.value}" } } },
              { "!http": { method: "PUT", path: "/people/${piped_content.1.person.id}", body: {} } },
            ],
          },
        },
        { "!jq": '{note: "person \\(.person.id)"}' },
        { "!http": { method: "POST", path: "/notes", body: "${piped_content.3}" } },
      ],
    },
  });
  const said = "It answers {person: null} for an address that it doesn't know: person may be null.";
  expect(findings("jq/documented-null-text", "outbound", target({ _comment: said }))).toEqual([]);
  expect(findings("jq/documented-null-text", "outbound", target({}, { _comment: said }))).toHaveLength(1);
});

describe("a comment says what stands for nothing", () => {
  const program = "if .guest_email == null then null else {email: .guest_email} end";
  test.each([
    ["Every value is text, what is unknown is empty text.", program, 1],
    ["Missing values come as an empty string.", program, 1],
    ["Every value is text, what is unknown is empty text.", program.replace("null then", '"" then'), 0],
    ["What is unknown is null.", program, 0],
    ["What is unknown is left out, and an empty text is refused.", program, 0],
  ])("%s", (comment, given, count) => {
    expect(source("jq/null-for-empty", comment, given)).toBe(count);
  });

  const flag = '{email: .email, inspected: (if .inspected then "yes" else "no" end)}';
  test.each([
    ["inspected is 1 or 0.", flag, 1],
    ['inspected: "yes" or "no"', flag, 1],
    ["inspected is 1 or 0.", flag.replace("if .inspected", "if .inspected == 1"), 0],
    ["inspected is true or false.", flag, 0],
    ["sms is 1 or 0.", flag, 0],
  ])("%s (a flag)", (comment, given, count) => {
    expect(source("jq/text-as-condition", comment, given)).toBe(count);
  });
});

describe("a comment says what isn't sent", () => {
  const kept = (comment: string, program: string): number =>
    findings("jq/keeps-empty", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { _comment: comment, "!jq": program },
          { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
        ],
      },
    }).length;
  test.each([
    ["Empty members are left out, so they don't clear what is there.", "{email, name, phone}", 1],
    ["Acme refuses members that are null, and blanks at the ends.", "map_values(tostring)", 1],
    ["What is empty here isn't sent.", "{email: .email, phone: .phone}", 1],
    ["Fields without a value are not sent.", "{email: .email, phone: .phone}", 1],
    ["Empty members are left out.", "{email, name, phone} | with_entries(select(.value != null))", 0],
    [
      "Empty members are left out.",
      "{email: .email} + (if .phone == null then {} else {phone: .phone} end)",
      0,
    ],
    ["Empty members are left out.", '{email: "x", list: 3}', 0],
    ["An empty list means nobody.", "{email, name, phone}", 0],
    ["Empty fields empty what is there.", "{email, name, phone}", 0],
  ])("%s %s", (comment, program, count) => {
    expect(kept(comment, program)).toBe(count);
  });

  const sent = (comment: string, entry: string): number =>
    findings("http/sends-empty", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Note",
        id: "note",
        type: "textarea",
        required: false,
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            _comment: comment,
            "!jq": `\${custom_data.note.value | default} as $note | {email: .email} + ${entry}`,
          },
          { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
        ],
      },
    }).length;
  test.each([
    [
      "note: a text of 1 to 500 characters, or left out; an empty one is answered with 422.",
      "{note: $note}",
      1,
    ],
    ["note (not empty)", "{note: $note}", 1],
    ["note must not be empty.", "{note: ${custom_data.note.value | default}}", 1],
    ["An empty note is refused.", "{note: $note}", 1],
    ["note (not empty)", '(if $note == "" then {} else {note: $note} end)', 0],
    ["note (not empty)", "{note: ${custom_data.note.value | default:none}}", 0],
    ["name (not empty), note (may be empty)", "{note: $note}", 0],
    ["lead_time: minutes; an empty one is refused. note: a text.", "{note: $note}", 0],
  ])("%s %s", (comment, entry, count) => {
    expect(sent(comment, entry)).toBe(count);
  });
});

describe("a comment says that addresses are in lower case", () => {
  const hashed = (comment: string, value: string): number =>
    findings("jq/documented-case", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { _comment: comment, "!jq": `{value_to_encrypt: ${value}}` },
          { "!sha": { algorithm: "sha256" } },
          {
            "!http": {
              method: "PUT",
              path: "/people/${piped_content.2.hash}",
              body: { email: "${piped_content.0.email}" },
            },
          },
        ],
      },
    }).length;
  test.each([
    ["A subscriber's key is the SHA-256 of the address in lower case.", '(.email // "")', 1],
    ["A subscriber has the SHA-256 of the lower-case address as key.", ".email", 1],
    ["The key is the hash of the e-mail in lower case.", "${piped_content.0.email}", 1],
    ["A subscriber's key is the SHA-256 of the address in lower case.", "(.email | ascii_downcase)", 0],
    ["The key is the SHA-256 of the address, as lower-case hex.", ".email", 0],
    ["The key is the SHA-256 of the address.", ".email", 0],
    ["Addresses are kept in lower case.", ".email", 0],
  ])("%s %s", (comment, value, count) => {
    expect(hashed(comment, value)).toBe(count);
  });
});

describe("a comment says who must not get this", () => {
  test.each([
    ["Billing is often the landlord, who must not get this.", "{email: .billing.email}", 1],
    [
      "Billing is often the landlord, who must not get this.",
      ".customer.billing as $b | {email: $b.email}",
      1,
    ],
    ["The payer must never be written to.", "{email: .payer.email}", 1],
    ["Billing is often the landlord, who must not get this.", "{email: .resident.email}", 0],
    ["Only the payer must not be written to without asking.", "{email: .payer.email}", 0],
    ["The payer must get this.", "{email: .payer.email}", 0],
  ])("%s %s", (comment, program, count) => {
    expect(source("value/excluded-person", comment, program)).toBe(count);
  });
});
