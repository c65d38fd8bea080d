import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Events, and who gets them: the same kind of mistake in other words, and what is right although it looks alike. */

describe("http/repeated-item", () => {
  test.each([
    ["names", ["a.created", "a.deleted", "a.created"], ['"a.created"']],
    ["cells of a row", ["x", "", "", "y"], []],
    ["what customers chose", ["${custom_data.form.value}", "${custom_data.form.value}"], []],
    ["what people read", ["First name", "First name"], []],
    ["different names", ["a.created", "a.deleted"], []],
  ])("%s", (_, events, told) => {
    expect(
      findings("http/repeated-item", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      }),
    ).toEqual(told);
  });
});

describe("intake/shared-delivery-id", () => {
  test.each([
    [".body.sent_at", ["a.created"], true],
    [".body.booking.id", ["booking.created", "booking.changed"], true],
    // One event of each record: its number does.
    [".body.booking.id", ["booking.created"], false],
    [".body.event.id.text", ["booking.created", "booking.changed"], false],
    [".body.id", ["booking.created", "booking.changed"], false],
    ['.headers["x-delivery-at"]', ["booking.created", "booking.changed"], false],
  ])("%s of %j", (program, events, isTold) => {
    const told = findings("intake/shared-delivery-id", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/delivery_id": { "!jq": program },
    });
    expect(told).toEqual(isTold ? [program] : []);
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
    ["a choice", chosen, gone('.event == "item.added" or .event == "left"'), ['"left"']],
    ["a list", all, gone('.event == "item.added" or .event == "left"'), ['"left"']],
    ["one text", "item.added,item.removed", gone('.event == "item.gone"'), ['"item.gone"']],
    ["the other side", all, gone('"item.gone" == .event'), ['"item.gone"']],
    // Payloads may have words of their own.
    ["one other word", all, gone('.event == "left"'), []],
    ["the kind of a record", all, gone('.data.event == "webinar"'), []],
    ["a topic", ["item"], gone('.topic == "Sales"'), []],
    ["events of what is registered", ["items"], gone('.event == "item.added"'), []],
    ["unequal", all, gone('.event != "item.gone"'), ['"item.gone"']],
    ["by a variable", all, `.event as $e | ${gone('$e == "item.gone"')}`, ['"item.gone"']],
    [
      "in a table",
      all,
      '{email, status: {"item.added": "there", "item.gone": "gone"}[.event]}',
      ['"item.gone"'],
    ],
    [
      "in a table that has a name",
      all,
      '{"item.added": "there", "item.gone": "gone"} as $words | {email, status: $words[.event]}',
      ['"item.gone"'],
    ],
    [
      "in a right table that has a name",
      all,
      '{"item.added": "there", "item.removed": "gone"} as $words | {email, status: $words[.event]}',
      [],
    ],
    ["by the name of a member", all, `. as {$event} | ${gone('$event == "removed"')}`, ['"removed"']],
    ["by another name", all, `. as {event: $e} | ${gone('$e == "item.gone"')}`, ['"item.gone"']],
    ["by an expansion", all, gone('${piped_content.0.event} == "removed"'), ['"removed"']],
    ["another member by its name", all, `. as {$state} | ${gone('$state == "removed"')}`, []],
    ["what is registered", all, gone('.event == "item.removed"'), []],
    ["a ping", all, gone('.event == "ping"'), []],
    ["everything", ["*"], gone('.event == "item.gone"'), []],
    ["a whole kind", ["item.*"], gone('.event == "item.gone"'), []],
    ["a whole kind by another sign", ["item.#"], gone('.event == "item.gone"'), []],
    ["a whole kind beside others", ["item.*", "note.added"], gone('.event == "item.gone"'), []],
    ["all that are added", ["*.added"], gone('.event == "item.added"'), []],
    ["with a star between", ["item.*.done", "note.added"], gone('.event == "item.x.done"'), []],
    ["with many stars", ["*a".repeat(40), "x"], gone(`.event == "${"a".repeat(80)}b"`), []],
    ["a kind of another name", ["item.*"], gone('.event == "itm.gone"'), ['"itm.gone"']],
    ["another member", all, gone('.state == "left"'), []],
    ["payloads with words of their own", all, gone('.event == "in" or .event == "out"'), []],
  ])("%s", (_, events, source, at) => {
    expect(told("intake/unregistered-event", events, source)).toEqual(at);
  });

  test.each([
    ["item.removed", []],
    ["item.moved", ['"item.moved"']],
  ])("a choice of several: %s", (event, at) => {
    const values = ["item.added", "item.added, item.removed"];
    expect(told("intake/unregistered-event", chosen, gone(`.event == "${event}"`), values)).toEqual(at);
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
    ["a name of its own", ["added", "removed", "moved"], ["added", "removed", "gone"], ['"gone"']],
    ["short forms of which no program knows the long ones", all, ["added", "removed", "both"], []],
  ])("options: %s", (_, events, values, at) => {
    const source = `.event as $e | if (${chosen} | index($e)) == null then null else {email} end`;
    expect(told("intake/unregistered-option", events, source, values)).toEqual(at);
  });
});

