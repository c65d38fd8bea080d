import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Where reading begins, goes on and is confirmed: the same kind of mistake in other words, and what is right although it looks alike. */

type Changes = Readonly<Record<string, unknown>>;

/** An intake that reads pages of a list and keeps keys of the state. */
const polling = (
  rule: string,
  setup: string,
  params: Changes,
  program: string,
  more: Changes = {},
): string[] =>
  findings(rule, "inbound-polling", {
    "/data_intake/0/initial_setup": { "!jq": setup },
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params": params,
    "/data_intake/0/request/!pipe/1/!jq": program,
    ...more,
  });

describe("polling/late-import", () => {
  const told = (param: string, start: string): string[] =>
    findings("polling/late-import", "historical-sync", {
      "/data_intake/1/initial_setup": { "!jq": `{polling_state: {cursor: null, start: ${start}}}` },
      "/data_intake/1/request/!pipe/0/!http/params": {
        cursor: "${polling_state.cursor}",
        [param]: "${polling_state.start}",
      },
      "/data_intake/1/request/!pipe/1/!jq":
        "{results: .orders, iterate: (.next_cursor != null), polling_state: (${polling_state} + {cursor: .next_cursor})}",
    });
  test.each([
    ["completedFrom", "(now | floor)", 1],
    ["updated_since", "(now | todate)", 1],
    ["paid_after", "(now * 1000 | floor)", 1],
    ["since", "(now - 60 | todate)", 1],
    ["completedFrom", "(now - 86400 * 30 | floor)", 0],
    ["updated_since", "null", 0],
    // What lies ahead begins now.
    ["starts_from", "(now | todate)", 0],
    ["due_after", "(now | todate)", 0],
    ["scheduled_from", "(now | todate)", 0],
    ["from", "(now | todate)", 0],
    ["created_before", "(now | todate)", 0],
  ])("%s: %s", (param, start, count) => {
    expect(told(param, start)).toHaveLength(count);
  });

  test("a poll begins now", () => {
    const state = "{polling_state: {since: (now | todate)}}";
    const program =
      "{results: .items, iterate: false, polling_state: {since: (.items[-1].updated_at // ${polling_state.since})}}";
    expect(
      polling("polling/late-import", state, { updated_since: "${polling_state.since}" }, program),
    ).toEqual([]);
  });
});

describe("polling/skipped-record", () => {
  const told = (param: string, place: string, comment?: string): string[] =>
    polling(
      "polling/skipped-record",
      "{polling_state: {place: 0}}",
      { [param]: "${polling_state.place}", limit: 50 },
      `{results: .items, iterate: .has_more, polling_state: {place: (${place} // \${polling_state.place})}}`,
      { "/data_intake/0/_comment": comment },
    );
  test.each([
    ["after_id", "(.items | last | .id + 1)", undefined, 1],
    ["after", "(.items[-1].seq + 1)", undefined, 1],
    ["afterNo", "(([.items[].no] | max) + 1)", undefined, 1],
    ["from_id", "(.items[-1].id + 1)", "from_id is exclusive.", 1],
    ["min", "(.items[-1].id + 1)", "The list has the items with an id greater than min.", 1],
    ["after_id", "(.items | last | .id)", undefined, 0],
    ["from_id", "(.items[-1].id + 1)", undefined, 0],
    ["after_id", "(.items[-1].id + 1)", "after_id is inclusive here.", 0],
    ["min_id", "(.items[-1].id + 1)", "min_id is inclusive.", 0],
    // Times that are called so may be inclusive.
    ["updated_after", "(.items[-1].updated + 1)", undefined, 0],
    ["page", "(.page + 1)", undefined, 0],
  ])("%s: %s, %s", (param, place, comment, count) => {
    expect(told(param, place, comment)).toHaveLength(count);
  });
});

