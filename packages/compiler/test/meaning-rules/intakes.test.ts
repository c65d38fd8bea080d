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

describe("what create and update have of a registration", () => {
  const body = { url: "${webhook.url}" };
  const made = (program: string): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body } },
      { "!jq": program },
      { "!save": { scope: "workflow" } },
    ],
  });
  const changed = (method: string, path: string, ...rest: readonly object[]): object => ({
    "!pipe": [{ "!http": { method, path, body } }, ...rest],
  });
  const saves = (program: string): object[] => [{ "!jq": program }, { "!save": { scope: "workflow" } }];
  const own = "/hooks/${data.workflow.hook_id}";
  const told = (rule: string, create: object, update: object): string[] =>
    findings(rule, "inbound-webhook", { "/data_intake/0/create": create, "/data_intake/0/update": update });

  test.each([
    ["without the wrapper", "{hook_id: .hook.id}", "{hook_id: .id}", [".id"]],
    [
      "another wrapper",
      "{hook_id: .hook.id, key: .hook.key}",
      "{hook_id: .data.id, key: .hook.key}",
      [".data.id"],
    ],
    ["the secret", "{hook_id: .hook.id, key: .hook.key}", "{key: .key}", [".key"]],
    ["below by a variable", "{hook_id: .hook.id}", ". as $a | {hook_id: $a.id}", ["$a.id"]],
    ["with a wrapper in one", "{hook_id: .id}", "{hook_id: .hook.id}", [".id"]],
    ["too deep", "{hook_id: .id, key: .key}", "{hook_id: .hook.id, key: .key}", [".hook.id"]],
    [
      "JSON:API",
      "{hook_id: .data.id, key: .data.attributes.key}",
      "{hook_id: .data.id, key: .data.key}",
      [".data.key"],
    ],
    ["the same", "{hook_id: .hook.id}", "{hook_id: .hook.id}", []],
    ["another name", "{hook_id: .hook.id}", "{hook_id: .hook_id}", []],
  ])("a value from another place: %s", (_, create, update, at) => {
    expect(told("intake/moved-answer", made(create), changed("PUT", own, ...saves(update)))).toEqual(at);
  });

  test.each([
    ["nothing is saved", changed("POST", "/hooks"), true],
    ["the id is saved", changed("POST", "/hooks", ...saves("{hook_id: .hook.id}")), true],
    ["the secret too", changed("POST", "/hooks", ...saves("{hook_id: .hook.id, key: .hook.key}")), true],
    [
      "and more is asked",
      changed("POST", "/hooks", ...saves("{hook_id: .hook.id}"), { "!http": { path: "/hooks" } }),
      true,
    ],
    [
      "the first one is removed",
      changed("POST", "/hooks", { "!http": { method: "DELETE", path: own } }),
      false,
    ],
    ["the id goes along", changed("POST", own), false],
    ["it is changed", changed("PATCH", own, ...saves("{hook_id: .hook.id}")), false],
  ])("a second registration: %s", (_, update, isTold) => {
    expect(told("intake/second-registration", made("{hook_id: .hook.id}"), update)).toEqual(
      isTold ? ['"!http"'] : [],
    );
  });
});

