import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Bounds of lists where they are sent, made or moved in another place or form. */

const jq = (program: string) => ({ "!jq": program });
const alone = { pre_poll: undefined, post_poll: undefined };
const feed = (params: object, state: string, more = ".has_more") => ({
  "!pipe": [
    { "!http": { path: "/rows", params: { limit: 100, ...params } } },
    jq(`{results: .rows, iterate: ${more}, polling_state: ${state}}`),
  ],
});

describe("polling/documented-bound: what pre_poll sends", () => {
  const told = (since: string, comment: string, name = "changed_since"): string[] =>
    findings("polling/documented-bound", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": jq(`{polling_state: {since: ${since}, list: null, page: 1}}`),
      "/data_intake/0/pre_poll": {
        "!pipe": [
          { "!http": { method: "POST", path: "/lists", body: { [name]: "${polling_state.since}" } } },
          jq("{polling_state: {since: ${polling_state.since}, list: .id, page: 1}}"),
        ],
      },
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": { path: "/lists/${polling_state.list}/rows", params: { page: "${polling_state.page}" } },
          },
          jq("{results: .rows, iterate: (.page < .pages), polling_state: (${polling_state} | .page += 1)}"),
        ],
      },
      "/data_intake/0/post_poll": undefined,
    });

  test("in seconds", () => {
    expect(told("(now - 86400 | floor)", "All times are epoch milliseconds.")).toHaveLength(1);
    expect(told("(now - 86400 | floor)", "changed_since is in milliseconds.")).toHaveLength(1);
    expect(told("(now - 86400 | floor)", "The list is sorted by changed_at (ISO, UTC).")).toHaveLength(1);
  });

  test("a date that doesn't begin with the year", () => {
    const day = '(now - 86400 | strftime("%d.%m.%Y"))';
    expect(told(day, "changed_since is ISO 8601 in UTC.")).toEqual([day]);
    expect(told(day, "changed_since takes a day such as 31.12.2026.")).toEqual([]);
    expect(told("(now - 86400 | todate)", "changed_since is ISO 8601 in UTC.")).toEqual([]);
  });

  test("right: as it is said, or nothing is said of it", () => {
    expect(told("((now - 86400) * 1000 | floor)", "All times are epoch milliseconds.")).toEqual([]);
    expect(told("(now - 86400 | floor)", "Changes show up at once.")).toEqual([]);
    expect(told("(now - 86400 | floor)", "All times are epoch milliseconds.", "row")).toEqual([]);
  });
});

describe("polling/mixed-kinds: in a window", () => {
  const told = (start: string, until: string, comment = ""): string[] =>
    findings("polling/mixed-kinds", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": jq(start),
      "/data_intake/0/pre_poll": jq(`.polling_state as $s | {polling_state: ($s + {until: ${until}})}`),
      "/data_intake/0/request": feed(
        { changed_from: "${polling_state.from}", changed_to: "${polling_state.until}" },
        "{from: ${polling_state.until}, until: ${polling_state.until}}",
        "false",
      ),
      "/data_intake/0/post_poll": undefined,
    });
  const both = (time: string) => `${time} | {polling_state: {from: ., until: .}}`;

  test("what comes in before the object", () => {
    expect(told(both("(now | floor) - 86400"), "((now - 60) * 1000 | floor)")).not.toEqual([]);
    expect(told(both("(now - 86400 | todate)"), "(now - 60 | floor)")).not.toEqual([]);
    expect(told(both("((now | floor) - 86400) * 1000"), "((now - 60) * 1000 | floor)")).toEqual([]);
  });

  test("both of them is no choice", () => {
    const date = both("(now - 86400 | todate)");
    const seconds = "(now - 60 | floor)";
    expect(
      told(date, seconds, "GET /rows takes changed_from and changed_to, both ISO 8601 in UTC."),
    ).not.toEqual([]);
    expect(told(date, seconds, "changed_to takes both, seconds or a date.")).toEqual([]);
    expect(told(date, seconds, "changed_from and changed_to take both forms.")).toEqual([]);
    expect(told(date, seconds, "changed_from and changed_to take both ISO times and seconds.")).toEqual([]);
  });

  test("a number of which nothing more is known, and then two units", () => {
    const start =
      "(${custom_data.list.value} | tonumber) as $start | {polling_state: {from: $start, until: $start}}";
    const until = (time: string) => `(if $s.from == 1 then ${time} else ((now - 60) * 1000 | floor) end)`;
    expect(told(start, until("(now - 120 | floor)"))).not.toEqual([]);
    expect(told(start, until("((now - 120) * 1000 | floor)"))).toEqual([]);
  });
});

