import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

const list = (id: string, path: string, value: string, display = ".title") => ({
  label: id,
  id,
  type: "dropdown",
  options: {
    "!pipe": [
      { "!http": { path } },
      { "!jq": `[.${path.split("/").at(-1)}[] | {display: ${display}, value: ${value}}]` },
    ],
  },
});

describe("value/name-for-id: names in other forms and places", () => {
  const told = (value: string, target: unknown, display?: string, areas = ".id"): number =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields": [
        list("area", "/areas", areas),
        list("site", "/areas/${custom_data.area.value}/sites", value, display),
      ],
      "/workflows/0/data_pipeline/target": target,
    }).length;
  const sends = (given: string) => ({
    "!pipe": [
      { "!jq": `{email: .email, ${given}}` },
      {
        "!http": {
          method: "POST",
          path: "/areas/${custom_data.area.value}/people",
          body: "${piped_content.1}",
        },
      },
    ],
  });
  const asks = (path: string) => ({
    "!pipe": [{ "!http": { method: "POST", path, body: { email: "${piped_content.0.email}" } } }],
  });
  test.each([
    ["as a number", sends("site_id: (${custom_data.site.value} | tonumber)")],
    ["each of them", sends("site_ids: (${custom_data.site.value} | map(tonumber))")],
    [
      "unless all are meant",
      sends(
        'site_id: (if "${custom_data.site.value}" == "all" then null else ${custom_data.site.value} end)',
      ),
    ],
    ["in an object of its own", sends("places: (${custom_data.site.value} | map({site_id: ., size: 1}))")],
    ["in a path", asks("/sites/${custom_data.site.value}/people")],
    ["in a path that says one", asks("/people/site/${custom_data.site.value}")],
  ])("told %s", (_, target) => {
    expect(told(".title", target)).toBe(1);
    expect(told(".id", target)).toBe(0);
  });
  test("a name that isn't the one that is shown, where an id is sent", () => {
    const sent = sends("site_id: ${custom_data.site.value}");
    expect(told(".name", sent)).toBe(1);
    expect(told(".name", sent, '"\\(.town), \\(.street)"')).toBe(1);
    expect(told("(.name | tostring)", sent)).toBe(1);
    // A key may be called a name, where nothing says that the service has ids.
    expect(told(".name", sent, ".title", ".key")).toBe(0);
    expect(told(".name", sends("site: ${custom_data.site.value}"))).toBe(0);
    expect(told(".key", sent)).toBe(0);
    expect(told(".name", asks("/sites/${custom_data.site.value}/people"))).toBe(0);
  });
  test("not where lists aren't asked for by ids, or by names on purpose", () => {
    expect(told(".title", asks("/sites/${custom_data.site.value}/people"), ".title", ".key")).toBe(0);
    expect(told(".title", sends("site_name: ${custom_data.site.value}"))).toBe(0);
    expect(told(".title", asks("/labels/${custom_data.site.value}"))).toBe(0);
  });
});

describe("expansion/display-for-id: options that are written out", () => {
  const told = (target: unknown, options: readonly unknown[], id = "meal", type = "dropdown"): number =>
    findings("expansion/display-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/1": { label: "Choice", id, type, options },
      "/workflows/0/data_pipeline/target": target,
    }).length;
  const words = [
    { display: "With meat", value: "meat" },
    { display: "Vegetarian", value: "veg" },
  ];
  const numbers = [
    { display: "Very good", value: 5 },
    { display: "Fair", value: 3 },
  ];
  const body = (name: string, expansion: string) => ({
    "!http": {
      method: "POST",
      path: "/lists/${custom_data.list.value}",
      body: { email: "${piped_content.0.email}", [name]: expansion },
    },
  });
  const made = (given: string) => ({
    "!pipe": [
      { "!jq": `{email: .email, ${given}}` },
      { "!http": { method: "POST", path: "/lists/${custom_data.list.value}", body: "${piped_content.1}" } },
    ],
  });
  test("told under the name of the field", () => {
    expect(told(body("meal", "${custom_data.meal.display}"), words)).toBe(1);
    expect(told(body("meal", "${custom_data.meal.display}"), numbers)).toBe(1);
    expect(told(made("meal: ${custom_data.meal.display}"), words)).toBe(1);
    expect(told(made('meal: (${custom_data.meal.display} | join(","))'), words, "meal", "multiselect")).toBe(
      1,
    );
    expect(told(made("meal: ${custom_data.lunch-meal.display}"), words, "lunch-meal")).toBe(1);
  });
  test("not as a value, under another name, in a text, or where both say the same", () => {
    expect(told(body("meal", "${custom_data.meal.value}"), words)).toBe(0);
    expect(told(body("note", "${custom_data.meal.display}"), words)).toBe(0);
    expect(told(body("meal", "Meal: ${custom_data.meal.display}"), words)).toBe(0);
    expect(told(made("wishes: ${custom_data.meal.display}"), words)).toBe(0);
    const alike = [
      { display: "Offers", value: "offers" },
      { display: "News", value: "news" },
    ];
    expect(told(body("meal", "${custom_data.meal.display}"), alike)).toBe(0);
    const texts = [
      { display: "Short", value: "A short lunch" },
      { display: "Long", value: "A long lunch" },
    ];
    expect(told(body("meal", "${custom_data.meal.display}"), texts)).toBe(0);
  });
  test("told where an id is compared by way of a variable", () => {
    const told = (shown: string): number =>
      findings("expansion/display-for-id", "inbound-webhook", {
        "/workflows/0/data_pipeline/source": {
          "!jq": `(\${custom_data.form.${shown}}) as $form | if .form_id != $form then null else {email: .email} end`,
        },
      }).length;
    expect(told("display")).toBe(1);
    expect(told("value")).toBe(0);
  });
});

describe("jq/other-span: lengths of time in other forms", () => {
  const told = (given: string, rule = "jq/other-span"): number =>
    findings(rule, "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!jq": `. as $b | {email: .email, ${given}}` },
    }).length;
  test.each([
    ["since: (now - 30 * 1440 | floor | todate)"],
    ["since: (now - 1440 * 7 | todate)"],
    ["until: (now + 365 * 3600 | todate)"],
    ["until: ($b.done_at + 730 * 3600 | todate)"],
    ["hours: ($b.lessons * $b.lesson_minutes / 3600)"],
    ["hours: ($b.visits * $b.visit_seconds / 60 | floor)", "value/other-unit"],
    ["days_late: ([0, ((now - $b.due_at) / 3600 | floor)] | max)"],
  ])("told: %s", (given, rule?: string) => expect(told(given, rule)).toBe(1));
  test.each([
    ["since: (now - 30 * 86400 | floor | todate)"],
    ["since: (now - 30 * 1440 * 60 | todate)"],
    ["since: (now - 24 * 3600 | todate)"],
    ["until: (now + 72 * 3600 | todate)"],
    ["until: (now + 14 * 3600 | todate)"],
    ["minutes: ($b.days * 1440)"],
    ["hours: ($b.lessons * $b.lesson_minutes / 60)"],
    ["hours: ($b.visits * $b.visit_seconds / 3600 | floor)"],
    ["days_late: ([0, ((now - $b.due_at) / 86400 | floor)] | max)"],
  ])("not told: %s", (given) => expect(told(given)).toBe(0));
});
