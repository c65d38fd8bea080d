import { expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a comment says of another version, of what comes here, of another's member or of another side is no mistake. */

const source = (rule: string, comment: string, program: string): string[] =>
  findings(rule, "inbound-webhook", {
    "/workflows/0/data_pipeline/_comment": comment,
    "/workflows/0/data_pipeline/source": { "!jq": program },
  });

const tags = (condition: string): string =>
  `{email: .email, _tags: (if ${condition} then ["A"] else ["B"] end)}`;
const fee = "{email: .email, fee: (.fee_cents / 100)}";
const parts = "{email: .email, cost: ([.parts[] | .price_cents] | add / 100)}";
const names = "{email: .email, first_name: .last_name, last_name: .first_name}";
const words =
  '(.name | split(" ")) as $w | {email: .email, first_name: $w[0], last_name: ($w[2:] | join(" "))}';
const mobile = '{email: .email, mobile: (.phones[] | select(.kind == "mobile") | .number)}';
const phone = "{email: .email, phone: .phones.number}";

test.each([
  [
    "jq/always-in-range",
    "score goes from 0 to 100, and is null until the test is done.",
    tags(".score >= 0"),
    0,
  ],
  ["jq/always-in-range", "priority goes from 1 to 5. Imported tickets have 0.", tags(".priority >= 1"), 0],
  [
    "jq/always-in-range",
    "rating: 1 to 5 stars. Guests who haven't rated have no rating.",
    tags(".rating >= 1"),
    0,
  ],
  [
    "jq/always-in-range",
    "The guest's level goes from 1 (basic) to 3 (gold). A room's level is its floor.",
    tags(".room.level >= 1"),
    0,
  ],
  ["jq/always-in-range", "priority goes from 1 to 5.", tags(".priority >= 1"), 1],
  [
    "jq/boolean-as-text",
    "In the JSON API child is true or false. The hook sends form fields, where it is a text.",
    tags('.child == "true"'),
    0,
  ],
  ["jq/boolean-as-text", "child is true or false.", tags('.child == "true"'), 1],
  [
    "jq/documented-comparison",
    'A house: {id, pets: "none" | "some"}. A tenant: {email, pets: true}.',
    "{email: .email, pets: (.pets == true)}",
    0,
  ],
  [
    "jq/documented-comparison",
    'A tenant: {email, pets: "none" | "some"}.',
    "{email: .email, pets: (.pets == true)}",
    1,
  ],
  [
    "jq/documented-null",
    "fee_cents is null until the visit is invoiced. The hook is only sent when it is invoiced.",
    fee,
    0,
  ],
  [
    "jq/documented-null",
    "In the list of visits fee_cents is null until the visit is invoiced; in this event it never is.",
    fee,
    0,
  ],
  ["jq/documented-null", "fee_cents is null until the visit is invoiced.", fee, 1],
  [
    "jq/documented-null",
    "A line's fee_cents is null where it is included. The total's is the sum.",
    "{email: .email, fee: (.total.fee_cents / 100)}",
    0,
  ],
  [
    "jq/documented-null",
    "A line's fee_cents is null where it is included.",
    "{email: .email, fee: (.line.fee_cents / 100)}",
    1,
  ],
  [
    "jq/documented-null-text",
    "technician is null until one is assigned. We register for visit.assigned only.",
    '{email: .email, technician: "\\(.technician.first) \\(.technician.last)"}',
    0,
  ],
  [
    "jq/documented-null-text",
    "technician is null until one is assigned.",
    '{email: .email, technician: "\\(.technician.first) \\(.technician.last)"}',
    1,
  ],
  [
    "jq/sum-of-nothing",
    "In the list of repairs parts may be empty. In this event it has at least one.",
    parts,
    0,
  ],
  [
    "jq/sum-of-nothing",
    "parts is a list, maybe empty.",
    "{email: .email, cost: ([0, .parts[].price_cents] | add / 100)}",
    0,
  ],
  ["jq/sum-of-nothing", "parts is a list, maybe empty.", parts, 1],
  [
    "jq/text-as-condition",
    "A check's faults is always a list. A machine's faults is true or false.",
    tags(".faults"),
    0,
  ],
  ["jq/text-as-condition", "A check's faults is always a list.", tags(".faults"), 1],
  [
    "response/documented-shape",
    "Until version 2 phones was a list: {id, email, phones: [{number, label}]}. Now it has only one: {number}.",
    phone,
    0,
  ],
  ["response/documented-shape", "{id, email, phones: [{number, label}]}", phone, 1],
  [
    "jq/null-for-empty",
    "Missing details are empty texts, never null, but for email, which is null.",
    "if .email == null then null else {email: .email} end",
    0,
  ],
  [
    "jq/null-for-empty",
    "Missing details are empty texts, never null.",
    "if .email == null then null else {email: .email} end",
    1,
  ],
  [
    "jq/default-true",
    "subscribed is true, or left out for members, who are subscribed anyway. It is never false.",
    "{email: .email, subscribed: (.subscribed // true)}",
    0,
  ],
  ["jq/default-true", "", "{email: .email, listed: (.listed_since // true)}", 0],
  ["jq/default-true", "", "{email: .email, subscribed: (.subscribed // true)}", 1],
  ["jq/crossed-members", "The service has them the wrong way round (a known bug of theirs).", names, 0],
  ["jq/crossed-members", "In Hungary the family name comes first: first_name is the family name.", names, 0],
  [
    "jq/crossed-members",
    "The bank writes from its own side: what it pays out, we get in.",
    "{email: .email, paid_in: .paid_out, paid_out: .paid_in}",
    0,
  ],
  ["jq/crossed-members", "Names of the person.", names, 1],
  ["jq/crossed-members", "A reversal.", "{email: .email, debit: .credit, credit: .debit}", 0],
  ["jq/skipped-piece", "Names are written “First M. Last”: the initial is left out.", words, 0],
  ["jq/skipped-piece", "", words, 1],
  ["jq/skipped-piece", "Of the name the second part is dropped.", words, 0],
  ["jq/skipped-piece", "People without an address are left out. A name is “First Last”.", words, 1],
  ["jq/lost-object", "Each person has exactly one phone of kind mobile.", mobile, 0],
  ["jq/lost-object", "People without a mobile are skipped.", mobile, 0],
  ["jq/lost-object", "phones: [{kind, number}]", mobile, 1],
  [
    "jq/divided-span",
    "opens_at is the hour of the day (9.5 is half past nine), length is in minutes.",
    "{email: .email, ends_hour: (.opens_at + .length / 60)}",
    0,
  ],
  ["jq/divided-span", "", "{email: .email, ends: (.opens_at + .length / 60)}", 1],
  [
    "jq/offset-in-utc",
    "utc_offset is the minutes from local time to UTC, as JavaScript has it.",
    '{email: .email, due: ((.due_local + "Z" | fromdate) + .utc_offset * 60 | todate)}',
    0,
  ],
  ["jq/offset-in-utc", "", "{email: .email, day: (.at + .utc_offset * 60 | todate | .[:10])}", 0],
  [
    "jq/offset-in-utc",
    "",
    '{email: .email, due: ((.due_local + "Z" | fromdate) + .utc_offset * 60 | todate)}',
    1,
  ],
  [
    "jq/one-sided-offset",
    "",
    '{email: .email, local_day: (.starts + .utc_offset * 60 | strftime("%Y-%m-%d")), utc_hour: (.starts | strftime("%H:%M"))}',
    0,
  ],
  [
    "jq/one-sided-offset",
    "",
    '{email: .email, day: (.starts + .utc_offset * 60 | strftime("%Y-%m-%d")), hour: (.starts | strftime("%H:%M"))}',
    1,
  ],
])("%s %s %s", (rule, comment, program, count) => {
  expect(source(rule, comment, program)).toHaveLength(count);
});

test.each([
  ["The hook's sent_at has milliseconds, the order's doesn't.", 0],
  ["Times have milliseconds.", 1],
])("jq/uncut-fractions %s", (comment, count) => {
  const program =
    '{email: .email, from: (.sent_at | sub("[.][0-9]+"; "") | fromdate), day: (.order.sent_at | fromdate | todate)}';
  expect(source("jq/uncut-fractions", comment, program)).toHaveLength(count);
});
