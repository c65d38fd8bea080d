import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Rules about whole records, ids and keys: the same kind of mistake in other words, and what is right although it looks alike. */

describe("an object where one value belongs", () => {
  const pipe = (...steps: readonly object[]): object => ({ "!pipe": steps });
  const ticket = { "!http": { path: "/tickets/${piped_content.0.ticket_id}" } };
  const user = (member: string): object => ({ "!http": { path: `/users/\${piped_content.1.${member}}` } });
  const rules = ["expansion/object-by-use", "expansion/object-in-text"];
  const inSource = (source: object): string[] =>
    rules.flatMap((rule) =>
      findings(rule, "inbound-webhook", { "/workflows/0/data_pipeline/source": source }),
    );

  test.each([
    pipe(ticket, user("ticket"), {
      "!jq": "${piped_content.1.ticket} as $t | {email: .email, s: $t.subject}",
    }),
    pipe(ticket, user("ticket"), { "!jq": "{email: .email, s: (${piped_content.1.ticket} | .subject)}" }),
    pipe(ticket, user("ticket"), {
      "!jq": "${piped_content.1} as $a | {email: .email, s: $a.ticket.subject}",
    }),
    pipe(ticket, user("ticket"), { "!jq": "{email: .email, s: ${piped_content.1}.ticket.subject}" }),
    pipe(
      ticket,
      { "!http": { path: "/u", params: { id: "${piped_content.1.data.user}" } } },
      { "!jq": "${piped_content.1.data} as {$user} | {email: $user.email}" },
    ),
    pipe(ticket, user("ticket"), {
      "!switch": {
        jq: "if ${piped_content.1.ticket}.open then 0 else 1 end",
        cases: [{ "!jq": "{email}" }, { "!jq": "null" }],
      },
    }),
    pipe(ticket, user("ticket"), {
      "!switch": {
        jq: "0",
        cases: [{ "!jq": "${piped_content.1.ticket} as $t | {email: $t.mail}" }, { "!jq": "null" }],
      },
    }),
    pipe(
      ticket,
      { "!jq": ". as $a | {id: $a.ticket.user_id}" },
      { "!http": { path: "/users/${piped_content.1.ticket}" } },
    ),
  ])("%j", (source) => {
    expect(inSource(source)).toHaveLength(1);
  });

  test.each([
    pipe(ticket, user("ticket.id"), {
      "!jq": "${piped_content.1.ticket} as $t | {email: .email, s: $t.subject}",
    }),
    pipe(ticket, user("ticket"), { "!jq": "{email: .email, s: ${piped_content.2.ticket.subject}}" }),
    pipe(ticket, user("ticket"), { "!jq": "${piped_content.1.ticket} as $t | {email: .email, s: $t}" }),
  ])("right: %j", (source) => {
    expect(inSource(source)).toEqual([]);
  });

  const inVariable = (value: string, type: string, before: readonly object[]): string[] => {
    const query = `mutation M($e: ${type}, $l: ID) { invite(e: $e, l: $l) { id } }`;
    const variables = { e: value, l: "${custom_data.list.value}" };
    const request = { "!http": { method: "POST", path: "/graphql", body: { query, variables } } };
    const changes = { "/workflows/0/data_pipeline/target": pipe(...before, request) };
    return rules.flatMap((rule) => findings(rule, "outbound", changes));
  };

  test.each<[string, string, (readonly object[])?]>([
    ["${piped_content.0}", "String!"],
    ["${piped_content.0}", "ID!"],
    ["${piped_content.1}", "String", [{ "!jq": "{a: .email}" }]],
    ["${piped_content.1.ids}", "Int!", [{ "!jq": "{ids: [1,2]}" }]],
    ["${piped_content.1}", "ID", [{ "!http": { path: "/x" } }, { "!jq": "{id: .id}" }, { "!jq": ".id" }]],
    ["${piped_content.1.user}", "ID!", [{ "!http": { path: "/x" } }, { "!jq": "{id: .user.id}" }]],
  ])("%s as a variable of type %s", (value, type, before = []) => {
    expect(inVariable(value, type, before)).toHaveLength(1);
  });

  test.each<[string, string, (readonly object[])?]>([
    ["${piped_content.0.email}", "String!"],
    ["${piped_content.0}", "ContactInput!"],
    ["${piped_content.0}", "JSON"],
    ["${piped_content.1.ids}", "[Int!]!", [{ "!jq": "{ids: [1,2]}" }]],
    ["${piped_content.1.a}", "String", [{ "!jq": "{a: .email}" }]],
  ])("right: %s as a variable of type %s", (value, type, before = []) => {
    expect(inVariable(value, type, before)).toEqual([]);
  });
});

