import { describe, expect, test } from "vitest";
import { documentedCodes } from "../../src/flow/documented-codes.ts";
import { documentedValues } from "../../src/flow/documented-records.ts";
import { documentedSignature } from "../../src/flow/documented-signatures.ts";
import { documentedSigned } from "../../src/flow/documented-signed.ts";
import { documentedWords } from "../../src/flow/documented-words.ts";
import { documentedDirection } from "../../src/flow/protocol/documented-order.ts";
import { parseDocument } from "../../src/parse/document.ts";
import { findings } from "../support/rule-findings.ts";

const place = (comment: string) => parseDocument(JSON.stringify({ _comment: comment }), "x.json").root!;

describe("the words that a member may have", () => {
  const read = (comment: string, name = "state") => documentedWords(name, place(comment));
  test.each([
    "state is open, won or lost",
    "state: open | won | lost",
    'state can be "open", "won" or "lost"',
    "state is one of open, won, lost.",
    "Deals carry a state (open, won or lost).",
    "amount is in cents, state is open, won or lost, and notes may be null.",
    "A deal's state is either open, won or lost.",
    "Possible values of state: open, won, lost",
    "The state of a deal is open, won or lost",
    "'state' takes the values 'open', 'won' and 'lost'.",
    "state: open/won/lost",
    "The only states are open, won and lost; there's no closed.",
    "state = open, won or lost, amount in cents",
  ])("%s", (comment) => {
    expect(read(comment)?.words).toEqual(["open", "won", "lost"]);
  });
  test("a name of two words", () => {
    expect(read("deal_state holds open, won or lost (lower case)", "deal_state")?.words).toHaveLength(3);
  });
  test.each([
    "stage is open, won or lost; state is the name of a region.",
    "state is not open, won or lost but a two letter region.",
    "state is among others open, won or lost.",
    "state is usually open, won or lost, and new words come.",
  ])("nothing is read: %s", (comment) => {
    expect(read(comment)).toBeUndefined();
  });

  const sent = (comment: string): number =>
    findings("value/undocumented-word", "outbound", {
      "/workflows/0/data_pipeline/target": {
        _comment: comment,
        "!http": {
          method: "POST",
          path: "/jobs",
          body: { email: "${piped_content.0.email}", state: "closed" },
        },
      },
    }).length;
  test.each([
    ["The state of a job is open, won or lost", 1],
    ["'state' takes the values 'open', 'won' and 'lost'.", 1],
    ["The state of the invoice is open, won or lost; ours has its own words.", 0],
    ["An invoice's state is either open, won or lost.", 0],
  ])("%s: what is sent", (comment, count) => {
    expect(sent(comment)).toBe(count);
  });
});

describe("the codes that a member may have", () => {
  test.each([
    ["status_id", "status_id: 1 - open, 2 - won, 3 - lost"],
    ["status", "status 1 is open, 2 is won, 3 is lost"],
    ["status", "status: 1 = open, 2 = won, 3 = lost"],
    ["status", "status is a number: 1 open, 2 won, 3 lost."],
    ["status", "status codes are 1 (open), 2 (won) and 3 (lost)"],
    ["status", "status is 1 for open, 2 for won and 3 for lost."],
    ["status", "A deal's status is a code: 1 means open, 2 means won, 3 means lost"],
    ["status", "status (1: open, 2: won, 3: lost)"],
    ["status", "amount is in cents; status 1=open, 2=won, 3=lost; notes may be null"],
    ["status", '"status" is 1 when the deal is open, 2 when it is won, 3 when it is lost'],
    ["status", "1 stands for open, 2 for won and 3 for lost in status"],
    ["status", "In status, 1 is open, 2 won and 3 lost."],
    ["status", "Codes of status: 1 open, 2 won, 3 lost"],
    ["status", "status is numeric, where 1 = open, 2 = won and 3 = lost"],
  ])("%s: %s", (name, comment) => {
    expect(documentedCodes(name, place(comment))?.pairs).toEqual([
      ["1", "open"],
      ["2", "won"],
      ["3", "lost"],
    ]);
  });
  test.each([
    "priority 1 is open, 2 is won, 3 is lost; status is a word.",
    "status 1 is not open but archived.",
    "status is 1 of 3 numbers.",
    "We send 1, 2 and 3 tries where status is open.",
    "status of the old API: 1 open, 2 won, 3 lost; this one sends words.",
  ])("nothing is read: %s", (comment) => {
    expect(documentedCodes("status", place(comment))).toBeUndefined();
  });
});

