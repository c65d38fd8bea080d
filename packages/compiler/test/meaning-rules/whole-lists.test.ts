import { describe, expect, test } from "vitest";
import { allFindings, findings, inSource } from "../support/rule-findings.ts";

/** Lists of which one thing is made, where each record is meant. */

describe("setup/list-as-option", () => {
  const changes = (program: string): Readonly<Record<string, unknown>> => ({
    "/workflows/0/setup/select/form_fields/0/options/!pipe/1/!jq": program,
  });
  const told = (program: string): string[] => findings("setup/list-as-option", "outbound", changes(program));

  test.each([
    ["[.venues | {display: .name, value: .id}]", ".venues"],
    ["[.items | select(.open) | {display: .name, value: .id}]", ".items"],
    ["[.data.clinic.dentists | {display: .fullName, value: (.id | tostring)}]", ".data.clinic.dentists"],
    ['if .errors then error("no") else . end | [.areas | {display: "\\(.name)", value: .id}]', undefined],
  ])("%s", (program, marked) => {
    expect(told(program)).toEqual(marked === undefined ? [] : [marked]);
  });

  test.each([
    "[.venues[] | {display: .name, value: .id}]",
    // It may be one account.
    "[.data | {display: .name, value: .id}]",
    "[.account | {display: .name, value: .id}]",
    "[.settings | {display: .name, value: .id}]",
    "[.status | {display: .name, value: .id}]",
    "[.venues | to_entries[] | {display: .value.name, value: .key}]",
    "[.venues | {display: .[0].name, value: .[0].id}]",
    '[.venues | {display: "All", value: (map(.id) | join(","))}]',
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("is told once", () => {
    const rules = allFindings("outbound", changes("[.items | {display: .name, value: .id}]")).map(
      ({ rule }) => rule,
    );
    expect(rules).toEqual(["setup/list-as-option"]);
  });
});

describe("polling/list-as-result", () => {
  const next = "polling_state: {page: (${polling_state.page} + 1), since: ${polling_state.since}}";
  const told = (results: string, iterate = ".has_more"): string[] =>
    findings("polling/list-as-result", "inbound-polling", {
      "/data_intake/0/request/!pipe/1/!jq": `{results: ${results}, iterate: ${iterate}, ${next}}`,
    });

  test.each([
    ['[.items | {event: "order.imported", order: .}]', ".items"],
    ["[.data | {order: .}]", ".data"],
    ["[.body | {topic: .state, order: .}]", ".body"],
    ['[.tickets | . + {type: "notice"}]', ".tickets"],
  ])("%s", (results, marked) => {
    expect(told(results)).toEqual([marked]);
  });

  test.each([
    ["[.items[] | {order: .}]", ".has_more"],
    [".items", ".has_more"],
    ["[.order | {order: .}]", ".has_more"],
    ["[.data | {order: .}]", "false"],
    ["[.items | {orders: ., count: length}]", ".has_more"],
    ["[.data | {orders: .[0]}]", ".has_more"],
  ])("%s with %s is right", (results, iterate) => {
    expect(told(results, iterate)).toEqual([]);
  });
});

describe("jq/entries-as-list", () => {
  test.each(["{email, name} | with_entries(map(.value != null))", "with_entries( map(.value) )"])(
    "%s",
    (program) => {
      expect(inSource("jq/entries-as-list", program)).toHaveLength(1);
    },
  );

  test.each([
    "{email, name} | with_entries(select(.value != null))",
    "{email, tags} | with_entries(.value |= (arrays | map(.name)) // .)",
    "{email, list: (.tags | map({key: ., value: 1}) | from_entries)}",
    "def with_entries(f): map(f); {email, list: (.tags | with_entries(map(.id)))}",
  ])("%s is right", (program) => {
    expect(inSource("jq/entries-as-list", program)).toEqual([]);
  });
});