describe("polling/wrong-end: the order as comments say it", () => {
  const told = (comment: string, member: string, params: object, key = "after"): string[] =>
    findings("polling/wrong-end", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": jq(`{polling_state: {${key}: 0}}`),
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request": feed(params, `{${key}: (${member} // \${polling_state.${key}})}`),
    });
  const after = { after: "${polling_state.after}" };
  const before = { before: "${polling_state.before}" };

  test("upwards", () => {
    const rising = "Rows come in rising sequence and never change.";
    expect(told(rising, "[.rows[].sequence] | min", after)).toHaveLength(1);
    expect(told(rising, ".rows[0].token", after)).toHaveLength(1);
    expect(told(rising, "(.rows | first | .ver)", after)).toHaveLength(1);
    expect(told(rising, "[.rows[].sequence] | max", after)).toEqual([]);
    expect(told(rising, ".rows[-1].token", after)).toEqual([]);
    expect(told(rising, "(.rows | last | .ver)", after)).toEqual([]);
  });

  test("downwards, where nothing is known of the member", () => {
    const falling = "Rows come newest first and can't be filtered by time.";
    expect(told(falling, ".rows[0].mark", before, "before")).toHaveLength(1);
    expect(told(falling, "(.rows | first | .mark)", before, "before")).toHaveLength(1);
    expect(told(falling, ".rows[-1].mark", before, "before")).toEqual([]);
    expect(told("Rows are never changed.", ".rows[0].mark", before, "before")).toEqual([]);
    expect(told(falling, ".rows[0].mark", { since: "${polling_state.before}" }, "before")).toEqual([]);
  });

  test("right: another key moves too, or what was there first stays", () => {
    const falling = "Rows come newest first.";
    const told2 = (state: string): string[] =>
      findings("polling/wrong-end", "inbound-polling", {
        "/data_intake/0/_comment": falling,
        "/data_intake/0/initial_setup": jq("{polling_state: {before: null, page: 1}}"),
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request": feed(
          { before: "${polling_state.before}", page: "${polling_state.page}" },
          state,
        ),
      });
    expect(
      told2("{before: (${polling_state.before} // .rows[0].mark), page: (${polling_state.page} + 1)}"),
    ).toEqual([]);
    expect(told2("{before: .rows[0].mark, page: (${polling_state.page} + 1)}")).toEqual([]);
  });
});

describe("polling/least-record: a receipt comes last", () => {
  const told = (newest: string): string[] =>
    inPolling("polling/least-record", {
      pre_poll: undefined,
      initial_setup: jq("(now - 86400 | floor) as $from | {polling_state: {after: $from, newest: $from}}"),
      request: feed(
        { raised_after: "${polling_state.after}" },
        `(${newest} as $newest | {after: (if .has_more then \${polling_state.after} else $newest end), newest: $newest})`,
      ),
      post_poll: { "!http": { method: "PUT", path: "/mark", body: { until: "${polling_state.after}" } } },
    });

  test("the least", () => {
    expect(told("([${polling_state.newest}, .rows[].raised_at] | min)")).toHaveLength(1);
    expect(told("([.rows[].raised_at, ${polling_state.newest}] | min)")).toHaveLength(1);
  });

  test("right: the greatest", () => {
    expect(told("([${polling_state.newest}, .rows[].raised_at] | max)")).toEqual([]);
  });
});

describe("polling/early-watermark: a bound that moves one page later", () => {
  const told = (since: string, place = "cursor: .next_cursor"): string[] =>
    inPolling("polling/early-watermark", {
      ...alone,
      initial_setup: jq(
        "(now - 86400 | todate) as $from | {polling_state: {since: $from, newest: $from, cursor: null, page: 1}}",
      ),
      request: {
        "!pipe": [
          {
            "!http": {
              path: "/rows",
              params: {
                since: "${polling_state.since}",
                cursor: "${polling_state.cursor}",
                page: "${polling_state.page}",
              },
            },
          },
          jq(
            `\${polling_state} as $s | (.next_cursor != null) as $more | ([$s.newest, .rows[].changed_at] | max) as $newest | {results: .rows, iterate: $more, polling_state: {since: ${since}, newest: $newest, ${place}}}`,
          ),
        ],
      },
    });

  test("with each page", () => {
    expect(told("$s.newest")).toEqual(["$s.newest"]);
    expect(told("${polling_state.newest}", "cursor: null, page: ($s.page + 1)")).toHaveLength(1);
    expect(told("(if $more then $s.newest else $newest end)")).toHaveLength(1);
  });

  test("right: behind the last one", () => {
    expect(told("$s.since")).toEqual([]);
    expect(told("(if $more then $s.since else $newest end)")).toEqual([]);
    expect(told("(if $more | not then $newest else $s.since end)")).toEqual([]);
  });
});
