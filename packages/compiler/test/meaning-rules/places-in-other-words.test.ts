import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Places in a list, days and ids that are right although a comment or a name seems to say something else. */

const polled = (
  rule: string,
  comment: string,
  params: unknown,
  commands: Readonly<Record<string, unknown>>,
): string[] =>
  findings(rule, "inbound-polling", {
    "/data_intake/0/_comment": comment,
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params": params,
    ...Object.fromEntries(Object.entries(commands).map(([name, json]) => [`/data_intake/0/${name}`, json])),
  });

describe("polling/other-number", () => {
  const told = (comment: string, read: string): string[] =>
    polled(
      "polling/other-number",
      comment,
      { after: "${polling_state.after}" },
      {
        initial_setup: { "!jq": "{polling_state: {after: 0}}" },
        "request/!pipe/1/!jq": `{results: .items, iterate: .more, polling_state: {after: (${read} // \${polling_state.after})}}`,
      },
    );
  test.each([
    // Other words for it.
    ["Orders with version > after.", ".items[-1].revision", 0],
    ["after <= changed_at.", ".items[-1].updated_at", 0],
    // The comment is about another list, too.
    ["Tasks with version > after. For orders after is an id.", ".items[-1].id", 0],
    [
      "Every entry has a seq within its order. after is the id of an entry.",
      "(.items | last | .entry.id)",
      0,
    ],
    ["Orders with version > after.", ".items[-1].customer_id", 1],
    ["Every entry has a seq.", "(.items | last | .order.id)", 1],
  ])("%s %s", (comment, read, count) => {
    expect(told(comment, read)).toHaveLength(count);
  });
});

describe("polling/skips-oldest", () => {
  const told = (comment: string, param: string): string[] =>
    polled(
      "polling/skips-oldest",
      `oldest is the seq of the first entry that exists; ${comment}`,
      { [param]: "${polling_state.after}" },
      {
        initial_setup: {
          "!pipe": [{ "!http": { path: "/bounds" } }, { "!jq": "{polling_state: {after: .oldest}}" }],
        },
        "request/!pipe/1/!jq":
          "{results: .items, iterate: .more, polling_state: {after: (.items[-1].seq // ${polling_state.after})}}",
      },
    );
  test.each([
    ["after=N gives what is behind N.", "after", 1],
    ["after=N gives N and what is behind.", "after", 0],
    ["after is inclusive.", "after", 0],
    ["after is exclusive.", "after", 1],
    ["pages of 50.", "not_after", 0],
  ])("%s %s", (comment, param, count) => {
    expect(told(comment, param)).toHaveLength(count);
  });
});

describe("polling/other-day", () => {
  const told = (comment: string, day = "now"): string[] =>
    polled(
      "polling/other-day",
      comment,
      { to_day: "${polling_state.last_day}", page: "${polling_state.page}" },
      {
        initial_setup: { "!jq": "{polling_state: {page: 1, last_day: null}}" },
        pre_poll: { "!jq": `{polling_state: (\${polling_state} + {last_day: (${day} | todate | .[0:10])})}` },
        "request/!pipe/1/!jq":
          "{results: .items, iterate: .more, polling_state: (${polling_state} + {page: (if .more then ${polling_state.page} + 1 else 1 end)})}",
      },
    );
  test.each([
    ["last_day is yesterday only on Mondays.", 0],
    ["last_day is yesterday until 6 in the morning, and today behind that.", 0],
    ["last_day is yesterday for shops that are closed.", 0],
    ["The day is open until midnight, so the last day that we read is yesterday.", 1],
    ["last_day is yesterday, because a day is open until midnight.", 1],
    ["last_day is yesterday and not today.", 1],
  ])("%s", (comment, count) => {
    expect(told(comment)).toHaveLength(count);
  });
});

describe("value/record-of-other-list", () => {
  const told = (first: string, last: string, comment?: string): string[] => {
    const name = first.replace(/s$/, "").replace("people", "person");
    return findings("value/record-of-other-list", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            ...(comment === undefined ? {} : { _comment: comment }),
            "!http": { path: `/${first}`, params: { email: "${piped_content.0.email}" } },
          },
          { "!http": { path: `/${last}/\${piped_content.1.${name}.id}` } },
          { "!http": { method: "POST", path: `/${last}`, body: { state: "${piped_content.2.state}" } } },
        ],
      },
    });
  };
  test.each([
    ["orders", "tickets", undefined, 1],
    ["orders", "tickets", "An order is there for a day.", 1],
    ["orders", "tickets", "A ticket has the same number as its order, which is the id.", 0],
    // Who is a guide is a person.
    ["people", "guides", undefined, 0],
    ["guests", "people", undefined, 0],
  ])("%s, %s: %s", (first, last, comment, count) => {
    expect(told(first, last, comment)).toHaveLength(count);
  });
});
