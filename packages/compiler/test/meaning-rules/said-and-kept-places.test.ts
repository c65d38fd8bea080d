import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Where reading goes on, by the state, by comments and by the answer: in other words, and what is right although it looks alike. */

const polled = (
  rule: string,
  {
    comment,
    start,
    params,
    program,
    pre,
  }: {
    readonly comment?: string;
    readonly start: string;
    readonly params: unknown;
    readonly program: string;
    readonly pre?: unknown;
  },
): string[] =>
  findings(rule, "inbound-polling", {
    ...(comment === undefined ? {} : { "/data_intake/0/_comment": comment }),
    "/data_intake/0/initial_setup": { "!jq": `{polling_state: ${start}}` },
    "/data_intake/0/pre_poll": pre,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params": params,
    "/data_intake/0/request/!pipe/1/!jq": program,
  });

describe("an iterate that asks for the old state", () => {
  const told = (iterate: string, start = "{offset: 0, done: false}"): string[] =>
    polled("polling/ends-early", {
      start,
      params: { offset: "${polling_state.offset}", limit: 100 },
      program: `\${polling_state} as $s | ($s.offset + (.items | length)) as $read | ($read < .total) as $more | {results: .items, iterate: ${iterate}, polling_state: ($s + {offset: $read, done: ($more | not)})}`,
    });

  test.each(["$s.done", "${polling_state.done}", "($s.offset > 0)"])("%s", (iterate) => {
    expect(told(iterate)).toHaveLength(1);
  });

  test.each(["$more", "($read < .total)", "($s.done | not)"])("%s", (iterate) => {
    expect(told(iterate)).toEqual([]);
  });

  test("the setup isn't known", () => {
    expect(told("($s.offset > 0)", "(${custom_data.form.value} | fromjson)")).toEqual([]);
  });
});

describe("how far was read and the size of a page", () => {
  const told = (
    end: string,
    offset = "$read",
    comment = "count: items of this page, total: of all",
  ): string[] =>
    polled("polling/counted-page", {
      comment,
      start: "{offset: 0}",
      params: { offset: "${polling_state.offset}", limit: 100 },
      program: `(\${polling_state.offset} + (.items | length)) as $read | (${end}) as $more | {results: .items, iterate: $more, polling_state: {offset: ${offset}}}`,
    });

  test.each([
    ["$read < 100", "$read"],
    ["$read >= 100 | not", "$read"],
    ["$read < .page.total", ".page.count"],
    ["$read < .page.total", "(.page.count // 0)"],
  ])("%s, %s", (end, offset) => {
    expect(told(end, offset)).toHaveLength(1);
  });

  test.each([
    ["(.items | length) == 100", "$read"],
    ["$read < 1000", "$read"],
    ["$read < .page.total", "$read"],
    ["$read < .page.total", "(${polling_state.offset} + .page.count)"],
    ["$read < .page.total", "(if $more then $read else 0 end)"],
  ])("right: %s, %s", (end, offset) => {
    expect(told(end, offset)).toEqual([]);
  });
});

describe("a list that is always there", () => {
  const told = (iterate: string, token = ".next_token"): string[] =>
    polled("polling/constant-iterate", {
      start: "{token: null}",
      params: { page_token: "${polling_state.token}" },
      program: `{results: .items, iterate: ${iterate}, polling_state: {token: ${token}}}`,
    });

  test("beside a token", () => {
    expect(told("(.items != null)")).toHaveLength(1);
  });

  test.each(["(.next_token != null)", "(.items != [])", "(.more != null)"])("%s", (iterate) => {
    expect(told(iterate)).toEqual([]);
  });
});

describe("the token of the page at hand", () => {
  const told = (token: string): string[] =>
    polled("polling/other-token", {
      start: "{token: null}",
      params: { cursor: "${polling_state.token}" },
      program: `{results: .items, iterate: (.cursors.next != null), polling_state: {token: ${token}}}`,
    });

  test.each([".cursors.this", ".cursors.current"])("%s", (token) => {
    expect(told(token)).toHaveLength(1);
  });

  test.each([".cursors.next", "(.cursors.next // ${polling_state.token})", ".links.self", ".this"])(
    "%s",
    (token) => {
      expect(told(token)).toEqual([]);
    },
  );
});

describe("the id of a record for a token of the same name", () => {
  const told = (mark: string, iterate = ".mark"): string[] =>
    polled("polling/other-token", {
      start: "{mark: null}",
      params: { mark: "${polling_state.mark}" },
      program: `{results: .items, iterate: (${iterate} != null), polling_state: {mark: ${mark}}}`,
    });

  test.each([".items[-1].id", ".items[-1].number"])("%s", (mark) => {
    expect(told(mark)).toHaveLength(1);
  });

  test("right", () => {
    expect(told(".mark")).toEqual([]);
    expect(told("(.mark // ${polling_state.mark})")).toEqual([]);
    expect(told(".items[-1].id", ".more")).toEqual([]);
  });
});

