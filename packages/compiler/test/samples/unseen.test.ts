import { compile, type Sample } from "@configc/compiler";
import { describe, expect, test } from "vitest";

describe("members that no sample has are told", () => {
  const sample: Sample = {
    name: "a.json",
    method: "GET",
    url: "/a",
    status: 200,
    body: { items: [{ id: 1, title: "x", line1: "y" }], other: { titel: "z" }, kind: "k" },
  };
  test.each<[string, string, readonly string[]]>([
    ["read", ".items[].titel", ["titel"]],
    ["in a short form", "[.items[] | {id, titel}]", ["titel"]],
    ["in a condition", '[.items[] | select(.titel == "x") | .id]', ["titel"]],
    ["through a variable", ".items as $all | $all[0].titel", ["titel"]],
    ["in a function of items", ".items | map(.titel)", ["titel"]],
    ["of all", ".body.items[].titel", ["titel"]],
    ["another place has it", ".other.titel", []],
    ["one of two has it", '(if .kind == "a" then .items[0] else .other end).titel', []],
    ["with another value in its place", ".items[0].titel // .items[0].title", []],
    ["with `?`", ".items[0].titel?", []],
    ["its path alone", "del(.items[].titel)", []],
    ["an assignment", ".items[0].titel = 1", []],
    ["a name that isn't near", "if .items[0].deleted then 1 else 2 end", []],
    ["another line", ".items[0].line2", []],
    ["made by the program", ".items[0] | {titel: .title} | .titel", []],
  ])("%s", (_, program, expected) => {
    expect(unseen({ "!jq": program })).toEqual(expected);
  });

  test.each<[string, string, readonly string[]]>([
    ["in an expansion", "${piped_content.1.other.title}", ["title"]],
    ["the second of two", "${piped_content.1.kind} ${piped_content.1.other.title}", ["title"]],
    ["what is below it isn't told as well", "${piped_content.1.othr.titel.x}", ["othr"]],
    ["what samples have", "${piped_content.1.other.titel} ${piped_content.1.kind}", []],
    ["with a default", "${piped_content.1.other.title | default}", []],
    ["of the pipe's own input", "${piped_content.0.other.title}", []],
  ])("%s", (_, text, expected) => {
    expect(unseen({ "!print_c": text })).toEqual(expected);
  });

  /** The names that are told, where a step takes the sampled response. */
  function unseen(step: object): unknown[] {
    const text = JSON.stringify({
      workflows: [
        { setup: { connect: { describe_connection: { "!pipe": [{ "!http": { path: "/a" } }, step] } } } },
      ],
    });
    const { diagnostics } = compile(text, { samples: { responses: [sample] } });
    const found = diagnostics.filter(({ finding }) => finding.rule.id.startsWith("response/"));
    return found.map(({ finding }) => finding.args["name"]);
  }
});
