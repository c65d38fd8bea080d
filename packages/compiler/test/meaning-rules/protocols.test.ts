import { describe, expect, test } from "vitest";
import { allFindings, findings, inPolling } from "../support/rule-findings.ts";

const registered = (method: string, path: string, saved: string | undefined): object => ({
  "!pipe": [
    { "!http": { method, path, body: { url: "${webhook.url}" } } },
    ...(saved === undefined ? [] : [{ "!jq": saved }, { "!save": { scope: "workflow" } }]),
  ],
});
const verification = {
  "!switch": {
    jq: 'if .headers["x-key"] == ${data.workflow.hook_secret} then 0 else 1 end',
    cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
  },
};
const both = "{hook_id: (.hook.id | tostring), hook_secret: .hook.secret}";

describe("intake/unsaved-new-id", () => {
  const own = "/hooks/${data.workflow.hook_id}";
  const told = (comment: unknown, update: object, inUpdate = false): number =>
    findings("intake/unsaved-new-id", "inbound-webhook", {
      "/data_intake/0/_comment": inUpdate ? undefined : comment,
      "/data_intake/0/create": registered("POST", "/hooks", both),
      "/data_intake/0/update": inUpdate ? { _comment: comment, ...update } : update,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: own } },
      "/data_intake/0/verification": verification,
    }).length;
  const secret = registered("PUT", own, "{hook_secret: .hook.secret}");
  test.each([
    ["The answer describes a new one, with its own id; the old hook is gone.", 1],
    ["A PUT makes a new hook: its answer has another id and secret.", 1],
    ["The hook is replaced and gets a new id.", 1],
    ["A hook can't be changed: PUT removes it and answers with another one.", 1],
    ["PUT gives a different registration, and the id changes.", 1],
    ["Each change renews the hook's secret. A PUT keeps the id.", 0],
    ["A PUT keeps the id, but there is a new secret each time.", 0],
    ["PUT answers alike, but with a new token: the old one is void from then on.", 0],
    ["PUT /hooks/ID changes the address; the secret is another each time.", 0],
    ["The id stays the same, also in a new hook.", 0],
    ["The address must be sent, ours is a new one after each change.", 0],
    [undefined, 0],
  ])("%s", (comment, count) => {
    expect(told(comment, secret, true)).toBe(count);
  });
  test.each([
    ["PUT makes a new webhook with its own id.", 1],
    ["POST /hooks gives each hook a new id.", 0],
    ["Each delivery has a new id, also when the record was changed.", 0],
  ])("around it: %s", (comment, count) => {
    expect(told(comment, secret)).toBe(count);
  });
  test.each([
    ["posts to the registration", registered("POST", own, undefined), 0],
    [
      "posts to the list, with the id",
      { "!http": { method: "POST", path: "/hooks", body: { id: "${data.workflow.hook_id}" } } },
      0,
    ],
  ])("%s", (_, update, count) => {
    expect(told(undefined, update)).toBe(count);
  });
});

describe("intake/delete-unnamed", () => {
  const own = "/hooks/${data.workflow.hook_id}";
  const put = { "!http": { method: "PUT", path: own, body: { url: "${webhook.url}" } } };
  const told = (remove: object, update: object | undefined, more: Record<string, unknown> = {}): number =>
    findings("intake/delete-unnamed", "inbound-webhook", {
      "/data_intake/0/create": registered("POST", "/hooks", both),
      "/data_intake/0/update": update,
      "/data_intake/0/delete": remove,
      "/data_intake/0/verification": verification,
      ...more,
    }).length;
  const request = (method: string, path: string, more: object = {}) => ({
    "!http": { method, path, ...more },
  });
  const ofForm = "/forms/${custom_data.form.value}/hooks";
  test.each([
    [request("DELETE", ofForm), put, 1],
    [request("DELETE", ofForm), undefined, 1],
    [request("DELETE", "/hooks/all"), put, 1],
    [request("DELETE", "/me/hooks"), undefined, 1],
    [request("DELETE", "/hooks", { params: { form: "${custom_data.form.value}" } }), put, 0],
    [request("POST", "/hooks/unsubscribe", { body: { form: "${custom_data.form.value}" } }), put, 1],
    [request("DELETE", own), put, 0],
    [request("DELETE", ofForm, { params: { id: "${data.workflow.hook_id}" } }), put, 0],
    [request("POST", "/hooks/unsubscribe", { body: { url: "${webhook.url}" } }), put, 0],
    // It looks for it first.
    [
      {
        "!pipe": [
          request("GET", ofForm),
          { "!jq": '{id: ([.hooks[] | select(.name == "ours")] | first | .id)}' },
          request("DELETE", "/hooks/${piped_content.2.id}"),
        ],
      },
      put,
      0,
    ],
  ])("%j", (remove, update, count) => {
    expect(told(remove, update)).toBe(count);
  });
  test("where there is one only, or only a secret is saved", () => {
    const comment = { "/data_intake/0/_comment": "A form has only one hook." };
    expect(told(request("DELETE", ofForm), put, comment)).toBe(0);
    const create = { "/data_intake/0/create": registered("POST", ofForm, "{hook_secret: .secret}") };
    expect(told(request("DELETE", ofForm), request("PUT", ofForm), create)).toBe(0);
  });
  test("the hint isn't given too", () => {
    const all = allFindings("inbound-webhook", {
      "/data_intake/0/update": put,
      "/data_intake/0/delete": request("DELETE", ofForm),
    });
    expect(all.map(({ rule }) => rule)).not.toContain("intake/unread-registration");
  });
});

