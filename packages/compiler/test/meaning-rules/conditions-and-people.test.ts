import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Counts and lists as conditions, people that are mixed up, and ids of other records, each beside right ones that look like the mistake. */

describe("jq/text-as-condition: counts", () => {
  const told = (program: string, more = {}): string[] => inSource("jq/text-as-condition", program, more);

  test.each([
    ["camelCase", '{email: .email, _tags: (if .lateCount then ["Late"] else [] end)}', ".lateCount"],
    [
      "snake_case",
      '.order as $o | {email: .email, vip: (if $o.item_count then "yes" else "no" end)}',
      "$o.item_count",
    ],
    ["number of", "if .number_of_seats then {email: .email} else null end", ".number_of_seats"],
    ["negated", "if (.visit_count | not) then null else {email: .email} end", ".visit_count"],
    ["with another", "if .open and .visitCount then {email: .email} else null end", ".visitCount"],
    ["bound", '.lateCount as $late | {email: .email, late: (if $late then "yes" else "no" end)}', "$late"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["compared", '{email: .email, late: (if .lateCount > 0 then "yes" else "no" end)}'],
    [
      "asked whether it is there",
      '{email: .email, late: (if .lateCount then "\\(.lateCount) late" else null end)}',
    ],
    ["asked by a variable", ".lateCount as $n | {email: .email, late: (if $n then $n * 2 else null end)}"],
    ["a flag about a count", '{email: .email, shown: (if .show_count then "yes" else "no" end)}'],
    ["an account", '{email: .email, has: (if .account then "yes" else "no" end)}'],
    ["a sum of money", '{email: .email, paid: (if .total then "yes" else "no" end)}'],
    [
      "null is thought of",
      '{email: .email, late: (if .lateCount then "yes" else "no" end), n: (.lateCount // 0)}',
    ],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });

  test("right: a comment says that it may be null", () => {
    const program = '{email: .email, late: (if .lateCount then "yes" else "no" end)}';
    expect(told(program, { "/data_intake/0/_comment": "lateCount is null until the first lesson." })).toEqual(
      [],
    );
  });
});

describe("jq/list-as-null: lists below an id", () => {
  const told = (path: string, asked: string, found = ".fans[0]"): string[] =>
    findings("jq/list-as-null", "outbound", {
      "/workflows/0/data_pipeline/target/!pipe": undefined,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path, params: { email: "${piped_content.0.email}" } } },
          { "!switch": { jq: asked, cases: [{ "!jq": found }, { "!error": "Nobody." }] } },
        ],
      },
    });

  test("what the last segment asks for", () => {
    expect(told("/artists/${custom_data.list.value}/fans", "if .fans then 0 else 1 end")).toEqual([".fans"]);
    expect(
      told("/artists/${custom_data.list.value}/club-fans", "if .clubFans then 0 else 1 end", ".clubFans[0]"),
    ).toEqual([".clubFans"]);
  });

  test("right: its length, or another member", () => {
    expect(
      told("/artists/${custom_data.list.value}/fans", "if (.fans | length) > 0 then 0 else 1 end"),
    ).toEqual([]);
    expect(told("/artists/${custom_data.list.value}", "if .fans then 0 else 1 end")).toEqual([]);
    expect(told("/artists/${custom_data.list.value}/fans", "if .fan then 0 else 1 end", ".fan")).toEqual([]);
  });
});

