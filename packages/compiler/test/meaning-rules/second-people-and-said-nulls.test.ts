import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** People who come second, nulls that nobody set, units and first codes that comments say, lists for texts and ids that others take. */

const said = (comment: string): Record<string, unknown> => ({ "/data_intake/0/_comment": comment });
const pipeline = (comment: string): Record<string, unknown> => ({
  "/workflows/0/data_pipeline/_comment": comment,
});

describe("value/second-person", () => {
  const told = (comment: string, program: string): string[] =>
    inSource("value/second-person", program, pipeline(comment));

  test.each([
    [
      "only then",
      "Children often have no address; only then we write to the guardian.",
      "(.guardian.email // .member.email) as $mail | {email: $mail}",
    ],
    [
      "only if",
      "The parent's address is used only if the pupil has none.",
      ". as $x | {email: ($x.parent.email // $x.pupil.email // null)}",
    ],
    [
      "a condition",
      "Without an own address it falls back to the guardian's.",
      "{email: (if .guardian.email != null then .guardian.email else .member.email end)}",
    ],
    [
      "variables",
      "Failing that, the agent gets it.",
      ".agent as $a | .tenant as $t | {email: ($a.email // $t.email)}",
    ],
  ])("%s", (_, comment, program) => {
    expect(told(comment, program)).toHaveLength(1);
  });

  test.each([
    [
      "in its order",
      "Children often have no address; only then we write to the guardian.",
      "{email: (.member.email // .guardian.email)}",
    ],
    ["nobody is said", "A member may have a guardian.", "{email: (.guardian.email // .member.email)}"],
    [
      "of the phone",
      "Only then the guardian's phone is taken.",
      "{email: (.guardian.email // .member.email), phone: (.member.phone // .guardian.phone)}",
    ],
    [
      "a phone the other way round",
      "Children often have no address; only then we write to the guardian.",
      "{email: (.member.email // .guardian.email), phone: (.guardian.phone // .member.phone)}",
    ],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });
});

describe("value/other-than-written-to", () => {
  const told = (comment: string, path: string): string[] =>
    findings("value/other-than-written-to", "inbound-webhook", {
      ...pipeline(comment),
      "/workflows/0/data_pipeline/source": { "!pipe": [{ "!http": { path } }, { "!jq": "{email, name}" }] },
    });
  const both = "primary_contact_id (whom we write to) and billing_contact_id.";

  test.each([
    ["in brackets", `It has ${both}`, "/persons/${piped_content.0.order.billing_contact_id}"],
    [
      "in a sentence",
      "We write to mainContactId; billingContactId is the accounts office.",
      "/persons/${piped_content.0.billingContactId}",
    ],
  ])("%s", (_, comment, path) => {
    expect(told(comment, path)).toHaveLength(1);
  });

  test.each([
    ["the one", `It has ${both}`, "/persons/${piped_content.0.order.primary_contact_id}"],
    ["another kind", `It has ${both}`, "/sites/${piped_content.0.order.site_id}"],
    [
      "nobody is said",
      "It has primary_contact_id and billing_contact_id.",
      "/persons/${piped_content.0.billing_contact_id}",
    ],
  ])("right: %s", (_, comment, path) => {
    expect(told(comment, path)).toEqual([]);
  });
});

describe("jq/documented-null: what nobody has set", () => {
  const told = (comment: string, program: string): string[] =>
    inSource("jq/documented-null", program, said(comment));
  const date = (name: string): string => `(.${name} | strptime("%d/%m/%Y") | mktime | todate)`;

  test.each([
    [
      "a day",
      "hearing_on is day/month/year, null while no day is set.",
      `if .state == "draft" or (.email // "") == "" then null else {email, on: ${date("hearing_on")}} end`,
    ],
    [
      "a table",
      "channel: e, p, t or null (never asked).",
      'if .do_not_contact then null else {email, by: {e: "Email", p: "Post"}[.channel]} end',
    ],
    ["words in quotes", 'size: "small", "large" or null', '{email, box: {small: "S", large: "L"}[.size]}'],
  ])("%s", (_, comment, program) => {
    expect(told(comment, program)).toHaveLength(1);
  });

  test.each([
    [
      "the state that has it",
      "hearing_on is null while no day is set.",
      `if .state == "scheduled" then {email, on: ${date("hearing_on")}} else null end`,
    ],
    [
      "all other states are left out",
      "hearing_on is null while no day is set.",
      `if .state != "fixed" then null else {email, on: ${date("hearing_on")}} end`,
    ],
    [
      "the state without",
      "hearing_on is null while no day is set.",
      `if .state == "unscheduled" then null else {email, on: ${date("hearing_on")}} end`,
    ],
    [
      "until it is something",
      "hearing_on is null until it is published.",
      `if .state == "draft" then null else {email, on: ${date("hearing_on")}} end`,
    ],
    ["members without quotes", "donor: name, phone or null", '{email, n: {a: "A"}[.donor]}'],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });

  test("the id of what records don't have yet is null, and no empty text", () => {
    const comment = said("Patients without a referral have no therapist yet (null).");
    const asked = (nothing: string): string => `if .therapist_id == ${nothing} then null else {email} end`;
    expect(inSource("jq/empty-text", asked('""'), comment)).toEqual(['""']);
    expect(inSource("jq/empty-text", asked("null"), comment)).toEqual([]);
  });
});

