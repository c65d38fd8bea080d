import { describe, expect, test } from "vitest";
import { multiselect } from "../support/form-fields.ts";
import { findings } from "../support/rule-findings.ts";

/** What customers choose, and how polls and pipelines go on: the same kind of mistake in other words, and what is right although it looks alike. */

describe("setup/misnamed-option", () => {
  const told = (field: object, program: string, more: object = {}): string[] =>
    findings("setup/misnamed-option", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": field,
      "/workflows/0/data_pipeline/source": { "!jq": program },
      ...more,
    });
  const kept = (test: string): string =>
    `if (.kind | IN(\${custom_data.kinds.value}[])) then {email, rate: (${test})} else null end`;
  const kinds = multiselect("kinds", { rent: "Rent", fee: "Fee", credit_note: "Credit note" });
  const crops = multiselect("kinds", { corn: "Corn", wheat: "Wheat", soybean: "Soybeans" });

  test.each([
    [kinds, kept('if .kind == "credit" then 1 elif .kind == "rent" then 2 else 0 end')],
    [kinds, kept("{rent: 1, fee: 2, credit: 3}[.kind]")],
    [crops, kept("{corn: 1, wheat: 2, soybeans: 3}[.kind] * {corn: 4, soybeans: 5}[.kind]")],
  ])("%o, %s", (field, program) => {
    expect(told(field, program)).toHaveLength(1);
  });

  test.each([
    [kinds, kept("{rent: 1, fee: 2, credit_note: 3}[.kind]")],
    // Another word altogether may be another kind.
    [kinds, kept("{rent: 1, fee: 2, deposit: 3}[.kind]")],
    // The option is known elsewhere.
    [kinds, kept('if .kind == "credit_note" then 1 elif .kind == "credit" then 2 else {rent: 1}[.kind] end')],
    // Words of something else.
    [kinds, kept("{rent: 1, fee: 2, credit: 3}[.state]")],
    // The app's own words, made for people.
    [
      multiselect("kinds", { open: "Open", paid: "Paid", wd_user: "Withdrawn" }),
      'if (.kind | IN(${custom_data.kinds.value}[])) then {email, kind: (if .gone then "withdrawn" elif .paid then "paid" else "open" end)} else null end',
    ],
    // None of the options is a word of what is looked up.
    [kinds, kept("{monthly: 1, credit: 3}[.kind]")],
  ])("%o, %s is right", (field, program) => {
    expect(told(field, program)).toEqual([]);
  });

  const events = (...names: readonly string[]): object => ({
    "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events: names },
  });
  const states = (last: string, display: string): object =>
    multiselect("states", { REQUESTED: "Requested", CONFIRMED: "Confirmed", [last]: display });
  const any = "if (.state | IN(${custom_data.states.value}[])) then {email} else null end";
  test.each([
    [states("CANCELLED", "Withdrawn"), ["booking.requested", "booking.confirmed", "booking.withdrawn"], 1],
    [states("WITHDRAWN", "Withdrawn"), ["booking.requested", "booking.confirmed", "booking.withdrawn"], 0],
    // The display doesn't say it.
    [states("LAPSED", "Too late"), ["booking.requested", "booking.confirmed", "booking.withdrawn"], 0],
    // Two events are left.
    [
      states("CANCELLED", "Withdrawn"),
      ["booking.requested", "booking.confirmed", "booking.withdrawn", "booking.moved"],
      0,
    ],
  ])("%o beside %o", (field, names, count) => {
    expect(told(field, any, events(...names))).toHaveLength(count);
  });
});

describe("setup/option-of-other-record", () => {
  const told = (value: string, path: string, list = "/sessions"): string[] =>
    findings("setup/option-of-other-record", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Session",
        id: "session",
        type: "dropdown",
        options: {
          "!pipe": [{ "!http": { path: list } }, { "!jq": `[.rows[] | {display: .title, value: ${value}}]` }],
        },
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "POST",
          path,
          body: { email: "${piped_content.0.email}", list: "${custom_data.list.value}" },
        },
      },
    });
  const own = "/sessions/${custom_data.session.value}/bookings";
  test.each([
    [".exam.code", own, 1],
    ["(.exam.code | tostring)", own, 1],
    [".code", own, 0],
    [".session.code", own, 0],
    [".attributes.code", own, 0],
    // The path is of exams.
    [".exam.code", "/exams/${custom_data.session.value}/bookings", 0],
  ])("%s in %s", (value, path, count) => {
    expect(told(value, path)).toHaveLength(count);
  });
});

