import { describe, expect, test } from "vitest";
import { findings, inPolling, inSource } from "../support/rule-findings.ts";

/** Where reading begins and goes on, and what comments say of numbers and ids: other forms, and what is right although it looks alike. */

describe("polling/dropped-place", () => {
  const told = ({
    before = "{polling_state: {kinds: .kinds}}",
    after = "{polling_state: {after: ${polling_state.after}}}" as string | null,
    setup = undefined as string | undefined,
    comment = undefined as string | undefined,
    sent = "${polling_state.after | default}",
  }) =>
    inPolling("polling/dropped-place", {
      _comment: comment,
      initial_setup: setup === undefined ? undefined : { "!jq": setup },
      pre_poll: { "!pipe": [{ "!http": { path: "/kinds" } }, { "!jq": before }] },
      request: {
        "!pipe": [
          { "!http": { path: "/changes", params: { after: sent } } },
          {
            "!jq":
              "${polling_state} as $s | {results: .changes, iterate: .more, polling_state: ($s + {after: (.changes[-1].seq // $s.after)})}",
          },
        ],
      },
      post_poll: after === null ? undefined : { "!jq": after },
    });
  test.each([
    ["`post_poll` keeps it", {}, 1],
    ["bound first", { before: ".kinds as $k | {polling_state: {kinds: $k}}" }, 1],
    ["the setup works it out", { after: null, setup: "{polling_state: {after: (now | todate)}}" }, 1],
    ["a comment says it", { after: null, comment: "after = the last number that was read." }, 1],
    ["the state goes on", { before: "{polling_state: (${polling_state} + {kinds: .kinds})}" }, 0],
    ["the key goes on", { before: "{polling_state: {kinds: .kinds, after: ${polling_state.after}}}" }, 0],
    ["it may be a token of one cycle", { after: null }, 0],
    ["it begins at nothing", { after: null, setup: "{polling_state: {after: null}}" }, 0],
    ["pre_poll moves it", { before: "{polling_state: {after: (.start // ${polling_state.after})}}" }, 0],
  ])("%s", (_, config, count) => {
    expect(told(config)).toHaveLength(count);
  });
});

describe("polling/head-watermark", () => {
  const comment = "latest_seq is the account's, not the page's.";
  const told = (value: string, said = comment) =>
    inPolling("polling/head-watermark", {
      _comment: said,
      initial_setup: { "!jq": "{polling_state: {after: 0}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          { "!http": { path: "/changes", params: { after: "${polling_state.after}", limit: 100 } } },
          { "!jq": `${value} as $last | {results: .rows, iterate: .more, polling_state: {after: $last}}` },
        ],
      },
    });
  const kept = "${polling_state.after}";
  test.each([
    [`(if (.rows | length) > 0 then .latest_seq else ${kept} end)`, comment, 1],
    [`(if (.rows | length) == 0 then ${kept} else .latest_seq end)`, comment, 1],
    [`(if .rows != [] then .latest_seq else ${kept} end)`, "after is the last number that was read.", 1],
    [`(.latest_seq // ${kept})`, comment, 1],
    [`(if (.rows | length) > 0 then .rows[-1].seq else ${kept} end)`, comment, 0],
    // At the end of the list it may be taken.
    [`(if .more then .rows[-1].seq else .latest_seq end)`, comment, 0],
    [`(if (.rows | length) > 0 then .rows[-1].seq else .latest_seq end)`, comment, 0],
    [
      `(if (.rows | length) > 0 then .last_seq else ${kept} end)`,
      "last_seq is of the last row of the page.",
      0,
    ],
  ])("%s, %s", (value, said, count) => {
    expect(told(value, said)).toHaveLength(count);
  });
});

describe("polling/counted-page", () => {
  const told = (said: string, asked: string) =>
    findings("polling/counted-page", "inbound-polling", {
      "/api/pagination": {
        _comment: said,
        style: {
          type: "limitoffset",
          limit: { param: "limit", value: 50 },
          offset: { param: "offset", value: 0 },
        },
        parser: { total_items: { "!jq": ".paging.total" } },
      },
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {offset: 0}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { offset: "${polling_state.offset}", limit: 50 },
      "/data_intake/0/request/!pipe/1/!jq": `(\${polling_state.offset} + (.items | length)) as $next | {results: .items, iterate: (${asked}), polling_state: {offset: $next}}`,
    });
  test.each([
    ["count is the rows of this page, total all rows.", "$next < .paging.count", 1],
    ["count is the rows of this page, total all rows.", "$next < .paging.total", 0],
    ["count is all rows.", "$next < .paging.count", 0],
  ])("%s %s", (said, asked, count) => {
    expect(told(said, asked)).toHaveLength(count);
  });
});

