import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Values of an earlier step where a later one found or made the record, put them in other words, or cleaned them. */

const target = "/workflows/0/data_pipeline/target";
const told = (rule: string, pipe: unknown[], others: Record<string, unknown> = {}): string[] =>
  findings(rule, "outbound", { [target]: { "!pipe": pipe }, ...others });
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const patch = (path: string, body: unknown) => ({ "!http": { method: "PATCH", path, body } });

describe("pipeline/record-made", () => {
  const search = { "!http": { path: "/people/by-email", params: { email: "${piped_content.0.email}" } } };
  const choice = (jq: string, there: unknown = { "!jq": ".person" }) => ({
    "!switch": { jq, cases: [post("/people", { email: "${piped_content.0.email}" }), there] },
  });
  const isNone = "if .person == null then 0 else 1 end";
  const note = (id: string) => post("/notes", { person_id: `\${${id}}`, list: "${custom_data.list.value}" });
  test.each([
    [isNone, note("piped_content.1.person.id"), "${piped_content.1.person.id}"],
    [
      "if .person != null then 1 else 0 end",
      note("piped_content.1.person.id"),
      "${piped_content.1.person.id}",
    ],
    [
      isNone,
      { "!jq": "{person_id: (${piped_content.1.person} | .id), at: now}" },
      "${piped_content.1.person}",
    ],
  ])("%s %#", (jq, step, marked) => {
    expect(
      told("pipeline/record-made", [search, choice(jq), step, post("/log", "${piped_content.3}")]),
    ).toEqual([marked]);
  });
  test.each([
    [isNone, note("piped_content.2.id"), undefined],
    // It is said that this is what was there before.
    [isNone, { "!jq": "{known_id: ${piped_content.1.person.id}, id: .id}" }, undefined],
    [
      isNone,
      {
        "!jq": "{id: (if ${piped_content.1.person} == null then .id else ${piped_content.1.person.id} end)}",
      },
      undefined,
    ],
    // Who isn't there is refused.
    [
      isNone,
      note("piped_content.1.person.id"),
      { "!switch": { jq: isNone, cases: [{ "!error": "No." }, { "!jq": "." }] } },
    ],
    // Only who is there goes on.
    [
      isNone,
      {
        "!switch": {
          jq: "if ${piped_content.1.person} == null then 1 else 0 end",
          cases: [note("piped_content.1.person.id"), { "!print_c": "new" }],
        },
      },
      undefined,
    ],
  ])("right: %s %#", (jq, step, first) => {
    const pipe = [search, first ?? choice(jq), step, post("/log", { by: "${piped_content.2.id}" })];
    expect(told("pipeline/record-made", pipe)).toEqual([]);
  });
});

describe("pipeline/raw-value", () => {
  const way = {
    "/workflows/0/setup/select/form_fields/1": {
      label: "Way",
      id: "way",
      type: "dropdown",
      options: [
        { display: "Mail", value: "mail" },
        { display: "Desk", value: "desk" },
      ],
    },
  };
  const made = '{id: .email, way: (if ${custom_data.way.value} == "mail" then "M" else "D" end)}';
  const send = (way: string) =>
    post("/lists/${custom_data.list.value}/cards", { id: "${piped_content.1.id}", way });
  test("only a log shows what was made", () => {
    const pipe = [
      { "!jq": made },
      send("${custom_data.way.value}"),
      { "!print_c": "by ${piped_content.1.way}" },
    ];
    expect(told("pipeline/raw-value", pipe, way)).toEqual(["${custom_data.way.value}"]);
  });
  test.each([
    [made, "${piped_content.1.way}"],
    // It is made for the condition.
    ['{id: .email, way: (${custom_data.way.value} == "mail")}', "${custom_data.way.value}"],
    ["{id: .email, way: (${custom_data.way.value} | ascii_upcase)}", "${custom_data.way.value}"],
  ])("right: %s", (program, sent) => {
    const pipe = [{ "!jq": program }, send(sent), { "!print_c": "by ${piped_content.1.way}" }];
    expect(told("pipeline/raw-value", pipe, way)).toEqual([]);
  });
});

describe("bodies of before", () => {
  const cases = (changed: string, comment?: string) => ({
    ...(comment === undefined ? {} : { _comment: comment }),
    "!switch": {
      jq: "if .people == [] then 0 else 1 end",
      cases: [
        post("/people", "${piped_content.1}"),
        patch("/people/${piped_content.2.people.0.id}", changed),
      ],
    },
  });
  const search = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const clean = { "!jq": "with_entries(select(.value != null))" };
  test("without what is empty", () => {
    expect(told("pipeline/superseded-body", [clean, search, cases("${piped_content.0}")])).toEqual([
      "piped_content.0",
    ]);
  });
  test("right: empty values are meant", () => {
    const pipe = [clean, search, cases("${piped_content.0}", "A null clears what is there.")];
    expect(told("pipeline/superseded-body", pipe)).toEqual([]);
    expect(told("pipeline/superseded-body", [clean, search, cases("${piped_content.1}")])).toEqual([]);
  });
  const volume = "${piped_content.0} | . + {m3: (.ft3 * 0.028)} | del(.ft3)";
  test.each([
    [volume, ["${piped_content.0}"]],
    ["${piped_content.0} | {email: .email, name: .name, mass_kg: (.tonnes * 1000)}", ["${piped_content.0}"]],
    // Nothing is made of what is left out.
    ["${piped_content.0} | . + {new: true} | del(.ft3)", []],
    ["${piped_content.0} | {email: .email, name: .name, new: true}", []],
  ])("%s", (program, marked) => {
    expect(told("pipeline/unbuilt-body", [{ "!jq": program }, search, cases("${piped_content.0}")])).toEqual(
      marked,
    );
  });
});

