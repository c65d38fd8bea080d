import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Places and lists that begin as an empty text, stand behind a further condition, or are set on several ways. */

const jq = (program: string) => ({ "!jq": program });
const alone = { pre_poll: undefined, post_poll: undefined };

describe("polling/null-kept: what stands for nothing, and beside what", () => {
  const told = (condition: string, [none, some]: readonly [number, number], nothing = "null"): string[] => {
    const choice = {
      "!switch": {
        jq: condition.replace("THEN", `then ${none} else ${some} end`),
        cases: [
          {
            "!pipe": [
              { "!http": { method: "POST", path: "/exports" } },
              jq("{polling_state: (${polling_state} + {job: .id, part: 1})}"),
            ],
          },
          jq("{polling_state}"),
        ],
      },
    };
    return inPolling("polling/null-kept", {
      initial_setup: jq(`{polling_state: {job: ${nothing}, until: null, part: 1}}`),
      pre_poll: nothing === "null" ? { "!pipe": [choice] } : choice,
      request: {
        "!pipe": [
          { "!http": { path: "/exports/${polling_state.job}/parts/${polling_state.part}" } },
          jq(
            `(\${polling_state.part} < .parts) as $more | {results: .rows, iterate: $more, polling_state: (if $more then \${polling_state} + {part: (\${polling_state.part} + 1)} else {job: ${nothing}, until: null, part: 1} end)}`,
          ),
        ],
      },
      post_poll: undefined,
    });
  };

  test.each([
    ["if .polling_state.job == null THEN", "null"],
    ['.polling_state.job | if . == "" THEN', '""'],
    ['if ${polling_state.job} == "" THEN', '""'],
    ["if .polling_state.job == null or .polling_state.part > 9 THEN", "null"],
  ])("%s", (condition, nothing) => {
    expect(told(condition, [1, 0], nothing)).toHaveLength(1);
    expect(told(condition, [0, 1], nothing)).toEqual([]);
  });

  test("right: it begins as something else, or what comes of nothing isn't certain", () => {
    expect(told('if .polling_state.job == "" THEN', [1, 0])).toEqual([]);
    expect(told("if .polling_state.job == null and .polling_state.part > 9 THEN", [1, 0])).toEqual([]);
  });
});

describe("polling/position-step: on several ways", () => {
  const told = (page: string, first = "if .page < .pages then"): string[] =>
    inPolling("polling/position-step", {
      ...alone,
      initial_setup: jq("{polling_state: {page: 1}}"),
      request: {
        "!pipe": [
          { "!http": { path: "/rows", params: { page: "${polling_state.page}", per_page: 100 } } },
          jq(
            `{results: .rows, iterate: (.page < .pages), polling_state: (${first} {page: ${page}} else {page: 1} end)}`,
          ),
        ],
      },
    });

  test("by the size of a page", () => {
    expect(told("(.page + 100)")).toHaveLength(1);
    expect(told("(${polling_state.page} + 100)")).toHaveLength(1);
    expect(told("(.page + 2)")).toHaveLength(1);
  });

  test("right: by one", () => {
    expect(told("(.page + 1)")).toEqual([]);
    expect(told("(${polling_state.page} + 1)")).toEqual([]);
  });
});

describe("polling/ends-early: whether there was a token, as an empty text", () => {
  const told = (iterate: string): string[] =>
    inPolling("polling/ends-early", {
      ...alone,
      initial_setup: jq('{polling_state: {token: ""}}'),
      request: {
        "!pipe": [
          { "!http": { path: "/rows", params: { page_token: "${polling_state.token}" } } },
          jq(`{results: .rows, iterate: ${iterate}, polling_state: {token: (.next_page_token // "")}}`),
        ],
      },
    });

  test("of the state before", () => {
    expect(told('(${polling_state.token} != "")')).toHaveLength(1);
    expect(told('((${polling_state.token} // "") != "")')).toHaveLength(1);
  });

  test("right: of the answer", () => {
    expect(told('((.next_page_token // "") != "")')).toEqual([]);
    expect(told("(.next_page_token != null)")).toEqual([]);
  });
});

describe("polling/empty-window: a list as it was at the end of the window", () => {
  const told = (from: string, name: string): string[] =>
    inPolling("polling/empty-window", {
      initial_setup: jq("{polling_state: {since: (now - 86400 | floor), until: null}}"),
      pre_poll: jq("{polling_state: {since: ${polling_state.since}, until: (now - 60 | floor)}}"),
      request: {
        "!pipe": [
          { "!http": { path: "/rows", params: { changed_from: from, [name]: "${polling_state.until}" } } },
          jq("{results: .rows, iterate: false, polling_state: ${polling_state}}"),
        ],
      },
      post_poll: jq("{polling_state: {since: ${polling_state.until}, until: null}}"),
    });

  test("begins there too", () => {
    expect(told("${polling_state.until}", "as_of")).toHaveLength(1);
    expect(told("${polling_state.until}", "asOf")).toHaveLength(1);
    expect(told("${polling_state.until}", "changed_to")).toHaveLength(1);
  });

  test("right: begins at its start", () => {
    expect(told("${polling_state.since}", "as_of")).toEqual([]);
    expect(told("${polling_state.since}", "changed_to")).toEqual([]);
    expect(told("${polling_state.until}", "seen")).toEqual([]);
  });
});

describe("polling/same-request: the id that was saved with the connection", () => {
  const told = (page: string, save: object): string[] =>
    findings("polling/same-request", "inbound-polling", {
      ...save,
      "/data_intake/0/initial_setup": jq("{polling_state: {export: ${custom_data.list.value}, page: 1}}"),
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              path: "/exports/${polling_state.export}/rows",
              headers: { "x-firm": "${data.connection.firm_id}" },
              params: { page },
            },
          },
          jq(
            "{results: .rows, iterate: (${polling_state.page} < .pages), polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}",
          ),
        ],
      },
    });
  const saved = {
    "/workflows/0/setup/connect/describe_connection": {
      "!pipe": [
        { "!http": { path: "/firm" } },
        jq("{firm_id: .id, account_id: .id, description: .name}"),
        { "!save": { scope: "connection" } },
      ],
    },
  };

  test("stays what it is", () => {
    expect(told("1", saved)).toHaveLength(1);
    expect(told("${polling_state.page}", saved)).toEqual([]);
  });

  test("right: what nothing is known to save may be another one", () => {
    expect(told("1", {})).toEqual([]);
  });
});