describe("the order in which a list comes", () => {
  const up = "ascending";
  const down = "descending";
  test.each([
    [down, "newest first"],
    [down, "The list is sorted newest first."],
    [down, "GET /jobs lists the newest first"],
    [up, "Jobs come by id ascending."],
    [up, "Sorted by id, ascending"],
    [up, "The list is ordered by updated_at, oldest first"],
    [down, "Records come in descending order of updated_at."],
    [down, "order: newest to oldest"],
    [down, "latest jobs first, 50 a page, amount in cents"],
    [up, "The list is in order of id, lowest first."],
    [down, "most recent first"],
    [down, "The list answers the most recently updated jobs at the top."],
    [up, "Jobs are returned in ascending id order"],
    [down, "items are sorted by updated_at desc"],
    [down, "newest first, notes may be null"],
  ])("%s: %s", (direction, comment) => {
    expect(documentedDirection(place(comment))).toBe(direction);
  });
  test.each([
    "The list isn't sorted newest first.",
    "The list is in no order.",
    "With sort=desc the list would be newest first.",
    "Contacts come newest first, jobs in no order.",
    "The lines of a job are newest first.",
    "Sorted newest first if sort=desc is sent.",
  ])("nothing is read: %s", (comment) => {
    expect(documentedDirection(place(comment))).toBeUndefined();
  });
});

describe("what is signed", () => {
  const read = (comment: string): string | undefined =>
    documentedSigned(place(comment))
      ?.parts.map((part) =>
        part.kind === "body" ? "body" : part.kind === "separator" ? part.character : part.words.join(" "),
      )
      .join(" ");
  test.each([
    ["body", "X-Signature is the hex HMAC-SHA256 of the raw body"],
    ["body", "Signed with HMAC-SHA256 over the raw body, hex, in X-Signature"],
    ["timestamp . body", "The signature is base64 of an HMAC-SHA256 of the timestamp, a dot and the body."],
    ["timestamp . body", "The signature header is t=<timestamp>,v1=<hex>; what is signed is timestamp.body"],
    ["timestamp . body", "They sign `${timestamp}.${body}` with HMAC-SHA256 and send hex."],
    ["timestamp . body", 'HMAC-SHA256 of timestamp + "." + body, hex-encoded'],
    ["body", "X-Signature holds base64(hmac_sha256(secret, body))"],
    ["timestamp body", "The signed string is the timestamp and the body joined with a dot"],
    ["body", "What's signed is the body alone, the digest is sent in base64."],
    ["timestamp : body", "Signature = hex(HMAC-SHA256(secret, timestamp + ':' + body))"],
    ["body", "They sign the raw body: X-Signature is the hex HMAC of the body."],
    [undefined, "They sign the body, verify it with the secret."],
    [undefined, "They sign req.body and the digest."],
    [undefined, "Our own calls are signed with HMAC-SHA256 over the body, base64."],
    [undefined, "It isn't an HMAC of the body."],
  ])("%s: %s", (parts, comment) => {
    expect(read(comment)).toBe(parts);
  });
  test.each([
    ["sha256=", "the signature is prefixed with sha256="],
    ["sha256=", 'X-Signature has a prefix of "sha256=" in front of the hex digest.'],
    ["sha256=", "X-Signature: sha256=<hex hmac of the body>"],
    [undefined, "The signature isn't prefixed with sha256=."],
    [undefined, "X-Signature is not hex but base64."],
  ])("%s before it: %s", (before, comment) => {
    expect(documentedSignature("x-signature", place(comment), true).before).toBe(before);
  });
});

describe("a record that a comment shows", () => {
  test.each([
    ["Answers {job: {id, number}}", 1],
    ['The answer has the job under "job" ({job: {id, number}}).', 1],
    ["The answer isn't {job: {id, number}} but the job itself.", 0],
    ["The old version answered {job: {id, number}}.", 0],
  ])("%s", (comment, count) => {
    expect(documentedValues(place(comment)).get("job") ?? []).toHaveLength(count);
  });
});
