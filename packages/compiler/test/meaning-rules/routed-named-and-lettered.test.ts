import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";
import { byEmail, cases, get, jq, post } from "../support/steps.ts";

/** What deliveries are routed by, letters for names, roles and ids in other forms; and what is right although it looks alike. */

const outbound = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });

describe("value/routed-by-other-id: the history is asked by what was chosen", () => {
  const told = (routed: string, params: object, path: string) =>
    findings("value/routed-by-other-id", "historical-sync", {
      "/data_intake/0/scope": "connection",
      "/data_intake/0/create": {
        "!pipe": [
          post("/hooks", { url: "${webhook.url}" }),
          jq("{hook_id: .id}"),
          { "!save": { scope: "connection" } },
        ],
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.connection.hook_id}" } },
      "/data_intake/0/resource_id": { "!jq": routed },
      "/data_intake/1/request/!pipe/0/!http/path": "/orders",
      "/data_intake/1/request/!pipe/0/!http/params": { cursor: "${polling_state.cursor}", ...params },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [get("/shops"), jq("[.shops[] | {display: .title, value: (.id | tostring)}]")],
      },
      "/workflows/0/setup/select/describe_selection": {
        resource_id: { "!jq": ".custom_data.shop.value" },
        display: { "!jq": ".custom_data.shop.display" },
      },
      "/workflows/0/data_pipeline/source": { "!pipe": [get(path), jq("{email: .email}")] },
    });
  const byShop = { shop_id: "${custom_data.shop.value}" };
  const courier = "/couriers/${piped_content.0.order.courier_id}";

  test.each<[string, object, string, string[]]>([
    [".order.courier_id", byShop, courier, [".order.courier_id"]],
    [".order.courier_id | tostring", byShop, courier, [".order.courier_id | tostring"]],
    [".order.courier_id", { ...byShop, sort: "id" }, `/v2${courier}/profile`, [".order.courier_id"]],
    [".order.shop_id", byShop, courier, []],
    // It is no list of its own, or the history isn't asked by the choice.
    [".order.courier_id", byShop, "/orders/${piped_content.0.order.id}", []],
    [".order.courier_id", {}, courier, []],
    [".order.courier_id", { q: "${custom_data.shop.value}" }, courier, []],
  ])("%s, %j, %s", (routed, params, path, marked) => {
    expect(told(routed, params, path)).toEqual(marked);
  });
});

describe("value/crossed-codes: letters of the same names elsewhere", () => {
  const told = (
    pairs: readonly (readonly [string, string])[],
    fixed: readonly (readonly [string, string])[],
  ) =>
    findings("value/crossed-codes", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Channels",
        id: "channels",
        type: "multiselect",
        options: pairs.map(([value, display]) => ({ display, value })),
      },
      "/workflows/0/setup/map/describe_target/options/2": {
        title: "Price list",
        id: "price_list",
        source_fields: fixed.map(([id, title]) => ({ id, title })),
      },
    }).length;
  const right = [
    ["R", "Restaurants"],
    ["M", "Merchants"],
    ["P", "Private cellars"],
  ] as const;
  const numbers = [
    ["1", "High"],
    ["2", "Middle"],
    ["3", "Low"],
  ] as const;

  test("exchanged", () => {
    expect(
      told(right, [
        ["M", "Restaurants"],
        ["R", "Merchants"],
        ["P", "Private cellars"],
      ]),
    ).toBe(1);
    expect(
      told(right, [
        ["R", "Restaurants"],
        ["P", "Merchants"],
        ["M", "Private cellars"],
      ]),
    ).toBe(1);
    expect(
      told(
        [
          ["M", "Restaurants"],
          ["R", "Merchants"],
          ["P", "Private cellars"],
        ],
        right,
      ),
    ).toBe(1);
  });

  test("right", () => {
    expect(told(right, right)).toBe(0);
    expect(
      told(numbers, [
        ["3", "High"],
        ["2", "Middle"],
        ["1", "Low"],
      ]),
    ).toBe(0);
    expect(
      told(
        [
          ["A", "Restaurants"],
          ["B", "Merchants"],
          ["C", "Bars"],
        ],
        [
          ["B", "Restaurants"],
          ["A", "Merchants"],
          ["C", "Bars"],
        ],
      ),
    ).toBe(0);
    expect(
      told(right, [
        ["M", "Retail"],
        ["R", "Merchants"],
        ["P", "Private cellars"],
      ]),
    ).toBe(0);
  });
});

