import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Polls: tokens of the last page alone, receipts of the newest record, ends that aren't sent, and sizes beside lookups. */

const jq = (program: string) => ({ "!jq": program });
const get = (path: string, params?: object) => ({ "!http": { path, ...(params && { params }) } });
const alone = { pre_poll: undefined, post_poll: undefined };

describe("polling/cursor-of-empty-page: what only the last page has", () => {
  const told = (comment: string, value: string, token = ".next_page_token"): string[] =>
    inPolling("polling/cursor-of-empty-page", {
      ...alone,
      _comment: comment,
      initial_setup: jq("{polling_state: {sync: null, page: null}}"),
      request: {
        "!pipe": [
          get("/changes", { sync: "${polling_state.sync}", page: "${polling_state.page}" }),
          jq(
            `{results: .items, iterate: (${token} != null), polling_state: {sync: ${value}, page: ${token}}}`,
          ),
        ],
      },
    });
  const said = "Every page but the last has next_page_token, only the last has next_sync_token.";
  test.each([
    [said, ".next_sync_token"],
    ["The last page has next_sync_token and no page token.", ".next_sync_token"],
    ["next_sync_token comes with the last page only.", "(.next_sync_token)"],
  ])("lost: %s", (comment, value) => expect(told(comment, value)).toHaveLength(1));
  test.each([
    [said, "(.next_sync_token // ${polling_state.sync})"],
    [said, "(if .next_page_token != null then ${polling_state.sync} else .next_sync_token end)"],
    ["Each page has next_sync_token.", ".next_sync_token"],
    ["Pages have next_page_token; only the last one has none.", ".next_sync_token"],
  ])("kept: %s %s", (comment, value) => expect(told(comment, value)).toEqual([]));
});

describe("polling/early-receipt: the newest record there is", () => {
  const told = (path: string, receipt: object, post: string, method = "POST"): string[] =>
    inPolling("polling/early-receipt", {
      ...alone,
      initial_setup: jq("{polling_state: {seq: 0}}"),
      request: {
        "!pipe": [
          get("/feed", { after: "${polling_state.seq}" }),
          jq(
            "{results: .items, iterate: .more, polling_state: {seq: (.items[-1].seq // ${polling_state.seq})}}",
          ),
        ],
      },
      post_poll: {
        "!pipe": [
          get(path),
          { "!http": { method, path: post, body: receipt } },
          jq("{polling_state: ${polling_state}}"),
        ],
      },
    });
  test.each([
    ["/feed/head", { up_to: "${piped_content.1.seq}" }, "/feed/ack"],
    ["/feed/latest", { read_until: "${piped_content.1.seq}" }, "/marks"],
    ["/items/newest", { list: "a", through: "${piped_content.1.item.seq}" }, "/feed/receipts"],
  ])("confirms what wasn't read: %s", (path, body, post) => expect(told(path, body, post)).toHaveLength(1));
  test.each([
    ["/feed/head", { up_to: "${polling_state.seq}" }, "/feed/ack"],
    ["/feed/settings", { up_to: "${piped_content.1.name}" }, "/feed/ack"],
    ["/feed/head", { shown: "${piped_content.1.seq}" }, "/dashboards"],
  ])("confirms what was read, or nothing: %s", (path, body, post) =>
    expect(told(path, body, post)).toEqual([]),
  );
});