describe("options that are short for events", () => {
  const told = (test: string): string[] =>
    findings("intake/unregistered-option", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": {
        url: "${webhook.url}",
        events: ["item.added", "item.removed"],
      },
      "/workflows/0/setup/select/form_fields/1": {
        label: "Moment",
        id: "moment",
        type: "dropdown",
        options: ["added", "removed", "either"].map((value) => ({ display: value, value })),
      },
      "/workflows/0/data_pipeline/source": {
        "!jq": `if \${custom_data.moment.value} != "either" and ${test} then null else {email, gone: (.event == "item.removed")} end`,
      },
    });
  const chosen = "${custom_data.moment.value}";

  test("are compared as they are", () => {
    expect(told(`${chosen} != .event`)).toEqual(['"added"', '"removed"']);
    expect(told(`.event != ${chosen}`)).toEqual(['"added"', '"removed"']);
  });

  test.each([
    `("item." + ${chosen}) != .event`,
    `(.event | ltrimstr("item.")) != ${chosen}`,
    `(.event | split(".") | last) != ${chosen}`,
    `.state != ${chosen}`,
  ])("%s is right", (test) => {
    expect(told(test)).toEqual([]);
  });
});

const fieldOptions = "/workflows/0/setup/select/form_fields/0/options";

describe("events that aren't registered", () => {
  const body = "/data_intake/0/create/!pipe/0/!http/body";
  const registers = { [body]: { url: "${webhook.url}", events: ["sub.added", "sub.removed"] } };
  test.each([
    ['if .event == "unsubscribed" then null else {email: .email} end', 0],
    ['if .type == "sub.deleted" then null else {email: .email} end', 1],
    ['if "left" == .event then null else {email: .email} end', 0],
    ['[select(.event != "cancelled")] | first', 0],
    ['.event as $e | if .event == "gone" then null else {email: .email} end', 0],
    ['if .event == "added" then {email: .email} elif .event == "sub.changed" then null else {} end', 2],
    ['if .event == "sub.added" then {email: .email} elif .event == "left" then null else {} end', 1],
    ['if .event == "ping" then null else {email: .email} end', 0],
    ['if .kind == "unsubscribed" then null else {email: .email} end', 0],
    ['if .event == "sub.added" then {email: .email} else null end', 0],
  ])("%s", (program, times) => {
    expect(inSource("intake/unregistered-event", program, registers)).toHaveLength(times);
  });

  const offered = (...values: readonly string[]) => ({
    ...registers,
    [fieldOptions]: values.map((value) => ({ display: value.toUpperCase(), value })),
  });
  test.each([
    [["sub.added", "sub.removed", "sub.changed"], ['"sub.changed"']],
    [["sub.added", "sub.removed"], []],
    [["sub.added"], []],
    // Something else is chosen.
    [["order.paid", "order.sent", "sub.added"], []],
  ])("offered: %j", (values, told) => {
    expect(findings("intake/unregistered-option", "inbound-webhook", offered(...values))).toEqual(told);
  });
});

