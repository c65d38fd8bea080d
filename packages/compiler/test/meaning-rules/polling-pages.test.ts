import { compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument, setAt } from "../rule-examples.ts";
import { findings, inPolling as told } from "../support/rule-findings.ts";

/** How a poll goes from page to page: the same kind of mistake in other words, and what is right although it looks alike. */

describe("what is taken of a link", () => {
  const linked = (
    http: object,
    next: string,
    begins = '"sort=id"',
    read = ".links.next",
  ): Readonly<Record<string, unknown>> => ({
    initial_setup: { "!jq": `{polling_state: {next: ${begins}}}` },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": http },
        {
          "!jq": `${read} as $next | {results: .items, iterate: ($next != null), polling_state: {next: (if $next == null then \${polling_state.next} else ${next} end)}}`,
        },
      ],
    },
  });
  const behind = { path: "/customers?${polling_state.next}" };

  test.each([
    ["the part before the query", behind, '($next | split("?") | first)'],
    ["by its index", behind, '($next | split("?"))[0]'],
    ["all of it", behind, "$next"],
    ["with a further ?", behind, '("?" + ($next | split("?") | last))'],
    ["as a segment", { path: "/customers/${polling_state.next}" }, '($next | split("?")[1])'],
    [
      "a query as a parameter",
      { path: "/customers", params: { cursor: "${polling_state.next}" } },
      '($next | split("?") | last)',
    ],
  ])("%s is no address", (_, http, next) => {
    expect(told("polling/next-address", linked(http, next))).toHaveLength(1);
  });

  test.each([
    ["the query", behind, '($next | split("?") | last)'],
    ["by its index", behind, '($next | split("?"))[1]'],
    ["a whole link", { url: "${polling_state.next}" }, "$next"],
    ["a path and its query", { path: "${polling_state.next}" }, "$next"],
    ["a link for a token", { path: "/customers", params: { cursor: "${polling_state.next}" } }, "$next"],
    [
      "a token in it",
      { path: "/customers", params: { cursor: "${polling_state.next}" } },
      '($next | capture("cursor=(?<c>[^&]+)").c)',
    ],
    [
      "what is behind a name",
      { path: "/customers", params: { cursor: "${polling_state.next}" } },
      '($next | split("cursor=") | last)',
    ],
    ["a member that OData calls so", { url: "${polling_state.next}" }, "$next", '."@odata.nextLink"'],
  ])("%s is right", (_, http, next, read = ".links.next") => {
    expect(told("polling/next-address", linked(http, next, undefined, read))).toEqual([]);
  });
});

describe("the size of a page that stands elsewhere", () => {
  const linked = (start: string, iterate: string) => ({
    initial_setup: { "!jq": `{polling_state: {address: ${start}}}` },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { url: "${polling_state.address}" } },
        {
          "!jq": `{results: .items, iterate: (${iterate}), polling_state: {address: (.links.next // \${polling_state.address})}}`,
        },
      ],
    },
  });
  const address = '"https://api.example.com/customers?state=all&per_page=100"';

  test.each([
    [address, "(.items | length) > 100"],
    [
      '"https://api.example.com/lists/\\(${custom_data.list.value})/customers?limit=50&sort=id"',
      "(.items | length) >= 51",
    ],
  ])("an address with %s", (start, iterate) => {
    expect(told("polling/ends-early", linked(start, iterate))).toHaveLength(1);
  });

  test.each([
    [address, "(.items | length) == 100"],
    [address, "(.items | length) >= 50"],
    [address, ".links.next != null"],
    ['"https://api.example.com/customers"', "(.items | length) > 100"],
  ])("%s and %s are right", (start, iterate) => {
    expect(told("polling/ends-early", linked(start, iterate))).toEqual([]);
  });

  test("a key of the state", () => {
    const sized = (iterate: string) => ({
      initial_setup: { "!jq": "{polling_state: {page: 1, size: 100}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/customers",
              params: { page: "${polling_state.page}", per_page: "${polling_state.size}" },
            },
          },
          {
            "!jq": `{results: .items, iterate: (${iterate}), polling_state: (\${polling_state} + {page: (\${polling_state.page} + 1)})}`,
          },
        ],
      },
    });
    expect(told("polling/ends-early", sized("(.items | length) > ${polling_state.size}"))).toHaveLength(1);
    expect(told("polling/ends-early", sized("(.items | length) == ${polling_state.size}"))).toEqual([]);
  });
});

