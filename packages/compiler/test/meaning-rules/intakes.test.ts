import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Rules about what intakes ask for and save: the same kind of mistake in other words, and what is right although it looks alike. */

/** The commands of the template's polling intake. */
function polling(
  setUp: string,
  prePoll: string | undefined,
  request: readonly object[],
  postPoll?: object,
): Readonly<Record<string, unknown>> {
  return {
    "/data_intake/0/initial_setup": { "!jq": setUp },
    ...(prePoll === undefined ? {} : { "/data_intake/0/pre_poll": { "!jq": prePoll } }),
    "/data_intake/0/request": { "!pipe": request },
    ...(postPoll === undefined ? {} : { "/data_intake/0/post_poll": postPoll }),
  };
}

describe("a window whose URL the state holds", () => {
  const page = { "!http": { url: "${polling_state.next_url}" } };
  const base = "https://api.example.com/v1/customers?limit=50";
  const setUp = "{polling_state: {placed_from: (now - 86400 | todate), placed_before: null, next_url: null}}";
  const begun = (url: string): string =>
    `.polling_state as $s | if $s.next_url != null then {polling_state: $s} else (now - 60 | todate) as $end | {polling_state: {placed_from: $s.placed_from, placed_before: $end, next_url: ${url}}} end`;
  const ended = (from: string): string =>
    `{results: .items, iterate: (.next != null), polling_state: (if .next != null then {placed_from: \${polling_state.placed_from}, placed_before: \${polling_state.placed_before}, next_url: .next} else {placed_from: ${from}, placed_before: null, next_url: null} end)}`;
  const url = `("${base}&from=" + ($s.placed_from | @uri) + "&to=" + ($end | @uri))`;
  const last = "${polling_state.placed_before}";
  const told = (rule: string, made: string, from: string): string[] =>
    findings(rule, "inbound-polling", polling(setUp, begun(made), [page, { "!jq": ended(from) }]));

  test.each([
    ["only its end", `("${base}&to=" + ($end | @uri))`],
    ["neither", `"${base}"`],
    ["a made up start", `("${base}&from=2020-01-01&to=" + ($end | @uri))`],
    ["the end twice", `("${base}&from=" + ($end | @uri) + "&to=" + ($end | @uri))`],
    ["a written text", `"${base}&to=\\($end | @uri)"`],
  ])("the start isn't in it: %s", (_, made) => {
    expect(told("polling/idle-key", made, last)).toEqual([last]);
  });

  test.each([
    ["now", "(now | todate)"],
    ["a minute ago", "(now - 60 | floor | todate)"],
    ["another form", '(now | strftime("%Y-%m-%dT%H:%M:%SZ"))'],
  ])("the clock moves the start: %s", (_, from) => {
    expect(told("polling/clock-watermark", url, from)).toEqual([from]);
  });

  test.each([
    ["put together", url],
    ["a written text", `"${base}&from=\\($s.placed_from | @uri)&to=\\($end | @uri)"`],
    ["with an overlap", `("${base}&from=" + ($s.placed_from | fromdate - 300 | todate) + "&to=" + $end)`],
  ])("%s is right", (_, made) => {
    for (const rule of ["polling/idle-key", "polling/clock-watermark", "polling/standing-window"])
      expect(told(rule, made, last)).toEqual([]);
  });
});

describe("a state that goes through further stages", () => {
  const asked = {
    "!http": {
      path: "/lists/${custom_data.list.value}/customers",
      params: {
        since: "${polling_state.since}",
        until: "${polling_state.until}",
        page: "${polling_state.page}",
      },
    },
  };
  const setUp = "{polling_state: {since: (now - 86400 | floor), until: null, page: 1}}";
  const ended = (since: string): string =>
    `{results: .items, iterate: .has_more, polling_state: (if .has_more then \${polling_state} + {page: (\${polling_state.page} + 1)} else {since: ${since}, until: null, page: 1} end)}`;
  const told = (rule: string, prePoll: string, since = "${polling_state.until}"): string[] =>
    findings(rule, "inbound-polling", polling(setUp, prePoll, [asked, { "!jq": ended(since) }]));
  const ways = (until: string): string[] => [
    `{polling_state: (.polling_state | if .page > 1 then . else . + {until: ${until}} end)}`,
    `{polling_state: (.polling_state | . + (if .page > 1 then {} else {until: ${until}} end))}`,
    `{polling_state: (\${polling_state} | if .page == 1 then . + {until: ${until}} end)}`,
    `.polling_state | {polling_state: (if .page > 1 then . else (. + {until: ${until}}) end)}`,
    `.polling_state as $s | {polling_state: ($s | if .page > 1 then . else . + {until: ${until}} end)}`,
    `{polling_state: (.polling_state | {since: .since, page: .page, until: (if .page > 1 then .until else ${until} end)})}`,
  ];

  test.each(ways("(now - 60) * 1000"))("milliseconds: %s", (prePoll) => {
    expect(told("polling/mixed-kinds", prePoll).length).toBeGreaterThan(0);
  });

  test.each(ways("(now - 60 | floor)"))("a start that stays: %s", (prePoll) => {
    expect(told("polling/standing-window", prePoll, "${polling_state.since}").length).toBeGreaterThan(0);
  });

  test.each(ways("(now - 60 | floor)"))("right: %s", (prePoll) => {
    for (const rule of [
      "polling/mixed-kinds",
      "polling/standing-window",
      "polling/idle-key",
      "polling/clock-watermark",
      "polling/early-watermark",
    ])
      expect(told(rule, prePoll)).toEqual([]);
  });
});

