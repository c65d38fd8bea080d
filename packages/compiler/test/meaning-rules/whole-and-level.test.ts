import { describe, expect, test } from "vitest";
import { inSource } from "../support/rule-findings.ts";

/** Whole objects where one value belongs, each beside right ones that look like it. */

describe("jq/object-as-value", () => {
  const told = (program: string): string[] => inSource("jq/object-as-value", program);

  test.each([
    ["all that comes in", "{email: .person.email, phone: ., city: .city}", "."],
    ["as a text", "{email: .person.email, phone: (.person | tostring)}", ".person"],
    ["a part", "{email: .site.contact.email, first_name: .site.contact}", ".site.contact"],
    ["a variable", ".person as $p | {email: $p.email, lastName: $p}", "$p"],
    ["an item", "{email: .email, phone: .phones[0], kind: .phones[0].kind}", ".phones[0]"],
    ["beside a text that is put together", '{email: ., name: "\\(.given) \\(.family)"}', "."],
    ["a time", "{email: .email, joined_on: .membership, plan: .membership.plan}", ".membership"],
    ["of one list", "[.teams[] | select(.owner.id)] | {names: map({name: .owner})}", ".owner"],
    ["an item of one list", "{email: .email, phones: (.phones | [{phone: .[0], kind: .[0].kind}])}", ".[0]"],
  ])("%s", (_, program, marked) => {
    expect(told(program)).toEqual([marked]);
  });

  test.each([
    ["a record", "{email: .email, person: .}"],
    ["an event and its record", '{email: .email, event: "joined", raw: .}'],
    ["a part under a name of its own", "{email: .email, address: .address, city: .address.city}"],
    ["handed on", "{email: .email, phone: .phone, home: .phone.home}"],
    ["each item is a text", "{email: .email, names: [.names[] | {name: .}]}"],
    ["what comes in is another one below", "{email: .email, phones: [.phones[] | {phone: .}], city: .city}"],
    ["entries", "{email: .email, all: (.members | to_entries | map({key: .key, value: .}) | from_entries)}"],
    [
      "of several types",
      '{email: .email, name: (if (.name | type) == "object" then .name.full else .name end)}',
    ],
    ["a longer name", "{email: .email, name: .person, other: .person_name.full}"],
    [
      "items of other lists",
      '{email: .email, all: ([["name", .full]] | map({key: .[0], value: .[1]})), of: (.beds | group_by(.ward) | map(.[0].ward))}',
    ],
    ["of another record", "{email: .owner.email, visits: [.visits[] | {name: .owner}]}"],
    ["a part of a text", "{email: .email, date: .date[0:10], time: .date[11:16]}"],
  ])("right: %s", (_, program) => {
    expect(told(program)).toEqual([]);
  });
});