describe("value/mixed-people", () => {
  const told = (program: string): string[] => inSource("value/mixed-people", program);

  test.each([
    [
      "variables",
      '.inquiry as $i | if ($i.buyer.email // "") == "" then null else {email: $i.agent.email, buyer_name: $i.buyer.full_name} end',
      "$i.agent.email",
    ],
    [
      "null and no names",
      "if .donor.email == null then null else {email: .gift.tribute.email, city: .donor.city} end",
      ".gift.tribute.email",
    ],
    [
      "camelCase",
      "if .owner.eMail != null then {email: .vet.eMail, firstName: .owner.firstName} else null end",
      ".vet.eMail",
    ],
    [
      "one that was chosen",
      "(.guardian // .member) as $r | {email: $r.email, first_name: $r.given_name, last_name: $r.family_name, phone: .member.mobile}",
      ".member.mobile",
    ],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    [
      "the same",
      "if .buyer.email == null then null else {email: .buyer.email, agent_email: .agent.email} end",
    ],
    [
      "both are sent",
      "if .buyer.email == null then null else {email: .agent.email, buyer_email: .buyer.email} end",
    ],
    [
      "a variable of it",
      ".buyer as $b | if .buyer.email == null then null else {email: $b.email, name: $b.name} end",
    ],
    [
      "either is asked",
      "if .buyer.email == null and .agent.email == null then null else {email: .agent.email, name: .buyer.name} end",
    ],
    [
      "nothing else of it",
      "if .sender.email == null then null else {email: .person.email, name: .person.name} end",
    ],
    [
      "two people, as said",
      "(.guardian // .member) as $r | {email: $r.email, first_name: $r.given_name, athlete: .member.given_name}",
    ],
    [
      "names of a profile",
      "{email: .user.email, first_name: .profile.first_name, last_name: .profile.last_name}",
    ],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("value/record-beside", () => {
  const told = (program: string): string[] => inSource("value/record-beside", program);

  test.each([
    ["around", ".report as $r | {email: $r.patient.email, patient_id: $r.id}", "$r.id"],
    ["as a text", ".report as $r | {email: $r.patient.email, patient_id: ($r.id | tostring)}", "$r.id"],
    [
      "camelCase",
      "{email: .owner.email, ownerId: .owner.practice.id, at: .owner.practice.name}",
      ".owner.practice.id",
    ],
    [
      "a name of its own",
      ".fan as $fan | {email: $fan.email, fan_id: $fan.topTrack.trackId, song: $fan.topTrack.title}",
      "$fan.topTrack.trackId",
    ],
    ["twice", "{email: .guest.email, guest_id: .code, booking_code: .code}", ".code"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["behind a pipe", ".parcel | {email: .recipient.email, parcel_id: .id}"],
    ["its own", ".report as $r | {email: $r.patient.email, patient_id: $r.patient.id, report_id: $r.id}"],
    ["a word for the same", "{email: .owner.email, owner_id: .owner.user.id, name: .owner.user.name}"],
    ["an id elsewhere", "{email: .contact.email, contact_id: .contact.hubspotId}"],
    ["one noun", "{email: .email, order_id: .number, order_number: .number}"],
    ["no such record", "{email: .email, patient_id: .id}"],
    ["a level of the form", "{email: .owner.email, owner_id: .owner.data.id}"],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/whole-object-as-id", () => {
  const told = (given: string, more = {}): string[] =>
    findings("jq/whole-object-as-id", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/listings/${custom_data.list.value}" } },
          { "!jq": given },
          { "!http": { method: "POST", path: "/viewings", body: "${piped_content.2}" } },
        ],
      },
      ...more,
    });
  const read = {
    "/workflows/0/setup/select/form_fields/0/options": {
      "!pipe": [
        { "!http": { path: "/lists" } },
        { "!jq": "[.lists[] | {display: .agent.name, value: .id}]" },
      ],
    },
  };

  test("where it is an object elsewhere", () => {
    expect(told("{listing_id: .id, agent_id: .agent}", read)).toEqual([".agent"]);
    expect(told(". as $l | {listingId: $l.id, agentId: $l.agent}", read)).toEqual(["$l.agent"]);
  });

  test("right", () => {
    expect(told("{listing_id: .id, agent_id: .agent.id}", read)).toEqual([]);
    expect(told("{listing_id: .id, agent_id: .agent}")).toEqual([]);
    expect(told("{agent: .agent.id} | {agent_id: .agent}", read)).toEqual([]);
    expect(told('{listing_id: .id, agent_id: .agent, mine: (.agent == "a1")}', read)).toEqual([]);
  });
});

describe("comparisons with what is missing", () => {
  const comment = (text: string) => ({ "/data_intake/0/_comment": text });

  test.each([
    [
      "Missing guest details are empty text, never null.",
      ".guest as $g | if $g.email == null then null else {email: $g.email} end",
      "null",
    ],
    [
      "phone is an empty string without one, not null.",
      "if .phone != null then {email: .email, phone: .phone} else {email: .email} end",
      "null",
    ],
  ])("null: %s", (said, program, marked) => {
    expect(inSource("jq/null-for-empty", program, comment(said))).toEqual([marked]);
  });

  test.each([
    ["Missing details are empty text, never null.", 'if .email == "" then null else {email: .email} end'],
    [
      "Missing details are empty text, never null.",
      'if .email == null or .email == "" then null else {email: .email} end',
    ],
    [
      "Missing details are empty text, never null.",
      "if .cancelled_at == null then {email: .email} else null end",
    ],
    ["Missing details are empty texts or null.", "if .email == null then null else {email: .email} end"],
  ])("right: %s %s", (said, program) => {
    expect(inSource("jq/null-for-empty", program, comment(said))).toEqual([]);
  });

  const born = (asked: string): string =>
    `{email: .email, born: (if ${asked} then null else (.born | split(".") | .[2]) end)}`;

  test("an empty text where a comment says null", () => {
    const said = "member has email and mobile, and born as DD.MM.YYYY, or null.";
    expect(inSource("jq/empty-text", born('.born == ""'), comment(said))).toEqual(['""']);
    expect(inSource("jq/empty-text", born(".born == null"), comment(said))).toEqual([]);
    expect(inSource("jq/empty-text", born('(.born // "") == ""'), comment(said))).toEqual([]);
    expect(inSource("jq/empty-text", born('.born == ""'), comment("born is a text, empty or null."))).toEqual(
      [],
    );
  });
});

describe("value/name-for-id: a code beside an id", () => {
  const told = (said: string, value: string, member = "plan_id"): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/0/_comment": said,
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/plans" } },
          { "!jq": `[.plans[] | {display: (.name + " (" + .code + ")"), value: ${value}}]` },
        ],
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path: "/memberships",
          body: { email: "${piped_content.0.email}", [member]: "${custom_data.list.value}" },
        },
      },
    });
  const said = "A plan has an id (a number, unique in the club) and a code (unique in its section only).";

  test("as a comment says", () => {
    expect(told(said, ".code")).toEqual([".code"]);
    expect(told("Plans have a code (printed on cards) and an id.", ".code")).toEqual([".code"]);
    expect(told(said, ".id")).toEqual([]);
    expect(told("A plan has an id and a code (used by the API).", ".code")).toEqual([]);
    expect(told("A plan has a name and a code.", ".code")).toEqual([]);
    expect(told(said, ".code", "plan_code")).toEqual([]);
  });
});