describe("polling/skipped-ahead", () => {
  const list = { "!http": { path: "/feed", params: { after: "${polling_state.seq}" } } };
  const head = { "!http": { path: "/feed/head" } };
  const read = (seq: string): object => ({
    "!jq": `{results: .items, iterate: .has_more, polling_state: {seq: ${seq}}}`,
  });
  const greatest = "(.items | map(.seq) | max // ${polling_state.seq})";
  const told = (seq: string, postPoll: object | undefined): string[] =>
    findings(
      "polling/skipped-ahead",
      "inbound-polling",
      polling("{polling_state: {seq: 0}}", undefined, [list, read(seq)], postPoll),
    );
  const takes = (program: string): object => ({ "!pipe": [head, { "!jq": program }] });

  test.each([
    ["as it is", greatest, takes("{polling_state: {seq: .seq}}"), [".seq"]],
    ["below", greatest, takes("{polling_state: {seq: .feed.last_seq}}"), [".feed.last_seq"]],
    [
      "of the last record",
      "(.items[-1].seq // ${polling_state.seq})",
      takes("{polling_state: {seq: .seq}}"),
      [".seq"],
    ],
    [
      "beside a fallback",
      greatest,
      takes("{polling_state: {seq: (.seq // ${polling_state.seq})}}"),
      [".seq"],
    ],
    ["on the state", greatest, takes("{polling_state: (${polling_state} + {seq: .seq})}"), [".seq"]],
    ["a newest record", greatest, takes("{polling_state: {seq: .items[0].seq}}"), [".items[0].seq"]],
    ["kept", greatest, takes("{polling_state: ${polling_state}}"), []],
    [
      "asked by the state",
      greatest,
      {
        "!pipe": [
          { "!http": { path: "/feed/${polling_state.seq}" } },
          { "!jq": "{polling_state: {seq: .seq}}" },
        ],
      },
      [],
    ],
    [
      "confirmed",
      greatest,
      {
        "!pipe": [
          { "!http": { method: "POST", path: "/feed/ack" } },
          { "!jq": "{polling_state: {seq: .seq}}" },
        ],
      },
      [],
    ],
  ])("%s", (_, seq, postPoll, at) => {
    expect(told(seq, postPoll)).toEqual(at);
  });

  test("within the request", () => {
    const request = [
      list,
      head,
      {
        "!jq":
          "{results: ${piped_content.1.items}, iterate: ${piped_content.1.has_more}, polling_state: {seq: (if ${piped_content.1.has_more} then ([${piped_content.1.items}[].seq] | max) else .seq end)}}",
      },
    ];
    expect(
      findings(
        "polling/skipped-ahead",
        "inbound-polling",
        polling("{polling_state: {seq: 0}}", undefined, request),
      ),
    ).toEqual([".seq"]);
  });

  test.each([
    ["where there is none", "if ${polling_state.seq} == null then 0 else 1 end", greatest, []],
    ["where there is one", "if ${polling_state.seq} == null then 1 else 0 end", greatest, [".seq"]],
    [
      "where there is none, as after each cycle",
      "if ${polling_state.seq} == null then 0 else 1 end",
      `(if .has_more then ${greatest} else null end)`,
      [".seq"],
    ],
  ])("the head at the start: %s", (_, jq, seq, at) => {
    const prepare = {
      "!switch": { jq, cases: [takes("{polling_state: {seq: .seq}}"), { "!jq": "{polling_state}" }] },
    };
    expect(
      findings("polling/skipped-ahead", "inbound-polling", {
        ...polling("{polling_state: {seq: null}}", undefined, [list, read(seq)]),
        "/data_intake/0/pre_poll": prepare,
      }),
    ).toEqual(at);
  });
});

