import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

describe("a comment says what counts a page", () => {
  const counted = (comment: string, end: string): number =>
    inPolling("polling/counted-page", {
      _comment: comment,
      initial_setup: { "!jq": "{polling_state: {offset: 0}}" },
      pre_poll: { "!jq": "{polling_state: ${polling_state}}" },
      post_poll: { "!jq": "{polling_state: ${polling_state}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/items", params: { limit: 50, offset: "${polling_state.offset}" } } },
          {
            "!jq": `(\${polling_state.offset} + 50) as $next | {results: .items, iterate: (${end}), polling_state: {offset: $next}}`,
          },
        ],
      },
    }).length;
  test.each([
    [
      "Lists: {items, meta: {total, count}}. total is of the whole list, count of this page.",
      "$next < .meta.count",
      1,
    ],
    ["count is the length of this page, total that of all pages.", "$next < .count", 1],
    [
      "count is the length of this page, total that of all pages.",
      "(${polling_state.offset} + 50) < .count",
      1,
    ],
    ["total is of the whole list, count of this page.", "$next < .meta.total", 0],
    ["count is the number of all entries.", "$next < .count", 0],
    ["count is the length of this page.", "(.items | length) < .count", 0],
    ["count is the length of this page.", ".count >= 50", 0],
  ])("%s %s", (comment, end, count) => {
    expect(counted(comment, end)).toBe(count);
  });
});

describe("a comment says how long a token lives", () => {
  const kept = (comment: string, seconds: string): number =>
    inPolling("polling/documented-lifetime", {
      _comment: comment,
      initial_setup: { "!jq": "{polling_state: {cursor: null, cursor_at: 0}}" },
      pre_poll: {
        "!jq": `{polling_state: (\${polling_state} | if .cursor != null and now - .cursor_at > ${seconds} then . + {cursor: null} else . end)}`,
      },
      post_poll: { "!jq": "{polling_state: ${polling_state}}" },
      request: {
        "!pipe": [
          { "!http": { path: "/items", params: { cursor: "${polling_state.cursor}" } } },
          {
            "!jq":
              "{results: .items, iterate: (.next != null), polling_state: {cursor: .next, cursor_at: (now | floor)}}",
          },
        ],
      },
    }).length;
  test.each([
    ["A cursor is good for 24 hours.", "172800", 1],
    ["A cursor stays valid for a day.", "2 * 86400", 1],
    ["Cursors expire after two hours.", "86400", 1],
    ["A cursor is good for 24 hours.", "80000", 0],
    ["A token is good for an hour.", "80000", 0],
    ["A cursor never expires.", "172800", 0],
    ["A cursor is good for the window that it was made for, of 24 hours.", "172800", 0],
  ])("%s %s", (comment, seconds, count) => {
    expect(kept(comment, seconds)).toBe(count);
  });
});

describe("a comment says what all cases give", () => {
  const chosen = (comment: string, program: string): number =>
    findings("pipeline/documented-result", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          {
            _comment: comment,
            "!switch": {
              jq: "if .people == [] then 0 else 1 end",
              cases: [
                { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } },
                { "!jq": program },
              ],
            },
          },
          {
            "!http": {
              method: "POST",
              path: "/lists/7/people",
              body: { person_id: "${piped_content.2.person.id}" },
            },
          },
        ],
      },
    }).length;
  test.each([
    ["Either way the result is {person: {id}}.", ".people[0]", 1],
    ["Both answer {person: {id, …}}.", ".people[0]", 1],
    ["Both cases give {person: {id, …}}.", ".people[0]", 1],
    ["Either way the result is {person: {id}}.", "{person: .people[0]}", 0],
    ["Either way the result is {id}.", ".people[0]", 0],
    ["The person, known or new.", ".people[0]", 0],
  ])("%s %s", (comment, program, count) => {
    expect(chosen(comment, program)).toBe(count);
  });
});