const order = (condition: string, keep: string): unknown => ({
  "!switch": {
    jq: condition,
    cases: [
      {
        "!pipe": [
          {
            "!http": { method: "POST", path: "/exports", body: { modified_from: "${polling_state.since}" } },
          },
          {
            "!jq":
              "{polling_state: {since: ${polling_state.since}, export_id: .export.id, until: .export.until, page: 1}}",
          },
        ],
      },
      { "!jq": keep },
    ],
  },
});
const exported = (end: string, more: Changes = {}): Changes => ({
  "/data_intake/0/initial_setup": {
    "!jq": "{polling_state: {since: (now - 86400 | floor | todate), export_id: null, until: null, page: 1}}",
  },
  "/data_intake/0/pre_poll": order(
    "if ${polling_state.export_id} == null then 0 else 1 end",
    "{polling_state: ${polling_state}}",
  ),
  "/data_intake/0/request/!pipe/0/!http": {
    path: "/exports/${polling_state.export_id}/pages/${polling_state.page}",
  },
  "/data_intake/0/request/!pipe/1/!jq": `(\${polling_state.page} < .page_count) as $more | {results: .items, iterate: $more, polling_state: (if $more then \${polling_state} + {page: (\${polling_state.page} + 1)} else ${end} end)}`,
  "/data_intake/0/post_poll": undefined,
  ...more,
});

describe("polling/kept-job", () => {
  test.each([
    ["{since: ${polling_state.until}, export_id: ${polling_state.export_id}, until: null, page: 1}", 1],
    ["(${polling_state} + {since: ${polling_state.until}, page: 1})", 1],
    ["{since: ${polling_state.until}, export_id: null, until: null, page: 1}", 0],
    ["(${polling_state} + {since: ${polling_state.until}, export_id: null, page: 1})", 0],
  ])("%s", (end, count) => {
    expect(findings("polling/kept-job", "inbound-polling", exported(end))).toHaveLength(count);
  });

  test.each([
    // Each cycle orders its own.
    [
      {
        "/data_intake/0/pre_poll": {
          "!pipe": [
            {
              "!http": {
                method: "POST",
                path: "/exports",
                body: { modified_from: "${polling_state.since}" },
              },
            },
            {
              "!jq":
                "{polling_state: {since: ${polling_state.since}, export_id: .export.id, until: .export.until, page: 1}}",
            },
          ],
        },
      },
    ],
    // A session that is made once, and a list that is asked for from another time on each time.
    [
      {
        "/data_intake/0/request/!pipe/0/!http": {
          path: "/sessions/${polling_state.export_id}/items",
          params: { since: "${polling_state.since}", page: "${polling_state.page}" },
        },
      },
    ],
  ])("right: %j", (more) => {
    const end =
      "{since: ${polling_state.until}, export_id: ${polling_state.export_id}, until: null, page: 1}";
    expect(findings("polling/kept-job", "inbound-polling", exported(end, more))).toEqual([]);
  });
});

describe("polling/early-receipt of an export", () => {
  const end = "{since: ${polling_state.until}, export_id: null, until: null, page: 1}";
  const receipt = (body: Changes): Changes => ({
    "/data_intake/0/post_poll": {
      "!pipe": [
        { "!http": { method: "PUT", path: "/receipt", body } },
        { "!jq": "{polling_state: ${polling_state}}" },
      ],
    },
  });
  test.each([
    [{ read_until: "${polling_state.until}" }, 1],
    [{ confirmed: { up_to: "${polling_state.until}" } }, 1],
    [{ read_until: "${polling_state.since}" }, 0],
    [{ export: "${polling_state.export_id}" }, 0],
  ])("%j", (body, count) => {
    expect(findings("polling/early-receipt", "inbound-polling", exported(end, receipt(body)))).toHaveLength(
      count,
    );
  });
});

describe("polling/lost-start by a later time", () => {
  const told = (
    from: string,
    setup = "(now | floor) as $now | {polling_state: {from: ($now - 86400 * 30), to: $now, offset: 0}}",
  ): string[] =>
    polling(
      "polling/lost-start",
      setup,
      {
        raised_from: "${polling_state.from}",
        raised_to: "${polling_state.to}",
        offset: "${polling_state.offset}",
      },
      "(${polling_state.offset} + (.items | length)) as $read | {results: .items, iterate: ($read < .total), polling_state: (if $read < .total then ${polling_state} + {offset: $read} else {from: ${polling_state.to}, to: ${polling_state.to}, offset: 0} end)}",
      {
        "/data_intake/0/pre_poll": {
          "!jq": `if \${polling_state.offset} > 0 then {polling_state: \${polling_state}} else {polling_state: {from: ${from}, to: (now - 900 | floor), offset: 0}} end`,
        },
      },
    );
  test("told", () => {
    expect(told("${polling_state.to}")).toHaveLength(1);
  });
  test.each([
    ["${polling_state.from}"],
    ["(${polling_state.from} - 300)"],
    // A window that slides, whatever was set up.
    ["(now - 1800 | floor)"],
  ])("%s is right", (from) => {
    expect(told(from)).toEqual([]);
  });
  test("the window that is set up is empty, and the next one begins at its end", () => {
    const setup = "(now - 86400 | floor) as $start | {polling_state: {from: $start, to: $start, offset: 0}}";
    expect(told("${polling_state.to}", setup)).toEqual([]);
  });
});