describe("jq/always-in-range", () => {
  const comment = "severity goes from 1 (routine) to 4 (stands still).";
  const told = (condition: string, said = comment) =>
    inSource("jq/always-in-range", `{email: .email, _tags: (if ${condition} then ["a"] else ["b"] end)}`, {
      "/data_intake/0/_comment": said,
    });
  test.each([
    [".severity >= 1", comment, 1],
    [".severity > 0", comment, 1],
    [".severity > 4", comment, 1],
    [".visit.severity < 1", comment, 1],
    [".severity == 5", comment, 1],
    [".score <= 100", "score is between 0 and 100.", 1],
    [".severity >= 3", comment, 0],
    [".severity > 1", comment, 0],
    [".severity == 4", comment, 0],
    [".urgency >= 1", comment, 0],
    // It asks whether there is one.
    [".severity >= 1", `${comment} severity is null before the visit.`, 0],
    [".severity >= 1", "severity is 1 or more.", 0],
    // What has a meaning of its own.
    [".rating == 0", "rating is 1 to 5, 0 means not rated.", 0],
    [".rating > 0", "rating: 1 to 5; 0 if nobody has rated yet.", 0],
    [".score < 0", "score is 0 to 100. -1 stands for no score.", 0],
    [".share > 1", "share is between 0 and 1, above 1 when overbooked.", 0],
    [".share > 1", "share is between 0 and 1, in summer a bit above now and then.", 0],
    [".share > 1", "share is between 0 and 1, in summer now and then a bit above.", 0],
    [".rating > 0", "rating is 1 to 5. It is 0 before the first.", 0],
    [".rating > 5", "rating is 1 to 5, 0 means not rated.", 1],
    [".rating > 5", "rating is 1 to 5. level is 0 to 10.", 1],
    [".rating == 0", "rating is 1 to 5, level 0 to 10.", 1],
  ])("%s, %s", (condition, said, count) => {
    expect(told(condition, said)).toHaveLength(count);
  });
});

describe("polling/idle-key", () => {
  const told = (start: string, params: Record<string, string> = {}, kept = "${polling_state}") =>
    inPolling("polling/idle-key", {
      initial_setup: { "!jq": `{polling_state: {offset: 0, ${start}}}` },
      pre_poll: undefined,
      post_poll: undefined,
      "request/!pipe/0/!http/params": { offset: "${polling_state.offset}", ...params },
      "request/!pipe/1/!jq": `(\${polling_state.offset} + (.items | length)) as $next | {results: .items, iterate: ($next < .total), polling_state: (${kept} + {offset: $next})}`,
    });
  const ago = "released_from: (now - 365 * 86400 | todate)";
  test.each<[string, Parameters<typeof told>, number]>([
    ["nothing asks with it", [ago], 1],
    ["carried on by name", [ago, {}, "{released_from: ${polling_state.released_from}}"], 1],
    ["sent", [ago, { released_from: "${polling_state.released_from}" }], 0],
    ["no bound", ["set_up_at: (now | todate)"], 0],
    ["the present, to see when it was set up", ["active_since: (now | todate)"], 0],
  ])("%s", (_, args, count) => {
    expect(told(...args)).toHaveLength(count);
  });
});

describe("jq/record-as-id", () => {
  const told = (program: string, comment = '{"rows": [{"id": "r_1", "state": "open"}]}') =>
    inPolling("jq/record-as-id", {
      "request/!pipe/1": {
        _comment: comment,
        "!jq": `{results: ${program}, iterate: false, polling_state: {}}`,
      },
    });
  test.each([
    ["[.rows[] | {row_id: ., kind: 1}]", undefined, 1],
    ["[.rows[] as $row | {row_id: $row}]", undefined, 1],
    ["(.rows | map({row_id: .id}))", undefined, 0],
    ["[.rows[] | {row: .}]", undefined, 0],
    ["[.rows[] | {row_id: .}]", '{"rows": ["r_1", "r_2"]}', 0],
  ])("%s", (program, comment, count) => {
    expect(told(program, comment)).toHaveLength(count);
  });
});

describe("http/skipped-segment", () => {
  const told = (jq: string) =>
    findings("http/skipped-segment", "outbound", {
      "/workflows/0/setup/select/form_fields/0/required": false,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/plants", params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{plant: (.plants | first)}" },
          {
            "!switch": {
              jq,
              cases: [
                { "!error": "There is no plant." },
                { "!http": { method: "POST", path: "/lists/${custom_data.list.value | default}/tickets" } },
              ],
            },
          },
        ],
      },
    });
  test.each([
    ["if .plant == null then 0 else 1 end", 1],
    ['if (.plant // "") == "" then 0 else 1 end', 1],
    // What the customer chose may say that there is a list.
    ['if ${custom_data.list.value | default} == "" then 0 else 1 end', 0],
    ['if .plant.kind == "listed" then 1 else 0 end', 0],
  ])("%s", (jq, count) => {
    expect(told(jq)).toHaveLength(count);
  });
});

describe("http/shown-in-path", () => {
  const told = (comment: string, name: string) =>
    findings("http/shown-in-path", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!jq": ".visit" },
          { _comment: comment, "!http": { path: `/visits/\${piped_content.1.${name}}/report` } },
        ],
      },
    });
  test.each([
    ["Needs the id, not the number: {findings: []}", "number", 1],
    ["Takes the visit's id and not its number.", "number", 1],
    ["Needs the id, not the number.", "id", 0],
    ["Needs the number, not the id.", "number", 0],
    ["Needs the id, not the name.", "number", 0],
  ])("%s %s", (comment, name, count) => {
    expect(told(comment, name)).toHaveLength(count);
  });
});