describe("an if that decides whether to go on", () => {
  const decided = (condition: string, last = "1") => ({
    initial_setup: { "!jq": "{polling_state: {page: 1}}" },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path: "/customers", params: { page: "${polling_state.page}" } } },
        {
          "!jq": `.items as $rows | \${polling_state.page} as $page | if ${condition} then {results: $rows, iterate: true, polling_state: {page: ($page + 1)}} else {results: $rows, iterate: false, polling_state: {page: ${last}}} end`,
        },
      ],
    },
  });

  test.each([
    ["$page + 1 < .total_pages"],
    ["$page > .total_pages"],
    ["$page < .total_pages - 1"],
    [".has_more | not"],
  ])("%s ends early", (condition) => {
    expect(told("polling/ends-early", decided(condition))).toEqual([condition]);
  });

  test.each([["$page <= .total_pages"], [".total_pages > 1"]])("%s asks on", (condition) => {
    expect(told("polling/asks-on", decided(condition))).toEqual([condition]);
  });

  test.each([
    ["$page < .total_pages", "1"],
    ["$page + 1 <= .total_pages", "1"],
    [".has_more", "$page"],
    ["($rows | length) > 0", "1"],
  ])("%s is right", (condition, last) => {
    for (const rule of ["polling/ends-early", "polling/asks-on"])
      expect(told(rule, decided(condition, last))).toEqual([]);
  });
});

describe("the token that is saved", () => {
  const token = (iterate: string, saved: string, before: readonly object[] = []) => ({
    initial_setup: { "!jq": "{polling_state: {token: null}}" },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path: "/customers", params: { page_token: "${polling_state.token}" } } },
        ...before,
        { "!jq": `{results: .items, iterate: ${iterate}, polling_state: {token: ${saved}}}` },
      ],
    },
  });

  test.each([
    ["of the answer", '(.next_page_token != "")', ".token"],
    ["below a member", "(.meta.next_cursor != null)", ".cursor"],
  ])("another one %s", (_, iterate, saved) => {
    expect(told("polling/other-token", token(iterate, saved))).toEqual([saved]);
  });

  test.each([
    ["the one that is asked for", "(.next_page_token != null)", ".next_page_token", []],
    ["a flag beside it", ".has_more", ".cursor", []],
    [
      "made in a step before",
      "(.links.next != null)",
      ".token",
      [{ "!jq": '. + {token: (.links.next | capture("t=(?<t>.+)").t)}' }],
    ],
  ])("%s is right", (_, iterate, saved, before) => {
    expect(told("polling/other-token", token(iterate, saved, before))).toEqual([]);
  });
});

describe("a flag beside a cursor", () => {
  const flagged = (iterate: string) => ({
    initial_setup: { "!jq": "{polling_state: {after: null}}" },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path: "/customers", params: { after: "${polling_state.after}", limit: 100 } } },
        {
          "!jq": `{results: .data, iterate: (${iterate}), polling_state: {after: (.paging.cursors.after // \${polling_state.after})}}`,
        },
      ],
    },
  });

  test.each([
    ['.paging | has("next")', 0],
    [".paging.next != null", 0],
    ['.paging | has("next") | not', 1],
  ])("%s", (iterate, count) => {
    expect(told("polling/ends-early", flagged(iterate))).toHaveLength(count);
  });
});