describe("polling/cut-cycle: places kept while the window moves", () => {
  const told = (cursor: string, from: string, comment?: string): string[] =>
    polling(
      "polling/cut-cycle",
      "(now - 86400 | floor) as $start | {polling_state: {from: $start, to: $start, resume_at: $start, cursor: null}}",
      {
        ended_from: "${polling_state.from}",
        ended_before: "${polling_state.to}",
        cursor: "${polling_state.cursor}",
      },
      "{results: .trips, iterate: (.next_cursor != null), polling_state: {from: ${polling_state.from}, to: ${polling_state.to}, resume_at: (if .next_cursor == null then ${polling_state.to} else (.trips[-1].ended_at // ${polling_state.resume_at}) end), cursor: .next_cursor}}",
      {
        "/data_intake/0/_comment": comment,
        "/data_intake/0/pre_poll": {
          "!jq": `{polling_state: {from: ${from}, to: (now - 900 | floor), resume_at: \${polling_state.resume_at}, cursor: ${cursor}}}`,
        },
      },
    );
  test.each([
    ["${polling_state.cursor}", "${polling_state.resume_at}", 1],
    ["null", "${polling_state.resume_at}", 0],
  ])("%s, %s", (cursor, from, count) => {
    expect(told(cursor, from)).toHaveLength(count);
  });
});

describe("polling/clock-watermark: late records and windows that go on over several keys", () => {
  const told = (end: string, comment: string): string[] =>
    polling(
      "polling/clock-watermark",
      "(now - 86400 | floor) as $start | {polling_state: {from: $start, to: $start, resume_at: $start, cursor: null}}",
      {
        ended_from: "${polling_state.from}",
        ended_before: "${polling_state.to}",
        cursor: "${polling_state.cursor}",
      },
      "{results: .trips, iterate: (.next_cursor != null), polling_state: {from: ${polling_state.from}, to: ${polling_state.to}, resume_at: (if .next_cursor == null then ${polling_state.to} else (.trips[-1].ended_at // ${polling_state.resume_at}) end), cursor: .next_cursor}}",
      {
        "/data_intake/0/_comment": comment,
        "/data_intake/0/pre_poll": {
          "!jq": `{polling_state: {from: \${polling_state.resume_at}, to: ${end}, resume_at: \${polling_state.resume_at}, cursor: null}}`,
        },
      },
    );
  test.each([
    ["(now | floor)", "A trip can show up as much as ten minutes after its end.", 1],
    ["(now - 60 | floor)", "Trips appear up to 5 minutes late.", 1],
    ["(now - 900 | floor)", "A trip can show up as much as ten minutes after its end.", 0],
    ["(now | floor)", "A trip ends where the car is left.", 0],
  ])("%s, %s", (end, comment, count) => {
    expect(told(end, comment)).toHaveLength(count);
  });
});

describe("polling/opaque-place by what the answer calls it", () => {
  const told = (place: string, comment: string): string[] =>
    polling(
      "polling/opaque-place",
      "{polling_state: {after: null}}",
      { after: "${polling_state.after}", first: 100 },
      `{results: .nodes, iterate: .pageInfo.hasNextPage, polling_state: {after: (${place} // \${polling_state.after})}}`,
      { "/data_intake/0/_comment": comment },
    );
  test.each([
    ["(.nodes | last | .id)", "endCursor is opaque and only good for after.", 1],
    [".nodes[-1].id", "The endCursor of a page is an opaque text that goes into after.", 1],
    [".pageInfo.endCursor", "endCursor is opaque and only good for after.", 0],
    ["(.nodes | last | .id)", "The id of a node is opaque and goes into after.", 0],
    ["(.nodes | last | .id)", "endCursor is opaque.", 0],
  ])("%s, %s", (place, comment, count) => {
    expect(told(place, comment)).toHaveLength(count);
  });
});

