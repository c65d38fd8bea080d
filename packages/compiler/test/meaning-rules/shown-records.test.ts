import { describe, expect, test } from "vitest";
import { readRecords } from "../../src/flow/shown-record.ts";
import { findings, inSource } from "../support/rule-findings.ts";

/** Records that comments show, in the ways that people write them, and what is right although it looks alike. */

describe("how records are written", () => {
  const shown = (text: string): string[] =>
    readRecords(text).flatMap(({ name, kind, isNullable, members }) =>
      name === ""
        ? []
        : `${name}: ${kind ?? "?"}${isNullable ? " or null" : ""}${members === undefined ? "" : ` of ${members.map((each) => each.name).join()}`}`,
    );

  test.each([
    ["Answers {job: {id, number}}.", ["job: object of id,number", "id: ?", "number: ?"]],
    ["{phones: [{number}]}", ["phones: list of number", "number: ?"]],
    ["{season: {id} or null}", ["season: object or null of id", "id: ?"]],
    ["{tribute: null or {name}}", ["tribute: object or null of name", "name: ?"]],
    ['{"id": 71, "title": "…"}', ["id: number", "title: text"]],
    ["customer = {id, billing: {…}}", ["customer: object of id,billing", "id: ?", "billing: object"]],
    ["answers is a list of {key, text}", ["answers: list of key,text", "key: ?", "text: ?"]],
    ["passes: [{id, state: open | used}, …]", ["passes: list of id,state", "id: ?", "state: ?"]],
    ["{ends_ms: null or milliseconds (of a day, UTC), id}", ["ends_ms: ? or null", "id: ?"]],
    ['{born: "1980-12-31" or null}', ["born: text or null"]],
    ["{who: text or {id}, at}", ["id: ?"]],
    ["GET /sites/{site}/rooms", []],
    ["A rental: {id, tool}", ["id: ?", "tool: ?"]],
    ["{an open bracket", []],
    ["{no record at all, but prose}", []],
  ])("%s", (text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  test("many brackets take no long time", () => {
    expect(readRecords("{a: [".repeat(900))).toEqual([]);
  });
});

describe("response/documented-shape", () => {
  const comment = {
    "/data_intake/0/_comment": [
      "A person: {id, emails: [{address, primary}], phones: [{number, label}],",
      " home: {street, town}, data: [{id}]}",
    ],
  };
  test.each([
    ["{email: .email, phone: .phones.number}", 1],
    [". as $p | {email: .email, phone: $p.phones.number}", 1],
    ["{email: .email, phone: (.phones | .number)}", 1],
    ["{email: .emails}", 1],
    ["{email: .home}", 1],
    ["{email: .email, town: .home[0].town}", 1],
    ["{email: .email, phone: .phones[0].number}", 0],
    ["{email: .email, phone: (.phones | map(.number) | first)}", 0],
    ["{email: .email, phone: ([.phones[].number][0])}", 0],
    ["{email: .email, phone: (.phones | length)}", 0],
    ["{email: .email, town: .home.town}", 0],
    // A list may be sent on under its own name.
    ["{email: .email, phones: .phones}", 0],
    // Another answer has one thing in the same envelope.
    ["{email: .data.email}", 0],
    ["{email: .other.number}", 0],
  ])("%s", (program, count) => {
    expect(inSource("response/documented-shape", program, comment)).toHaveLength(count);
  });

  test.each([
    ["emails: {address} in one answer, emails: [{address}] in another", 0],
    ["emails: [{address}]", 1],
  ])("%s", (said, count) => {
    const changes = { "/data_intake/0/_comment": said };
    expect(inSource("response/documented-shape", "{email: .emails.address}", changes)).toHaveLength(count);
  });
});

describe("value/member-for-id", () => {
  const target = (said: string, path: string): string[] =>
    findings("value/member-for-id", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            _comment: said,
            "!http": { method: "POST", path: "/jobs", body: { email: "${piped_content.0.email}" } },
          },
          { "!http": { method: "POST", path, body: { list: "${custom_data.list.value}" } } },
        ],
      },
    });

  test.each([
    ["Answers {job: {id, number}}.", "/jobs/${piped_content.1.job.number}/start", 1],
    ['{job: {id: 71, title: "Mowing"}}', "/jobs/${piped_content.1.job.title}", 1],
    ['{JobId: a GUID, JobNumber: "J-17"}', "/Jobs(${piped_content.1.JobNumber})/Start", 1],
    ["{id, number}", "/jobs/${piped_content.1.number}/start", 1],
    ["Answers {job: {id, number}}.", "/jobs/${piped_content.1.job.id}/start", 0],
    // The number is the only key.
    ["Answers {job: {number, token}}.", "/jobs/${piped_content.1.job.number}/start", 0],
    ["{job: {id, number}}; POST /jobs/NUMBER/start", "/jobs/${piped_content.1.job.number}/start", 0],
    ["{job: {id, number}}. A job is started by its number.", "/jobs/${piped_content.1.job.number}/start", 0],
    // A code may be what requests take.
    ["{job: {id, code}}", "/jobs/${piped_content.1.job.code}/start", 0],
    ["{job: {id, number}}", "/crews/${piped_content.1.job.number}/start", 0],
    ["{job: {id}, crew: {id, number}}", "/jobs/${piped_content.1.job.number}", 0],
  ])("%s %s", (said, path, count) => {
    expect(target(said, path)).toHaveLength(count);
  });

  const comment = { "/data_intake/0/_comment": "{field: {id, season: {id, year, crop} or null}}" };
  test.each([
    ["{season_id: .field.season.year, email}", 1],
    [".field as $f | {seasonId: ($f.season.year), email}", 1],
    ["{season_id: .field.season.id, email}", 0],
    ["{season_year: .field.season.year, email}", 0],
    ["{crop_id: .field.season.crop, email}", 0],
  ])("%s", (program, count) => {
    expect(inSource("value/member-for-id", program, comment)).toHaveLength(count);
  });
});

describe("nulls of records", () => {
  const comment = { "/data_intake/0/_comment": "{id, stay: {kind, nights} or null, tent: {size}}" };
  test.each([
    ['{email: .email, kind: {"T": "Tent", "C": "Caravan"}[.stay.kind]}', 1],
    ["{email: .email, nights: (.stay.nights + 1 | . * 2), hours: (.stay.nights * 24)}", 1],
    ['{email: .email, kind: {"T": "Tent", "C": "Caravan"}[.stay.kind // ""]}', 0],
    ['if .stay == null then null else {email: .email, kind: {"T": "Tent"}[.stay.kind]} end', 0],
    ['{email: .email, size: {"S": "Small"}[.tent.size]}', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/documented-null", program, comment)).toHaveLength(count);
  });
});
