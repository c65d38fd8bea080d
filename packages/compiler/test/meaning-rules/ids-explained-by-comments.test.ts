import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** What looks like the wrong id or name is right where a comment, a title or a name says so. */

const target = "/workflows/0/data_pipeline/target";
const source = "/workflows/0/data_pipeline/source";
const fields = "/workflows/0/setup/select/form_fields";
const comment = "/data_intake/0/_comment";
const sourceOptions = "/workflows/0/setup/map/describe_source/options";
const get = (path: string) => ({ "!http": { path } });
const post = (path: string, body: unknown) => ({ "!http": { method: "POST", path, body } });
const listed = (path: string, program: string) => ({ "!pipe": [get(path), { "!jq": program }] });
const forms = (value: string) => listed("/forms", `[.forms[] | {display: .title, value: .${value}}]`);

test.each([
  ["form_id is the id of a form.", 1],
  ["form_id is the title of a form.", 0],
])("value/compared-kind: %s", (said, count) => {
  const program = "if .form_id == ${custom_data.form.value} then {email: .email} else null end";
  const more = { [comment]: said, [`${fields}/0/options`]: forms("title") };
  expect(inSource("value/compared-kind", program, more)).toHaveLength(count);
});

test.each([
  ["list_id is a list's id.", 1],
  ["list_id is the name of a list.", 0],
])("setup/shown-value: %s", (said, count) => {
  const found = findings("setup/shown-value", "inbound-polling", {
    [comment]: said,
    [source]: { "!jq": "if .list_id == ${custom_data.list.value} then {email, name, city} else null end" },
    [`${fields}/0/options`]: listed("/lists", "[.lists[] | {display: .title, value: .title}]"),
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["A client is {id, email, adviser_id}.", 1],
  ["A client is {id, email, adviser_id}. An adviser is a client, too.", 0],
])("value/compared-record: %s", (said, count) => {
  const found = findings("value/compared-record", "inbound-webhook", {
    [comment]: said,
    [`${fields}/1`]: {
      label: "Adviser",
      id: "adviser",
      type: "dropdown",
      options: listed("/advisers", "[.advisers[] | {display: .name, value: .id}]"),
    },
    [source]: {
      "!pipe": [
        get("/clients/${piped_content.0.client_id}"),
        {
          "!jq": "if .client.id != ${custom_data.adviser.value} then null else {email: .client.email} end",
        },
      ],
    },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ['{"id": "m-204", "number": 204, "email": …}. Each id is a text.', 1],
  ['{"id": "m-204", "number": 204, "email": …}. The id is printed on their card.', 0],
  ['{"id": "m-204", "number": 204, "email": …}. The id is what people know.', 0],
])("value/id-for-number: %s", (said, count) => {
  const program = "{email: .email, member_number: .id}";
  expect(inSource("value/id-for-number", program, { [comment]: said })).toHaveLength(count);
});

test.each([
  ["Who came is in locksmith_id.", 1],
  ["Who came is in locksmith_id. A locksmith has the id of their customer.", 0],
])("value/id-of-other-list: %s", (said, count) => {
  const found = findings("value/id-of-other-list", "inbound-webhook", {
    [comment]: said,
    "/workflows/0/setup/connect/describe_connection": listed(
      "/locksmiths",
      "{account_id: (.locksmiths[0].id | tostring), description: .locksmiths[0].name}",
    ),
    [source]: {
      "!pipe": [
        get("/customers/${piped_content.0.customer_id}"),
        get("/locksmiths/${piped_content.0.customer_id}"),
        { "!jq": "{email: ${piped_content.1.email}, by: .name}" },
      ],
    },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["An order is for a product.", 1],
  ["A product has the id of its order.", 0],
  ["GET /products/{order_id}", 0],
])("value/record-at-hand: %s", (said, count) => {
  const found = findings("value/record-at-hand", "outbound", {
    "/workflows/0/data_pipeline/_comment": said,
    [target]: {
      "!pipe": [
        { "!http": { path: "/orders", params: { email: "${piped_content.0.email}" } } },
        { "!jq": "{order_id: .orders[0].id, product_id: .orders[0].product_id}" },
        post("/products/${piped_content.2.order_id}/reviews", {
          order: "${piped_content.2.order_id}",
          product: "${piped_content.2.product_id}",
        }),
      ],
    },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["Answers {job: {id, number}}.", 1],
  ["Answers {job: {id, number}}. In paths the API has the number.", 0],
  ["Answers {job: {id, number}}. The id is internal.", 0],
])("value/member-for-id: %s", (said, count) => {
  const found = findings("value/member-for-id", "outbound", {
    [target]: {
      "!pipe": [
        { _comment: said, ...post("/jobs", { email: "${piped_content.0.email}" }) },
        post("/jobs/${piped_content.1.job.number}/release", {
          list: "${custom_data.list.value}",
          note: "${custom_data.note.value | default}",
        }),
      ],
    },
  });
  expect(found).toHaveLength(count);
});

describe("value/name-for-id", () => {
  const found = (said: string, options: string, body: Readonly<Record<string, string>>): string[] =>
    findings("value/name-for-id", "outbound", {
      [`${fields}/0/_comment`]: said,
      [`${fields}/0/options`]: listed("/lists", options),
      [target]: post("/subscribers", { email: "${piped_content.0.email}", ...body }),
    });
  test.each([
    ["A list is {id, title, color}.", 1],
    ["A list is {title, color}.", 0],
  ])("%s", (said, count) => {
    const options = "[.lists[] | {display: .title, value: .title}]";
    expect(found(said, options, { list_id: "${custom_data.list.value}" })).toHaveLength(count);
  });
  test.each([
    ["A list goes by id.", 1],
    ["A list has a number.", 0],
  ])("a number is sent: %s", (said, count) => {
    const options = String.raw`[.lists[] | {display: "\(.title) (\(.number))", value: .number}]`;
    expect(found(said, options, { list: "${custom_data.list.value}" })).toHaveLength(count);
  });
});

test.each([
  ["A field has a key and a label.", 1],
  ["People are written with labels for keys.", 0],
  ["Each field is written by its label.", 0],
])("mapping/name-as-key: %s", (said, count) => {
  const program = '[.fields[] | {id: .label, title: .label, required: (.key == "email")}]';
  const found = findings("mapping/name-as-key", "outbound", {
    "/workflows/0/_comment": said,
    [target]: post("/lists/${custom_data.list.value}/people", "${piped_content.0}"),
    "/workflows/0/setup/map/describe_target/options": listed("/fields", program),
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["A form has an id and a code.", "id", 0],
  ["A form has an id and a code.", "code", 1],
  ["In events id is the code of a form.", "code", 0],
])("value/routed-by-other-kind: %s %s", (said, value, count) => {
  const found = findings("value/routed-by-other-kind", "inbound-webhook", {
    [comment]: said,
    "/data_intake/0/scope": "connection",
    "/data_intake/0/create": {
      "!pipe": [
        post("/hooks", { url: "${webhook.url}" }),
        { "!jq": "{hook_id: .id}" },
        { "!save": { scope: "connection" } },
      ],
    },
    "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.connection.hook_id}" } },
    "/data_intake/0/resource_id": { "!jq": ".form.id" },
    [`${fields}/0/options`]: forms(value),
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["An event is of a page with a form.", 1],
  ["In events forms are called pages: page_id is a form's id.", 0],
])("value/routed-by-other-id: %s", (said, count) => {
  const found = findings("value/routed-by-other-id", "inbound-webhook", {
    [comment]: said,
    "/data_intake/0/account_id": { "!jq": ".form_id" },
    "/data_intake/0/resource_id": { "!jq": ".page_id" },
    [`${fields}/0/options`]: forms("id"),
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["data is what has changed.", 1],
  ["data is a customer.", 0],
])("value/own-id: %s", (said, count) => {
  const found = findings("value/own-id", "inbound-webhook", {
    [comment]: said,
    [source]: {
      "!switch": {
        jq: "if .data.customer_id == null then 0 else 1 end",
        cases: [
          { "!jq": "null" },
          { "!pipe": [get("/customers/${piped_content.0.data.id}"), { "!jq": "{email: .email}" }] },
        ],
      },
    },
  });
  expect(found).toHaveLength(count);
});

test.each([
  ["Course", 1],
  ["Name of the studio", 0],
])("value/record-beside: the title is “%s”", (title, count) => {
  const program =
    '.booking as $b | {email: $b.email, course_title: $b.studio.name, text: ("Course: " + $b.course.title)}';
  const options = [
    { id: "email", title: "Email" },
    { id: "course_title", title },
    { id: "text", title: "Text" },
  ];
  expect(inSource("value/record-beside", program, { [sourceOptions]: options })).toHaveLength(count);
});

test.each([
  ["from", 1],
  ["to", 0],
])("value/other-field: to_uic gets the field %s", (field, count) => {
  const station = (id: string) => ({
    id,
    label: id === "from" ? "From" : "To",
    type: "dropdown",
    options: [
      { display: "Basel", value: "8500010" },
      { display: "Bern", value: "8507000" },
    ],
  });
  const found = findings("value/other-field", "outbound", {
    [`${fields}/1`]: station("from"),
    [`${fields}/2`]: station("to"),
    [target]: post("/tickets", {
      email: "${piped_content.0.email}",
      from_uic: "${custom_data.from.value}",
      to_uic: `\${custom_data.${field}.value}`,
    }),
  });
  expect(found).toHaveLength(count);
});