describe("polling/early-watermark with the answer's own page", () => {
  const told = (after: string, page: string): string[] =>
    polling(
      "polling/early-watermark",
      "(now - 86400 | floor) as $from | {polling_state: {after: $from, newest: $from, page: 0}}",
      { raised_after: "${polling_state.after}", page: "${polling_state.page}" },
      `(.page.index + 1 < .page.count) as $more | ([\${polling_state.newest}, .items[].raised_at] | max) as $newest | {results: .items, iterate: $more, polling_state: {after: ${after}, newest: $newest, page: ${page}}}`,
    );
  test.each([
    ["$newest", "(if $more then .page.index + 1 else 0 end)", 1],
    ["$newest", "(if $more then ${polling_state.page} + 1 else 0 end)", 1],
    [
      "(if $more then ${polling_state.after} else $newest end)",
      "(if $more then .page.index + 1 else 0 end)",
      0,
    ],
    // Each page is the first one behind what was read.
    ["$newest", "0", 0],
  ])("%s, %s", (after, page, count) => {
    expect(told(after, page)).toHaveLength(count);
  });
});

describe("polling/other-counter", () => {
  const told = (iterate: string, page: string): string[] =>
    polling(
      "polling/other-counter",
      "{polling_state: {page: 1}}",
      { page: "${polling_state.page}" },
      `{results: .items, iterate: (${iterate}), polling_state: {page: (${page})}}`,
    );
  test.each([
    [".paging.page * 50 < .paging.total", ".page + 1", 1],
    [".meta.page < .meta.pages", "if .meta.page < .meta.pages then .page + 1 else 1 end", 1],
    [".paging.page < .paging.pages", ".paging.page + 1", 0],
    [".paging.pages > 1 and .page < .paging.pages", ".page + 1", 0],
    [".page < .pages", ".page + 1", 0],
    [".has_more", ".page + 1", 0],
    [".paging.page < .paging.pages", "${polling_state.page} + 1", 0],
  ])("%s, %s", (iterate, page, count) => {
    expect(told(iterate, page)).toHaveLength(count);
  });
});

describe("polling/documented-bound of records", () => {
  const told = (value: string, comment: string): string[] =>
    polling(
      "polling/documented-bound",
      "{polling_state: {since: (now - 86400 | floor)}}",
      { changed_since: "${polling_state.since}" },
      `{results: .items, iterate: .has_more, polling_state: {since: ${value}}}`,
      { "/data_intake/0/_comment": comment },
    );
  const comment = "changed_since is in Unix seconds; an item's changed_at is an ISO time in UTC.";
  test.each([
    ["([${polling_state.since}, .items[].changed_at] | max)", comment, 1],
    ["(.items[-1].changed_at // ${polling_state.since})", comment, 1],
    ["([${polling_state.since}, (.items[].changed_at | fromdate)] | max)", comment, 0],
    ["(.items[-1].changed_at // ${polling_state.since})", "changed_since is in Unix seconds.", 0],
    [
      "(.items[-1].changed_at // ${polling_state.since})",
      "changed_since and changed_at are Unix seconds.",
      0,
    ],
  ])("%s, %s", (value, said, count) => {
    expect(told(value, said)).toHaveLength(count);
  });
});

describe("polling/oldest-record", () => {
  const told = (params: Changes, place: string, comment: string): string[] =>
    findings("polling/oldest-record", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/initial_setup": {
        "!pipe": [{ "!http": { path: "/changes", params } }, { "!jq": `{polling_state: {after: ${place}}}` }],
      },
      "/data_intake/0/request/!pipe": [
        { "!http": { path: "/changes", params: { after: "${polling_state.after}", limit: 50 } } },
        {
          "!jq":
            "{results: .changes, iterate: ((.changes | length) == 50), polling_state: {after: (.changes[-1].no // ${polling_state.after})}}",
        },
      ],
    });
  const ascending = "GET /changes lists {no, kind} with a number above after, lowest first.";
  test.each([
    [{ after: 0, limit: 1 }, ".changes[0].no", ascending, 1],
    [{ limit: 1 }, "(.changes | last | .no)", ascending, 1],
    [{ after: 0, limit: 1, sort: "no:asc" }, "(.changes | first | .no)", "", 1],
    [{ limit: 1, sort: "-no" }, ".changes[0].no", ascending, 0],
    [{ after: 0, limit: 1 }, ".head_no", ascending, 0],
    [{ after: 0, limit: 1 }, ".changes[0].no", "Changes come newest first.", 0],
    [{ limit: 1 }, ".changes[0].no", "", 0],
    [{ after: 0, limit: 500 }, ".changes[-1].no", ascending, 0],
  ])("%j, %s, %s", (params, place, comment, count) => {
    expect(told(params, place, comment)).toHaveLength(count);
  });
});