describe("a comment says what counts a page", () => {
  const told = (comment: unknown, program: string): number =>
    findings("api/page-counted", "outbound", {
      "/api/_comment": comment,
      "/api/pagination": {
        style: {
          type: "limitoffset",
          limit: { param: "limit", value: 50 },
          offset: { param: "offset", value: 0 },
        },
        parser: { total_items: { "!jq": program } },
      },
    }).length;
  test.each([
    [
      "Lists have paging {count, total}: count is the length of this page, total that of all pages.",
      ".paging.count",
      1,
    ],
    [
      "Lists have paging {count, total}: count is the length of this page, total that of all pages.",
      ".paging.total",
      0,
    ],
    ["meta.count says how many records are on the page.", ".meta.count", 1],
    ["meta.size: the number of entries in this answer.", ".meta.size // 0", 1],
    ["Lists end with size (of this page) and found (of all).", ".size", 1],
    ["Lists end with size (of this page) and found (of all).", ".found", 0],
    ["They say how many are on this page (`count`) and how many there are (`matches`).", ".count", 1],
    ["They say how many are on this page (`count`) and how many there are (`matches`).", ".matches", 0],
    ["matches counts all records, whatever the page.", ".count", 1],
    ["matches counts all records, whatever the page.", ".matches", 0],
    ["count counts all items of the list, not those of the page.", ".count", 0],
    ["`total` counts every entry, not those of the page.", ".total", 0],
    ["page.count is the number of all records, page.number that of the page.", ".page.count", 0],
    ["Each page has at most 50 records.", ".count", 0],
  ])("%s %s", (comment, program, count) => {
    expect(told(comment, program)).toBe(count);
  });
  test.each([
    // Of pages or of records.
    [".meta.page.total", 0],
    [".meta.pages.total", 0],
    [".meta.total", 1],
  ])("%s as the number of pages", (program, count) => {
    const pagination = {
      style: {
        type: "page",
        page_number: { param: "page", value: 1 },
        page_size: { param: "per_page", value: 50 },
      },
      parser: { total_pages: { "!jq": program } },
    };
    expect(findings("api/miscounted-pages", "outbound", { "/api/pagination": pagination })).toHaveLength(
      count,
    );
  });
  test.each([".meta.returned", ".numberOfElements", ".items_on_page", ".currentItemCount"])(
    "%s",
    (program) => {
      const pagination = {
        style: {
          type: "limitoffset",
          limit: { param: "limit", value: 50 },
          offset: { param: "offset", value: 0 },
        },
        parser: { total_items: { "!jq": program } },
      };
      expect(findings("api/miscounted-pages", "outbound", { "/api/pagination": pagination })).toHaveLength(1);
    },
  );
});

