import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Whole answers that are saved, events in lists and names, keys that no table has, and numbers of what is chosen. */

describe("the whole answer of a registration is saved", () => {
  const told = (key: string, made: readonly unknown[], behind: readonly unknown[] = []): string[] =>
    findings("state/saved-answer", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          ...made,
          { "!save": { scope: "workflow" } },
          ...behind,
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: `/hooks/\${data.workflow.${key}}` } },
      "/data_intake/0/verification": undefined,
      "/workflows/0/data_pipeline/source": {
        "!pipe": [{ "!http": { path: "/people" } }, { "!jq": ".people[] | {email: .email, number: .id}" }],
      },
    });

  test.each(["hook_id", "hook", "hook_number", "hook_ref"])("and its id is read as %s", (key) => {
    expect(told(key, [])).toHaveLength(1);
    expect(told(key, [{ "!jq": `{${key}: .id}` }])).toEqual([]);
  });

  test("and it is switched on behind it", () => {
    const on = [{ "!http": { method: "POST", path: "/hooks/${data.workflow.hook_id}/activate" } }];
    expect(told("hook_id", [], on)).toHaveLength(1);
    expect(told("hook_id", [{ "!jq": "{hook_id: .hook.id}" }], on)).toEqual([]);
  });

  test("right: what the answer may have under that name", () => {
    expect(told("token", [])).toEqual([]);
    expect(told("number", [])).toEqual([]);
  });
});

describe("lists of events", () => {
  const hooked = (create: unknown, update: unknown): string[] =>
    findings("intake/other-events", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": create,
      "/data_intake/0/update": {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: update },
      },
    });
  const url = "${webhook.url}";

  test.each([
    ["in an object", (events: readonly string[]) => ({ hook: { url, events } })],
    [
      "as a variable of a query",
      (topics: readonly string[]) => ({ query: "mutation {}", variables: { url, topics } }),
    ],
    ["called kinds, of several things", (kinds: readonly string[]) => ({ params: { url, kinds } })],
  ])("%s", (_, body) => {
    expect(hooked(body(["order.paid", "cart.left"]), body(["order.made", "cart.left"]))).toHaveLength(1);
    expect(hooked(body(["order.paid", "cart.left"]), body(["cart.left", "order.paid"]))).toEqual([]);
  });

  test("in one of two ways of the update", () => {
    const way = (method: string, events: readonly string[]) => ({
      "!http": { method, path: "/hooks", body: { url, events } },
    });
    const updated = (...ways: unknown[]): string[] =>
      findings("intake/other-events", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url, events: ["a.made", "a.left"] },
        "/data_intake/0/update": {
          "!switch": { jq: 'if .custom_data.form.value == "all" then 0 else 1 end', cases: ways },
        },
      });
    expect(updated(way("PUT", ["a.made", "a.left"]), way("POST", ["a.begun", "a.left"]))).toHaveLength(1);
    expect(updated(way("PUT", ["a.made", "a.left"]), way("POST", ["a.made", "a.left"]))).toEqual([]);
  });

  const named = (name: string, events: readonly string[]): string[] =>
    findings("intake/other-event", "inbound-webhook", {
      "/data_intake/0/name": name,
      "/workflows/0/data_intake": name,
      "/data_intake/0/create/!pipe/0/!http/body": { url, events },
    });

  test("the name of the intake with another ending", () => {
    expect(named("order.updated", ["order.created", "order.update"])).toHaveLength(1);
    expect(named("order.updated", ["order.created", "order.updated"])).toEqual([]);
    expect(named("order.changed", ["order.created", "order.update"])).toEqual([]);
  });

  const imported = (events: readonly string[], event: string, comment: string): string[] =>
    findings("intake/history-event", "historical-sync", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/create/!pipe/0/!http/body": { url, events },
      "/data_intake/1/request/!pipe/1/!jq": `{results: [.items[] | {event: "${event}", item: .}], iterate: false, polling_state: \${polling_state}}`,
    });

  test("an import gives the event that a comment shows delivered", () => {
    const comment = 'A delivery: {"event": "stay.changed", "item": {"id": 5}}.';
    expect(imported(["stay.begun", "stay.updated"], "stay.changed", comment)).toHaveLength(1);
    expect(imported(["stay.begun", "stay.changed"], "stay.changed", comment)).toEqual([]);
    expect(imported(["stay.begun", "stay.updated"], "stay.seen", comment)).toEqual([]);
  });

  test("a type that only one is registered beside", () => {
    const asked = (event: string): string[] =>
      inSource(
        "intake/unregistered-event",
        `{email: .email, _tags: (if .type == "${event}" then ["New"] else [] end)}`,
        {
          "/data_intake/0/create/!pipe/0/!http/body": { url, events: ["result.made"] },
        },
      );
    expect(asked("result.revised")).toHaveLength(1);
    expect(asked("result.made")).toEqual([]);
    expect(asked("revised")).toEqual([]);
  });
});

