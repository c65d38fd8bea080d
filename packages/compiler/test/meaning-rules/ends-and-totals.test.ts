import { describe, expect, test } from "vitest";
import { findings, inPolling as told } from "../support/rule-findings.ts";

/** Ends of windows and lists that nothing sends, windows without anything in them, and totals that the state keeps. */

const jq = (program: string): object => ({ "!jq": program });
const http = (params: object, path = "/jobs"): object => ({ "!http": { path, params } });

describe("the end of a list that is read page by page", () => {
  const list = (first: string, more: Readonly<Record<string, unknown>> = {}, results = ".jobs") => ({
    initial_setup: jq(`{polling_state: {page: 1, ${first}}}`),
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        http({ page: "${polling_state.page}", per_page: 100, ...more }),
        jq(
          `{results: ${results}, iterate: (.page < .pages), polling_state: (\${polling_state} + {page: (.page + 1)})}`,
        ),
      ],
    },
  });

  test.each([
    ["seconds", "until: (now | floor)"],
    ["a date", "made_before: (now | floor | todate)"],
    ["milliseconds in camel case", "openedBefore: (now * 1000 | floor)"],
    ["some minutes ago", "to: (now - 300 | floor)"],
  ])("polling/idle-key tells one that is kept and not sent: %s", (_, first) => {
    expect(told("polling/idle-key", list(first))).toHaveLength(1);
  });

  test.each([
    ["it is sent", list("until: (now | floor)", { before: "${polling_state.until}" })],
    [
      "results are chosen by it",
      list("until: (now | floor)", {}, "[.jobs[] | select(.made < ${polling_state.until})]"),
    ],
    ["it says when the import began", list("started_at: (now | floor)")],
    ["it isn't a time", list('until: "2026-01-01"')],
  ])("polling/idle-key is silent where %s", (_, commands) => {
    expect(told("polling/idle-key", commands)).toEqual([]);
  });
});

describe("polling/unsent-end", () => {
  const window = (
    comment: string,
    {
      start = "completed_from",
      open = "${polling_state} | if .page == 1 then .to = (now | floor | todate) else . end",
      close = "${polling_state} | if .complete then .from = .to | .page = 1 else . end",
      params = {},
    }: { start?: string; open?: string; close?: string; params?: object } = {},
  ) => ({
    _comment: comment,
    initial_setup: jq(
      "{polling_state: {from: (now - 86400 | floor | todate), to: null, page: 1, complete: false}}",
    ),
    pre_poll: jq(`{polling_state: (${open})}`),
    request: {
      "!pipe": [
        http({ [start]: "${polling_state.from}", page: "${polling_state.page}", ...params }),
        jq(
          "(.page < .page_count) as $more | {results: .jobs, iterate: $more, polling_state: (${polling_state} | .page = .page + 1 | .complete = ($more | not))}",
        ),
      ],
    },
    post_poll: jq(`{polling_state: (${close})}`),
  });
  const said = "completed_from is inclusive, completed_to exclusive.";

  test.each([
    ["assigned on some way", window(said)],
    ["an interval", window("We list what changed in [since, until).", { start: "since" })],
    ["an interval of names with signs", window("Jobs in [`done_from`, `done_to`).", { start: "done_from" })],
    [
      "in quotes",
      window(said, {
        close:
          'if ${polling_state.complete} then ${polling_state} + {from: "${polling_state.to}", page: 1} else ${polling_state} end',
      }),
    ],
    [
      "the whole state by name",
      window(said, {
        open: "{from: ${polling_state.from}, to: (now | floor | todate), page: 1, complete: false}",
        close: "{from: ${polling_state.to}, to: null, page: 1, complete: false}",
      }),
    ],
  ])("tells an end that isn't sent: %s", (_, commands) => {
    expect(told("polling/unsent-end", commands)).toHaveLength(1);
  });

  test.each([
    ["it is sent", window(said, { params: { completed_to: "${polling_state.to}" } })],
    ["no comment names it", window("Jobs come in the order of their end.")],
    ["the interval is of something else", window("Rooms 1 to 9 are in [1, 9].")],
    [
      "the next window begins elsewhere",
      window(said, { close: "${polling_state} | if .complete then .page = 1 else . end" }),
    ],
  ])("is silent where %s", (_, commands) => {
    expect(told("polling/unsent-end", commands)).toEqual([]);
  });
});