describe("mapping/other-prefix: names without one", () => {
  const offered = '[{id: "email", title: "Email"}] + [.questions[] | {id: "q_\\(.id)", title: .text}]';
  const told = (program: string): string[] =>
    findings("mapping/other-prefix", "inbound-webhook", {
      "/workflows/0/setup/map/describe_source/options": {
        "!pipe": [{ "!http": { path: "/questions" } }, { "!jq": offered }],
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    "{email} + (.answers | map({key: .questionId, value: .text}) | from_entries)",
    '{email} + (.answers | map({key: "\\(.question_id)", value: .text}) | from_entries)',
    "{email} + (.answers | map({(.questionId | tostring): .text}) | add // {})",
    '{email} + ([.answers[] | {("\\(.id)"): .text}] | add // {})',
    "{email} + ([.answers[] | {name: .id, value: .text}] | from_entries)",
    'reduce .answers[] as $a ({email: .email}; .["\\($a.questionId)"] = $a.text)',
    "{email} + (reduce .answers[] as $a ({}; . + {($a.question_id): $a.text}))",
    "{email: .email} + ([.answers[] | {key: (.question.id | tostring), value: .text}] | from_entries)",
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    '{email} + (.answers | map({key: "q_\\(.questionId)", value: .text}) | from_entries)',
    "{email} + (.answers | map({key: .key, value: .text}) | from_entries)",
    '{email} + (.answers | map({key: ("q_" + .id), value: .text}) | from_entries) + (.x | map({key: .id, value: .t}) | from_entries)',
    '(.labels | map({key: .id, value: .t}) | from_entries) as $l | {email, x: $l["a"]}',
    '{email} + (.answers | map({key: .questionId, value: .text}) | from_entries | with_entries(.key |= "q_" + .))',
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("value/exchanged-records", () => {
  const idOf = (step: number): string => `\${piped_content.${step}.id}`;
  const told = (steps: readonly object[]): string[] =>
    findings("value/exchanged-records", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { method: "POST", path: "/owners", body: { email: "${piped_content.0.email}" } } },
          { "!http": { method: "POST", path: "/units", body: { list: "${custom_data.list.value}" } } },
          ...steps,
        ],
      },
    });

  test.each<{ steps: readonly object[] }>([
    {
      steps: [
        { "!http": { method: "POST", path: "/leases", body: { unit_id: idOf(1), owner_id: idOf(2) } } },
      ],
    },
    { steps: [{ "!http": { path: "/leases", params: { unit_id: idOf(1), owner_id: idOf(2) } } }] },
    {
      steps: [
        {
          "!http": {
            method: "POST",
            path: "/leases",
            body: { lease: { unitId: idOf(1), ownerId: idOf(2) } },
          },
        },
      ],
    },
    {
      steps: [
        { "!jq": `{unit_id: ${idOf(1)}, owner_id: ${idOf(2)}}` },
        { "!http": { method: "POST", path: "/leases", body: "${piped_content.3}" } },
      ],
    },
    {
      steps: [
        { "!jq": `{lease: {unit_id: (${idOf(1)} | tostring), owner_id: ${idOf(2)}}}` },
        { "!http": { method: "POST", path: "/leases", body: "${piped_content.3.lease}" } },
      ],
    },
    { steps: [{ "!http": { method: "PUT", path: `/owners/${idOf(2)}/units/${idOf(1)}` } }] },
    {
      steps: [
        { "!jq": `${idOf(1)} as $u | ${idOf(2)} as $o | {unit_id: $u, owner_id: $o}` },
        { "!http": { method: "POST", path: "/leases", body: "${piped_content.3}" } },
      ],
    },
    {
      steps: [
        { "!jq": "${piped_content.1} as $u | ${piped_content.2} as $o | {unit_id: $u.id, owner_id: $o.id}" },
        { "!http": { method: "POST", path: "/leases", body: "${piped_content.3}" } },
      ],
    },
  ])("$steps", ({ steps }) => {
    expect(told(steps)).toHaveLength(1);
  });

  test.each<{ steps: readonly object[] }>([
    {
      steps: [
        { "!http": { method: "POST", path: "/leases", body: { unit_id: idOf(2), owner_id: idOf(1) } } },
      ],
    },
    { steps: [{ "!http": { method: "POST", path: "/leases", body: { unit_id: idOf(1), note: idOf(2) } } }] },
    {
      steps: [
        { "!http": { method: "POST", path: "/leases", body: { unit_id: idOf(1), owner_id: idOf(1) } } },
      ],
    },
  ])("right: $steps", ({ steps }) => {
    expect(told(steps)).toEqual([]);
  });
});

describe("value/not-offered: words that a program makes", () => {
  const chosen = "${custom_data.respondents.value}";
  const group = (one: string): string =>
    `(if .score >= 9 then "${one}" elif .score <= 6 then "detractors" else "passives" end)`;
  const told = (program: string): string[] =>
    findings("value/not-offered", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Who",
        id: "respondents",
        type: "dropdown",
        required: true,
        options: [
          { display: "Everyone", value: "everyone" },
          { display: "Promoters", value: "promoters" },
          { display: "Detractors", value: "detractors" },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    `${chosen} as $w | ${group("promoter")} as $g | if $w != "everyone" and $w != $g then null else {email} end`,
    `${group("promotors")} as $g | if ${chosen} == "everyone" or ${chosen} == $g then {email} else null end`,
    `def g: ${group("promoter")}; ${chosen} as $w | if $w == "everyone" or g == $w then {email} else null end`,
    `{"a": "promoter", "b": "detractors"}[.kind] as $g | if ${chosen} != "everyone" and ${chosen} != $g then null else {email} end`,
    `${chosen} as $w | if $w == "everyone" or (${group("Promoters")} | . == $w) then {email} else null end`,
    `${chosen} as $w | (if .score >= 9 then "fans" else "detractors" end) as $g | select($w == "everyone" or $g == $w) | {email}`,
    `(.score >= 9) as $p | (if $p then "promoter" else "detractors" end) as $g | if ([$g, "everyone"] | index(${chosen})) == null then null else {email} end`,
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    `${chosen} as $w | ${group("promoters")} as $g | if $w != "everyone" and $w != $g then null else {email} end`,
    `${chosen} as $w | (if .score >= 9 then "fans" else "detractors" end) as $g | if $w == "everyone" or $g == $w or ($w == "promoters" and .score > 8) then {email} else null end`,
    `${chosen} as $w | (.group // "passives") as $g | if $w != "everyone" and $w != $g then null else {email} end`,
  ])("right: %s", (program) => {
    expect(told(program)).toEqual([]);
  });
});

test("value/not-offered: a word that a comment has is the service's", () => {
  const told = (comment: string): number =>
    findings("value/not-offered", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "What",
        id: "action",
        type: "dropdown",
        options: [
          { display: "Pause", value: "pause" },
          { display: "End", value: "end" },
        ],
      },
      "/workflows/0/data_pipeline/source": {
        _comment: comment,
        "!jq": '{email: .email, state: {pauses: "off", booked: "on"}[.action]}',
      },
    }).length;
  expect(told("action is what has happened.")).toBe(1);
  expect(told("action: booked, pauses.")).toBe(0);
});