describe("an option whose event only the import has", () => {
  const words = ["received", "granted", "refused", "withdrawn"];
  const offered = (events: readonly string[], made = '("case." + .status)', options = words): string[] =>
    findings("intake/unregistered-option", "historical-sync", {
      "/data_intake/0/create/!pipe/0/!http/body": {
        url: "${webhook.url}",
        events: events.map((event) => `case.${event}`),
      },
      "/data_intake/1/request/!pipe/1/!jq": `{results: [.items[] | {event: ${made}, item: .}], iterate: false, polling_state: \${polling_state}}`,
      "/workflows/0/setup/select/form_fields/1": {
        label: "Statuses",
        id: "statuses",
        type: "multiselect",
        options: options.map((value) => ({ display: value.toUpperCase(), value })),
      },
      "/workflows/0/data_pipeline/source": {
        "!jq":
          ".item.status as $s | if any(${custom_data.statuses.value}[]; . == $s) then {email: .item.email} else null end",
      },
    });

  test.each(['("case." + .status)', '"case.\\(.status)"'])("it makes them by %s", (made) => {
    expect(offered(words.slice(0, 3), made)).toEqual(['"withdrawn"']);
    expect(offered(words, made)).toEqual([]);
  });

  test("right: other events may tell it, or events are no such words", () => {
    expect(offered(["received", "granted", "changed"])).toEqual([]);
    expect(offered(words.slice(0, 3), '"case.changed"')).toEqual([]);
    expect(offered(words.slice(0, 3), '("case." + .kind)')).toEqual([]);
    expect(offered(words.slice(0, 3), '("case." + .status)', [...words.slice(0, 3), "all"])).toEqual([]);
  });
});

describe("a key of a table that is shown as another word", () => {
  const table = (key: string, shown = "Written off", asked = "written_off", of = ".stage"): string =>
    `{email: .email, stage: {ready: "Ready", ${key}: "${shown}"}[.stage], until: (if ${of} == "${asked}" then null else .until end)}`;

  test("which the program compares the same value with", () => {
    expect(inSource("value/unlisted-key", table("scrapped"))).toEqual(["scrapped"]);
    expect(inSource("value/unlisted-key", table("gone", "Written-Off"))).toEqual(["gone"]);
  });

  test.each([
    table("written_off"),
    table("scrapped", "Scrapped"),
    table("scrapped", "Written off", "written_off", ".state"),
    // What stands elsewhere, too, is a word of the service.
    table("off").replace("{email", "{off: .off, email"),
  ])("right: %s", (program) => {
    expect(inSource("value/unlisted-key", program)).toEqual([]);
  });
});

describe("the numbers of what is chosen", () => {
  const taken = (jq: string, ...made: unknown[]): string[] =>
    findings("value/said-number", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        id: "service",
        label: "Service",
        type: "dropdown",
        options: [
          { display: "Standard (five days)", value: "standard" },
          { display: "Rush (one day)", value: "rush" },
          { display: "Certified (seven days, stamped)", value: "certified" },
        ],
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!switch": { jq, cases: made.map((each) => ({ "!jq": each })) } },
          { "!http": { method: "POST", path: "/jobs", body: "${piped_content.1}" } },
        ],
      },
    });
  const table = '{"standard": 0, "rush": 1, "certified": 2}[${custom_data.service.value}]';
  const chain =
    'if ${custom_data.service.value} == "standard" then 0 elif ${custom_data.service.value} == "rush" then 1 else 2 end';

  test.each([table, chain])("stand in the cases, in another unit: %s", (jq) => {
    expect(taken(jq, "{hours: 120}", "{hours: 168}", "{hours: 24}")).toEqual(["24"]);
    expect(taken(jq, "{hours: 120}", "{hours: 24}", "{hours: 168}")).toEqual([]);
    expect(taken(jq, "{days: 5}", "{days: 7}", "{days: 1}")).toEqual(["1"]);
    expect(taken(jq, "{percent: 5}", "{percent: 40}", "{percent: 15}")).toEqual([]);
  });
});