describe("intake/history-event", () => {
  const ended = (other: string): object => ({
    "!jq": `{results: [.items[] | {kind: (if .ended then "stay.${other}" else "stay.begun" end), stay: .}], iterate: false, polling_state: \${polling_state}}`,
  });
  const table = {
    "!jq":
      '{in_house: "stay.begun", left: "stay.ended"} as $kinds | {results: [.items[] | {kind: $kinds[.state], stay: .}], iterate: false, polling_state: ${polling_state}}',
  };
  const told = (body: object, program: object): string[] =>
    findings("intake/history-event", "historical-sync", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", ...body },
      "/data_intake/1/request/!pipe/1": program,
    });

  test.each([
    ["a list", { events: ["stay.begun"] }, ended("ended"), ['["stay.begun"]']],
    [
      "a list of another name",
      { kinds: ["stay.begun", "stay.moved"] },
      table,
      ['["stay.begun", "stay.moved"]'],
    ],
    ["a text", { topics: "stay.begun stay.moved" }, table, ['"stay.begun stay.moved"']],
    ["with commas", { topics: "stay.begun,stay.moved" }, table, ['"stay.begun,stay.moved"']],
    ["numbered members", { "events[0]": "stay.begun", "events[1]": "stay.moved" }, table, ['"stay.begun"']],
  ])("%s", (_, body, program, expected) => {
    expect(told(body, program).map((text) => text.replaceAll('","', '", "'))).toEqual(expected);
  });

  test("a name that nothing else knows, where the pipeline knows one that isn't given", () => {
    const named = (known: string): string[] =>
      findings("intake/history-event", "historical-sync", {
        "/data_intake/0/create/!pipe/0/!http/body": {
          url: "${webhook.url}",
          kinds: ["stay.begun", "stay.ended"],
        },
        "/data_intake/1/request/!pipe/1": ended("closed"),
        "/workflows/0/data_pipeline/source": { "!jq": `if .kind == "${known}" then null else .stay end` },
      });
    expect(named("stay.ended")).toEqual(['"stay.closed"']);
    expect(named("stay.closed")).toEqual(['["stay.begun","stay.ended"]']);
  });

  test.each([
    ["the short form", '"ended"', ['"ended"']],
    ["other letters", '"STAY.ENDED"', ['"STAY.ENDED"']],
    ["a word of its own", '"over"', []],
    ["the whole", '"stay.ended"', []],
  ])("%s of an event", (_, other, expected) => {
    const program = `{results: [.items[] | {event: (if .ended then ${other} else "stay.begun" end), stay: .}], iterate: false, polling_state: \${polling_state}}`;
    expect(told({ events: ["stay.begun", "stay.ended"] }, { "!jq": program })).toEqual(expected);
  });

  test.each([
    ["all are registered", { events: "stay.begun stay.ended" }, table],
    ["numbered members", { "events[0]": "stay.begun", "events[1]": "stay.ended" }, table],
    ["all of them", { events: ["stay.*"] }, table],
    ["a name of the import's own", { events: ["stay.begun"] }, ended("imported")],
    ["none of the names is registered", { events: ["guest.added"] }, table],
    ["another kind of names", { events: ["stay.begun", "guest.added"] }, ended("ended")],
  ])("%s: right", (_, body, program) => {
    expect(told(body, program)).toEqual([]);
  });
});

describe("intake/other-events", () => {
  const told = (made: object, changed: object): string[] =>
    findings("intake/other-events", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", ...made },
      "/data_intake/0/update": {
        "!http": {
          method: "PUT",
          path: "/hooks/${data.workflow.hook_id}",
          body: { url: "${webhook.url}", ...changed },
        },
      },
    });
  test("lists of any name, and texts of a form", () => {
    expect(told({ kinds: ["a.b", "a.c"] }, { kinds: ["a.b"] })).toHaveLength(1);
    expect(told({ events: "a.b a.c a.d" }, { events: "a.b a.c" })).toHaveLength(1);
    expect(told({ kinds: ["a.b", "a.c"] }, { kinds: ["a.c", "a.b"] })).toEqual([]);
    expect(told({ events: "a.b,a.c" }, { events: "a.c,a.b" })).toEqual([]);
    expect(told({ hosts: ["a.example.com", "b.example.com"] }, { hosts: ["a.example.com"] })).toEqual([]);
  });
});

describe("value/routed-by-own-record", () => {
  const told = (program: string, events: unknown, type = "forms"): string[] =>
    findings("value/routed-by-own-record", "inbound-webhook", {
      "/data_intake/0/scope": "connection",
      "/data_intake/0/resource_id": { "!jq": program },
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}", events } } },
          { "!jq": "{hook_id: .id}" },
          { "!save": { scope: "connection" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.connection.hook_id}" } },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": { path: "/forms" } }, { "!jq": "[.forms[] | {display: .title, value: .id}]" }],
      },
      "/workflows/0/resource_type": type,
    });
  test.each([
    [".answer.id", ["answer.created", "answer.changed"]],
    [".data.answer_id", ["answer.created"]],
    [".answer.id | tostring", "answer.created answer.changed"],
  ])("%s of %j", (program, events) => {
    expect(told(program, events)).toEqual(['"!jq"']);
  });
  test.each([
    [".answer.form_id", ["answer.created"]],
    [".form.id", ["answer.created"]],
    // What another name is for what was chosen, it says as well.
    [".questionnaire.id", ["answer.created"]],
    [".answer.id", ["form.answered"]],
    [".form.id", ["form.answered"]],
  ])("%s of %j may be right", (program, events) => {
    expect(told(program, events)).toEqual([]);
  });
});
