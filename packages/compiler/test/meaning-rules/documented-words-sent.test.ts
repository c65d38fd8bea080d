import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const target = "/workflows/0/data_pipeline/target";
const steps = (program: string, comment?: string): object => ({
  "!pipe": [
    { ...(comment === undefined ? {} : { _comment: comment }), "!jq": program },
    { "!http": { method: "POST", path: "/matters", body: "${piped_content.1}" } },
  ],
});

describe("a comment lists the words of what a program sends", () => {
  const sent = (comment: string, program: string): string[] =>
    findings("value/undocumented-word", "outbound", {
      "/workflows/0/data_pipeline/_comment": comment,
      [target]: steps(program),
    });
  test.each([
    ["stage is enquiry, advice, court or closed.", '{email: .email, stage: "new"}', 1],
    ["stage is enquiry, advice, court or closed.", '{email: .email, stage: "enquiry"}', 0],
    ["stage is enquiry, advice, court or closed.", '{email: .email, step: "new"}', 0],
    ["stage is a text.", '{email: .email, stage: "new"}', 0],
  ])("%s %s", (comment, program, count) => {
    expect(sent(comment, program)).toHaveLength(count);
  });

  test("in another workflow, for what has a name of its own", () => {
    const elsewhere = (name: string): string[] =>
      findings("value/undocumented-word", "outbound", {
        "/workflows/1": {
          name: "other",
          label: "Other",
          type: "automations",
          auth: "example",
          setup: { connect: { label: "Connect" } },
          data_pipeline: { _comment: `${name} is enquiry, advice, court or closed.`, source: { "!jq": "." } },
        },
        [target]: steps(`{email: .email, ${name}: "new"}`),
      });
    expect([elsewhere("stage").length, elsewhere("state").length]).toEqual([1, 0]);
  });

  const fixed = (id: string): string[] =>
    findings("value/undocumented-word", "outbound", {
      "/workflows/0/setup/map": {
        label: "Map",
        describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
        describe_target: {
          label: "Alert",
          options: [
            { title: "Email", id: "email", required: true },
            { title: "Rhythm", id: "rhythm", source_fields: [{ title: "Every day", id }] },
          ],
        },
      },
      [target]: steps("{email: .email, rhythm: .rhythm}", "rhythm is daily or weekly."),
    });
  test("in the fixed values of a mapped field", () => {
    expect([fixed("day").length, fixed("daily").length]).toEqual([1, 0]);
  });
});

describe("a comment says in what a time is sent", () => {
  const sent = (comment: string, value: string): string[] =>
    findings("value/other-unit", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Valid",
        id: "valid",
        type: "dropdown",
        options: [
          { display: "30 days", value: "30" },
          { display: "60 days", value: "60" },
        ],
      },
      [target]: steps(`{email: .email, expires_at: ${value}}`, comment),
    });
  const chosen = "(now + (${custom_data.valid.value} | tonumber) * 86400)";
  test.each([
    ["amount_minor is in hundredths, expires_at in Unix seconds.", `(${chosen} * 1000 | floor)`, 1],
    ["expires_at is in Unix seconds.", "(now * 1000 | floor)", 1],
    ["expires_at: seconds since 1970", "((now + 3 * 86400) * 1000 | floor)", 1],
    ["expires_at is in milliseconds.", `(${chosen} | floor)`, 1],
    ["amount_minor is in hundredths, expires_at in Unix seconds.", `(${chosen} | floor)`, 0],
    ["expires_at is in seconds.", "(now | floor)", 0],
    ["expires_at is in milliseconds.", `(${chosen} * 1000 | floor)`, 0],
    ["expires_at is an ISO time.", "(now * 1000 | floor)", 0],
  ])("%s %s", (comment, value, count) => {
    expect(sent(comment, value)).toHaveLength(count);
  });
});
