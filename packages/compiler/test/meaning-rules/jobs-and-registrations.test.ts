import { describe, expect, test } from "vitest";
import { findings, inPolling } from "../support/rule-findings.ts";

/** Jobs of polls and two registrations, each beside right ones that look like the mistake. */

describe("polling/failed-job and polling/dropped-job", () => {
  const ordering = {
    initial_setup: { "!jq": "{polling_state: {since: (now - 86400 | floor), job_id: null}}" },
    pre_poll: {
      "!switch": {
        jq: "if .polling_state.job_id == null then 0 else 1 end",
        cases: [
          {
            "!pipe": [
              { "!http": { method: "POST", path: "/exports", body: { from: "${polling_state.since}" } } },
              { "!jq": "{polling_state: (${polling_state} + {job_id: .id})}" },
            ],
          },
          { "!jq": "{polling_state: .polling_state}" },
        ],
      },
    },
    post_poll: undefined,
  };
  const asking = { "!http": { path: "/exports/${polling_state.job_id}" } };
  const read = {
    "!jq": "{results: .rows, iterate: false, polling_state: {since: .until, job_id: null}}",
  };
  const kept = { "!jq": "{results: [], iterate: false, polling_state: ${polling_state}}" };
  const dropped = {
    "!jq": "{results: [], iterate: false, polling_state: (${polling_state} + {job_id: null})}",
  };
  const choosing = (jq: string, ...cases: unknown[]) => ({ "!pipe": [asking, { "!switch": { jq, cases } }] });
  const told = (rule: string, request: unknown, more = {}): string[] =>
    inPolling(`polling/${rule}`, { ...ordering, request, ...more });
  const three = 'if .state == "ready" then 0 elif .state == "failed" then 1 else 2 end';
  const pending = 'if .status == "pending" then 0 elif .status == "error" then 1 else 2 end';

  test.each([
    ["a case", choosing(three, read, kept, kept)],
    ["another order", choosing(pending, kept, kept, read)],
    [
      "two words",
      choosing(
        'if .status == "done" then 0 elif .status == "failed" or .status == "cancelled" then 1 else 2 end',
        read,
        kept,
        kept,
      ),
    ],
    [
      "each key by name",
      choosing(
        three,
        read,
        {
          "!jq":
            "{results: [], iterate: false, polling_state: {since: ${polling_state.since}, job_id: ${polling_state.job_id}}}",
        },
        kept,
      ),
    ],
    [
      "in a program",
      {
        "!pipe": [
          asking,
          {
            "!jq":
              '${polling_state} as $s | if .status == "finished" then {results: .rows, iterate: false, polling_state: {since: .until, job_id: null}} elif .status == "failed" then {results: [], iterate: false, polling_state: $s} else {results: [], iterate: false, polling_state: $s} end',
          },
        ],
      },
    ],
    [
      "chosen for the state alone",
      {
        "!pipe": [
          asking,
          {
            "!jq":
              '${polling_state} as $s | {results: (if .status == "done" then .rows else [] end), iterate: false, polling_state: (if .status == "done" then {since: .until, job_id: null} elif .status == "failed" then $s else $s end)}',
          },
        ],
      },
    ],
  ])("failed: %s", (_, request) => {
    expect(told("failed-job", request)).toHaveLength(1);
  });

  test.each([
    ["the last case", choosing(three, read, dropped, dropped)],
    ["a case of its own", choosing(pending, dropped, dropped, read)],
    ["two cases", choosing('if .state == "ready" then 0 else 1 end', read, dropped)],
    [
      "in a program",
      {
        "!pipe": [
          asking,
          {
            "!jq":
              '${polling_state} as $s | if .status == "finished" then {results: .rows, iterate: false, polling_state: {since: .until, job_id: null}} else {results: [], iterate: false, polling_state: {since: $s.since, job_id: null}} end',
          },
        ],
      },
    ],
  ])("dropped: %s", (_, request) => {
    expect(told("dropped-job", request)).toHaveLength(1);
  });

  test.each([
    ["forgotten and kept", choosing(three, read, dropped, kept), {}],
    ["forgotten and kept, another order", choosing(pending, kept, dropped, read), {}],
    [
      "a counter gives up",
      choosing(
        'if .state == "ready" then 0 elif ${polling_state.tries} > 9 then 1 else 2 end',
        read,
        dropped,
        kept,
      ),
      {},
    ],
    ["a failure is told as an error", choosing(three, read, { "!error": "The export failed." }, kept), {}],
    [
      "pre_poll orders each time",
      choosing(three, read, kept, kept),
      {
        pre_poll: {
          "!pipe": [
            { "!http": { method: "POST", path: "/exports", body: { from: "${polling_state.since}" } } },
            { "!jq": "{polling_state: (${polling_state} + {job_id: .id})}" },
          ],
        },
      },
    ],
    [
      "post_poll forgets it",
      choosing(three, read, kept, kept),
      { post_poll: { "!jq": "{polling_state: (${polling_state} + {job_id: null})}" } },
    ],
    [
      "it is retried by another key",
      choosing(
        three,
        read,
        { "!jq": "{results: [], iterate: false, polling_state: (${polling_state} + {retry: true})}" },
        kept,
      ),
      {},
    ],
    ["a job that waits is waited for", choosing('if .state == "running" then 0 else 1 end', kept, read), {}],
  ])("right: %s", (_, request, more) => {
    expect([...told("failed-job", request, more), ...told("dropped-job", request, more)]).toEqual([]);
  });
});