describe("http/documented-null-segment", () => {
  const told = (source: object, comment = "Entries of the owner have tenant_id null."): string[] =>
    findings("http/documented-null-segment", "inbound-webhook", {
      "/data_intake/0/_comment": comment,
      "/workflows/0/data_pipeline/source": source,
    });
  const lookup = {
    "!pipe": [{ "!http": { path: "/tenants/${piped_content.0.tenant_id}" } }, { "!jq": "{email: .email}" }],
  };
  const chosen = (jq: string): object => ({ "!switch": { jq, cases: [lookup, { "!jq": "null" }] } });
  test("nothing asks for it", () => {
    expect(told(lookup)).toHaveLength(1);
    expect(told(chosen("if (.kind | IN(${custom_data.form.value}[])) then 0 else 1 end"))).toHaveLength(1);
  });
  test.each([
    [chosen("if .tenant_id != null then 0 else 1 end")],
    [chosen("if .tenant_id then 0 else 1 end")],
    // Which kinds have one isn't known.
    [chosen('if .kind == "rent" then 0 else 1 end')],
  ])("%o is right", (source) => {
    expect(told(source)).toEqual([]);
  });
  test("where no comment says it", () => {
    expect(told(lookup, "Each entry has a tenant_id.")).toEqual([]);
  });
});

describe("intake/stale-value", () => {
  const told = (made: string, changed: string, body: object): string[] =>
    findings("intake/stale-value", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: "/hooks",
              body: { url: "${webhook.url}", form: "${custom_data.form.value}" },
            },
          },
          { "!jq": made },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        "!pipe": [
          { "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body } },
          { "!jq": changed },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/workflows/0/data_pipeline/source": {
        "!jq": '{email, name: "${data.workflow.secret}", share: (.points / ${data.workflow.points})}',
      },
    });
  const made = "{hook_id: .hook.id, secret: .hook.secret, points: .form.points}";
  const body = { url: "${webhook.url}", form: "${custom_data.form.value}" };
  test.each([
    [made, "{secret: .hook.secret}", body, 1],
    [made, "{secret: .hook.secret, points: .form.points}", body, 0],
    // Of the registration, which stays.
    ["{hook_id: .hook.id, secret: .hook.secret, points: .hook.points}", "{secret: .hook.secret}", body, 0],
    // The choice isn't sent anew.
    [made, "{secret: .hook.secret}", { url: "${webhook.url}" }, 0],
  ])("%s, %s, %o", (create, update, sent, count) => {
    expect(told(create, update, sent)).toHaveLength(count);
  });
});

describe("what one case of a pipeline sends", () => {
  const told = (rule: string, convert: string, body: string, path = "/people"): string[] =>
    findings(rule, "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": convert },
          { "!http": { path: "/people", params: { email: "${piped_content.1.email}" } } },
          {
            "!switch": {
              jq: "if .people == [] then 0 else 1 end",
              cases: [
                { "!http": { method: "POST", path, body } },
                {
                  "!http": {
                    method: "PATCH",
                    path: "/people/${piped_content.2.people.0.id}",
                    body: "${piped_content.1}",
                  },
                },
              ],
            },
          },
        ],
      },
    });
  const rule = "pipeline/unconverted-body";
  test.each([
    [". + {email: (.email | ascii_downcase)}", "${piped_content.0}", 1],
    [".email |= ascii_downcase", "${piped_content.0}", 1],
    ["{email: (.email | ascii_downcase), name, phone}", "${piped_content.0}", 1],
    [
      "{email: (.email | ascii_downcase), name: .name} | with_entries(select(.value))",
      "${piped_content.0}",
      1,
    ],
    ["{email: (.email | ascii_downcase), name, phone}", "${piped_content.1}", 0],
    ["{email, name, phone}", "${piped_content.0}", 0],
    ['{email, name: (.name // "")}', "${piped_content.0}", 0],
    ["if .email then .email |= ascii_downcase else . end", "${piped_content.0}", 1],
    [". + {email: (.email | ascii_downcase)}", "${piped_content.1}", 0],
    // What is added may be for one of them.
    ['. + {source: "app"}', "${piped_content.0}", 0],
    // A default is no other form.
    ['. + {name: (.name // "")}', "${piped_content.0}", 0],
    [". + {email: .email}", "${piped_content.0}", 0],
  ])("%s, %s", (convert, body, count) => {
    expect(told(rule, convert, body)).toHaveLength(count);
  });
  test("to another list", () => {
    expect(told(rule, ".email |= ascii_downcase", "${piped_content.0}", "/leads")).toEqual([]);
  });
});