test("value/not-offered: a choice in the letters of the service is the same word", () => {
  const told = (state: string): string[] =>
    findings("value/not-offered", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "What",
        id: "state",
        type: "dropdown",
        options: [
          { display: "Paused", value: "paused-now" },
          { display: "Cancelled", value: "cancelled" },
        ],
      },
      "/workflows/0/data_pipeline/source": {
        "!jq": `{email: .email, state: (if .removed then "${state}" else "PAUSED_NOW" end)}`,
      },
    });
  expect(told("Cancelled")).toEqual([]);
  expect(told("CANCELLED")).toEqual([]);
  expect(told("cancelleds")).toHaveLength(1);
});

describe("value/record-at-hand", () => {
  const field = (id: string, path: string): object => ({
    label: id,
    id,
    type: "dropdown",
    options: { "!pipe": [{ "!http": { path } }, { "!jq": "[.data[] | {display: .name, value: .id}]" }] },
  });
  const fields = [
    field("list", "/lists"),
    field("event", "/events"),
    field("ticket", "/tickets"),
    field("sender", "/sms/senders"),
  ];
  const told = (...steps: readonly object[]): string[] =>
    findings("value/record-at-hand", "outbound", {
      "/workflows/0/setup/select/form_fields": fields,
      "/workflows/0/data_pipeline/target": { "!pipe": steps },
    });
  const post = (body: object, path = "/entries"): object => ({ "!http": { method: "POST", path, body } });
  const event = "${custom_data.event.value}";
  const ticket = "${custom_data.ticket.value}";

  test.each<{ steps: readonly object[] }>([
    { steps: [post({ ticket: event })] },
    { steps: [post({ ticket_id: event })] },
    { steps: [post({ ticketId: event })] },
    { steps: [post({ ticket_ids: [event] })] },
    { steps: [post({ ticket: { id: event } })] },
    { steps: [post({ ticket: { data: { type: "tickets", id: event } } })] },
    {
      steps: [
        post({ query: "mutation M($ticket: ID!) { b(t: $ticket) { id } }", variables: { ticket: event } }),
      ],
    },
    { steps: [{ "!http": { path: "/entries", params: { ticket: event } } }] },
    { steps: [post({ a: 1 }, `/tickets/${event}/entries`)] },
    { steps: [{ "!jq": `{ticket_id: ${event}}` }, post({ e: "${piped_content.1}" })] },
    {
      steps: [
        { "!jq": `{ticket: {data: {type: "tickets", id: ${event}}}}` },
        post({ e: "${piped_content.1}" }),
      ],
    },
    { steps: [{ "!jq": `{ticket: ${event}}` }, post({ e: "${piped_content.1}" })] },
    {
      steps: [
        { "!http": { path: "/orders", params: { email: "${piped_content.0.email}" } } },
        { "!jq": "{order_id: .orders[0].id, product_id: .orders[0].product_id}" },
        post({ product: "${piped_content.2.product_id}" }, "/products/${piped_content.2.order_id}/reviews"),
      ],
    },
  ])("%j", ({ steps }) => {
    expect(told(...steps)).toHaveLength(1);
  });

  test.each<{ steps: readonly object[] }>([
    { steps: [post({ ticket, event })] },
    { steps: [post({ ticket: { data: { type: "tickets", id: ticket } } })] },
    // Of what kind the parent is stands beside it.
    { steps: [post({ ticket_id: event, ticket_type: "event" })] },
    { steps: [post({ ticket: { data: { type: "events", id: event } } })] },
    { steps: [post({ ticket: { id: event, record_type: "event" } })] },
    // Services call one kind of record by several names.
    { steps: [post({ audience_id: "${custom_data.list.value}" })] },
    // A list that stands below another word may have records of that.
    { steps: [post({ smsId: "${custom_data.sender.value}" }, "/sms")] },
    { steps: [post({ parent_id: event })] },
  ])("right: %j", ({ steps }) => {
    expect(told(...steps)).toEqual([]);
  });

  test("in the options of a field only what is filled in before counts", () => {
    const options = (id: string): string[] =>
      findings("value/record-at-hand", "outbound", {
        "/workflows/0/setup/select/form_fields": [
          field("list", "/lists"),
          field("event", "/events"),
          field("ticket", `/events/\${custom_data.${id}.value}/tickets`),
        ],
      });
    expect(options("list")).toEqual(["${custom_data.list.value}"]);
    expect(options("event")).toEqual([]);
  });
});