const secret = (verification = "hook_token", more: Changes = {}): Changes => ({
  "/data_intake/0/create": {
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": "{hook_id: .id, hook_token: .token}" },
      { "!save": { scope: "workflow" } },
    ],
  },
  "/data_intake/0/verification": {
    "!switch": {
      jq: `if .headers["x-token"] == \${data.workflow.${verification}} then 0 else 1 end`,
      cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
    },
  },
  ...more,
});

describe("intake/secret-as-id", () => {
  test.each([
    ["/hooks/${data.workflow.hook_token}", 1],
    ["/hooks/${data.workflow.hook_token}/disable", 1],
    ["/hooks/${data.workflow.hook_id}", 0],
    ["/hooks/${data.workflow.hook_id}/tokens/${data.workflow.hook_token}", 0],
    ["/hooks/${data.workflow.hook_id}?token=${data.workflow.hook_token}", 0],
  ])("%s", (path, count) => {
    const found = findings("intake/secret-as-id", "inbound-webhook", {
      ...secret(),
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path } },
    });
    expect(found).toHaveLength(count);
  });
});

describe("intake/lost-secret", () => {
  const told = (program: string, comment: string): string[] =>
    findings("intake/lost-secret", "inbound-webhook", {
      ...secret("hook_token", { "/data_intake/0/_comment": comment }),
      "/data_intake/0/update": {
        "!pipe": [
          {
            "!http": {
              method: "PUT",
              path: "/hooks/${data.workflow.hook_id}",
              body: { url: "${webhook.url}" },
            },
          },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
    });
  const all = "{hook_id: .id, hook_token: .token}";
  test.each([
    [all, "A PUT leaves the token as it is and doesn't show it again.", 1],
    [all, "The token is shown once, in the answer to the POST.", 1],
    [all, "The token is only returned when the hook is made.", 1],
    ["{hook_id: .id}", "A PUT leaves the token as it is and doesn't show it again.", 0],
    [all, "Each PUT gives the hook a new token.", 0],
    [all, "A hook and its token stay the same.", 0],
    [all, "A delivery doesn't contain the id; the token is in x-token.", 0],
    [all, "", 0],
  ])("%s, %s", (program, comment, count) => {
    expect(told(program, comment)).toHaveLength(count);
  });
});

describe("api/first-record-token", () => {
  const told = (param: string, program: string): string[] =>
    findings("api/first-record-token", "outbound", {
      "/api/pagination": {
        style: { type: "cursor", cursor: { param } },
        parser: { next_result_token: { "!jq": program } },
      },
    });
  test.each([
    ["after", "if .has_more then .items[0].id else null end", 1],
    ["starting_after", ".items | first | .id", 1],
    ["after", ".data.items[0].cursor", 1],
    ["after", "if .has_more then .items[-1].id else null end", 0],
    ["after", ".items | last | .id", 0],
    // What is shown from the newest on may begin before its first one.
    ["before", ".items[0].id", 0],
    ["cursor", ".links[0].href", 0],
    ["after", ".next", 0],
  ])("%s: %s", (param, program, count) => {
    expect(told(param, program)).toHaveLength(count);
  });
});

describe("api/documented-start in other words", () => {
  const told = (param: string, value: number, comment: string): string[] =>
    findings("api/documented-start", "outbound", {
      "/api/_comment": comment,
      "/api/pagination": {
        style: { type: "limitoffset", limit: { param: "rows", value: 100 }, offset: { param, value } },
        parser: { total_items: { "!jq": ".row_count" } },
      },
    });
  test.each([
    ["from_row", 0, "Lists come in pages; the first row has the number 1.", 1],
    ["offset", 1, "offset is zero-based.", 1],
    ["start", 0, "A 1-based offset.", 1],
    ["from_row", 1, "Lists come in pages; the first row has the number 1.", 0],
    ["offset", 0, "offset is zero-based.", 0],
    ["from_row", 0, "The first row has 1,200 columns at most.", 0],
    ["from_row", 0, "The first page is sent twice.", 0],
  ])("%s %s: %s", (param, value, comment, count) => {
    expect(told(param, value, comment)).toHaveLength(count);
  });
});
