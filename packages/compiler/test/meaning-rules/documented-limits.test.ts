import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Limits, places and guards: what comments say of pages, ages and heads, and what looks alike and is right. */

describe("jq/either-guard", () => {
  test.each([
    ['.token as $t | if $t != "" or .sent == $t then {email} else null end', 1],
    ['if (.token // "") != "" or .sent == .token then {email} else null end', 1],
    ['if .owner == null and .owner.role != "admin" then null else {email} end', 1],
    ['if .owner != null and .owner.role == "admin" then {email} else null end', 0],
    ['if .owner == null or .owner.role != "admin" then null else {email} end', 0],
    // A filter that isn't set lets everything pass.
    ['.wanted as $w | if $w == "" or .kind == $w then {email} else null end', 0],
    // Of two different values.
    ['if .phone != "" or .mobile == "none" then {email} else null end', 0],
    ['if .owner != null or .owners == "all" then {email} else null end', 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/either-guard", program)).toHaveLength(count);
  });
});

describe("jq/never-null of lists", () => {
  test.each([
    ["{email, known: (.tags | map(select(. == 1)) != null)}", 1],
    ["{email, known: ([.tags[] | select(. == 1)] != null)}", 1],
    ["[.tags[]?] as $tags | {email, none: ($tags == null)}", 1],
    ["{email, known: ([.tags[] | select(. == 1)][0] != null)}", 0],
    ["{email, known: (first(.tags[] | select(. == 1)) != null)}", 0],
    ["{email, known: ([.tags[] | select(. == 1)] != [])}", 0],
    ["{email, known: ((.tags | index(1)) != null)}", 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/never-null", program)).toHaveLength(count);
  });
});

describe("intake/other-tolerance", () => {
  const told = (said: string, limit: string, now = "now"): string[] =>
    findings("intake/other-tolerance", "inbound-webhook", {
      "/data_intake/0/verification": {
        _comment: said,
        "!pipe": [
          { "!jq": '{value_to_encrypt: (.headers["x-timestamp"] + .raw_body)}' },
          { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
          {
            "!switch": {
              jq: `if (${now} - (\${piped_content.0.headers.x-timestamp} | tonumber)) < ${limit} and .hash == \${piped_content.0.headers.x-signature} then 0 else 1 end`,
              cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
            },
          },
        ],
      },
    });

  test.each([
    ["Older than five minutes is a replay.", "300000", "now", 1],
    ["Over 10 minutes old means refuse.", "60", "now", 1],
    ["Deliveries that are more than 300 seconds off must be turned away.", "300000", "now", 1],
    ["Older than five minutes is a replay.", "300", "now", 0],
    ["Older than five minutes is a replay.", "240", "now", 0],
    ["Older than a minute is a replay, older than an hour is dropped.", "300000", "now", 0],
    ["It retries for up to three hours.", "300", "now", 0],
    ["Older than five minutes is a replay. The time is in milliseconds.", "300000", "now * 1000", 0],
  ])("%s %s", (said, limit, now, count) => {
    expect(told(said, limit, now)).toHaveLength(count);
  });
});

describe("intake/query-of-post", () => {
  const told = (said: string, condition: string, from: string): string[] =>
    findings("intake/query-of-post", "inbound-webhook", {
      "/data_intake/0/verification": {
        _comment: said,
        "!switch": {
          jq: `if ${condition} then 0 else 1 end`,
          cases: [
            { "!respond": { code: 200, body: { challenge: `\${piped_content.0.${from}.challenge}` } } },
            { "!respond": { process_payload: true } },
          ],
        },
      },
    });
  const posts = 'At first it posts {"type": "check", "challenge": "…"}.';
  const gets = "At first it calls us with ?mode=check&challenge=TEXT.";

  test.each([
    [posts, '.body.type == "check"', "query", 1],
    [posts, '.body.type == "check"', "body", 0],
    [gets, '.query.mode == "check"', "query_params", 0],
    // Nothing says where it is, or another place.
    ["At first it sends a challenge.", '.body.type == "check"', "query", 0],
    [gets, '.body.type == "check"', "query", 0],
  ])("%s %s %s", (said, condition, from, count) => {
    expect(told(said, condition, from)).toHaveLength(count);
  });
});

describe("pages", () => {
  const paged = (rule: string, pagination: object): string[] =>
    findings(rule, "outbound", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/lists", pagination: true } },
          { "!jq": "[.items[] | {display: .name, value: .id}]" },
        ],
      },
      "/api/pagination": pagination,
    });
  const offsets = (said: string, size: unknown, total = ".total", more: object = {}): object => ({
    _comment: said,
    style: {
      type: "limitoffset",
      limit: { param: "limit", value: size },
      offset: { param: "offset" },
      ...more,
    },
    parser: { total_items: { "!jq": total } },
  });

  test.each([
    ["A limit above 200 is quietly cut down to 200.", 1000, 1],
    ["limit is at most 200", 500, 1],
    ["limit runs from 1 to 100.", 200, 1],
    ["100 rows a page at most.", 200, 1],
    ["limit is at most 200", 200, 0],
    ["limit is at most 200", 50, 0],
    ["At most 100 requests a minute.", 200, 0],
    ["A page has records in the order of their ids.", 200, 0],
    ["limit is at most 200; for exports a page has up to 1000.", 500, 0],
  ])("%s %s", (said, size, count) => {
    expect(paged("api/page-over-limit", offsets(said, size))).toHaveLength(count);
  });

  test.each([
    [".total - .offset", 1],
    [".meta.total - .meta.skip", 1],
    [".total - (.items | length)", 1],
    [".total", 0],
    [".total - .hidden", 0],
  ])("%s", (total, count) => {
    expect(paged("api/page-arithmetic", offsets("", 100, total))).toHaveLength(count);
  });

  const extra = { extra: [{ param: "$count", value: "true" }] };
  test.each([
    ["The count is only there when $count=true is asked for.", {}, 1],
    ["The total is only given with withTotal=1.", {}, 1],
    ["The count is only there when $count=true is asked for.", extra, 0],
    ["The count is always there.", {}, 0],
  ])("%s %j", (said, more, count) => {
    expect(paged("api/unasked-count", offsets(said, 100, ".count", more))).toHaveLength(count);
  });

  const cursors = (said: string, token: string): object => ({
    _comment: said,
    style: { type: "cursor" },
    parser: { next_result_token: { "!jq": token } },
  });
  test.each([
    ["page = {before, after}: tokens of the pages beside it", ".page.before", 1],
    ["cursors has the tokens previous and next", ".cursors.previous", 1],
    ["page = {before, after}: tokens of the pages beside it", ".page.after", 0],
    // The newest come first, and it goes back in time.
    ["Newest first: before is the token of older pages, after of newer ones", ".page.before", 0],
    ["A token", ".page.before", 0],
  ])("%s %s", (said, token, count) => {
    expect(paged("api/other-page", cursors(said, token))).toHaveLength(count);
  });
});