describe("polling/empty-window", () => {
  const opened = (prePoll: object) => ({
    initial_setup: jq("{polling_state: {from: (now - 86400 | floor), to: null, page: 1}}"),
    pre_poll: prePoll,
    request: {
      "!pipe": [
        http({ from: "${polling_state.from}", to: "${polling_state.to}", page: "${polling_state.page}" }),
        jq(
          "{results: .jobs, iterate: (.page < .pages), polling_state: (${polling_state} + (if .page < .pages then {page: (.page + 1)} else {from: ${polling_state.to}, to: null, page: 1} end))}",
        ),
      ],
    },
    post_poll: undefined,
  });
  const clock = (program: string): object => ({ "!pipe": [{ "!http": { path: "/clock" } }, jq(program)] });

  test.each([
    [
      "assignments",
      jq(
        ".polling_state | if .to == null then .from = (now - 300 | floor) | .to = (now - 300 | floor) else . end | {polling_state: .}",
      ),
    ],
    ["an object", jq("{polling_state: {from: (now - 60 | floor), to: (now - 60 | floor), page: 1}}")],
    [
      "the service's clock",
      clock(
        "${polling_state} as $s | {polling_state: (if $s.page == 1 then $s + {from: .now, to: .now} else $s end)}",
      ),
    ],
    ["a variable", jq("(now - 60 | floor) as $t | {polling_state: (${polling_state} + {from: $t, to: $t})}")],
  ])("tells both ends that are worked out alike: %s", (_, prePoll) => {
    expect(told("polling/empty-window", opened(prePoll))).toHaveLength(1);
  });

  test.each([
    ["two times", jq("{polling_state: {from: (now - 3600 | floor), to: (now - 60 | floor), page: 1}}")],
    [
      "the first window",
      clock(
        "${polling_state} as $s | {polling_state: (if $s.from == null then $s + {from: .now, to: .now} else $s + {to: .now} end)}",
      ),
    ],
    ["one end", clock("{polling_state: (${polling_state} + {to: .now})}")],
    ["ends of two things", clock("{polling_state: (${polling_state} + {made_from: .now, done_to: .now})}")],
  ])("is silent of %s", (_, prePoll) => {
    expect(told("polling/empty-window", opened(prePoll))).toEqual([]);
  });
});

describe("polling/ends-early of a total that the state keeps", () => {
  const read = (
    iterate: string,
    { key = "total", place = "($s.offset + (.jobs | length))", keeps = "$s + {offset: $read}" } = {},
  ) => ({
    initial_setup: jq(`{polling_state: {offset: 0, ${key}: 0, limit_total: 5}}`),
    pre_poll: {
      "!pipe": [
        { "!http": { path: "/snapshots", method: "POST", body: {} } },
        jq(`{polling_state: {offset: 0, ${key}: .snapshot.count, limit_total: 5}}`),
      ],
    },
    post_poll: undefined,
    request: {
      "!pipe": [
        http({ offset: "${polling_state.offset}", limit: 100 }),
        jq(
          `\${polling_state} as $s | ${place} as $read | {results: .jobs, iterate: (${iterate}), polling_state: (${keeps})}`,
        ),
      ],
    },
  });

  test.each([
    ["the other way round", read("$read >= $s.total")],
    ["greater", read("$read > $s.total")],
    ["equal", read("$read == $s.total")],
    ["mirrored", read("$s.total <= $read")],
    ["with not", read("($read < $s.total) | not")],
    ["an expansion", read("$read >= ${polling_state.total}")],
    ["a total of something", read("$read >= $s.job_total", { key: "job_total" })],
  ])("tells %s", (_, commands) => {
    expect(told("polling/ends-early", commands)).toHaveLength(1);
  });

  test.each([
    ["less", read("$read < $s.total")],
    ["not equal", read("$read != $s.total")],
    ["mirrored", read("$s.total > $read")],
    ["with not", read("($read >= $s.total) | not")],
    ["a limit by another name", read("$read >= $s.most", { key: "most" })],
    [
      "a total that counts down",
      read("$read >= $s.total", { keeps: "$s + {offset: $read, total: ($s.total - 100)}" }),
    ],
    ["the length of the page", read("(.jobs | length) >= $s.total")],
  ])("is silent of %s", (_, commands) => {
    expect(told("polling/ends-early", commands)).toEqual([]);
  });
});

