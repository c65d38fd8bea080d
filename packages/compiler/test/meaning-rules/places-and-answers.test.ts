import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Where reading goes on, and of which answer a request is made. */

const jq = (program: string) => ({ "!jq": program });
const pipe = (...steps: readonly unknown[]) => ({ "!pipe": steps });
const get = (path: string, params: Readonly<Record<string, string>> = {}) => ({ "!http": { path, params } });
const post = (path: string, body: Readonly<Record<string, string>> = {}) => ({
  "!http": { method: "POST", path, body },
});

describe("polling/late-start: a page's token beside a delta token", () => {
  const told = (page: string, delta = "(.delta_token // $s.delta_token)"): string[] =>
    inPolling("polling/late-start", {
      initial_setup: jq("{polling_state: {delta_token: null, page_token: null}}"),
      pre_poll: undefined,
      request: pipe(
        get("/changes", {
          since: "${polling_state.delta_token}",
          page_token: "${polling_state.page_token}",
        }),
        jq(
          `\${polling_state} as $s | {results: .visits, iterate: (.page_token != null), polling_state: {delta_token: ${delta}, page_token: ${page}}}`,
        ),
      ),
      post_poll: undefined,
    });

  test("is left", () => expect(told("(.page_token // $s.page_token)")).toHaveLength(1));
  test.each([
    [".page_token", undefined],
    // Nothing else says what was read: the last page is read again, with what is new on it.
    ["(.page_token // $s.page_token)", "$s.delta_token"],
  ])("right: %s, %s", (page, delta) => expect(told(page, delta)).toEqual([]));
});

describe("polling/lost-place: the present time", () => {
  const told = (before: string, place = ".place"): string[] =>
    inPolling("polling/lost-place", {
      initial_setup: pipe(get("/head"), jq("{polling_state: {place: .place, rates: {}}}")),
      pre_poll: pipe(get("/rates"), jq(before)),
      request: pipe(
        get("/changes", { after: "${polling_state.place}" }),
        jq(
          `\${polling_state} as $s | {results: [.changes[] | . + {rate: $s.rates[.currency]}], iterate: .has_more, polling_state: ($s + {place: ${place}})}`,
        ),
      ),
      post_poll: undefined,
    });

  test.each(["now", "(now | floor)", "(now | todate)"])("%s", (time) =>
    expect(told(`{polling_state: (\${polling_state} + {rates: .rates, place: ${time}})}`)).toHaveLength(1),
  );
  test.each([
    "{polling_state: (${polling_state} + {rates: .rates})}",
    // A window that overlaps the one before.
    "{polling_state: (${polling_state} + {rates: .rates, place: (now - 3600)})}",
    "{polling_state: (${polling_state} + {rates: .rates, place: (${polling_state.place} // now)})}",
  ])("right: %s", (before) => expect(told(before)).toEqual([]));
  test("right: nothing is kept that is lost", () =>
    expect(told("{polling_state: (${polling_state} + {rates: .rates, place: now})}", "$s.place")).toEqual(
      [],
    ));
});

describe("polling/forgotten-place: behind the last page", () => {
  const told = (
    cursor: string,
    begin: unknown = pipe(get("/head"), jq("{polling_state: {cursor: .cursor}}")),
  ) =>
    inPolling("polling/forgotten-place", {
      initial_setup: begin,
      pre_poll: undefined,
      request: pipe(
        get("/changes", { cursor: "${polling_state.cursor}" }),
        jq(`{results: .items, iterate: .has_more, polling_state: {cursor: ${cursor}}}`),
      ),
      post_poll: undefined,
    });

  test("is null", () => expect(told("(if .has_more then .next_cursor else null end)")).toHaveLength(1));
  test("right: the answer's", () => expect(told(".next_cursor")).toEqual([]));
  test("right: the list is read anew each time", () =>
    expect(
      told("(if .has_more then .next_cursor else null end)", jq("{polling_state: {cursor: null}}")),
    ).toEqual([]));
});

describe("polling/idle-key: through several steps", () => {
  const told = (from: string, asked = "if .job == null then 0 else 1 end"): string[] =>
    inPolling("polling/idle-key", {
      initial_setup: jq("{polling_state: {changed_from: (now | todate), as_of: null, job: null, page: 1}}"),
      pre_poll: pipe(jq("${polling_state}"), {
        "!switch": {
          jq: asked,
          cases: [
            pipe(
              post("/jobs", { from }),
              jq(
                "${piped_content.0} as $s | {polling_state: {changed_from: $s.changed_from, as_of: .as_of, job: .id, page: 1}}",
              ),
            ),
            jq("{polling_state: .}"),
          ],
        },
      }),
      request: pipe(
        get("/jobs/${polling_state.job}/pages/${polling_state.page}"),
        jq(
          "${polling_state} as $s | {results: .items, iterate: .more, polling_state: ($s + {page: ($s.page + 1), changed_from: (if .more then $s.changed_from else $s.as_of end), job: (if .more then $s.job else null end)})}",
        ),
      ),
      post_poll: undefined,
    });

  test("is moved on and read nowhere", () => expect(told("2020-01-01T00:00:00Z")).toHaveLength(1));
  test("right: is sent", () => expect(told("${piped_content.0.changed_from}")).toEqual([]));
  test("right: is asked for", () =>
    expect(
      told("2020-01-01T00:00:00Z", 'if .job == null and .changed_from > "2026" then 0 else 1 end'),
    ).toEqual([]));
});