describe("polls", () => {
  const polling = (rule: string, more: Readonly<Record<string, unknown>>): string[] =>
    findings(rule, "inbound-polling", {
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      ...more,
    });

  test.each([
    [".head_seq", "head_seq is the number of the newest entry of the whole list.", true, 1],
    // Of this page.
    [".head_seq", "head_seq is the number of the newest entry on this page.", true, 0],
    ["(.items[-1].seq)", "head_seq is the number of the newest entry of the whole list.", true, 0],
    // There is one page.
    [".head_seq", "head_seq is the number of the newest entry of the whole list.", false, 0],
  ])("polling/head-watermark: %s, %s, %s", (mark, comment, iterates, count) => {
    const iterate = iterates ? "((.items | length) == 200)" : "false";
    const found = polling("polling/head-watermark", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {after_seq: 0}}" },
      "/data_intake/0/request/!pipe/0/!http/params": { after_seq: "${polling_state.after_seq}", limit: 200 },
      "/data_intake/0/request/!pipe/1/!jq": `{results: .items, iterate: ${iterate}, polling_state: {after_seq: (${mark} // \${polling_state.after_seq})}}`,
    });
    expect(found).toHaveLength(count);
  });

  test.each([
    ["${polling_state.until}", "null", 1],
    ["${polling_state.since}", "null", 0],
    // What is there already may be the start.
    ["${polling_state.until}", "1700000000", 0],
    ["(${polling_state.until} // ${polling_state.since})", "null", 0],
  ])("polling/lost-start: %s, %s", (since, until, count) => {
    const found = polling("polling/lost-start", {
      "/data_intake/0/initial_setup": {
        "!jq": `{polling_state: {page: 1, since: 1600000000, until: ${until}}}`,
      },
      "/data_intake/0/pre_poll": {
        "!jq": `{polling_state: {page: 1, since: ${since}, until: (now | floor)}}`,
      },
      "/data_intake/0/request/!pipe/0/!http/params": {
        page: "${polling_state.page}",
        since: "${polling_state.since}",
        until: "${polling_state.until}",
      },
      "/data_intake/0/request/!pipe/1/!jq":
        "{results: .items, iterate: .has_more, polling_state: (${polling_state} + {page: (${polling_state.page} + 1)})}",
    });
    expect(found).toHaveLength(count);
  });

  test.each([
    ["{since: ${polling_state.since}}", {}, 1],
    ["{since: ${polling_state.since}}", { since: "${polling_state.since}" }, 0],
    // The results depend on it.
    ["{since: ${polling_state.since}}", {}, 0, ".items | map(select(.at > ${polling_state.since}))"],
  ])("polling/idle-key of a choice: %s, %o", (kept, params, count, results = ".items") => {
    const found = polling("polling/idle-key", {
      "/data_intake/0/initial_setup": {
        "!jq":
          "{polling_state: {page: 1, since: (now - (${custom_data.list.value} | tonumber) * 86400 | floor)}}",
      },
      "/data_intake/0/request/!pipe/0/!http/params": { page: "${polling_state.page}", ...params },
      "/data_intake/0/request/!pipe/1/!jq": `{results: (${results}), iterate: .has_more, polling_state: (${kept} + {page: (\${polling_state.page} + 1)})}`,
    });
    expect(found).toHaveLength(count);
  });

  test.each([
    ["first: 50, before: $after", "hasNextPage endCursor", 1],
    ["last: 50, after: $after", "hasPreviousPage startCursor", 1],
    ["first: 50, after: $after", "hasNextPage endCursor", 0],
    ["last: 50, before: $after", "hasPreviousPage startCursor", 0],
    // Which of the two goes on isn't said.
    ["first: 50, before: $after", "startCursor endCursor", 0],
    ['first: 50, filter: {createdBefore: "2026"}, after: $after', "hasNextPage endCursor", 0],
    ["changed: {from: $from, before: $before}, first: 50, after: $after", "hasNextPage endCursor", 0],
    ["changed: {from: $from}, first: 50, before: $after", "hasNextPage endCursor", 1],
  ])("http/graphql-direction: %s, %s", (args, info, count) => {
    const found = polling("http/graphql-direction", {
      "/data_intake/0/initial_setup": { "!jq": "{polling_state: {after: null}}" },
      "/data_intake/0/request": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: "/graphql",
              body: {
                query: `query($after: String) { people(${args}) { nodes { id } pageInfo { ${info} } } }`,
                variables: { after: "${polling_state.after}" },
              },
            },
          },
          {
            "!jq":
              ".data.people | {results: .nodes, iterate: true, polling_state: {after: .pageInfo.endCursor}}",
          },
        ],
      },
    });
    expect(found).toHaveLength(count);
  });

  test.each([
    ["[.orders[] | select(.customer.email != null)]", 1],
    [".orders | map(select(.customer.email))", 1],
    [".orders", 0],
    ["[.orders[] | {id, email: .customer.email}]", 0],
  ])("polling/filtered-import: %s", (results, count) => {
    const found = findings("polling/filtered-import", "historical-sync", {
      "/data_intake/1/request/!pipe/1/!jq": `{results: (${results}), iterate: (.next_cursor != null), polling_state: {cursor: .next_cursor}}`,
    });
    expect(found).toHaveLength(count);
  });

  test("polling/filtered-import: an import in one page", () => {
    const found = findings("polling/filtered-import", "historical-sync", {
      "/data_intake/1/request/!pipe/1/!jq":
        "{results: [.orders[] | select(.paid)], iterate: false, polling_state: {cursor: null}}",
    });
    expect(found).toEqual([]);
  });
});