describe("polling/ends-early and asks-on by what how far was read is compared with", () => {
  const read = (iterate: string, { param = "offset", first = "0", state = "{at: $read}" } = {}) => ({
    initial_setup: jq(`{polling_state: {at: ${first}}}`),
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        http({ [param]: "${polling_state.at}", limit: 100 }),
        jq(
          `(\${polling_state.at} + (.jobs | length)) as $read | {results: .jobs, iterate: (${iterate}), polling_state: ${state}}`,
        ),
      ],
    },
  });
  const ends = ["polling/ends-early", "polling/asks-on"];
  const found = (commands: Readonly<Record<string, unknown>>): string[] =>
    ends.filter((rule) => told(rule, commands).length > 0);

  test.each([
    ["one less", read("$read < .count - 1"), "polling/ends-early"],
    ["one less, below another member", read("$read < (.list.jobCount - 1)"), "polling/ends-early"],
    ["greater", read("$read > .count"), "polling/ends-early"],
    [
      "a state that is merged",
      read("$read < .count - 1", { state: "(${polling_state} * {at: $read})" }),
      "polling/ends-early",
    ],
    ["one more time", read("$read <= .count"), "polling/asks-on"],
    [
      "the place that the answer repeats",
      read("(.from + (.jobs | length)) <= .count", { param: "from" }),
      "polling/asks-on",
    ],
  ])("tells %s", (_, commands, rule) => {
    expect(found(commands)).toEqual([rule]);
  });

  test.each([
    ["less", read("$read < .count")],
    ["a state that is merged", read("$read < .count", { state: "(${polling_state} * {at: $read})" })],
    ["mirrored", read(".count > $read")],
    ["the number of the last one", read("$read <= .last")],
    ["the number of the newest one", read("$read <= .head")],
    ["the place that the answer repeats", read("(.from + (.jobs | length)) < .count", { param: "from" })],
    // It counts from 1: the last one has the number of all.
    ["a count from 1", read("(.from + (.jobs | length)) <= .count", { param: "from", first: "1" })],
    ["a number of no record", read("$read < .revision - 1")],
  ])("is silent of %s", (_, commands) => {
    expect(found(commands)).toEqual([]);
  });

  const pages = (iterate: string) => ({
    initial_setup: jq("{polling_state: {pagina: 1}}"),
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        http({ pagina: "${polling_state.pagina}" }),
        jq(`{results: .jobs, iterate: (${iterate}), polling_state: {pagina: (.pagina + 1)}}`),
      ],
    },
  });
  test.each([
    [".pagina + 1 < .paginas", ["polling/ends-early"]],
    [".pagina <= .paginas", ["polling/asks-on"]],
    [".pagina < .paginas", []],
  ])("pages in another language: %s", (iterate, rules) => {
    expect(found(pages(iterate))).toEqual(rules);
  });

  test("a list behind the state of a job", () => {
    const job = (condition: string) => ({
      ...read(""),
      request: {
        "!pipe": [
          { "!http": { path: "/exports/${polling_state.at}" } },
          {
            "!switch": {
              jq: 'if .job.status == "ready" then 0 else 1 end',
              cases: [
                {
                  "!pipe": [
                    http({ offset: "${polling_state.at}", count: 250 }),
                    jq(
                      `(\${polling_state.at} + (.jobs | length)) as $read | (${condition}) as $more | {results: .jobs, iterate: $more, polling_state: {at: (if $more then $read else 0 end)}}`,
                    ),
                  ],
                },
                jq("{results: [], iterate: false, polling_state: ${polling_state}}"),
              ],
            },
          },
        ],
      },
    });
    expect(found(job("$read <= .total"))).toEqual(["polling/asks-on"]);
    expect(found(job("$read < .total"))).toEqual([]);
  });
});

describe("polling/other-time by what a comment says of the order", () => {
  const rows = (comment: string, member: string) => ({
    _comment: comment,
    initial_setup: jq("{polling_state: {since: ((now - 86400) * 1000 | floor), after: null}}"),
    pre_poll: undefined,
    post_poll: undefined,
    request: {
      "!pipe": [
        http({ since: "${polling_state.since}", after: "${polling_state.after}", size: 50 }),
        jq(
          `\${polling_state} as $s | {results: .jobs, iterate: .has_next, polling_state: {since: (.jobs[-1].${member} // $s.since), after: (.jobs[-1].id // $s.after)}}`,
        ),
      ],
    },
  });

  test.each([
    ["rows after the pair (since, after), by updated_ms and then id, rising.", "created_ms", 1],
    ["Rows come by updated_ms, then id.", "created_ms", 1],
    ["The list is by (updated_ms, id).", "created_ms", 1],
    ["Rows come by updated_ms, rising.", "created_ms", 1],
    ["Rows come by updated_ms and then id.", "updated_ms", 0],
    ["Filtered by updated_ms where somebody asks for it.", "created_ms", 0],
  ])("%s: %s", (comment, member, count) => {
    expect(told("polling/other-time", rows(comment, member))).toHaveLength(count);
  });
});

describe("api/page-counted: by the total that a poll goes by", () => {
  const counted = (parser: string, iterate: string): string[] =>
    findings("api/page-counted", "inbound-polling", {
      "/api/pagination": {
        style: {
          type: "page",
          page_number: { param: "page", value: 1 },
          page_size: { param: "per_page", value: 50 },
        },
        parser: { total_pages: { "!jq": parser } },
      },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/lists", pagination: true } },
          jq("[.items[] | {display: .name, value: .id}]"),
        ],
      },
      "/data_intake/0/initial_setup": jq("{polling_state: {page: 1}}"),
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { page: "${polling_state.page}" },
      "/data_intake/0/request/!pipe/1": jq(
        `{results: .items, iterate: (${iterate}), polling_state: {page: (\${polling_state.page} + 1)}}`,
      ),
      "/data_intake/0/post_poll": undefined,
    });
  const all = ".paging.page * .paging.per_page < .paging.total";

  test("tells a count that is divided", () => {
    expect(counted(".paging.count / .paging.per_page | ceil", all)).toEqual([".paging.count"]);
  });
  test.each([
    [".paging.total / .paging.per_page | ceil", all],
    // Nothing says what is counted.
    [".paging.count / .paging.per_page | ceil", ".paging.more"],
    [".paging.count / .paging.per_page | ceil", ".paging.page * .paging.per_page < .paging.count"],
    [".meta.count / .meta.per_page | ceil", all],
  ])("is silent of %s beside %s", (parser, iterate) => {
    expect(counted(parser, iterate)).toEqual([]);
  });
});