describe("polling/id-of-other: an id that names a record of another list", () => {
  const told = (id: string, path = "/choirs/${piped_content.0.choir_id}", param = "after_id"): string[] =>
    findings("polling/id-of-other", "inbound-polling", {
      "/data_intake/0": {
        type: "polling",
        name: "customers",
        initial_setup: jq("{polling_state: {after: null}}"),
        request: pipe(
          get("/entries", { [param]: "${polling_state.after}" }),
          jq(
            `{results: .entries, iterate: .more, polling_state: {after: (${id} // \${polling_state.after})}}`,
          ),
        ),
      },
      "/workflows/0/data_pipeline/source": pipe(get(path), jq("{email, name, city}")),
    });

  test("is another thing's", () => expect(told(".entries[-1].choir_id")).toHaveLength(1));
  test.each([
    [".entries[-1].id", undefined, undefined],
    [".entries[-1].entry_id", "/entries/${piped_content.0.entry_id}", undefined],
    // Whose it is can't be seen.
    [".entries[-1].choir_id", "/choirs", undefined],
    [".entries[-1].choir_id", undefined, "position"],
  ])("right: %s, %s, %s", (id, path, param) => expect(told(id, path, param)).toEqual([]));
});

describe("intake/deletes-new: by an answer", () => {
  const told = (path: string, first: unknown = post("/hooks", { url: "${webhook.url}" })): string[] =>
    findings("intake/deletes-new", "inbound-webhook", {
      "/data_intake/0/update": pipe(
        jq("{old: ${data.workflow.hook_id}}"),
        first,
        jq("{hook_id: .id}"),
        { "!save": { scope: "workflow" } },
        { "!http": { method: "DELETE", path } },
      ),
    });

  test("the new one", () => {
    expect(told("/hooks/${piped_content.2.id}")).toHaveLength(1);
    expect(told("/hooks/${piped_content.3.hook_id}")).toHaveLength(1);
  });
  test("right: the old one", () => expect(told("/hooks/${piped_content.1.old}")).toEqual([]));
  test("right: what was found", () =>
    expect(told("/hooks/${piped_content.2.id}", get("/hooks/current"))).toEqual([]));
});

describe("pipeline/other-answer", () => {
  const told = (path: string, ...between: readonly unknown[]): string[] =>
    findings("pipeline/other-answer", "outbound", {
      "/workflows/0/data_pipeline/target": pipe(
        get("/partners/${piped_content.0.email}"),
        post("/orders", { partner: "${piped_content.1.number}" }),
        ...between,
        post(path),
      ),
    });

  test("is of another list", () =>
    expect(told("/orders/${piped_content.1.order_number}/release")).toEqual(["1"]));
  test.each([
    ["/orders/${piped_content.2.number}/release", []],
    // The list of that name may be the partner's.
    ["/partners/${piped_content.1.number}/orders", []],
    // An id of another kind is told as that.
    ["/orders/${piped_content.1.order_id}/release", []],
    // Something reads the answer.
    ["/orders/${piped_content.1.order_number}/release", [{ "!print_c": "Order ${piped_content.2.number}" }]],
  ])("right: %s", (path, between) => expect(told(path, ...between)).toEqual([]));
});

describe("jq/other-date-order", () => {
  const told = (comment: string, program: string): string[] =>
    findings("jq/other-date-order", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": jq(program),
    });
  const split = (order: string): string =>
    `{email, born: (.born | split(".") | "\\(.[2])-\\(.[${order[0]}])-\\(.[${order[1]}])")}`;

  test.each([
    ["Days are written 31.12.2026.", split("01")],
    ["Days are written 12/31/2026.", '{email, born: (.born | strptime("%d/%m/%Y") | mktime)}'],
    ["born: day.month.year.", split("01")],
  ])("%s %s", (comment, program) => expect(told(comment, program)).toHaveLength(1));
  test.each([
    ["Days are written 31.12.2026.", split("10")],
    ["Days come as 31.12.2026. Dates go out like 12/31/2026.", split("01")],
    // Of another day.
    ["The old list ends on 31.12.2026.", split("01")],
    // It may be either.
    ["Days are written 01.02.2026.", split("01")],
  ])("right: %s %s", (comment, program) => expect(told(comment, program)).toEqual([]));
});