describe("what a program compares and counts", () => {
  const inPipe = (rule: string, ...steps: readonly object[]): string[] =>
    findings(rule, "outbound", { "/workflows/0/data_pipeline/target": { "!pipe": steps } });
  const lookup = { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } };
  const choose = (jq: string): object => ({
    "!switch": {
      jq,
      cases: [
        { "!error": "Nobody has this address." },
        { "!http": { method: "PUT", path: "/people/${piped_content.1.people.0.id}" } },
      ],
    },
  });
  test.each([
    ["if length == 0 then 0 else 1 end", 1],
    ["if (. | length) > 0 then 1 else 0 end", 1],
    ["if (.people | length) == 0 then 0 else 1 end", 0],
    ["if (.people | map(select(.open)) | length) == 0 then 0 else 1 end", 0],
    // A bare list stands there.
    ["if (.body | length) == 0 then 0 else 1 end", 0],
  ])("jq/length-of-answer: %s", (jq, count) => {
    expect(inPipe("jq/length-of-answer", lookup, choose(jq))).toHaveLength(count);
  });
  test("jq/length-of-answer: what a program gives may be a list", () => {
    expect(
      inPipe("jq/length-of-answer", lookup, { "!jq": ".people" }, choose("if length == 0 then 0 else 1 end")),
    ).toEqual([]);
  });

  test.each([
    ["if .key == ${piped_content.1.key} then 0 else 1 end", 1],
    ["if ${piped_content.1.key} != .key then 0 else 1 end", 1],
    ["if .key == ${piped_content.0.key} then 0 else 1 end", 0],
    ["if .key == ${piped_content.1.other} then 0 else 1 end", 0],
    ["if .inner.key == ${piped_content.1.key} then 0 else 1 end", 0],
    // Of an item, not of the input.
    ["if any(.items[]; .key == ${piped_content.1.key}) then 0 else 1 end", 0],
  ])("jq/compared-with-itself: %s", (jq, count) => {
    const made = { "!jq": "{key: .key, other: .other, items: [.], inner: .}" };
    expect(inPipe("jq/compared-with-itself", made, choose(jq))).toHaveLength(count);
  });

  test.each([
    ['strflocaltime("%Y-%m-%dT%H:%M:%SZ")', 1],
    ['strflocaltime("%FT%TZ")', 1],
    ['strflocaltime("%Y-%m-%dT%H:%M:%S%z")', 0],
    ['strflocaltime("%H:%M %Z")', 0],
    ['strftime("%Y-%m-%dT%H:%M:%SZ")', 0],
  ])("jq/local-time-as-utc: %s", (call, count) => {
    expect(inPipe("jq/local-time-as-utc", { "!jq": `{at: (now | ${call})}` }, lookup)).toHaveLength(count);
  });

  test.each([
    ["${piped_content.2.value_to_encrypt}", 1],
    ["${piped_content.2.hash}", 0],
    ["${piped_content.2.hash}?of=${piped_content.2.value_to_encrypt}", 0],
  ])("intake/unread-hash: %s", (segment, count) => {
    const found = inPipe(
      "intake/unread-hash",
      { "!jq": "{value_to_encrypt: .email}" },
      { "!sha": { algorithm: "sha256" } },
      { "!http": { method: "PUT", path: `/people/${segment}` } },
    );
    expect(found).toHaveLength(count);
  });

  test.each([
    [{ "!error": "no address" }, "value_to_encrypt", 1],
    [{ "!jq": "null" }, "value_to_encrypt", 1],
    [{ "!error": "no address" }, "hash", 0],
    // The other case has a name to go by.
    [{ "!jq": "{value_to_encrypt: .email}" }, "value_to_encrypt", 0],
  ])("intake/unread-hash of a case beside %j: %s", (other, name, count) => {
    const found = inPipe(
      "intake/unread-hash",
      { "!jq": "{value_to_encrypt: .email}" },
      {
        "!switch": {
          jq: 'if .value_to_encrypt == "" then 0 else 1 end',
          cases: [other, { "!sha": { algorithm: "sha256" } }],
        },
      },
      { "!http": { method: "PUT", path: `/people/\${piped_content.2.${name}}` } },
    );
    expect(found).toHaveLength(count);
  });
});

