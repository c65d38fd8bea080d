import { describe, expect, test } from "vitest";
import { allFindings, findings, inSource } from "../support/rule-findings.ts";

/** The first of a list where all are meant, and a directive of a date written twice. */

describe("jq/date-format, a directive twice or a year without its century", () => {
  test.each([
    ['.at | strftime("%Y-%m-%m")', "%m"],
    ['.at | strftime("%Y-%m-%mT%H:%M:%SZ")', "%m"],
    ['.at | strftime("%Y/%m/%m")', "%m"],
    ['.at | strftime("%Y%m%m")', "%m"],
    ['.at | strftime("%m.%m.%Y")', "%m"],
    ['.at | strftime("%Y-%d-%d")', "%d"],
    ['.at | strftime("%d.%d.%Y")', "%d"],
    ['.at | strftime("%Y-%m-%dT%H:%H:%SZ")', "%H"],
    ['.at | strftime("%Y-%m-%dT%H:%M:%MZ")', "%M"],
    ['.at | strftime("%y-%m-%d")', "%y"],
    ['.at | strftime("%y-%m-01")', "%y"],
    ['.at | strptime("%y-%m-%dT%H:%M:%SZ") | mktime', "%y"],
  ])("%s", (program, marked) => {
    expect(inSource("jq/date-format", `{email, day: (${program})}`)).toEqual([marked]);
  });

  test.each([
    '.at | strftime("%Y-%m-%d")',
    '.at | strftime("%Y-%m-01")',
    '.at | strftime("%d.%m.%y")',
    '.at | strftime("%m/%d/%y")',
    '.at | strftime("%y%m%d")',
    '.at | strftime("%y/%m")',
    '.at | strftime("%d.%m. to %d.%m.%Y")',
    '.at | strftime("%Y-%m-%d (%m/%Y)")',
    // The service may write its days so.
    '.on | strptime("%y-%m-%d") | mktime | todate',
  ])("%s is right", (program) => {
    expect(inSource("jq/date-format", `{email, day: (${program})}`)).toEqual([]);
  });
});

describe("setup/only-first-option", () => {
  const told = (program: string): string[] =>
    findings("setup/only-first-option", "outbound", {
      "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq": program,
    });

  test.each([
    ["[.items[0] | {display: .name, value: .id}]", ".items[0]"],
    ["[.items[-1]? | {display: .name, value: (.id | tostring)}]", ".items[-1]?"],
    ["[first(.items[]) | {display: .name, value: .id}] | sort_by(.display)", "first(.items[])"],
    [".data | [.lists.nodes[0] | select(.open) | {display: .name, value: .id}]", ".lists.nodes[0]"],
    [
      'if .errors then error("no") else [.items[0] | {display: "\\(.name), \\(.city)", value: .id}] end',
      ".items[0]",
    ],
    ['. as $all | [$all.items[0] | {display: .name, value: "\\(.id)"}]', "$all.items[0]"],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    "[.items[] | {display: .name, value: .id}]",
    "[.items[0].teams[] | {display: .name, value: .id}]",
    "[.items[0] | .teams[] | {display: .name, value: .id}]",
    "[.items[0] | {display: .name, value: .id}] + [.items[1:][] | {display: .name, value: .id}]",
    '[{display: "All", value: "all"}, (.items[] | {display: .name, value: .id})]',
    '[.items[0] | {display: .name, value: .id}, {display: "All", value: "all"}]',
    ".items[0].teams | map({display: .name, value: .id})",
    // A field that a person fills in, with what is proposed.
    "[{display: .items[0].name, value: .items[0].id}]",
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("what is mapped", () => {
    const found = findings("setup/only-first-option", "outbound", {
      "/workflows/0/setup/map/describe_target/options": {
        "!pipe": [{ "!http": { path: "/columns" } }, { "!jq": "[.columns[0] | {title: .label, id: .key}]" }],
      },
    });
    expect(found).toEqual([".columns[0]"]);
  });

  test("is told once", () => {
    const rules = allFindings("outbound", {
      "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq":
        "[.items[0] | {display: .name, value: .id}]",
    }).map(({ rule }) => rule);
    expect(rules).toEqual(["setup/only-first-option"]);
  });
});

describe("polling/only-first-result", () => {
  const next = "polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}";
  const told = (results: string, iterate = ".has_more", params: object = {}): string[] =>
    findings("polling/only-first-result", "inbound-polling", {
      "/data_intake/0/request/!pipe/0/!http/params": {
        page: "${polling_state.page}",
        updated_after: "${polling_state.since}",
        ...params,
      },
      "/data_intake/0/request/!pipe/1/!jq": `{results: ${results}, iterate: ${iterate}, ${next}}`,
    });

  test.each([
    ["[.items[0] | select(.email != null)]", ".items[0]"],
    ['[.items[0] | {event: "order.imported", order: .}]', ".items[0]"],
    ["[.items[0] | . as $m | {id: $m.id, tags: ([.tags[] | .name])}]", ".items[0]"],
  ])("%s", (results, marked) => {
    expect(told(results)).toEqual([marked]);
  });

  test.each([
    ["[.items[] | select(.email != null)]", ".has_more", {}],
    ["[.items[0].orders[] | select(.email != null)]", ".has_more", {}],
    ["[.items[0] | .orders[] | {order: .}]", ".has_more", {}],
    // One by one.
    ["[.items[0] | {order: .}]", ".has_more", { limit: 1 }],
    ["[.items[0] | {order: .}]", "(.items[0] != null)", {}],
    ["[.items[0] | {order: .}]", "false", {}],
  ])("%s with %s is right", (results, iterate, params) => {
    expect(told(results, iterate, params)).toEqual([]);
  });
});
