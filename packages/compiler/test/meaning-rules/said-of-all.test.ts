import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** What a comment says of all times or amounts of a service, in the words of several authors. */

const told = (comment: string, value: string, name = "due_at"): string[] =>
  findings("value/other-unit", "outbound", {
    "/api/_comment": comment,
    "/workflows/0/data_pipeline/target": {
      "!pipe": [
        { "!jq": `{name: .name, ${name}: ${value}}` },
        { "!http": { method: "POST", path: "/tickets", body: { [name]: `\${piped_content.1.${name}}` } } },
      ],
    },
  });

describe("value/other-unit: all times", () => {
  const seconds = "(now + 3600 | floor)";
  test.each([
    ["All times in this API are milliseconds since 1970, all ids integers."],
    ["All moments in Acme are epoch milliseconds."],
    ["All timestamps that Acme sends and takes are numbers of milliseconds."],
    ["due_at is in UNIX milliseconds, like all times at Acme."],
    ["All times are UNIX milliseconds."],
    ["Times are milliseconds everywhere in this API."],
  ])("%s", (comment) => {
    expect(told(comment, seconds)).toHaveLength(1);
    expect(told(comment, "((now + 3600) * 1000 | floor)")).toEqual([]);
  });
  test.each([
    ["All times in this API are seconds since 1970."],
    ["All times but those of logs are milliseconds."],
    ["All timeouts are milliseconds."],
    ["All times are local; durations are milliseconds."],
  ])("right: %s", (comment) => {
    expect(told(comment, seconds)).toEqual([]);
  });
});
