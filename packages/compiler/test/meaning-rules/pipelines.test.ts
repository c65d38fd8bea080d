import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** The ways that pipelines take: the same kind of mistake in other words, and what is right although it looks alike. */

describe("pipeline/record-made", () => {
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const make = { "!http": { method: "POST", path: "/people", body: { email: "${piped_content.0.email}" } } };
  const change = {
    "!http": {
      method: "PATCH",
      path: "/people/${piped_content.1.people[0].id}",
      body: { name: "${piped_content.0.name}" },
    },
  };
  const decide = { "!switch": { jq: "if (.people | length) > 0 then 0 else 1 end", cases: [change, make] } };
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/record-made", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": [lookup, decide, ...steps] },
    });
  const add = (path: string) => ({
    "!http": { method: "POST", path, body: { list: "${custom_data.list.value}" } },
  });

  test("in one of several cases", () => {
    const chosen = (path: string) => ({
      "!switch": {
        jq: "if ${custom_data.list.value} == 7 then 0 else 1 end",
        cases: [add(path), { "!jq": "." }],
      },
    });
    expect(told(chosen("/people/${piped_content.1.people[0].id}/lists"))).toEqual([
      "${piped_content.1.people[0].id}",
    ]);
  });

  test("by way of a program", () => {
    const program = {
      "!jq": "{person: ${piped_content.1.people[0] | default}, list: ${custom_data.list.value}}",
    };
    expect(told(program, add("/people/${piped_content.3.person.id}/lists"))).toEqual([
      "${piped_content.1.people[0] | default}",
    ]);
  });

  test("is right where the answer is read, another list, or only those that were found", () => {
    expect(told(add("/people/${piped_content.2.person.id}/lists"))).toEqual([]);
    expect(told(add("/lists/${piped_content.1.lists[0].id}/people"))).toEqual([]);
    const found = {
      "!switch": {
        jq: "if ${piped_content.1.people | default} == [] then 0 else 1 end",
        cases: [{ "!jq": "." }, add("/people/${piped_content.1.people[0].id}/lists")],
      },
    };
    expect(told(found)).toEqual([]);
  });
});

describe("pipeline/other-case", () => {
  const byChoice = (cases: unknown[]) => ({
    "!switch": { jq: "if ${custom_data.list.value} == 1 then 0 else 1 end", cases },
  });
  const told = (...steps: unknown[]): string[] =>
    findings("pipeline/other-case", "outbound", {
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const send = { "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.1.mail}" } } };

  test("in a branch of a case, with a step between", () => {
    const first = byChoice([
      { "!jq": "{mail: .email}" },
      { "!jq": "if .vip then {vip: .email} else {mail: .email} end" },
    ]);
    const between = byChoice([
      { "!jq": "." },
      {
        "!pipe": [
          { "!http": { method: "POST", path: "/people", body: "${piped_content.0}" } },
          { "!jq": "{mail: .mail}" },
        ],
      },
    ]);
    const later = { "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.2.mail}" } } };
    expect(told(first, between, later)).toEqual(["{vip: .email}"]);
  });

  test.each([
    [
      "a default",
      [{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }],
      {
        "!http": { method: "POST", path: "/people", body: { mail: "${piped_content.1.mail | default}" } },
      },
    ],
    [
      "a decision by it",
      [{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }],
      {
        "!switch": { jq: "if .none then 0 else 1 end", cases: [{ "!jq": "." }, send] },
      },
    ],
    ["an answer that isn't known", [{ "!jq": "{mail: .email}" }, { "!http": { path: "/me" } }], send],
  ])("is right with %s", (_, cases, reader) => {
    expect(told(byChoice(cases), reader)).toEqual([]);
  });

  test("is right where a step between ends the run", () => {
    const stop = {
      "!switch": {
        jq: "if .none then 0 else 1 end",
        cases: [{ "!error": "Nobody is there." }, { "!jq": "." }],
      },
    };
    expect(told(byChoice([{ "!jq": "{mail: .email}" }, { "!jq": "{none: true}" }]), stop, send)).toEqual([]);
  });
});