describe("value/role-given: another role than the workflow says", () => {
  const told = (description: string, steps: readonly unknown[], more: object = {}) =>
    outbound("value/role-given", steps, { "/workflows/0/description": description, ...more });
  const put = (path: string) => ({ "!http": { method: "PUT", path, body: "${piped_content.0}" } });
  const made = (role: string) => [
    put("/learners/external/${piped_content.0.email}"),
    jq(`{learner_id: .id, role: "${role}"}`),
    post("/enrolments", "${piped_content.2}"),
  ];

  test.each<[string, readonly unknown[], string[]]>([
    ["Enrols the contact as a learner.", made("tutor"), ['"tutor"']],
    ["Adds the contact as a new learner.", made("teacher"), ['"teacher"']],
    [
      "Adds the contact as an attendee.",
      [post("/attendees", { email: "${piped_content.0.email}", role: "speaker" })],
      ["speaker"],
    ],
    ["Enrols the contact as a learner.", made("learner"), []],
    ["Enrols the contact as a learner, who gets a tutor.", made("tutor"), []],
    ["Enrols the contact.", made("tutor"), []],
    ["Adds the contact as a person.", made("tutor"), []],
    ["Adds the contact as a speaker.", made("tutor"), []],
    ["Enrols the contact as a learner.", made("admin"), []],
  ])("%s %j", (description, steps, marked) => {
    expect(told(description, steps)).toEqual(marked);
  });
});

describe("ids in other forms", () => {
  test("a path without a slash before the list", () => {
    const told = (path: string) => outbound("expansion/display-for-id", [get(path)]);
    expect(told("lists/${custom_data.list.display}/people")).toEqual(["display"]);
    expect(told("lists/${custom_data.list.display}")).toEqual(["display"]);
    expect(told("/lists/${custom_data.list.display}/people")).toEqual(["display"]);
    expect(told("lists/${custom_data.list.value}/people")).toEqual([]);
    expect(told("pages/${custom_data.list.display}")).toEqual([]);
  });

  test("the name of what was just made or found, under the name of its id", () => {
    const told = (path: string, program: string) =>
      outbound("value/other-role", [
        post(path, "${piped_content.0}"),
        jq(program),
        post("/trials", "${piped_content.2}"),
      ]);
    expect(told("/members", "{member_id: .name}")).toEqual([".name"]);
    expect(told("/clinics/7/patients", "{patient_id: .name}")).toEqual([".name"]);
    expect(told("/members", "{member_id: .full_name, kind: 1}")).toEqual([".full_name"]);
    expect(told("/members", "{member_id: .id}")).toEqual([]);
    expect(told("/members", "{club_id: .name}")).toEqual([]);
    expect(told("/members", "{member_name: .name}")).toEqual([]);
  });

  test("the number of the first that was found, beside the id of a new one", () => {
    const told = (read: string, other = "{caller_id: .caller.id}") =>
      outbound("value/code-for-id", [
        get("/callers", byEmail),
        jq(`{caller_id: ${read}}`),
        cases(
          "if .caller_id == null then 0 else 1 end",
          { "!pipe": [post("/callers", byEmail), jq(other)] },
          jq("{caller_id}"),
        ),
        post("/tickets", "${piped_content.3}"),
      ]);
    expect(told(".callers[0].number")).toEqual([".callers[0].number"]);
    expect(told(".callers[0].code")).toEqual([".callers[0].code"]);
    expect(told(".list[0].ref")).toEqual([".list[0].ref"]);
    expect(told(".callers[0].id", "{caller_id: .caller.number}")).toEqual([".caller.number"]);
    expect(told(".callers[0].id")).toEqual([]);
    expect(told(".callers[0].number", "{caller_id: .caller.number}")).toEqual([]);
    expect(told(".callers[0].email")).toEqual([]);
  });

  test("an id or null of an earlier step is no empty text", () => {
    const told = (made: string, asked = '.found == ""') =>
      outbound("jq/empty-text", [
        get("/alerts", byEmail),
        jq(`{found: ${made}}`),
        cases(`if ${asked} then 0 else 1 end`, post("/alerts", byEmail), {
          "!http": { method: "PUT", path: "/alerts/${piped_content.2.found}", body: byEmail },
        }),
      ]).length;
    expect(told("(.alerts[0].id // null)")).toBe(1);
    expect(told(".alerts[0].id")).toBe(1);
    expect(told("(.alerts[0].id // null)", '.found != ""')).toBe(1);
    expect(told('(.alerts[0].id // "")')).toBe(0);
    expect(told("(.alerts[0].id // null)", ".found == null")).toBe(0);
    expect(told("(.alerts[0].note // null)")).toBe(0);
  });
});