describe("polling/same-request: a token that ends the lists of the document", () => {
  const told = (iterate: string, parser: string, param: string, sent = "after", next = ".links.next_after") =>
    findings("polling/same-request", "inbound-polling", {
      "/api/pagination": {
        style: { type: "cursor", cursor: { param } },
        parser: { next_result_token: jq(parser) },
      },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/initial_setup": jq("{polling_state: {after: null}}"),
      "/data_intake/0/request": {
        "!pipe": [
          get("/orders", { [sent]: "${polling_state.after}" }),
          jq(`{results: .orders, iterate: ${iterate}, polling_state: {after: ${next}}}`),
        ],
      },
    });
  test.each([
    ["(.orders | length > 0)", ".links.next_after", "after"],
    ["((.orders | length) > 0)", ".links.next_after", "after"],
    ["(.orders != [])", ".links.next_after", "after"],
  ])("asks for records: %s", (...given) => expect(told(...given)).toHaveLength(1));
  test.each([
    ["(.links.next_after != null)", ".links.next_after", "after", "after", ".links.next_after"],
    ["(.orders | length > 0)", ".links.next_after", "cursor", "after", ".links.next_after"],
    ["(.orders | length > 0)", ".links.next_after", "after", "after", ".last_key"],
    ["(.orders | length > 0)", ".last_key", "after", "after", ".last_key"],
  ])("isn't known, or right: %s %s %s", (...given) => expect(told(...given)).toEqual([]));
});

describe("polling/unsent-end: in other words, and by the names of the state", () => {
  const told = (comment: string | undefined, [lower, upper]: [string, string], params: object): string[] =>
    inPolling("polling/unsent-end", {
      ...(comment === undefined ? {} : { _comment: comment }),
      initial_setup: jq(`{polling_state: {${lower}: (now - 86400 | todate), ${upper}: null}}`),
      pre_poll: jq(`{polling_state: {${lower}: \${polling_state.${lower}}, ${upper}: (now - 60 | todate)}}`),
      request: {
        "!pipe": [
          get("/changes", params),
          jq("{results: .items, iterate: .more, polling_state: ${polling_state}}"),
        ],
      },
      post_poll: jq(`{polling_state: {${lower}: \${polling_state.${upper}}, ${upper}: null}}`),
    });
  const since = { changed_from: "${polling_state.since}" };
  const from = { changed_from: "${polling_state.changed_from}" };
  test.each<[string | undefined, [string, string], object]>([
    ["changed_from counts in, changed_to doesn't.", ["since", "until"], since],
    ["The list gives changed_from <= changed_at < changed_to.", ["since", "until"], since],
    [undefined, ["changed_from", "changed_to"], from],
  ])("%s", (...given) => expect(told(...given)).toHaveLength(1));
  test.each<[string | undefined, [string, string], object]>([
    ["changed_from counts in.", ["since", "until"], since],
    [undefined, ["since", "until"], since],
    [undefined, ["changed_from", "changed_to"], { ...from, changed_to: "${polling_state.changed_to}" }],
    ["changed_to is left out, so that nothing is missed.", ["changed_from", "changed_to"], from],
  ])("right: %s %s", (...given) => expect(told(...given)).toEqual([]));
});

describe("polling/empty-window: by a step before", () => {
  const told = (step: string): string[] =>
    inPolling("polling/empty-window", {
      initial_setup: jq("{polling_state: {from: (now - 86400 | floor), to: (now | floor)}}"),
      pre_poll: jq("{polling_state: {from: ${polling_state.to}, to: (now | floor)}}"),
      request: {
        "!pipe": [
          jq(step),
          get("/orders", { placed_from: "${piped_content.1.a}", placed_before: "${piped_content.1.b}" }),
          jq("{results: .items, iterate: false, polling_state: ${polling_state}}"),
        ],
      },
      post_poll: undefined,
    });
  test.each([
    "{a: (${polling_state.from} | todate), b: (${polling_state.from} | todate)}",
    "{a: ${polling_state.from}, b: ${polling_state.from}}",
    "{a: (${polling_state.to} | tostring), b: (${polling_state.to} | tostring)}",
  ])("%s", (step) => expect(told(step)).toHaveLength(1));
  test.each([
    "{a: (${polling_state.from} | todate), b: (${polling_state.to} | todate)}",
    '{a: (${polling_state.from} | strftime("%Y-%m-%d")), b: (${polling_state.from} | strftime("%Y-%m-%d"))}',
    "{a: (${polling_state.from} | todate), b: (${polling_state.from} + 86400 | todate)}",
  ])("right: %s", (step) => expect(told(step)).toEqual([]));
});