describe("http/url-as-path", () => {
  const request = (step: object, made: string): object[] => [{ "!jq": made }, step];
  const told = (rule: string, target: object): string[] =>
    findings(rule, "outbound", { "/workflows/0/data_pipeline/target": target });
  const byPath = {
    "!http": { method: "POST", path: "${piped_content.1.address}", body: "${piped_content.0}" },
  };
  const byUrl = {
    "!http": { method: "POST", url: "${piped_content.1.address}", body: "${piped_content.0}" },
  };

  test.each([
    ["a text", '{address: "https://api.example.com/v1/people"}'],
    ["a sum", '{address: ("https://api.example.com/v1/people/" + .email)}'],
    ["one with a value in it", '{address: "https://api.example.com/v1/people/\\(.email)"}'],
    ["a variable", '"https://api.example.com/v1/people" as $url | {address: $url}'],
    [
      "on one way",
      '{address: (if .email == null then "https://api.example.com/v1/people" else "https://api.example.com/v1/people/\\(.email)" end)}',
    ],
  ])("%s", (_, made) => {
    expect(told("http/url-as-path", { "!pipe": request(byPath, made) })).toEqual([
      '"${piped_content.1.address}"',
    ]);
    expect(told("http/url-as-path", { "!pipe": request(byUrl, made) })).toEqual([]);
  });

  test.each(['{address: "/people"}', '{address: ("/people/" + .email)}'])("a path: %s", (made) => {
    expect(told("http/url-as-path", { "!pipe": request(byPath, made) })).toEqual([]);
    expect(told("http/path-as-url", { "!pipe": request(byUrl, made) })).toEqual([
      '"${piped_content.1.address}"',
    ]);
  });

  test("an answer's member says nothing by itself, but beside another request", () => {
    const asks = { "!http": { path: "/people" } };
    const path = { "!http": { path: "${piped_content.1.next_url}" } };
    const url = { "!http": { url: "${piped_content.1.next_url}" } };
    const body = { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } };
    expect(told("http/url-as-path", { "!pipe": [asks, path, body] })).toEqual([]);
    expect(told("http/url-as-path", { "!pipe": [asks, url, path, body] })).toEqual([
      '"${piped_content.1.next_url}"',
    ]);
  });

  test("the state's address", () => {
    const changes = (key: "path" | "url"): Readonly<Record<string, unknown>> =>
      polling('{polling_state: {next: "https://api.example.com/v1/customers"}}', undefined, [
        { "!http": { [key]: "${polling_state.next}" } },
        {
          "!jq":
            '{results: .items, iterate: (.next != null), polling_state: {next: (.next // "https://api.example.com/v1/customers")}}',
        },
      ]);
    expect(findings("http/url-as-path", "inbound-polling", changes("path"))).toEqual([
      '"${polling_state.next}"',
    ]);
    expect(findings("http/url-as-path", "inbound-polling", changes("url"))).toEqual([]);
  });
});

describe("polling/history-envelope", () => {
  const told = (results: string, source: string): string[] =>
    findings("polling/history-envelope", "historical-sync", {
      "/data_intake/1/request/!pipe/1/!jq": `{results: ${results}, iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}`,
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });

  test.each([
    [".data", ".data as $o | {email: $o.attributes.email}"],
    [".data", "{email: .data.attributes.email}"],
    [".data // []", "{email: .data.attributes.email}"],
    ["[.data[]]", "{email: .data.attributes.email}"],
    ["[.data[] | select(.attributes.paid)]", "{email: .data.attributes.email}"],
    [
      ".data | map(select(.attributes.paid))",
      '[.included[] | select(.type == "people")][0] | {email: .attributes.email}',
    ],
    [".orders", "{email: .payload.order.email}"],
    [".orders", "{email: .order.email}"],
    ["[.orders[]]", "{email: .email, number: .order_id}"],
  ])("%s: %s", (results, source) => {
    expect(told(results, source)).toEqual([results]);
  });

  test.each([
    ["[.data[] | {data: .}]", "{email: .data.attributes.email}"],
    [".data", "{email: .attributes.email}"],
    [".orders", "{email: .email, shop: .shop_id}"],
    ["[.orders[] | {order_id: .id, email}]", "{email: .email, number: .order_id}"],
    [".orders", "{email: (.order.email // .email)}"],
  ])("%s is right with %s", (results, source) => {
    expect(told(results, source)).toEqual([]);
  });
});