describe("an offset of any name", () => {
  const offset = (from: string) => ({
    initial_setup: { "!jq": "{polling_state: {from: 0}}" },
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        { "!http": { path: "/customers", params: { from: "${polling_state.from}", rows: 100 } } },
        {
          "!jq": `(.from + (.items | length)) as $read | {results: .items, iterate: ($read < .total), polling_state: {from: ${from}}}`,
        },
      ],
    },
  });

  test("it moves by what was read", () => {
    expect(told("polling/position-step", offset("(.from + 1)"))).toEqual([".from + 1"]);
    expect(told("polling/position-step", offset("(.from + 100)"))).toEqual([]);
    expect(told("polling/position-step", offset("$read"))).toEqual([]);
  });

  test.each([
    ["the record that shows that there is more is cut off", ".items[:100]", 0],
    ["by its place from the end", ".items[:-1]", 0],
    ["it is kept, and comes again", ".items", 1],
  ])("a page of one more than is taken: %s", (_, results, count) => {
    const more = "(.items | length) > 100";
    const program = `{results: ${results}, iterate: (${more}), polling_state: {offset: (if ${more} then \${polling_state.offset} + 100 else 0 end)}}`;
    const params = { offset: "${polling_state.offset}", limit: 101 };
    const commands = {
      initial_setup: { "!jq": "{polling_state: {offset: 0}}" },
      pre_poll: undefined,
      post_poll: undefined,
      request: { "!pipe": [{ "!http": { path: "/customers", params } }, { "!jq": program }] },
    };
    expect(told("polling/position-step", commands)).toHaveLength(count);
  });
});

describe("variables of a query", () => {
  const asked = (type: string, begins: string, prePoll?: string) => ({
    initial_setup: { "!jq": `{polling_state: {since: ${begins}}}` },
    pre_poll: prePoll === undefined ? undefined : { "!jq": prePoll },
    post_poll: undefined,
    request: {
      "!pipe": [
        {
          "!http": {
            method: "POST",
            path: "/graphql",
            body: {
              query: `query($since: ${type}) { people(changedSince: $since) { nodes { id email } now } }`,
              variables: { since: "${polling_state.since}" },
            },
          },
        },
        { "!jq": "{results: .data.people.nodes, iterate: false, polling_state: {since: .data.people.now}}" },
      ],
    },
  });
  const rule = "http/graphql-variable-type";

  test.each([
    ["seconds", "DateTime!", "(now - 86400 | floor)"],
    [
      "0 on one way",
      "Instant",
      '(if ${custom_data.list.value} == "all" then 0 else "2024-01-01T00:00:00Z" end)',
    ],
    ["a number for a text", "String!", "0"],
    ["a text for a number", "Int", '"0"'],
  ])("%s", (_, type, begins) => {
    expect(told(rule, asked(type, begins))).toEqual([begins]);
  });

  test.each([
    ["a date", "DateTime!", "(now - 86400 | todate)", undefined],
    ["nothing yet", "DateTime", "null", undefined],
    ["a number for an id", "ID!", "1", undefined],
    ["a type that nobody knows", "Timestamp!", "(now | floor)", undefined],
    [
      "written as a date before",
      "DateTime!",
      "0",
      "{polling_state: {since: (${polling_state.since} | todate)}}",
    ],
  ])("%s is right", (_, type, begins, prePoll) => {
    expect(told(rule, asked(type, begins, prePoll))).toEqual([]);
  });

  test("both ends of a window", () => {
    const ends = (from: string) => ({
      ...asked("DateTime", "(now - 86400 | todate)"),
      request: {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: "/graphql",
              body: {
                query:
                  "query($from: DateTime, $until: DateTime) { people(from: $from, until: $until) { nodes { id email } } }",
                variables: { from, until: "${polling_state.until}" },
              },
            },
          },
          { "!jq": "{results: .data.people.nodes, iterate: false, polling_state: ${polling_state}}" },
        ],
      },
    });
    expect(told("polling/empty-window", ends("${polling_state.until}"))).toHaveLength(1);
    expect(told("polling/empty-window", ends("${polling_state.since}"))).toEqual([]);
  });
});