describe("a comment says what stands for a token behind the last page", () => {
  const told = (comment: unknown, iterate: string, token = ".next_token"): number =>
    ["polling/asks-on", "polling/ends-early"].flatMap((rule) =>
      inPolling(rule, {
        initial_setup: { "!jq": "{polling_state: {token: null}}" },
        pre_poll: undefined,
        post_poll: undefined,
        _comment: comment,
        request: {
          "!pipe": [
            { "!http": { path: "/items", params: { token: "${polling_state.token}" } } },
            { "!jq": `{results: .items, iterate: (${iterate}), polling_state: {token: ${token}}}` },
          ],
        },
      }),
    ).length;
  test.each([
    ["On the last page next_token is null.", '.next_token != ""', 1],
    ["On the last page next_token is null.", ".next_token != null", 0],
    ["next_token is empty on the last page.", ".next_token != null", 1],
    ["next_token is empty on the last page.", '.next_token != ""', 0],
    ["An empty next_token means that there are no more records.", ".next_token != null", 1],
    ["next_token is left out on the final page.", '.next_token != ""', 1],
    ["A page token stands for a snapshot; the last page gives null as next_token.", '.next_token != ""', 1],
    ["There is no next_token on the last page.", '.next_token != ""', 1],
    ["There is no next_token on the last page.", '(.next_token // "") != ""', 0],
    ["next_token is null or empty on the last page.", '.next_token != ""', 0],
    ["prev_token is null on the last page.", '.next_token != ""', 0],
    ["next_token is never null; the last page has an empty list.", ".next_token != null", 0],
    ["The cursor is null at the end.", '.next_token != ""', 1],
    ["Lists of boxes: next_link is null on the last page.", '.next_token != ""', 0],
  ])("%s %s", (comment, iterate, count) => {
    expect(told(comment, iterate)).toBe(count);
  });
});

describe("a bound that is another time", () => {
  const told = (params: object, since: string, start = "(now - 86400 | todate)"): string[] =>
    ["polling/other-time", "polling/last-for-latest"].flatMap((rule) =>
      inPolling(rule, {
        initial_setup: { "!jq": `{polling_state: {changed_since: ${start}, page: 1}}` },
        pre_poll: undefined,
        post_poll: undefined,
        request: {
          "!pipe": [
            { "!http": { path: "/items", ...params } },
            {
              "!jq": `{results: .items, iterate: .has_more, polling_state: {changed_since: (${since} // \${polling_state.changed_since}), page: 1}}`,
            },
          ],
        },
      }),
    );
  const since = "${polling_state.changed_since}";
  const milliseconds = "((now - 86400) * 1000)";
  const withZeros = '(now - 86400 | strftime("%Y-%m-%dT%H:%M:%S.000Z"))';
  const query = {
    method: "POST",
    body: {
      query:
        "query($since: DateTime!) { items(changedSince: $since, orderBy: CHANGED_AT_ASC) { id changedAt deliveryOn } }",
      variables: { since },
    },
  };
  test.each([
    [{ params: { since, sort: "changed" } }, ".items[-1].released_ms", milliseconds, 1],
    [{ params: { since, sort: "changed" } }, ".items[-1].changed_ms", milliseconds, 0],
    [{ params: { since, sort: "changed" } }, "([.items[].closed_ts] | max)", "(now - 86400)", 1],
    [{ params: { since, sort: "changed" } }, "([.items[].delivery_date] | max)", withZeros, 1],
    [{ params: { since, sort: "changed" } }, "([.items[].changed_at] | max)", withZeros, 0],
    [query, "([.items[].deliveryOn] | max)", withZeros, 1],
    [query, "([.items[].changedAt] | max)", withZeros, 0],
    // It may be the time of the change under another name.
    [{ params: { since, sort: "changed" } }, "([.items[].modified_at] | max)", withZeros, 0],
    // The list is sorted by one time and asked for by another.
    [
      { params: { created_since: since, sort: "updated_at" } },
      "(if .has_more then null else [.items[].created_at] | max end)",
      withZeros,
      0,
    ],
    [{ params: { since, sort: "changed" } }, "([.items[].paid_ms] | max)", milliseconds, 1],
    // A length of time is none.
    [{ params: { since, sort: "changed" } }, "([.items[].elapsed_ms] | max)", milliseconds, 0],
  ])("%j %s", (request, taken, start, count) => {
    expect(told(request, taken, start).slice(0, 1)).toHaveLength(count);
  });
});

