import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Where lists begin and end, and windows that move: in other words, and what is right although it looks alike. */

describe("how many pages a list has", () => {
  const paged = (rule: string, pagination: unknown): string[] =>
    findings(rule, "outbound", {
      "/api/pagination": pagination,
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http/pagination": true,
    });
  const counted = (rule: string, program: string, comment: string, start = 1): string[] =>
    paged(rule, {
      _comment: comment,
      style: {
        type: "page",
        page_number: { param: "page", value: start },
        page_size: { param: "size", value: 60 },
      },
      parser: { total_pages: { "!jq": program } },
    });

  test("rounded down by the answer's own size", () => {
    expect(counted("api/miscounted-pages", ".found / .per_page | floor", "found: records")).toHaveLength(1);
    expect(counted("api/miscounted-pages", ".found / .per_page | ceil", "found: records")).toEqual([]);
    expect(counted("api/miscounted-pages", ".size / .factor | floor", "found: records")).toEqual([]);
  });

  test("the number of the last one, counted from 0", () => {
    const rule = "api/page-arithmetic";
    const said = "Pages count from 0; last_page is the number of the last one.";
    expect(counted(rule, ".last_page", said, 0)).toHaveLength(1);
    expect(counted(rule, ".last_page + 1", said, 0)).toEqual([]);
    expect(counted(rule, ".last_page", "Pages count from 0; last_page is how many there are.", 0)).toEqual(
      [],
    );
    expect(counted(rule, ".last_page", "last_page is the number of the last one.", 1)).toEqual([]);
  });

  test("only the page before", () => {
    const tokens = (comment: string, parser: unknown): string[] =>
      paged("api/other-page", { _comment: comment, style: { type: "cursor" }, parser });
    const previous = { previous_result_token: { "!jq": ".page.previous" } };
    const next = { next_result_token: { "!jq": ".page.next" } };
    const said = "Each list has page: {previous, next}, tokens.";
    expect(tokens(said, previous)).toHaveLength(1);
    expect(tokens(said, { ...previous, ...next })).toEqual([]);
    expect(tokens("Lists come newest page first: page has previous and next.", previous)).toEqual([]);
    expect(tokens("page.previous is a token.", previous)).toEqual([]);
  });
});

describe("where lists begin, and how many there are", () => {
  const listed = (
    rule: string,
    start: number,
    total: string,
    comment = "skip, take and total stand in paging.",
  ): string[] =>
    findings(rule, "outbound", {
      "/api/pagination": {
        _comment: comment,
        style: {
          type: "limitoffset",
          limit: { param: "take", value: 50 },
          offset: { param: "start", value: start },
        },
        parser: { total_items: { "!jq": total } },
      },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http/pagination": true,
    });

  test("the size that is asked for", () => {
    expect(listed("api/page-counted", 0, ".paging.take")).toHaveLength(1);
    expect(listed("api/page-counted", 0, ".paging.total")).toEqual([]);
    expect(listed("api/page-counted", 0, ".paging.limit")).toEqual([]);
  });

  test("the first record's place", () => {
    const rule = "api/documented-start";
    expect(listed(rule, 0, ".total", "The first record has start=1.")).toHaveLength(1);
    expect(listed(rule, 1, ".total", "The first record has start=1.")).toEqual([]);
    expect(listed(rule, 0, ".total", "The first record has count=1.")).toEqual([]);
  });
});

describe("the id of what a list is of", () => {
  const told = (member: string, path = "/forms/${custom_data.form.value}/gifts"): string[] =>
    findings("polling/other-number", "inbound-polling", {
      "/data_intake/0/_comment": "Lists come in the order of the id.",
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {after: 0}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http": { path, params: { after: "${polling_state.after}" } },
      "/data_intake/0/request/!pipe/1/!jq": `{results: .gifts, iterate: .more, polling_state: {after: ((.gifts | last | ${member}) // \${polling_state.after})}}`,
    });

  test("is the same in each record", () => {
    expect(told(".form_id")).toHaveLength(1);
    expect(told(".id")).toEqual([]);
    expect(told(".gift_id")).toEqual([]);
    expect(told(".form_id", "/gifts/${custom_data.form.value}")).toEqual([]);
  });
});

describe("the end of a window that each cycle moves", () => {
  const told = (comment: string, before: string): string[] =>
    findings("polling/cut-cycle", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": {
        "!jq": "{polling_state: {from: (now - 86400 | floor), before: null, after_id: 0, finished: false}}",
      },
      "/data_intake/0/pre_poll": {
        "!jq": `.polling_state | {polling_state: {from: .from, before: ${before}, after_id: .after_id, finished: false}}`,
      },
      "/data_intake/0/request/!pipe/0/!http/params": {
        changed_from: "${polling_state.from}",
        changed_before: "${polling_state.before}",
        after_id: "${polling_state.after_id}",
        limit: 100,
      },
      "/data_intake/0/request/!pipe/1/!jq":
        "(.items | length < 100) as $last | {results: .items, iterate: ($last | not), polling_state: (${polling_state} + {after_id: (.items[-1].id // ${polling_state.after_id}), finished: $last})}",
      "/data_intake/0/post_poll": {
        "!jq":
          ".polling_state | if .finished then {polling_state: {from: .before, before: null, after_id: 0, finished: false}} else {polling_state: .} end",
      },
    });
  const said = "A round that does not end within a cycle goes on in the next one.";

  test("while its place is kept", () => {
    expect(told(said, "(now - 60 | floor)")).toHaveLength(1);
    expect(told(said, "(.before // (now - 60 | floor))")).toEqual([]);
    expect(told("Orders come by id.", "(now - 60 | floor)")).toEqual([]);
  });
});