describe("pages that nothing asks for", () => {
  const told = (command: string, body: object): readonly string[] =>
    compile(setAt(polling, `/data_intake/0/${command}`, JSON.stringify(body)), { uri: "x.app.json" })
      .diagnostics.filter(({ finding }) => finding.rule.id === "http/pagination-ignored")
      .map(({ finding }) => finding.rule.help?.(finding.args) ?? "");
  const polling = exampleDocument(
    { in: "inbound-polling", at: "/api/base_url", bad: "", good: "" },
    '"https://api.example.com"',
  ).text;
  const list = { "!http": { path: "/groups", pagination: true } };

  test("each command is told what it can do about them", () => {
    const [inRequest] = told("request", {
      "!pipe": [list, { "!jq": "{results: .groups, iterate: false, polling_state: {}}" }],
    });
    const [before] = told("pre_poll", {
      "!pipe": [list, { "!jq": "{polling_state: {ids: [.groups[].id]}}" }],
    });
    expect(inRequest).toContain("`iterate`");
    expect(before).toContain("Read the list in `request`");
  });
});

describe("flags and ends in forms that a service chose itself", () => {
  const read = (more: string): readonly string[] => {
    const commands = {
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/lists/${custom_data.list.value}/customers",
              params: { page: "${polling_state.page}" },
            },
          },
          {
            "!jq": `(${more}) as $more | {results: .items, iterate: $more, polling_state: (\${polling_state} + {page: (if $more then \${polling_state.page} + 1 else 1 end)})}`,
          },
        ],
      },
    };
    return ["polling/ends-early", "polling/asks-on"].filter((rule) => told(rule, commands).length > 0);
  };

  test.each([
    '.has_more == "Y"',
    ".has_more == 1",
    "(.has_more // 0) > 0",
    ".next_page != -1",
    ".next_page != 0",
    '.links | has("next")',
    '._links | has("next")',
  ])("right: %s", (more) => {
    expect(read(more)).toEqual([]);
  });

  test.each([
    [".has_more | not", "polling/ends-early"],
    [".has_more == false", "polling/ends-early"],
    ['.has_more == "true"', "polling/ends-early"],
    [".next_page == null", "polling/ends-early"],
    [".next_page != false", "polling/asks-on"],
    ['.links | has("next") | not', "polling/ends-early"],
    [".total_pages > 1", "polling/asks-on"],
  ])("%s", (more, rule) => {
    expect(read(more)).toEqual([rule]);
  });
});

describe("the page before, where others read the next one", () => {
  const list = (link: string, order: string, parser: string): string[] =>
    findings("polling/backward-link", "inbound-polling", {
      "/api/pagination": { style: { type: "cursor" }, parser: { next_result_token: { "!jq": parser } } },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {token: null}}" },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe": [
        { "!http": { path: "/customers", params: { token: "${polling_state.token}", order } } },
        {
          "!jq": `(${link} // "" | [capture("[?&]token=(?<t>[^&]+)").t] | first) as $t | {results: .items, iterate: ($t != null), polling_state: {token: $t}}`,
        },
      ],
    });
  test.each([
    [".links.prev", "oldest", ".links.next", 1],
    [".paging.previous", "created_at", ".paging.next", 1],
    [".prev_url", "asc", ".next_url", 1],
    [".links.next", "oldest", ".links.next", 0],
    // What came later is on the pages before.
    [".links.prev", "newest", ".links.next", 0],
    [".links.prev", "-created_at", ".links.next", 0],
    // Nothing says which of them goes on.
    [".links.prev", "oldest", ".links.prev", 0],
    [".links.prev", "oldest", ".page.next", 0],
  ])("%s in the order %s, elsewhere %s", (link, order, parser, count) => {
    expect(list(link, order, parser)).toHaveLength(count);
  });
});

