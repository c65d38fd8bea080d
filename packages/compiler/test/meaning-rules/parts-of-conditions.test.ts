import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

describe("jq/documented-null behind a step that passes records over", () => {
  const told = (comment: string, condition: string, isPassedOver = true, bound = ""): string[] =>
    findings("jq/documented-null", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          {
            "!jq": isPassedOver
              ? `${bound}if ${condition} then null else . end`
              : `if ${condition} then . else null end`,
          },
          {
            "!jq":
              'if . == null then null else {email: .email, left_on: (.stay.left_at | split("T")[0])} end',
          },
        ],
      },
    });
  const comment = "stay is null before the first stay.";
  test.each([
    ['(.email // "") == "" or (.consent.email != true and ${custom_data.form.value} == "skip")', 1],
    // Those without a stay may be the ones that are passed over.
    ['(.email // "") == "" or .state != "guest"', 0],
    ['(.email // "") == "" or (.consent.email != true) or .state == "new"', 0],
    ['(.email // "") == "" or .stay.consent == false', 0],
  ])("%s", (condition, count) => {
    expect(told(comment, condition.replace(/^(.* as \$no) \| (.*)$/, "($1 | $2)"))).toHaveLength(count);
  });
  test("a consent in a variable", () => {
    const condition = '(.email // "") == "" or ($no and ${custom_data.form.value} == "skip")';
    expect(told(comment, condition, true, "(.consent.email != true) as $no | ")).toHaveLength(1);
  });
  test("a consent and a state together choose those with a stay", () => {
    expect(told(comment, '.consent.email == true and .state == "guest"', false)).toEqual([]);
  });

  test.each([
    ["stay is null for many guests.", 1],
    ["stay is null for some of them.", 1],
    ["stay is null for most kinds.", 0],
    ["stay is null for guests who have booked.", 0],
  ])("a choice of kinds, and “%s”", (said, count) => {
    const condition = 'any(${custom_data.form.value}[]; . == $g.kind) and (.email // "") != ""';
    expect(told(said, `(. as $g | ${condition})`, false)).toHaveLength(count);
  });
});

describe("http/documented-null-segment behind a choice that customers may skip", () => {
  const told = (required: boolean, jq: string): string[] =>
    findings("http/documented-null-segment", "inbound-webhook", {
      "/data_intake/0/_comment": "Entries of the owner have tenant_id null.",
      "/workflows/0/setup/select/form_fields/0/required": required,
      "/workflows/0/data_pipeline/source": {
        "!switch": {
          jq,
          cases: [
            { "!jq": "null" },
            {
              "!pipe": [
                { "!http": { path: "/tenants/${piped_content.0.tenant_id}" } },
                { "!jq": "{email: .email}" },
              ],
            },
          ],
        },
      },
    });
  const chosen = '(${custom_data.form.value | default} | if type == "array" then . else [] end) as $kinds';
  test.each([
    [
      false,
      `${chosen} | if ($kinds | length) > 0 and ($kinds | index(\${piped_content.0.kind})) == null then 0 else 1 end`,
      1,
    ],
    // Everybody chooses, and perhaps kinds that have one.
    [
      true,
      `${chosen} | if ($kinds | length) > 0 and ($kinds | index(\${piped_content.0.kind})) == null then 0 else 1 end`,
      0,
    ],
    [false, `${chosen} | if ($kinds | length) > 0 and .kind == "rent" then 1 else 0 end`, 0],
    [false, `${chosen} | if ($kinds | length) > 0 or .kind == "own" then 0 else 1 end`, 0],
  ])("required: %s, %s", (required, jq, count) => {
    expect(told(required, jq)).toHaveLength(count);
  });
});