describe("intake/overwritten-save", () => {
  const register = (event: string) => ({
    "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}", event } },
  });
  const save = { "!save": { scope: "workflow" } };
  const told = (...steps: unknown[]): string[] =>
    findings("intake/overwritten-save", "inbound-webhook", {
      "/data_intake/0/create": { "!pipe": steps },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
    });
  const keep = (program: string) => ({ "!jq": program });

  test.each([
    ["both under one name", keep("{hook_id: .id}"), keep("{hook_id: .id}"), ".id"],
    [
      "one of two",
      keep("{paid: .hook.id, paid_key: .key}"),
      keep("{refunded: .hook.id, paid_key: .key}"),
      ".key",
    ],
    ["a variable", keep(". as $a | {hook_id: $a.id}"), keep(". as $a | {hook_id: $a.id, k: $a.k}"), "$a.id"],
    [
      "an earlier step",
      keep("{hook_id: .id}"),
      keep("{hook_id: ${piped_content.4.id}}"),
      "${piped_content.4.id}",
    ],
  ])("%s", (_, first, second, marked) => {
    expect(told(register("paid"), first, save, register("refunded"), second, save)).toEqual([marked]);
  });

  test.each([
    ["two names", [register("a"), keep("{a: .id}"), save, register("b"), keep("{b: .id}"), save]],
    [
      "the same value again",
      [
        register("a"),
        keep("{a: .id}"),
        save,
        register("b"),
        keep("{a: ${piped_content.1.id}, b: .id}"),
        save,
      ],
    ],
    [
      "a secret that is made anew",
      [
        register("a"),
        keep("{hook_id: .id, secret: .secret}"),
        save,
        { "!http": { method: "POST", path: "/hooks/${data.workflow.hook_id}/secret" } },
        keep("{secret: .secret}"),
        save,
      ],
    ],
    [
      "read in between",
      [
        register("probe"),
        keep("{hook_id: .id}"),
        save,
        { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
        register("paid"),
        keep("{hook_id: .id}"),
        save,
      ],
    ],
  ])("right: %s", (_, steps) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("intake/one-registration-for-two", () => {
  const register = (event: string) => ({
    "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}", event } },
  });
  const save = { "!save": { scope: "workflow" } };
  const told = (...steps: unknown[]): string[] =>
    findings("intake/one-registration-for-two", "inbound-webhook", {
      "/data_intake/0/create": { "!pipe": steps },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.a}" } },
    });
  const keep = (program: string) => ({ "!jq": program });
  const both = [register("a"), register("b")];

  test.each([
    [
      "at the end",
      [...both, keep("{a: ${piped_content.1.id}, b: ${piped_content.1.id}}"), save],
      "${piped_content.1.id}",
    ],
    ["both of the second", [...both, keep("{a: .id, b: .id}"), save], ".id"],
    [
      "in two saves",
      [register("a"), keep("{a: .id}"), save, register("b"), keep("{b: ${piped_content.1.id}}"), save],
      "${piped_content.1.id}",
    ],
    [
      "the secret alone",
      [
        ...both,
        keep("{a: ${piped_content.1.id}, k: ${piped_content.1.key}, b: .id, l: ${piped_content.1.key}}"),
        save,
      ],
      "${piped_content.1.key}",
    ],
  ])("%s", (_, steps, marked) => {
    expect(told(...steps)).toEqual([marked]);
  });

  test.each([
    ["each of its own", [...both, keep("{a: ${piped_content.1.id}, b: .id}"), save]],
    ["one registration", [register("a"), keep("{a: .id, b: .id}"), save]],
    ["one secret for both", [...both, keep("{a: ${piped_content.1.id}, b: .id, key: .key}"), save]],
  ])("right: %s", (_, steps) => {
    expect(told(...steps)).toEqual([]);
  });
});