describe("value/other-answer", () => {
  const pipe = (key: string) => [
    post("/courses/1/enrolments", { email: "${piped_content.0.email}" }),
    post("/packs/1/licences", { language: "en" }),
    post("/learners/${piped_content.1.learner.id}/access", { licence_key: `\${${key}}` }),
  ];
  test("the answer that nobody reads", () => {
    expect(told("value/other-answer", pipe("piped_content.1.licence.key"))).toEqual(["licence"]);
  });
  test("right", () => {
    expect(told("value/other-answer", pipe("piped_content.2.licence.key"))).toEqual([]);
    // The learner may have it.
    expect(told("value/other-answer", pipe("piped_content.1.learner.key"))).toEqual([]);
  });
});

describe("value/other-answer of a secret", () => {
  const update = (token: string) => ({
    "!pipe": [
      {
        "!http": {
          method: "PATCH",
          path: "/hooks/${data.workflow.hook_id}",
          body: { url: "${webhook.url}" },
        },
      },
      { "!http": { method: "POST", path: "/hooks/${data.workflow.hook_id}/renew-token" } },
      { "!jq": `{hook_token: ${token}}` },
      { "!save": { scope: "workflow" } },
    ],
  });
  const told = (token: string): string[] =>
    findings("value/other-answer", "inbound-webhook", { "/data_intake/0/update": update(token) });
  test("from before it is renewed", () => {
    expect(told("${piped_content.1.hook.token}")).toEqual(["token"]);
    expect(told(".token")).toEqual([]);
    expect(told("(.token // ${piped_content.1.hook.token})")).toEqual([]);
  });
});

describe("value/other-step", () => {
  const source = (
    step: number,
    comment = '{"id": 1, "status": "new", "starts_at": "2026-01-01", "client_id": 2}',
  ) =>
    findings("value/other-step", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        _comment: `Sample event: ${comment}`,
        "!pipe": [
          { "!jq": ".event" },
          { "!http": { path: "/clients/${piped_content.1.client_id}" } },
          {
            "!jq": `\${piped_content.${step}} as $ev | {email: .client.email, name: $ev.status, city: $ev.starts_at}`,
          },
        ],
      },
    });
  test("all that came in, called like a part of it", () => {
    expect(source(0)).toEqual(["piped_content.0"]);
    expect(source(1)).toEqual([]);
    expect(source(0, '{"event": {"id": 1}, "status": "new", "starts_at": "2026-01-01"}')).toEqual([]);
  });
});

describe("pipeline/passed-over", () => {
  const pipe = (id: string, about: object = { type: "invitation" }) => [
    { "!http": { method: "PUT", path: "/applicants", body: "${piped_content.0}" } },
    post("/invitations", { applicant: "${piped_content.1.record.id}" }),
    { "!jq": "{invitation_id: .record.id, due: (now | todate)}" },
    post("/tasks", { about: { ...about, id: `\${${id}}` }, due: "${piped_content.3.due}" }),
  ];
  test("an id beside its type", () => {
    expect(told("pipeline/passed-over", pipe("piped_content.1.record.id"))).toEqual([
      "piped_content.1.record.id",
    ]);
  });
  test("right", () => {
    expect(told("pipeline/passed-over", pipe("piped_content.3.invitation_id"))).toEqual([]);
    expect(told("pipeline/passed-over", pipe("piped_content.1.record.id", { type: "applicant" }))).toEqual(
      [],
    );
  });
});

describe("polling/saved-after-cycle", () => {
  const save = [
    { "!http": { path: "/shop" } },
    { "!jq": "{shop: .name}" },
    { "!save": { scope: "workflow" } },
  ];
  const state = { "!jq": "{polling_state: ${polling_state}}" };
  const source = (shop: string, stage = "post_poll") =>
    findings("polling/saved-after-cycle", "inbound-polling", {
      [`/data_intake/0/${stage}`]: { "!pipe": [...save, state] },
      "/workflows/0/data_pipeline/source": { "!jq": `{email: .email, shop: ${shop}}` },
    });
  test("told and right", () => {
    expect(source("${data.workflow.shop}")).toEqual(["${data.workflow.shop}"]);
    expect(source("${data.workflow.shop | default}")).toEqual([]);
    expect(source("${data.workflow.shop}", "pre_poll")).toEqual([]);
  });
});