describe("the number that a place goes by", () => {
  const told = (comment: string, value: string): string[] =>
    polled("polling/other-number", {
      comment,
      start: "{after: 0}",
      params: { after: "${polling_state.after}", limit: 50 },
      program: `{results: .items, iterate: .more, polling_state: {after: ((${value}) // \${polling_state.after})}}`,
    });
  const numbered = "Every entry has a seq, rising; after is exclusive.";

  test.each([
    [numbered, ".items | last | .order.id"],
    ["Changes are numbered without end (seq).", ".items[-1].order.id"],
    ["The list holds entries with seq > after.", ".items[-1].id"],
    ["after counts by seq.", ".items[-1].customer_id"],
  ])("%s %s", (comment, value) => {
    expect(told(comment, value)).toHaveLength(1);
  });

  test.each([
    [numbered, ".items | last | .seq"],
    [numbered, ".items[-1].meta.seq"],
    [numbered, ".items[-1].id"],
    ["The list holds entries with change_seq > after.", ".items[-1].seq"],
    ["Numbers are greater than after.", ".items[-1].id"],
  ])("right: %s %s", (comment, value) => {
    expect(told(comment, value)).toEqual([]);
  });
});

describe("a pair that is one place", () => {
  const told = (comment: string, at: string): string[] =>
    polled("polling/split-place", {
      comment,
      start: '{at: "2020-01-01T00:00:00Z", id: 0, until: null}',
      pre: { "!jq": "{polling_state: (${polling_state} + {until: (now - 300 | floor | todate)})}" },
      params: {
        after_time: "${polling_state.at}",
        after_id: "${polling_state.id}",
        before: "${polling_state.until}",
      },
      program: `.items[-1] as $last | {results: .items, iterate: .more, polling_state: (\${polling_state} + (if $last == null then {} else {at: ${at}, id: $last.id} end))}`,
    });

  test.each(["{at, id} is the last item that we have.", "The list is sorted by (at, id)."])(
    "%s",
    (comment) => {
      expect(told(comment, "${polling_state.until}")).toHaveLength(1);
    },
  );

  test.each([
    ["{at, id} is the last item that we have.", "$last.changed_at"],
    ["{at, id} is the last item that we have.", "${polling_state.at}"],
    ["The answer has {at, id}.", "${polling_state.until}"],
  ])("right: %s %s", (comment, at) => {
    expect(told(comment, at)).toEqual([]);
  });
});

describe("the day that a comment names", () => {
  const told = (comment: string, day: string): string[] =>
    polled("polling/other-day", {
      comment,
      start: "{page: 1, last_day: null}",
      pre: { "!jq": `{polling_state: (\${polling_state} + {last_day: (${day})})}` },
      params: { to_day: "${polling_state.last_day}", page: "${polling_state.page}" },
      program:
        "{results: .items, iterate: .more, polling_state: (${polling_state} + {page: (if .more then ${polling_state.page} + 1 else 1 end)})}",
    });

  test.each([
    ["A day stays open until midnight, so the last day we read is yesterday.", "now | todate | .[0:10]"],
    ["last_day is yesterday.", 'now | strftime("%Y-%m-%d")'],
    ["last_day is today.", "now - 86400 | todate | .[0:10]"],
  ])("%s %s", (comment, day) => {
    expect(told(comment, day)).toHaveLength(1);
  });

  test.each([
    ["The last day we read is yesterday.", "now - 86400 | todate | .[0:10]"],
    ["last_day is yesterday's close.", "now | todate | .[0:10]"],
    ["The last day of a hire is today or later.", "now - 7 * 86400 | todate | .[0:10]"],
    ["What came in yesterday is read too.", "now | todate | .[0:10]"],
  ])("right: %s %s", (comment, day) => {
    expect(told(comment, day)).toEqual([]);
  });
});

describe("the oldest record of a feed", () => {
  const told = (comment: string, value: string, param = "after"): string[] =>
    findings("polling/skips-oldest", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": {
        "!pipe": [{ "!http": { path: "/bounds" } }, { "!jq": `{polling_state: {place: ${value}}}` }],
      },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { [param]: "${polling_state.place}" },
      "/data_intake/0/request/!pipe/1/!jq":
        "{results: .items, iterate: .more, polling_state: {place: (.items[-1].seq // ${polling_state.place})}}",
    });
  const exists = "oldest and newest are the seqs of entries that exist, so one less for the oldest.";

  test.each([".oldest", "(if .size > 0 then .oldest else 0 end)"])("%s", (value) => {
    expect(told(exists, value)).toHaveLength(1);
  });

  test.each([
    [exists, ".oldest - 1", "after"],
    [exists, ".newest", "after"],
    [exists, ".oldest", "from"],
    ["oldest is the place before the first entry.", ".oldest", "after"],
  ])("right: %s %s %s", (comment, value, param) => {
    expect(told(comment, value, param)).toEqual([]);
  });
});