describe("results that keep one value", () => {
  const told = (results: string, source: string): string[] =>
    findings("polling/narrowed-results", "inbound-polling", {
      "/workflows/0/setup/select/form_fields/0": {
        label: "States",
        id: "list",
        type: "multiselect",
        options: [
          { display: "Open", value: "open" },
          { display: "Won", value: "won" },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": source },
      "/data_intake/0/request/!pipe/1/!jq": `{results: ${results}, iterate: .has_more, polling_state: {page: (\${polling_state.page} + 1), since: \${polling_state.since}}}`,
    });
  const chosen = "select(.state | IN(${custom_data.list.value}[])) | {email}";
  test.each([
    ['[.items[] | select(.state == "won")]', chosen, 1],
    ['.items | map(select(.email != null and .state == "open") | {email, state})', chosen, 1],
    ['[.items[] | select(.state == "gone") | {email, stage: {gone: 1, here: 2}[.state]}]', chosen, 1],
    [".items", chosen, 0],
    // Drafts are nothing that anybody may choose.
    ['[.items[] | select(.state != "draft")]', chosen, 0],
    ['[.items[] | select(.kind == "person")]', chosen, 0],
    ['[.items[] | select(.email != null) | {email, won: (.state == "won")}]', chosen, 0],
  ])("%s", (results, source, count) => {
    expect(told(results, source)).toHaveLength(count);
  });
});

describe("a token under the name of a number or a flag", () => {
  const rules = ["polling/asks-on", "polling/ends-early", "polling/same-request", "polling/flag-as-cursor"];
  const asking = (begins: string, program: string): readonly string[] =>
    rules.flatMap((rule) =>
      told(rule, {
        initial_setup: { "!jq": `{polling_state: {page: ${begins}}}` },
        pre_poll: undefined,
        post_poll: undefined,
        request: {
          "!pipe": [
            { "!http": { path: "/customers", params: { page: "${polling_state.page}", size: 100 } } },
            { "!jq": program },
          ],
        },
      }),
    );

  test.each([
    ["null", "{results: .items, iterate: (.page != null), polling_state: {page: .page}}"],
    ["null", "{results: .items, iterate: (.meta.page != null), polling_state: {page: .meta.page}}"],
    ["null", ".page as $p | {results: .items, iterate: ($p != null), polling_state: {page: $p}}"],
    ['""', '{results: .items, iterate: ((.page // "") != ""), polling_state: {page: (.page // "")}}'],
    ["null", "{results: .items, iterate: (.more != null), polling_state: {page: .more}}"],
    ["null", "{results: .items, iterate: (.paging.offset != null), polling_state: {page: .paging.offset}}"],
    [
      "null",
      "if .page then {results: .items, iterate: true, polling_state: {page: .page}} else {results: .items, iterate: false, polling_state: {page: null}} end",
    ],
  ])("right: begun with %s, %s", (begins, program) => {
    expect(asking(begins, program)).toEqual([]);
  });

  test.each([
    ["1", "{results: .items, iterate: (.page != null), polling_state: {page: .page}}"],
    ["null", "{results: .items, iterate: (.page != null), polling_state: {page: (.page + 1)}}"],
    ["null", "{results: .items, iterate: (.total_pages != null), polling_state: {page: .page}}"],
    ["null", "{results: .items, iterate: .more, polling_state: {page: .more}}"],
  ])("begun with %s, %s", (begins, program) => {
    expect(asking(begins, program)).toHaveLength(1);
  });
});

describe("what a parser takes for a token", () => {
  const found = (program: string): readonly string[] =>
    findings("api/flag-as-token", "outbound", {
      "/api/pagination": {
        style: {
          type: "cursor",
          limit: { param: "limit", value: 100 },
          ordering: { param: "sort", value: "id" },
        },
        parser: { next_result_token: { "!jq": program } },
      },
    });

  test.each([".has_more", ".paging.hasNext", ".more != null"])("%s is a flag", (program) => {
    expect(found(program)).toHaveLength(1);
  });

  // Some services call the token so.
  test.each([".more", ".paging.more"])("right: %s", (program) => {
    expect(found(program)).toEqual([]);
  });
});