describe("api/other-first-page", () => {
  const told = (style: object, parser: object, param: string, begins: number, iterate: string): string[] =>
    findings("api/other-first-page", "inbound-polling", {
      "/api/pagination": { style, parser },
      ...polling(`{polling_state: {at: ${begins}}}`, undefined, [
        { "!http": { path: "/customers", params: { [param]: "${polling_state.at}" } } },
        {
          "!jq": `{results: .items, iterate: (${iterate}), polling_state: {at: (\${polling_state.at} + 1)}}`,
        },
      ]),
    });
  const page = (value: number | undefined): object => ({
    type: "page",
    page_number: { param: "page", ...(value === undefined ? {} : { value }) },
  });
  const pages = { total_pages: { "!jq": ".pages" } };
  const counts = "${polling_state.at} < .pages";
  const before = "${polling_state.at} + 1 < .pages";

  test.each([
    ["from 0 for 1", page(0), 1, counts, ["0"]],
    ["from 1 for 0", page(1), 0, before, ["1"]],
    ["0 for what is usual", page(undefined), 0, counts, ["0"]],
    ["from 2", page(2), 1, counts, ["1"]],
    ["alike", page(1), 1, counts, []],
    ["alike, from 0", page(0), 0, before, []],
    ["alike, as is usual", page(undefined), 1, counts, []],
  ])("%s", (_, style, begins, iterate, at) => {
    expect(told(style, pages, "page", begins, iterate)).toEqual(at);
  });

  test("another parameter counts by itself", () => {
    expect(told(page(1), pages, "offset", 0, counts)).toEqual([]);
  });

  test("an offset", () => {
    const style = {
      type: "limitoffset",
      limit: { param: "limit", value: 50 },
      offset: { param: "offset", value: 1 },
    };
    expect(told(style, { total_items: { "!jq": ".total" } }, "offset", 0, before)).toEqual(["1"]);
  });
});

describe("polling/cut-cycle", () => {
  const begins =
    "{polling_state: {page: 1, since: .polling_state.since, started: (now - 60 | floor | todate), done: false}}";
  const keeps = "{polling_state: .polling_state}";
  const ends = "{polling_state: {page: 1, since: .polling_state.started, started: null, done: true}}";
  const told = (prePoll: string, postPoll: string, done = "(.has_more | not)"): string[] =>
    findings(
      "polling/cut-cycle",
      "inbound-polling",
      polling(
        "{polling_state: {page: 1, since: (now - 86400 | todate), started: null, done: true}}",
        prePoll,
        [
          {
            "!http": {
              path: "/people",
              params: { page: "${polling_state.page}", updated_since: "${polling_state.since}" },
            },
          },
          {
            "!jq": `{results: .items, iterate: .has_more, polling_state: (\${polling_state} + {page: (\${polling_state.page} + 1), done: ${done}})}`,
          },
        ],
        { "!jq": postPoll },
      ),
    );
  const when = (then: string, otherwise: string): string =>
    `if .polling_state.done then ${then} else ${otherwise} end`;

  test.each([
    [
      "restarts in pre_poll",
      when(begins, "{polling_state: (.polling_state + {page: 1})}"),
      when(ends, keeps),
      ["1"],
    ],
    ["by an assignment", when(begins, "{polling_state: (.polling_state | .page = 1)}"), when(ends, keeps), 1],
    [
      "restarts always",
      "{polling_state: (.polling_state + {page: 1, done: false})}",
      when(ends, keeps),
      ["1"],
    ],
    [
      "restarts in post_poll",
      when(begins, keeps),
      when(ends, "{polling_state: (.polling_state + {page: 1})}"),
      1,
    ],
    ["moves always", when(begins, keeps), ends, [".polling_state.started"]],
    [
      "moves in pre_poll",
      when(begins, "{polling_state: (.polling_state + {page: 1, since: .polling_state.started})}"),
      when(ends, keeps),
      1,
    ],
    ["goes on", when(begins, keeps), when(ends, keeps), []],
    ["goes on by the expansion", when(begins, "{polling_state: ${polling_state}}"), when(ends, keeps), []],
    ["nothing decides", "{polling_state: (.polling_state + {page: 1})}", keeps, []],
  ] as const)("%s", (_, prePoll, postPoll, at) => {
    const found = told(prePoll, postPoll);
    if (typeof at === "number") expect(found).toHaveLength(at);
    else expect(found).toEqual(at);
  });
});
