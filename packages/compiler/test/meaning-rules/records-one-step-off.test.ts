import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** A record that is taken from a step too early or a level too high, and flags and numbers that are compared as something else. */

const target = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "outbound", { ...more, "/workflows/0/data_pipeline/target": { "!pipe": steps } });
const source = (rule: string, steps: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  findings(rule, "inbound-webhook", { ...more, "/workflows/0/data_pipeline/source": { "!pipe": steps } });
const http = (method: string, path: string, body?: unknown) => ({
  "!http": { method, path, ...(body === undefined ? {} : { body }) },
});
const jq = (program: string) => ({ "!jq": program });
const choice = (condition: string, ...cases: readonly unknown[]) => ({ "!switch": { jq: condition, cases } });

describe("a member that another case sends with what a step has added", () => {
  const steps = (made: string, posted: string, patched = "${piped_content.1.donor}") => [
    jq(made),
    { "!http": { path: "/donors", params: { email: "${piped_content.1.email}" } } },
    choice(
      "if (.donors | length) > 0 then 1 else 0 end",
      http("POST", "/donors", posted),
      http("PATCH", "/donors/${piped_content.2.donors[0].id}", patched),
    ),
  ];
  const made = "{email: .donor.email, donor: (.donor + {address: (.address // {})})}";

  test.each([made, "{email: .donor.email, donor: (${piped_content.0.donor} + {address: .address})}"])(
    "the new record lacks it: %s",
    (program) => {
      expect(target("pipeline/superseded-body", steps(program, "${piped_content.0.donor}"))).toEqual([
        "piped_content.0.donor",
      ]);
    },
  );

  test("the changed record lacks what is mapped, but not what is the same for all", () => {
    const one = "${piped_content.1.donor}";
    expect(target("pipeline/superseded-body", steps(made, one, "${piped_content.0.donor}"))).toHaveLength(1);
    const constant = '{email: .donor.email, donor: (.donor + {origin: "web"})}';
    expect(target("pipeline/superseded-body", steps(constant, one, "${piped_content.0.donor}"))).toEqual([]);
  });

  test("both send it, or one sends something else", () => {
    expect(target("pipeline/superseded-body", steps(made, "${piped_content.1.donor}"))).toEqual([]);
    expect(target("pipeline/superseded-body", steps(made, "${piped_content.0.person}"))).toEqual([]);
  });
});

describe("the first of the list that a step has narrowed", () => {
  const steps = (
    read: string,
    narrowed: string,
    last: unknown = http("POST", "/shares/${piped_content.3.number}/pauses"),
  ) => [
    { "!http": { path: "/customers", params: { email: "${piped_content.0.email}" } } },
    jq(narrowed),
    choice("if (.holders | length) == 0 then 0 else 1 end", { "!error": "None." }, jq(`{number: ${read}}`)),
    last,
  ];
  const narrowed = "{holders: [.customers[] | select(.share_number != null)]}";
  const early = "${piped_content.1.customers[0].share_number}";

  test.each([
    narrowed,
    "{holders: (.customers | map(select(.share_number != null)))}",
    '{holders: [.customers[] | select((.share_number // "") != "")]}',
  ])("what was asked of them is read of the whole list: %s", (program) => {
    expect(target("pipeline/unchosen-record", steps(early, program))).toEqual([
      "piped_content.1.customers[0]",
    ]);
  });

  test.each([
    steps(".holders[0].share_number", narrowed),
    steps("${piped_content.1.customers[0].family_name}", narrowed),
    steps(
      early,
      narrowed,
      http("POST", "/pauses", { all: "${piped_content.2.holders}", one: "${piped_content.3.number}" }),
    ),
    steps(early, "{holders: [.customers[] | .share_number]}"),
  ])("it is read of the chosen ones, is the same for all, or both are sent: %j", (...all) => {
    expect(target("pipeline/unchosen-record", all)).toEqual([]);
  });
});

describe("a variable that holds the answer", () => {
  const steps = (program: string) => [
    http("GET", "/patrons/${piped_content.0.change.patron_id}"),
    jq(program),
  ];

  test.each([
    "${piped_content.1} as $ch | {email: .email, series: $ch.change.series}",
    "${custom_data.form.value} as $f | ${piped_content.1} as $ch | if any([$f][]; . == $ch.change.venue) then {email} else null end",
  ])("members of the payload are read of it: %s", (program) => {
    expect(source("reference/response-for-payload", steps(program))).toEqual(["1"]);
  });

  test.each([
    "${piped_content.0} as $ch | {email: .email, series: $ch.change.series}",
    "${piped_content.1} as $p | {email: $p.email, series: $p.series}",
    "${piped_content.1} as $p | {email: .email, name: $p.name}",
    "${piped_content.1} as $p | {email: .email, all: ($p | tojson), change: $p.change}",
  ])("it is the payload, or the answer is meant: %s", (program) => {
    expect(source("reference/response-for-payload", steps(program))).toEqual([]);
  });
});

describe("an id that what came in hasn't", () => {
  const steps = (id: string) => [
    http("GET", "/bookings/${piped_content.0.booking_id}"),
    http("GET", `/riders/\${${id}}`),
    jq("{email: .email, day: ${piped_content.1.day}}"),
  ];
  const said = (comment: string) => ({ "/data_intake/0/_comment": comment });
  const wrong = "piped_content.0.rider_id";

  test.each(["Payload: {topic, school_id, booking_id}.", "The hook sends {topic, yard: {id}, booking_id}"])(
    "%s",
    (comment) => {
      expect(source("reference/not-delivered", steps(wrong), said(comment))).toEqual(["rider_id"]);
    },
  );

  test.each([
    ["piped_content.1.rider_id", "Payload: {topic, school_id, booking_id}."],
    [wrong, "Payload: {topic, school_id, booking_id, rider_id}."],
    [wrong, "Payload: {topic, school_id, booking_id, …}."],
    [wrong, "Payload: {topic, school_id, booking_id}, with rider_id where there is one."],
    [wrong, "The list has {id, school_id, booking_id}."],
  ])("%s where a comment says: %s", (id, comment) => {
    expect(source("reference/not-delivered", steps(id), said(comment))).toEqual([]);
  });
});

describe("the object that a record was put into", () => {
  const steps = (
    body: string,
    made = "{member_id: .members[0].id, contact: ${piped_content.0}}",
    then = "{member_id: .member_id}",
  ) => [
    { "!http": { path: "/members", params: { email: "${piped_content.0.email}" } } },
    jq(made),
    choice(
      "if .member_id == null then 0 else 1 end",
      { "!pipe": [http("POST", "/members", body), jq("{member_id: .member.id}")] },
      jq(then),
    ),
    http("POST", "/members/${piped_content.3.member_id}/passes"),
  ];

  test("is sent as the new record", () => {
    expect(target("pipeline/wrapper-sent", steps("${piped_content.0}"))).toEqual(["${piped_content.0}"]);
    expect(target("pipeline/wrapper-sent", steps("${piped_content.0.contact}"))).toEqual([]);
  });

  test("has more in it, or something reads the record of it", () => {
    const more = "{member_id: .members[0].id, contact: ${piped_content.0}, hall: ${custom_data.list.value}}";
    expect(target("pipeline/wrapper-sent", steps("${piped_content.0}", more))).toEqual([]);
    expect(
      target(
        "pipeline/wrapper-sent",
        steps("${piped_content.0}", undefined, "{member_id: .member_id, name: .contact.name}"),
      ),
    ).toEqual([]);
  });
});

describe("a lookup by POST", () => {
  const steps = (id: string, condition = "if .client == null then 0 else 1 end") => [
    http("POST", "/clients/match", { email: "${piped_content.0.email}" }),
    choice(condition, http("POST", "/clients", "${piped_content.0}"), jq(".")),
    jq(`{client_id: ${id}, list: \${custom_data.list.value}}`),
    http("POST", "/intakes", "${piped_content.3}"),
  ];

  test("gives no id where it found nothing", () => {
    expect(target("pipeline/record-made", steps("${piped_content.1.client.id}"))).toHaveLength(1);
    expect(target("pipeline/record-made", steps("${piped_content.2.client.id}"))).toEqual([]);
    expect(target("pipeline/record-made", steps(".client.id"))).toEqual([]);
  });

  test("gives an empty list", () => {
    const found = (condition: string) => [
      http("POST", "/schools/lookup", { code: "${piped_content.0.code}" }),
      choice(condition, jq(".items[0]"), http("POST", "/schools", "${piped_content.0}")),
      http("POST", "/requests", { school: "${piped_content.2.id}" }),
    ];
    expect(target("jq/list-as-null", found("if .items != null then 0 else 1 end"))).toEqual([
      ".items != null",
    ]);
    expect(target("jq/list-as-null", found("if (.items | length) > 0 then 0 else 1 end"))).toEqual([]);
  });
});

describe("an object of flags as a condition", () => {
  const said = (comment: string) => ({ "/data_intake/0/_comment": comment });
  const tags = (condition: string): string =>
    `{email: .email, _tags: (if ${condition} then ["mail"] else [] end)}`;

  test.each([
    "A patron has consent {mail: boolean, phone: boolean}.",
    "{id, consent: {mail: true, phone: false}}",
  ])("%s", (comment) => {
    expect(inSource("jq/text-as-condition", tags(".consent"), said(comment))).toEqual([".consent"]);
    expect(inSource("jq/text-as-condition", tags(".patron.consent | not"), said(comment))).toHaveLength(1);
    expect(inSource("jq/text-as-condition", tags(".consent.mail"), said(comment))).toEqual([]);
    expect(inSource("jq/text-as-condition", tags(".consent and .consent.mail"), said(comment))).toEqual([]);
  });

  test.each([
    "A patron has consent {mail: boolean, phone: boolean}, or null.",
    "consent {mail: boolean} is missing for children.",
    "consent: {id, given_at}",
    "consent is true or false.",
  ])("%s", (comment) => {
    expect(inSource("jq/text-as-condition", tags(".consent"), said(comment))).toEqual([]);
  });
});

describe("a number beside a text of digits, a flag beside a text", () => {
  const season = {
    "/workflows/0/setup/select/form_fields/1": {
      label: "Season",
      id: "season",
      type: "dropdown",
      options: [
        { display: "2024/25", value: "2024" },
        { display: "2025/26", value: "2025" },
      ],
    },
  };
  const steps = (chosen: string) => [
    { "!http": { path: "/policies", params: { email: "${piped_content.0.email}" } } },
    jq(`first(.policies[] | select(.season == ${chosen})) | {id, title: "\\(.season)/\\(.season + 1)"}`),
    http("POST", "/policies/${piped_content.2.id}/areas", { title: "${piped_content.2.title}" }),
  ];

  test("what a customer chose is a text", () => {
    expect(target("jq/number-as-text", steps("${custom_data.season.value}"), season)).toHaveLength(1);
    expect(target("jq/number-as-text", steps("(${custom_data.season.value} | tonumber)"), season)).toEqual(
      [],
    );
  });

  const old = { "/data_intake/0/_comment": "Retired exercises stay in old plans with retired true." };
  const kept = (condition: string): string =>
    `{email: .email, plan: [.exercises[] | select(${condition}) | .id]}`;

  test("a flag that a comment shows", () => {
    expect(inSource("jq/boolean-as-text", kept('.retired != "true"'), old)).toEqual(['"true"']);
    expect(inSource("jq/boolean-as-text", kept(".retired | not"), old)).toEqual([]);
    expect(inSource("jq/boolean-as-text", kept('.retired != ""'), old)).toEqual([]);
    const text = { "/data_intake/0/_comment": 'Retired exercises have retired "true", as a text.' };
    expect(inSource("jq/boolean-as-text", kept('.retired != "true"'), text)).toEqual([]);
  });
});