describe("jq/other-span: what comments and labels count", () => {
  const told = (comment: string, program: string): string[] =>
    inSource("jq/other-span", program, said(comment));

  test.each([
    [
      "days as hours",
      "Times are epoch seconds, check_after in days.",
      "{email, next: (.done_at + .check_after * 3600 | todate)}",
      ".check_after * 3600",
    ],
    [
      "the factor first",
      "check_after is in days.",
      ". as $f | {email, next: ($f.done_at + 3600 * $f.check_after | todate)}",
      "3600 * $f.check_after",
    ],
    [
      "weeks as days, in a sum",
      "pause is a number of weeks.",
      "{email, back: (now + (.pause + 1) * 86400 | todate)}",
      "(.pause + 1) * 86400",
    ],
    [
      "compared",
      "notice counts days.",
      "if (.ends_at | fromdate) - .notice * 3600 < now then null else {email} end",
      ".notice * 3600",
    ],
  ])("%s", (_, comment, program, marked) => {
    expect(told(comment, program)).toEqual([marked]);
  });

  test.each([
    ["days", "check_after is in days.", "{email, next: (.done_at + .check_after * 86400 | todate)}"],
    ["weeks", "pause is a number of weeks.", "{email, back: (now + (.pause * 7 + 1) * 86400 | todate)}"],
    ["a list", "open: a list of days", "{email, next: (.done_at + .open * 3600 | todate)}"],
    ["hours", "lead is in hours", "{email, at: (now - .lead * 3600 | todate)}"],
    ["nothing of a clock", "check_after is in days.", "{email, cost: (.base + .check_after * 3600)}"],
  ])("right: %s", (_, comment, program) => {
    expect(told(comment, program)).toEqual([]);
  });

  test("small money of another country", () => {
    const rest = "{email, due: (.price_rappen / 100 - .beds * .deposit_rappen)}";
    expect(inSource("jq/mixed-units", rest)).toEqual([".beds * .deposit_rappen"]);
    const right = "{email, due: ((.price_rappen - .beds * .deposit_rappen) / 100)}";
    expect(inSource("jq/mixed-units", right)).toEqual([]);
  });
});

describe("value/crossed-codes: the ends of a list", () => {
  const days = '["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]';
  const told = (comment: string, index: string): string[] =>
    inSource("value/crossed-codes", `{email, weekday: ${days}[${index}]}`, said(comment));

  test.each([
    ["from 1", "weekday: 1 is Monday, 7 Sunday.", ".weekday"],
    ["from 1, in brackets", "weekday runs from 1 (Monday) to 7 (Sunday).", ".x.weekday"],
    ["from 0", "weekday runs from 0 (Monday) to 6 (Sunday).", ".weekday - 1"],
  ])("%s", (_, comment, index) => {
    expect(told(comment, index)).toHaveLength(1);
  });

  test.each([
    ["from 1", "weekday: 1 is Monday, 7 Sunday.", ".weekday - 1"],
    ["from 0", "weekday runs from 0 (Monday) to 6 (Sunday).", ".weekday"],
    ["another week", "weekday: 1 is Sunday, 7 Saturday.", ".weekday - 1"],
  ])("right: %s", (_, comment, index) => {
    expect(told(comment, index)).toEqual([]);
  });
});
