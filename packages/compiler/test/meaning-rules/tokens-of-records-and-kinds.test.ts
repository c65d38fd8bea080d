import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Cursors that are ids of records, first positions of another kind, ids compared with empty texts. */

const polled = (rule: string, state: string, setup: string, source = "{email: .email}"): string[] =>
  findings(rule, "inbound-polling", {
    "/data_intake/0/initial_setup": { "!jq": `{polling_state: ${setup}}` },
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/request": {
      "!pipe": [
        {
          "!http": {
            path: "/rows",
            params: { after: "${polling_state.after}", changed_since: "${polling_state.since}" },
          },
        },
        {
          "!jq": `(.rows | last) as $last | {results: .rows, iterate: (.after != null), polling_state: ${state}}`,
        },
      ],
    },
    "/data_intake/0/post_poll": undefined,
    "/workflows/0/data_pipeline/source": { "!jq": source },
  });

describe("polling/other-token: of a record", () => {
  const told = (after: string): string[] =>
    polled(
      "polling/other-token",
      `(\${polling_state} + {after: ${after}})`,
      "{after: null, since: 1767225600}",
    );

  test.each([
    ["the last one", ".rows | last | .id"],
    ["by its place", ".rows[-1].id"],
    ["a variable", "$last.id"],
    ["in a condition", "if $last == null then null else $last.id end"],
    ["the first one", "(.rows | first).id"],
  ])("%s", (_, after) => {
    expect(told(after)).toHaveLength(1);
  });

  test.each([
    ["the token", ".after"],
    ["the token, else the id", ".after // $last.id"],
    ["a condition", "if .after == null then null else .after end"],
  ])("right: %s", (_, after) => {
    expect(told(after)).toEqual([]);
  });
});

describe("polling/mixed-kinds: times of records", () => {
  const told = (setup: string, source: string, since = "$last.updated_at"): string[] =>
    polled(
      "polling/mixed-kinds",
      `(if $last == null then \${polling_state} else \${polling_state} + {after: .after, since: ${since}} end)`,
      `{after: null, since: ${setup}}`,
      source,
    );
  const day = "{email: .email, day: .updated_at[0:10]}";
  const others = "{email: .email, day: .started_at[0:10], hours: ((now - (.seen_at | fromdate)) / 3600)}";
  const seconds = "now - 86400 | floor";

  test("seconds first, dates later", () => {
    expect(told(seconds, day)).toHaveLength(1);
    expect(told(seconds, others)).toHaveLength(1);
    expect(told("now - 86400 | todate", "{email: .email, day: (.updated_at | todate)}")).toHaveLength(1);
    expect(
      told(seconds, '{email: .email, day: (.updated_at | strptime("%Y"))}', ".rows[-1].updated_at"),
    ).toHaveLength(1);
  });

  test("right", () => {
    expect(told("now - 86400 | floor | todate", day)).toEqual([]);
    expect(told(seconds, day, "$last.updated_at | fromdate")).toEqual([]);
    expect(told(seconds, "{email: .email, day: .started_at[0:10]}")).toEqual([]);
    expect(told(seconds, "{email: .email, day: (.updated_at | todate)}")).toEqual([]);
  });
});

describe("jq/empty-text: an id beside members that may be null", () => {
  const told = (test: string, minutes: string): string[] =>
    inSource(
      "jq/empty-text",
      `if ${test} then {email: .email} else {email: .customer.email, hours: (${minutes} / 60)} end`,
    );

  test.each([
    ['.customer.site_id == ""', "(.customer.minutes // 0)"],
    ['.customer.site_id != ""', "(if .customer.minutes == null then 0 else .customer.minutes end)"],
  ])("%s", (compared, minutes) => {
    expect(told(compared, minutes)).toHaveLength(1);
  });

  test.each([
    [".customer.site_id == null", "(.customer.minutes // 0)"],
    ['(.customer.site_id // "") == ""', "(.customer.minutes // 0)"],
    ['.customer.site_id == ""', ".customer.minutes"],
    ['.customer.site_id == "" or .customer.area_id == ""', "(.customer.minutes // 0)"],
    ['.customer.kind == ""', "(.customer.minutes // 0)"],
  ])("right: %s", (compared, minutes) => {
    expect(told(compared, minutes)).toEqual([]);
  });
});