describe("polling/future-start: a time that is cut as a text", () => {
  const told = (start: string): string[] =>
    inPolling("polling/future-start", {
      ...alone,
      initial_setup: jq(
        `(\${custom_data.list.value} | tonumber) as $days | {polling_state: {since: ${start}}}`,
      ),
      request: {
        "!pipe": [
          get("/items", { changed_since: "${polling_state.since}" }),
          jq("{results: .items, iterate: false, polling_state: ${polling_state}}"),
        ],
      },
    });
  test.each([
    '(now + $days * 86400 | todate | .[:19] + "Z")',
    "(now + $days * 86400 | todate | .[0:10])",
    '(now + 86400 | todate | .[:10] + "T00:00:00Z")',
  ])("%s", (start) => expect(told(start)).toHaveLength(1));
  test.each([
    '(now - $days * 86400 | todate | .[:19] + "Z")',
    "(now | todate | .[:10])",
    "(now + $days * 86400 | todate | .[11:])",
  ])("right: %s", (start) => expect(told(start)).toEqual([]));
});

describe("polling/ends-early: a lookup beside the list", () => {
  const told = (iterate: string): string[] =>
    inPolling("polling/ends-early", {
      ...alone,
      initial_setup: jq("{polling_state: {after: 0}}"),
      request: {
        "!pipe": [
          get("/events", { after: "${polling_state.after}", limit: 50 }),
          jq("{events: .items, ids: ([.items[].person_id] | unique)}"),
          get("/people", { id: "${piped_content.2.ids}", limit: 80 }),
          jq(
            `\${piped_content.2.events} as $events | {results: [$events[] | {event: .}], iterate: ${iterate}, polling_state: {after: ($events | map(.seq) | max // \${polling_state.after})}}`,
          ),
        ],
      },
    });
  test.each(["($events | length == 100)", "(($events | length) == 80)", "($events | length >= 51)"])(
    "%s",
    (iterate) => expect(told(iterate)).toHaveLength(1),
  );
  test.each(["($events | length == 50)", "(($events | length) > 0)", "($events != [])"])(
    "right: %s",
    (iterate) => expect(told(iterate)).toEqual([]),
  );
});

describe("polling/idle-key: what a customer chose to begin with", () => {
  const told = (params: object, last: string, after: object | undefined): string[] =>
    inPolling("polling/idle-key", {
      ...alone,
      initial_setup: jq("{polling_state: {ms: ((.custom_data.list.value | tonumber) * 1000), id: 0}}"),
      request: {
        "!pipe": [
          get("/jobs", { after_id: "${polling_state.id}", ...params }),
          jq(
            `\${polling_state} as $s | (.jobs[-1] // {changed: $s.ms, id: $s.id}) as $last | {results: .jobs, iterate: .more, polling_state: {ms: ${last}, id: $last.id}}`,
          ),
        ],
      },
      post_poll:
        after === undefined
          ? undefined
          : {
              "!pipe": [
                { "!http": { method: "POST", path: "/marks", body: after } },
                jq("{polling_state: ${polling_state}}"),
              ],
            },
    });
  const shown = { seen: "${polling_state.ms}" };
  test.each<[object, string, object | undefined]>([
    [{}, "$last.changed", shown],
    [{}, "(.jobs[-1].changed // $s.ms)", shown],
    [{}, "(if .jobs == [] then $s.ms else .jobs[-1].changed end)", shown],
  ])("%j %s %j", (...given) => expect(told(...given)).toHaveLength(1));
  test.each<[object, string, object | undefined]>([
    [{ changed_after: "${polling_state.ms}" }, "$last.changed", shown],
    [{ changed_after: "${polling_state.ms}" }, "(.jobs[-1].changed // $s.ms)", undefined],
    [{ filter: { since: "${polling_state.ms}" } }, "$last.changed", shown],
  ])("right: %j %s %j", (...given) => expect(told(...given)).toEqual([]));
});
