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

test("value/mixed-sum: the present time under a name of its own counts seconds, whatever the service does", () => {
  const found = (first: string): string[] =>
    findings("value/mixed-sum", "inbound-polling", {
      "/api/_comment": "All moments in Acme are epoch milliseconds.",
      "/data_intake/0/initial_setup": {
        "!jq": `(now | floor) as $t | 30 as $days | {polling_state: {since: ((${first} - $days * 86400) * 1000), page: 1}}`,
      },
    });
  expect(found("$t")).toEqual([]);
});