describe("value/record-at-hand: what a step before has made", () => {
  const told = (...steps: readonly object[]): string[] =>
    findings("value/record-at-hand", "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });
  const stock = { "!http": { path: "/stock", params: { sku: "${piped_content.0.sku}" } } };
  const found = { "!jq": "{stock_id: .stock[0].id, free: .stock[0].free}" };
  const order = {
    "!http": { method: "POST", path: "/orders", body: { stock_id: "${piped_content.2.stock_id}" } },
  };
  const orderIfFree = {
    "!switch": { jq: "if .free > 0 then 0 else 1 end", cases: [order, { "!error": "Nothing is left." }] },
  };
  const release = (id: string): object => ({
    "!http": { method: "POST", path: `/orders/${id}/release`, body: { now: true } },
  });
  const query = (text: string, variables: object): object => ({
    "!http": { method: "POST", path: "/graphql", body: { query: text, variables } },
  });
  const saved = query("mutation($e: String!) { saved: person(email: $e) { person { id } } }", {
    e: "${piped_content.0.email}",
  });
  const applied = query(
    "mutation($p: ID!, $j: ID!) { made: apply(personId: $p, jobId: $j) { task { id } } }",
    {
      p: "${piped_content.1.data.saved.person.id}",
      j: "7",
    },
  );
  const noted = (task: string): object => ({
    "!switch": {
      jq: "if .data.made.task.id == null then 0 else 1 end",
      cases: [
        { "!error": "Refused." },
        query("mutation($t: ID!) { noted: note(taskId: $t) { ok } }", { t: task }),
      ],
    },
  });

  test.each<{ steps: readonly object[] }>([
    { steps: [stock, found, order, release("${piped_content.2.stock_id}")] },
    { steps: [stock, found, orderIfFree, release("${piped_content.2.stock_id}")] },
    {
      steps: [
        stock,
        found,
        order,
        { "!http": { method: "POST", path: "/notes", body: { order_id: "${piped_content.2.stock_id}" } } },
      ],
    },
    { steps: [saved, applied, noted("${piped_content.1.data.saved.person.id}")] },
  ])("%j", ({ steps }) => {
    expect(told(...steps)).toHaveLength(1);
  });

  test.each<{ steps: readonly object[] }>([
    { steps: [stock, found, order, release("${piped_content.3.id}")] },
    { steps: [stock, found, orderIfFree, release("${piped_content.3.order.id}")] },
    { steps: [saved, applied, noted("${piped_content.2.data.made.task.id}")] },
    // Another kind of record than what was made.
    {
      steps: [
        stock,
        found,
        order,
        { "!http": { method: "DELETE", path: "/stock/${piped_content.2.stock_id}" } },
      ],
    },
    // An order may go by a number of its own.
    { steps: [order, { "!http": { path: "/orders/${piped_content.0.reference}" } }] },
    // Nothing has been made: which order is meant isn't known.
    { steps: [stock, found, release("${piped_content.2.stock_id}")] },
    // Of the nodes of a list GraphQL doesn't say the kind.
    {
      steps: [
        query("query($p: ID!) { tasks(personId: $p) { nodes { id } } }", {
          p: "${piped_content.0.person_id}",
        }),
        { "!jq": "{task_id: .data.tasks.nodes[0].id}" },
      ],
    },
  ])("%j", ({ steps }) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("value/own-id", () => {
  const told = (source: object): string[] =>
    findings("value/own-id", "inbound-webhook", { "/workflows/0/data_pipeline/source": source });
  const get = (path: string): object => ({ "!http": { path } });
  const take = { "!jq": "{email: .email}" };
  const decided = (path: string): object => ({
    "!switch": {
      jq: "if .data.customer_id == null then 0 else 1 end",
      cases: [{ "!jq": "null" }, { "!pipe": [get(path), take] }],
    },
  });

  test.each([
    decided("/customers/${piped_content.0.data.id}"),
    {
      "!pipe": [
        get("/orders/${piped_content.0.id}"),
        get("/customers/${piped_content.1.order.id}"),
        { "!jq": "{email, c: ${piped_content.1.order.customerId}}" },
      ],
    },
  ])("%j", (source) => {
    expect(told(source)).toHaveLength(1);
  });

  test.each([
    decided("/customers/${piped_content.0.data.customer_id}"),
    decided("/payments/${piped_content.0.data.id}"),
    // The customer, with the number that it has elsewhere.
    {
      "!pipe": [
        get("/x/${piped_content.0.customer.customer_id}"),
        get("/customers/${piped_content.0.customer.id}"),
        take,
      ],
    },
    {
      "!pipe": [
        get("/customers?email=${piped_content.0.email}"),
        { "!jq": ".customers[0]" },
        get("/x/${piped_content.2.customer_id}"),
        get("/customers/${piped_content.2.id}"),
        take,
      ],
    },
  ])("right: %j", (source) => {
    expect(told(source)).toEqual([]);
  });
});

describe("value/other-record", () => {
  const told = (path: string, method: string): string[] =>
    findings("value/other-record", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!http": { path: "/rehearsals", params: { from: "today" } } },
          { "!http": { method, path } },
        ],
      },
    });

  test.each([
    ["PUT", "/rehearsals/${piped_content.2.rows[0].id}/absences/${piped_content.1.rows[0].id}", 0],
    ["PATCH", "/rehearsals/${piped_content.2.rows[0].id}/absences/${piped_content.1.rows[0].id}", 1],
    ["PUT", "/absences/${piped_content.1.rows[0].id}", 1],
    // A list of rows is one of what was asked for.
    ["PUT", "/people/${piped_content.1.rows[0].id}", 0],
  ])("%s %s", (method, path, count) => {
    expect(told(path, method)).toHaveLength(count);
  });

  test("a client belongs to a matter, and has an id of its own", () => {
    const sent = (member: string): string[] =>
      findings("value/record-of-other-list", "outbound", {
        "/workflows/0/data_pipeline/target": {
          "!pipe": [
            { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
            { "!http": { path: "/matters", params: { person: "${piped_content.1.people[0].id}" } } },
            {
              "!http": {
                method: "POST",
                path: "/notes",
                body: { matter: { [member]: "${piped_content.1.people[0].id}" } },
              },
            },
          ],
        },
      });
    expect(sent("id")).toHaveLength(1);
    expect(sent("client_id")).toEqual([]);
    expect(sent("po_id")).toEqual([]);
  });
});

describe("value/other-spelling", () => {
  test.each([
    // What people read, made of a word of the service.
    ['if .state == "ENDED" then {email, rental_state: "Ended"} else null end', 0],
    ['if .state == "Ended" then {email, rental_state: "over"} else null end', 2],
    ['if .state == "ENDED" then {email, rental_state: "over"} else null end', 0],
  ])("%s", (program, count) => {
    const found = findings("value/other-spelling", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [
          { "!http": { path: "/forms" } },
          { "!jq": '[.forms[] | select(.state == "ENDED") | {display: .title, value: .id}]' },
        ],
      },
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });
    expect(found).toHaveLength(count);
  });
});