describe("polling/head-watermark of a key", () => {
  const told = (said: string, value: string): string[] =>
    findings("polling/head-watermark", "inbound-polling", {
      "/data_intake/0/_comment": said,
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {after: 0}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { after: "${polling_state.after}", limit: 100 },
      "/data_intake/0/request/!pipe/1/!jq": `{results: .items, iterate: .more, polling_state: {after: (${value})}}`,
    });
  const said = "polling_state.after is the number of the last change that we have.";

  test.each([
    [said, ".newest", 1],
    [said, ".latest_no // ${polling_state.after}", 1],
    [said, ".items[-1].no // ${polling_state.after}", 0],
    [said, ".next_after", 0],
    ["after is a bookmark.", ".newest", 0],
  ])("%s %s", (comment, value, count) => {
    expect(told(comment, value)).toHaveLength(count);
  });
});

describe("jq/same-month", () => {
  const first = 'now | strftime("%Y-%m-01") | strptime("%Y-%m-%d") | mktime';
  test.each([
    [`{on: (${first} + 30 * 86400 | strftime("%Y-%m-01"))}`, 1],
    [
      `def start: strftime("%Y-%m-01T00:00:00Z") | fromdate; {on: (now | start + 28 * 86400 | start | todate)}`,
      1,
    ],
    [`{on: (${first} + 31 * 86400 | strftime("%Y-%m-01"))}`, 0],
    [`{on: (${first} + 28 * 86400 | strftime("%Y-%m-%d"))}`, 0],
    [`{on: (now + 28 * 86400 | strftime("%Y-%m-01"))}`, 0],
    [`{on: (${first} - 86400 | strftime("%Y-%m-01"))}`, 0],
  ])("%s", (program, count) => {
    expect(inSource("jq/same-month", program)).toHaveLength(count);
  });
});