describe("events that nothing registers", () => {
  const fields = (values: readonly string[]): object => ({
    label: "Changes",
    id: "changes",
    type: "multiselect",
    options: values.map((value) => ({ display: value, value })),
  });
  const told = (
    rule: string,
    events: unknown,
    source: string,
    values: readonly string[] = ["item.added", "item.removed"],
  ): string[] =>
    findings(rule, "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/update": undefined,
      "/workflows/0/setup/select/form_fields/1": fields(values),
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });
  const chosen = "${custom_data.changes.value}";
  const all = ["item.added", "item.removed"];
  const gone = (condition: string): string =>
    `{email, status: (if ${condition} then "gone" else "there" end)}`;

  test.each([
    ["a choice", chosen, gone('.event == "left"'), ['"left"']],
    ["a list", all, gone('.event == "left"'), ['"left"']],
    ["one text", "item.added,item.removed", gone('.event == "left"'), ['"left"']],
    ["the other side", all, gone('"left" == .event'), ['"left"']],
    ["unequal", all, gone('.event != "item.gone"'), ['"item.gone"']],
    ["by a variable", all, `.event as $e | ${gone('$e == "item.gone"')}`, ['"item.gone"']],
    [
      "in a table",
      all,
      '{email, status: {"item.added": "there", "item.gone": "gone"}[.event]}',
      ['"item.gone"'],
    ],
    ["what is registered", all, gone('.event == "item.removed"'), []],
    ["a ping", all, gone('.event == "ping"'), []],
    ["everything", ["*"], gone('.event == "item.gone"'), []],
    ["another member", all, gone('.state == "left"'), []],
    ["payloads with words of their own", all, gone('.event == "in" or .event == "out"'), []],
  ])("%s", (_, events, source, at) => {
    expect(told("intake/unregistered-event", events, source)).toEqual(at);
  });

  test.each([
    [
      "one left out",
      ["item.added", "item.removed"],
      ["item.added", "item.removed", "item.moved"],
      ['"item.moved"'],
    ],
    ["one of two", ["item.added"], ["item.added", "item.removed"], ['"item.removed"']],
    [
      "two left out",
      ["item.added"],
      ["item.added", "item.moved", "item.removed"],
      ['"item.moved"', '"item.removed"'],
    ],
    ["by slashes", ["item/added"], ["item/added", "item/removed"], ['"item/removed"']],
    ["all", ["item.added", "item.removed"], ["item.added", "item.removed"], []],
    ["other words", ["item.added", "item.removed"], ["all", "none"], []],
    ["of something else", ["item.added"], ["item.added", "note.added"], []],
    ["with a star", ["item.*"], ["item.added", "item.removed"], []],
  ])("options: %s", (_, events, values, at) => {
    const source = `.event as $e | if (${chosen} | index($e)) == null then null else {email} end`;
    expect(told("intake/unregistered-option", events, source, values)).toEqual(at);
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

describe("pipeline/unbuilt-body", () => {
  const told = (built: string, made: unknown, changed: unknown, path = "/people"): string[] =>
    findings("pipeline/unbuilt-body", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": built },
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": "{id: .people[0].id}" },
          {
            "!switch": {
              jq: "if .id == null then 0 else 1 end",
              cases: [
                { "!http": { method: "POST", path: "/people", body: made } },
                { "!http": { method: "PATCH", path: `${path}/\${piped_content.3.id}`, body: changed } },
              ],
            },
          },
        ],
      },
    });
  const wraps = "{person: {mail: .email, full: .name}}";

  test.each([
    ["wrapped", wraps, "${piped_content.1}", "${piped_content.0}", ["${piped_content.0}"]],
    [
      "renamed",
      "{mail: .email, full: .name}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "in a member",
      "{mail: .email}",
      { person: "${piped_content.1}" },
      { person: "${piped_content.0}" },
      ["${piped_content.0}"],
    ],
    ["the other way round", wraps, "${piped_content.0}", "${piped_content.1}", ["${piped_content.0}"]],
    [
      "with more",
      "{mail: .email} + (if .name != null then {full: .name} else {} end)",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    [
      "by the expansion",
      "${piped_content.0} as $c | {person: {mail: $c.email, full: $c.name}}",
      "${piped_content.1}",
      "${piped_content.0}",
      ["${piped_content.0}"],
    ],
    ["both built", wraps, "${piped_content.1}", "${piped_content.1}", []],
    ["only more is added", ". + {owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    ["names stay", "{email, name, owner: 7}", "${piped_content.1}", "${piped_content.0}", []],
    [
      "without what is empty",
      "with_entries(select(.value != null))",
      "${piped_content.1}",
      "${piped_content.0}",
      [],
    ],
  ])("%s", (_, built, made, changed, at) => {
    expect(told(built, made, changed)).toEqual(
      at.map((text) => (typeof made === "string" ? `${text}` : text)),
    );
  });

  test("records of another kind may have another form", () => {
    expect(told(wraps, "${piped_content.1}", "${piped_content.0}", "/notes")).toEqual([]);
  });
});

describe("what is saved of a registration", () => {
  const create = (program: string, ...rest: readonly object[]): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": program },
      ...rest,
    ],
  });
  const save = { "!save": { scope: "workflow" } };
  const told = (rule: string, changes: Readonly<Record<string, unknown>>): string[] =>
    findings(
      rule,
      "inbound-webhook",
      Object.fromEntries(Object.entries(changes).map(([name, value]) => [`/data_intake/0/${name}`, value])),
    );
  const byId = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const changed = (method: string): object => ({
    "!pipe": [
      { "!http": { method, path: "/hooks/current", body: { url: "${webhook.url}" } } },
      { "!jq": "{hook_id: .id}" },
      save,
    ],
  });

  test.each([
    ["by update alone", { create: create("{hook_id: .id}"), update: changed("PUT"), delete: byId }, true],
    [
      "and read by it",
      {
        create: create("."),
        update: {
          "!pipe": [
            {
              "!http": {
                method: "PUT",
                path: "/hooks/${data.workflow.hook_id}",
                body: { url: "${webhook.url}" },
              },
            },
            { "!jq": "{hook_id: .id}" },
            save,
          ],
        },
        delete: byId,
      },
      true,
    ],
    ["by both", { create: create("{hook_id: .id}", save), update: changed("PUT"), delete: byId }, false],
    ["by create alone", { create: create("{hook_id: .id}", save), update: undefined, delete: byId }, false],
  ])("saved %s", (_, changes, isTold) => {
    expect(told("intake/saved-late", changes).length > 0).toBe(isTold);
  });

  test.each([
    [".hook.id, .hook.key", true],
    [".hook | .id, .key", true],
    [".hook | (.hook_id, .hook_key)", true],
    ["(.id), (.key)", true],
    [".hook.id", true],
    [".hook", false],
    ["{hook_id: .id}, {key: .key}", false],
    [".hook | {hook_id: .id}", false],
  ])("bare values: %s", (program, isTold) => {
    expect(told("intake/saved-text", { create: create(program, save), delete: byId })).toEqual(
      isTold ? [program] : [],
    );
  });

  test.each([
    ["in a query", { "!http": { method: "DELETE", path: "/hooks?url=${webhook.url}" } }, true],
    [
      "in the parameters",
      { "!http": { method: "DELETE", path: "/hooks", params: { url: "${webhook.url}" } } },
      true,
    ],
    [
      "in the body",
      { "!http": { method: "POST", path: "/hooks/remove", body: { url: "${webhook.url}" } } },
      true,
    ],
    ["in the path", { "!http": { method: "DELETE", path: "/hooks/${webhook.url}" } }, true],
    [
      "beside the id",
      {
        "!http": {
          method: "DELETE",
          path: "/hooks/${data.workflow.hook_id}",
          params: { url: "${webhook.url}" },
        },
      },
      false,
    ],
  ])("removed by the URL %s", (_, remove, isTold) => {
    const update = {
      "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
    };
    for (const change of [undefined, update])
      expect(
        told("intake/deleted-by-url", {
          create: create("{hook_id: .id}", save),
          update: change,
          delete: remove,
        }),
      ).toEqual(isTold ? ["${webhook.url}"] : []);
    expect(
      told("intake/deleted-by-url", { create: create("{seen: .at}"), update: undefined, delete: remove }),
    ).toEqual([]);
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

describe("a secret that is saved under another name", () => {
  const verification = {
    "!pipe": [
      { "!jq": "{value_to_encrypt: .raw_body}" },
      { "!sha": { algorithm: "sha256", secret: "${data.workflow.key}" } },
      {
        "!switch": {
          jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  };

  test.each([
    ["{ref: .hook.key, key: .hook.key}", true],
    [".hook | {ref: .key, key: .key}", true],
    [".hook as $h | {ref: $h.key, key: $h.key}", true],
    ["{ref: .hook.ref, key: .hook.key}", false],
    ["{ref: .hook.id, key: .hook.id}", false],
  ])("%s", (program, isTold) => {
    const told = findings("security/signing-secret-in-url", "inbound-webhook", {
      "/data_intake/0/verification": verification,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.ref}" } },
    });
    expect(told).toEqual(isTold ? ["${data.workflow.ref}"] : []);
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

describe("intake/saved-other-id", () => {
  const told = (saved: string, path = "/hooks"): string[] =>
    findings("intake/saved-other-id", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path,
              body: { hook: { url: "${webhook.url}", form_id: "${custom_data.form.value}" } },
            },
          },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
    });

  test.each([
    ["{hook_id: .hook.form_id}", true],
    ["{hook_id: .form_id}", true],
    [".hook as $h | {hook_id: $h.form_id}", true],
    [".hook | {hook_id: .form_id}", true],
    ["{hook_id: .hook.url}", true],
    ["{hook_id: .hook.id, form_id: .hook.form_id}", false],
    ["{hook_id: .hook.hook_id}", false],
    ["{hook_id: .hook.uuid}", false],
    ["{hook_id: (.hook.id // .hook.form_id)}", false],
  ])("%s", (saved, isTold) => {
    expect(told(saved)).toEqual(isTold ? ["${data.workflow.hook_id}"] : []);
  });

  test("another list may be named by it", () => {
    expect(told("{hook_id: .hook.form_id}", "/forms/${custom_data.form.value}")).toEqual([]);
  });
});