describe("a comment says by which time a list comes", () => {
  const told = (comment: string, member: string, params: object = {}): number =>
    inPolling("polling/other-time", {
      initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | todate)}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        _comment: comment,
        "!pipe": [
          { "!http": { path: "/items", params: { since: "${polling_state.since}", ...params } } },
          {
            "!jq": `{results: .items, iterate: .has_more, polling_state: {since: (.items[-1].${member} // \${polling_state.since})}}`,
          },
        ],
      },
    }).length;
  test.each([
    ["Items come sorted by changed_at.", "released_at", 1],
    ["Items come in the order (changed_at, id).", "released_at", 1],
    ["In ascending order of updatedAt.", "createdAt", 1],
    ["Those whose (changed_at, id) is greater than what was sent.", "opened_at", 1],
    ["Items come sorted by changed_at.", "changed_at", 0],
    ["Items come sorted by changed_at.", "modified_at", 0],
    ["The order changed: orders have released_at.", "released_at", 0],
    ["Items are sorted by changed_at, boxes are sorted by packed_at.", "packed_at", 0],
    ["changed_at is that of the last change.", "released_at", 0],
  ])("%s %s", (comment, member, count) => {
    expect(told(comment, member)).toBe(count);
  });
  test("the request says another order", () => {
    expect(told("Boxes are sorted by changed_at.", "created_at", { sort: "created_at" })).toBe(0);
  });
});

describe("polling/half-moved", () => {
  const told = (
    comment: unknown,
    params: object,
    state: string,
    more: Record<string, unknown> = {},
  ): number =>
    inPolling("polling/half-moved", {
      initial_setup: { "!jq": '{polling_state: {from: ((now - 86400) * 1000), after: ""}}' },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        _comment: comment,
        "!pipe": [
          { "!http": { path: "/items", params } },
          {
            "!jq": `(.items | last) as $last | {results: .items, iterate: .has_more, polling_state: {${state}}}`,
          },
        ],
      },
      ...more,
    }).length;
  const [from, after] = ["${polling_state.from}", "${polling_state.after}"];
  const changed = { modified_from: from, after_id: after, sort: "modified" };
  const created = { created_from: from, after_id: after, sort: "created_at" };
  const id = `after: ($last.id // ${after})`;
  const moves = `from: ($last.modified_ms // ${from}), ${id}`;
  const stays = `from: ${from}, ${id}`;
  const pair = "Only those behind the pair (created_from, after_id) come.";
  test.each([
    [undefined, changed, stays, 1],
    [undefined, { updated_since: from, starting_after: after }, stays, 1],
    [pair, created, stays, 1],
    ["Sorted by created_at, then id; the list goes on behind both.", created, stays, 1],
    ["In the order (created_at, id).", created, stays, 1],
    [undefined, changed, moves, 0],
    [pair, created, `from: ($last.created_ms // ${from}), ${id}`, 0],
    // Ids only grow, and nothing says that the time has to move.
    [undefined, created, stays, 0],
    [undefined, { ...created, sort: "id" }, stays, 0],
    // A number of the change is where a list of changes goes on.
    [undefined, changed, `from: ${from}, after: ($last.change_seq // ${after})`, 0],
    // The token of the answer leads on, whatever it is called.
    [undefined, changed, `from: ${from}, after: (.next_id // ${after})`, 0],
  ])("%s %j %s", (comment, params, state, count) => {
    expect(told(comment, params, state)).toBe(count);
  });
  test("the time moves when all pages are read", () => {
    const post_poll = { "!jq": '{polling_state: {from: (now * 1000), after: ""}}' };
    expect(told(undefined, changed, stays, { post_poll })).toBe(0);
  });
});

describe("polling/previous-cursor", () => {
  test.each([
    ["since", "$s.before", 0],
    ["after", ".page.first_cursor", 1],
  ])("%s: %s", (key, value, count) => {
    const found = inPolling("polling/previous-cursor", {
      initial_setup: { "!jq": '{polling_state: {since: "2026-01-01T00:00:00Z", before: null, after: null}}' },
      pre_poll: { "!jq": "{polling_state: (.polling_state + {before: (now | floor | todate)})}" },
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/items",
              params: { since: "${polling_state.since}", after: "${polling_state.after}" },
            },
          },
          {
            "!jq": `\${polling_state} as $s | {results: .items, iterate: (.page.next != null), polling_state: ($s + {${key}: ${value}})}`,
          },
        ],
      },
    });
    expect(found).toHaveLength(count);
  });
});