describe("http/base-repeated-by-all", () => {
  const told = (base: string, path: string): string[] =>
    findings("http/base-repeated-by-all", "outbound", {
      "/api/base_url": base,
      "/workflows/0/setup/connect": { label: "Connect" },
      "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path },
      "/workflows/0/data_pipeline/target": { "!http": { method: "POST", path } },
    });
  test.each([
    ["https://api.example.com/v2/graphql", "/graphql", 1],
    ["https://api.example.com/rest", "/rest/people", 1],
    ["https://api.example.com/v2", "/graphql", 0],
    ["https://api.example.com/rest", "/restaurants", 0],
    // The host isn't a segment.
    ["https://people", "/people", 0],
  ])("%s, %s", (base, path, count) => {
    expect(told(base, path)).toHaveLength(count);
  });
});

describe("contract/source: what a contact has one of", () => {
  test.each([
    ["email", 1],
    ["birth_date", 1],
    ["joined_on", 1],
    ["depends_on", 0],
    ["based_on", 0],
    ["languages", 0],
  ])("a list as %s", (name, count) => {
    const found = findings("contract/source", "inbound-webhook", {
      "/workflows/0/setup/map/describe_source/options": [
        { id: "title", title: "Title" },
        { id: name, title: name },
      ],
      "/workflows/0/data_pipeline/source": { "!jq": `{title: .title, ${name}: [.all[].x]}` },
    });
    expect(found).toHaveLength(count);
  });
});
