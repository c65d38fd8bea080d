import { describe, expect, test } from "vitest";
import { dropdown } from "../support/form-fields.ts";
import { findings } from "../support/rule-findings.ts";

/** Words, codes and places to go on from: the same kind of mistake in other words, and what is right although it looks alike. */

/** An intake that reads pages of a list and keeps keys of the state. */
const polling = (
  rule: string,
  start: string,
  params: Readonly<Record<string, unknown>>,
  program: string,
  more: Readonly<Record<string, unknown>> = {},
): string[] =>
  findings(rule, "inbound-polling", {
    "/data_intake/0/initial_setup": { "!jq": start },
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
    "/data_intake/0/request/!pipe/0/!http/params": params,
    "/data_intake/0/request/!pipe/1/!jq": program,
    ...more,
  });

describe("value/crossed-codes", () => {
  const priority = dropdown("priority", { "1": "Urgent (within an hour)", "2": "Normal", "3": "Low" });
  const told = (program: string, field: object = priority, comment?: string): string[] =>
    findings("value/crossed-codes", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": field,
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    ['{email, priority: {"3": "Urgent", "2": "Normal", "1": "Low"}[.priority | tostring]}'],
    ['{email, priority: (if .priority == 1 then "Low" elif .priority == 3 then "Urgent" else "Normal" end)}'],
    ["{email, priority_no: {Urgent: 3, Normal: 2, Low: 1}[.priority]}"],
  ])("%s", (program) => {
    expect(told(program)).toHaveLength(1);
  });

  test.each([
    ['{email, priority: {"1": "Urgent", "2": "Normal", "3": "Low"}[.priority | tostring]}'],
    ['{email, priority: {"1": "Dringend", "2": "Normal", "3": "Niedrig"}[.priority | tostring]}'],
    // Of something else.
    ['{email, severity: {"3": "Urgent", "2": "Normal", "1": "Low"}[.severity | tostring]}'],
    // Other codes.
    ['{email, priority: {"30": "Urgent", "20": "Normal", "10": "Low"}[.priority | tostring]}'],
    // Two levels of the service are one of the app.
    ['{email, priority: {"1": "Urgent", "2": "Low", "3": "Low"}[.priority | tostring]}'],
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("where a comment says that it is the other way round", () => {
    const program = '{email, priority: {"3": "Urgent", "2": "Normal", "1": "Low"}[.priority | tostring]}';
    expect(told(program, priority, "In events 3 is urgent and 1 low.")).toEqual([]);
  });
});

describe("value/crossed-codes by a comment", () => {
  const told = (program: string, comment: string): string[] =>
    findings("value/crossed-codes", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });
  const table = '{email, state: {"0": "Closed", "1": "Open"}[.state | tostring]}';
  test.each([
    [table, "An order: state is 0 open or 1 closed.", 1],
    [table, "state: 0 = open, 1 = closed, 2 = paid", 1],
    [table, "state: 1 (open), 0 (closed)", 0],
    [table, "size: 0 open, 1 closed", 0],
    [table, "state has 2 parts. At most 100 requests a minute, 5 at once.", 0],
  ])("%s, %s", (program, comment, count) => {
    expect(told(program, comment)).toHaveLength(count);
  });
});

describe("value/own-word", () => {
  const told = (
    compared: string,
    table = '{open: "Open", paid: "Paid"}',
    read = ".state",
    request: object = { path: "/invoices/${piped_content.1.id}" },
  ): string[] =>
    findings("value/own-word", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": {
        "!pipe": [
          { "!jq": `{id, email, state: ${table}[.state]}` },
          { "!http": request },
          { "!jq": `if ${read} == ${compared} then {email, state: \${piped_content.1.state}} else null end` },
        ],
      },
    });

  test.each([
    ['"Paid"', '{open: "Open", paid: "Paid"}', 1],
    ['"Bezahlt"', '{open: "Offen", paid: "Bezahlt"}', 1],
    ['"paid"', '{open: "Open", paid: "Paid"}', 0],
    // A word that nothing else has may be one more of the service's.
    ['"void"', '{open: "Open", paid: "Paid"}', 0],
    // The service's own words are capitals.
    ['"PAID"', '{OPEN: "open", PAID: "paid"}', 0],
  ])("%s of %s", (compared, table, count) => {
    expect(told(compared, table)).toHaveLength(count);
  });

  test("what the app itself made before is compared with its word", () => {
    expect(told('"Paid"', undefined, "${piped_content.1.state}")).toEqual([]);
    expect(told('"Paid"', undefined, ".status")).toEqual([]);
  });

  test("in a request", () => {
    const ask = (state: string): object => ({ path: "/invoices", params: { state } });
    expect(told('"paid"', undefined, ".state", ask("Paid"))).toHaveLength(1);
    expect(told('"paid"', undefined, ".state", ask("paid"))).toEqual([]);
  });
});

describe("jq/lost-choice", () => {
  const told = (made: string, type = "multiselect"): string[] =>
    findings("jq/lost-choice", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown(
        "tags",
        { red: "Red", blue: "Blue" },
        { type, required: false },
      ),
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": `\${custom_data.tags.value | default} as $tags | {email, tags: (${made})}` },
          { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
        ],
      },
    });

  test.each([
    ['$tags | if type == "string" then . else "" end', "multiselect"],
    ['$tags | if type == "array" then null else join(",") end', "multiselect"],
    ['${custom_data.tags.value | default} | if type != "string" then "" else . end', "multiselect"],
    ['$tags | if type == "array" then join(",") else "" end', "dropdown"],
  ])("%s of a %s", (made, type) => {
    expect(told(made, type)).toHaveLength(1);
  });

  test.each([
    ['$tags | if type == "array" then join(",") else "" end', "multiselect"],
    ['$tags | if type == "string" then . else join(",") end', "multiselect"],
    ['$tags | if type == "string" then "" else "some" end', "multiselect"],
    ['$tags | if type == "string" then . else "" end', "dropdown"],
    ['$tags | if type == "array" then .[0] else . end', "dropdown"],
  ])("%s of a %s is right", (made, type) => {
    expect(told(made, type)).toEqual([]);
  });
});

describe("factors of other units", () => {
  const told = (
    program: string,
    field: object = dropdown("unit", { a: "US gallons", b: "Litres" }),
  ): string[] =>
    findings("value/other-unit", "inbound-webhook", {
      "/workflows/0/setup/select/form_fields/1": field,
      "/workflows/0/data_pipeline/source": { "!jq": program },
    });

  test.each([
    ["{email, size: (.size * {lb: 0.0283495, oz: 0.453592}[.unit])}", 2],
    ["{email, size: (.size * {a: 4.546, b: 1}[${custom_data.unit.value}])}", 1],
    ['{email, way: (.way * (if .unit == "mi" then 0.3048 elif .unit == "ft" then 0.3048 else 1 end))}', 1],
    ["{email, heavy: (.weight_lb * 28.35)}", 1],
    ["{email, size: (.size * {lb: 0.4536, oz: 0.02835}[.unit])}", 0],
    ["{email, size: (.size * {a: 3.785, b: 1}[${custom_data.unit.value}])}", 0],
    // A price, whatever its digits.
    ["{email, fee: {lb: 3.048, oz: 1.609}[.unit]}", 0],
    ["{email, tall: (.height_ft * 12 * 2.54)}", 0],
    ["{email, version: {in: 1.85, out: 2.54}[.way]}", 0],
  ])("%s", (program, count) => {
    expect(told(program)).toHaveLength(count);
  });
});

describe("sync tokens", () => {
  const token = (value: string, more?: Readonly<Record<string, unknown>>): string[] =>
    polling(
      "polling/old-first",
      "{polling_state: {sync_token: null, page: null}}",
      { sync_token: "${polling_state.sync_token}", page: "${polling_state.page}" },
      `{results: .items, iterate: (.next_page != null), polling_state: {sync_token: ${value}, page: .next_page}}`,
      more,
    );
  test.each([
    ["(${polling_state.sync_token} // .sync_token)", 1],
    ["(${polling_state.sync_token} // .next_sync_token)", 1],
    ["(.sync_token // ${polling_state.sync_token})", 0],
    ["(${polling_state.sync_token} // .snapshot)", 0],
    ["(if .next_page then ${polling_state.sync_token} // .sync_token else .sync_token end)", 0],
  ])("the old one wins in %s", (value, count) => {
    expect(token(value)).toHaveLength(count);
  });
  test("unless the next cycle clears it", () => {
    const cleared = {
      "/data_intake/0/post_poll": { "!jq": "{polling_state: {sync_token: null, page: null}}" },
    };
    expect(token("(${polling_state.sync_token} // .sync_token)", cleared)).toEqual([]);
  });

  const acknowledged = (key: string, params: Readonly<Record<string, unknown>>, value?: string): string[] =>
    polling(
      "polling/idle-key",
      `{polling_state: {${key}: null, page: null}}`,
      params,
      `{results: .items, iterate: (.next_page != null), polling_state: {${key}: ${value ?? `(.${key} // \${polling_state.${key}})`}, page: .next_page}}`,
      {
        "/data_intake/0/post_poll": {
          "!pipe": [
            { "!http": { method: "POST", path: "/ack", body: { token: `\${polling_state.${key}}` } } },
            { "!jq": "{polling_state: ${polling_state}}" },
          ],
        },
      },
    );
  const page = { page: "${polling_state.page}" };
  test.each([
    ["sync_token", page, undefined, 1],
    ["delta_token", page, undefined, 1],
    ["sync_token", { ...page, sync_token: "${polling_state.sync_token}" }, undefined, 0],
    ["sync_token", { ...page, filter: "since:${polling_state.sync_token}" }, undefined, 0],
    // The service itself keeps where a queue was read to.
    ["receipt", page, undefined, 0],
    ["batch_token", page, ".batch_token", 0],
  ])("only acknowledged: %s, %j", (key, params, value, count) => {
    expect(acknowledged(key, params, value)).toHaveLength(count);
  });
});

describe("polling/skipped-ahead by a comment", () => {
  const told = (value: string, comment: string): string[] =>
    polling(
      "polling/skipped-ahead",
      "{polling_state: {after: 0}}",
      { after: "${polling_state.after}", limit: 100 },
      `{results: .items, iterate: (.items | length == 100), polling_state: {after: ${value}}}`,
      { "/data_intake/0/_comment": comment },
    );
  const head = "head is the number of the newest change of all, which may be ahead of the items listed.";
  test.each([
    [".head", head, 1],
    ["(.head // ${polling_state.after})", "log.head may be far ahead of the page. head is beyond it.", 1],
    ["(.items[-1].no // ${polling_state.after})", head, 0],
    [".last_no", "last_no is the number of the last item listed, head may be ahead of it.", 0],
    [".head", "head is the number of the last item.", 0],
    [".last_no", "last_no is never ahead of head.", 0],
  ])("%s, %s", (value, comment, count) => {
    expect(told(value, comment)).toHaveLength(count);
  });
});

describe("what was chosen in `results`", () => {
  const told = (results: string, source: string, historical = false): string[] =>
    findings("polling/narrowed-results", historical ? "historical-sync" : "inbound-polling", {
      "/workflows/0/setup/select/form_fields/1": dropdown(
        "kinds",
        { a: "A", b: "B" },
        { type: "multiselect" },
      ),
      ...(historical ? { "/data_intake/1/initial_setup": { "!jq": "{polling_state: {page: 1}}" } } : {}),
      [`/data_intake/${historical ? 1 : 0}/request/!pipe/1/!jq`]: `{results: ${results}, iterate: .has_more, polling_state: {page: (\${polling_state.page} + 1), since: 0}}`,
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });
  const chosen = "[.items[] | select(.kind as $k | ${custom_data.kinds.value} | index($k))]";
  const asks = "if (.kind | IN(${custom_data.kinds.value}[])) then {email} else null end";
  test.each([
    [chosen, asks, false, 1],
    ["(.items | map(select(.kind | IN(${custom_data.kinds.value}[]))))", asks, false, 1],
    [chosen, "{email}", true, 1],
    // Later cycles go on behind it.
    [chosen, "{email}", false, 0],
    [".items", asks, false, 0],
    ["[.items[] | select(.email != null)]", asks, false, 0],
    ["[.items[] | . + {chosen: ${custom_data.kinds.value}}]", asks, false, 0],
  ])("%s, %s", (results, source, historical, count) => {
    expect(told(results, source, historical)).toHaveLength(count);
  });
});

describe("bare arrays", () => {
  const told = (first: string, second: string, path = "/people"): string[] =>
    findings("response/two-shapes", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": `{id: ${first}}` },
          { "!http": { path, params: { phone: "${piped_content.0.phone}" } } },
          { "!jq": `{other: ${second}, id: \${piped_content.2.id}}` },
          { "!http": { method: "POST", path: "/links", body: "${piped_content.4}" } },
        ],
      },
    });
  test.each([
    [".body[0].id", ".items[0].id", "/people", 1],
    ["(.items | map(.id) | first)", "(.body | first | .id)", "/people", 1],
    [".body[0].id", ".body[0].id", "/people", 0],
    [".items[0].id", ".items[0].id", "/people", 0],
    [".body[0].id", ".items[0].id", "/companies", 0],
    // A member of the answer itself.
    [".body.id", ".items[0].id", "/people", 0],
  ])("%s and %s of %s", (first, second, path, count) => {
    expect(told(first, second, path)).toHaveLength(count);
  });
});

describe("bare arrays by a comment", () => {
  const told = (read: string, comment: string): string[] =>
    findings("response/two-shapes", "outbound", {
      "/workflows/0/data_pipeline/target": {
        _comment: comment,
        "!pipe": [
          { "!http": { path: "/people", params: { email: "${piped_content.0.email}" } } },
          { "!jq": `{id: ${read}}` },
          { "!http": { method: "POST", path: "/links", body: "${piped_content.2}" } },
        ],
      },
    });
  const bare = "GET /people?email= gives a bare array.";
  test.each([
    [".items[0].id", bare, 1],
    ["(.people | first | .id)", bare, 1],
    [".body[0].id", bare, 0],
    [".items[0].id", "GET /companies gives a bare array, GET /people {items}.", 0],
    [".items[0].id", "GET /people doesn't give a plain list, but {items}. It's not a bare array.", 0],
  ])("%s, %s", (read, comment, count) => {
    expect(told(read, comment)).toHaveLength(count);
  });
});

describe("records that come late", () => {
  const told = (until: string, comment: string): string[] =>
    findings("polling/clock-watermark", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": {
        "!jq": "{polling_state: {cursor: null, since: (now - 86400 | todate), until: null}}",
      },
      "/data_intake/0/pre_poll": {
        "!jq": `{polling_state: {cursor: null, since: \${polling_state.since}, until: ${until}}}`,
      },
      "/data_intake/0/request/!pipe/0/!http/params": {
        cursor: "${polling_state.cursor}",
        from: "${polling_state.since}",
        to: "${polling_state.until}",
      },
      "/data_intake/0/request/!pipe/1/!jq":
        "{results: .items, iterate: .has_more, polling_state: {cursor: .next_cursor, since: ${polling_state.since}, until: ${polling_state.until}}}",
      "/data_intake/0/post_poll": {
        "!jq": "{polling_state: {cursor: null, since: ${polling_state.until}, until: null}}",
      },
    });
  const late = "The index is up to five minutes behind.";
  test.each([
    ["(now | todate)", late, 1],
    ["(now - 60 | todate)", late, 1],
    ["(now | todate)", "A change appears in the list within 90 seconds.", 1],
    ["(now - 300 | todate)", late, 0],
    ["(now - 600 | todate)", late, 0],
    [
      "(now - 900 | todate)",
      "An order can show up as late as ten minutes after its time, so a window ends a quarter of an hour ago.",
      0,
    ],
    ["(now - 1800 | todate)", "An order may be half an hour late.", 0],
    ["(now | todate)", "Lists show changes at once.", 0],
    ["(now | todate)", "At most 100 requests a minute.", 0],
    ["(now | todate)", "A token is valid for five minutes.", 0],
  ])("%s, %s", (until, comment, count) => {
    expect(told(until, comment)).toHaveLength(count);
  });
});

describe("cases that a comment gives numbers for", () => {
  const told = (table: string, comment: string): string[] =>
    findings("command/exchanged-cases", "outbound", {
      "/workflows/0/setup/select/form_fields/1": dropdown("plan", {
        std: "Standard",
        exp: "Express",
        eco: "Economy",
      }),
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            "!switch": {
              jq: `${table}[\${custom_data.plan.value}]`,
              cases: [
                { "!jq": "{email, fee: 4.9}" },
                { "!jq": "{email, fee: (.weight * 0.75 + 12.5)}" },
                { "!jq": "{email, fee: 2.9}" },
              ],
            },
          },
          { "!http": { method: "POST", path: "/parcels", body: "${piped_content.1}" } },
        ],
      },
    });
  const fees = "Standard is 4.90, Express 12.50 and 0.75 a kilo, Economy 2.90.";
  test.each([
    ["{std: 1, exp: 0, eco: 2}", fees, 1],
    ["{std: 2, exp: 1, eco: 0}", fees, 1],
    ["{std: 0, exp: 1, eco: 2}", fees, 0],
    ["{std: 1, exp: 0, eco: 2}", "Standard and Express cost 4.90 or more.", 0],
    ["{std: 1, exp: 0, eco: 2}", "Standard takes 3 days, Express 1 day.", 0],
  ])("%s, %s", (table, comment, count) => {
    expect(told(table, comment)).toHaveLength(count);
  });
});

describe("what the request asks for says which record is meant", () => {
  const told = (
    pick: string,
    params: object,
    description = "Pays the newest booking of a contact.",
  ): string[] =>
    findings("value/other-extreme", "outbound", {
      "/workflows/0/description": description,
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path: "/records", params } },
          { "!jq": `{id: (.data | ${pick} | .id)}` },
          { "!http": { method: "POST", path: "/payments", body: "${piped_content.2}" } },
        ],
      },
    });
  test.each([
    ["sort_by(.created_at) | first", { status: "booked" }, undefined, 1],
    ["min_by(.created_at)", { type: "bookings" }, undefined, 1],
    ["sort_by(.created_at) | last", { status: "booked" }, undefined, 0],
    ["sort_by(.created_at) | first", { status: "open" }, undefined, 0],
    ["sort_by(.created_at) | first", { status: "booked" }, "Pays a booking of a contact.", 0],
  ])("%s of %j, %s", (pick, params, description, count) => {
    expect(told(pick, params, description)).toHaveLength(count);
  });
});

describe("numbers that count changes on", () => {
  const told = (value: string): string[] =>
    polling(
      "polling/wrong-end",
      "{polling_state: {after: 1}}",
      { after: "${polling_state.after}", limit: 50 },
      `{results: .changes, iterate: (.changes | length == 50), polling_state: {after: (${value} // \${polling_state.after})}}`,
    );
  test.each([
    [".changes[0].no", 1],
    [".changes[0].entry_no", 1],
    ["(.changes | first | .offset)", 1],
    [".changes[-1].no", 0],
    ["(.changes | last | .offset)", 0],
    ["([.changes[].no] | max)", 0],
    // What these count isn't known.
    [".changes[0].house_no", 0],
    [".changes[0].count", 0],
  ])("%s", (value, count) => {
    expect(told(value)).toHaveLength(count);
  });
});

describe("events of an import that customers choose among", () => {
  const told = (event: string, tags = "won"): string[] =>
    findings("intake/history-event", "historical-sync", {
      "/workflows/0/setup/select/form_fields/1": dropdown(
        "events",
        { "deal.made": "Made", "deal.won": "Won" },
        { type: "multiselect" },
      ),
      "/data_intake/0/create/!pipe/0/!http/body": {
        url: "${webhook.url}",
        events: "${custom_data.events.value}",
      },
      "/data_intake/1/request/!pipe/1/!jq": `{results: [.items[] | {event: ({open: "${event}", closed: "deal.won"}[.state]), id: .id}], iterate: false, polling_state: {page: 1}}`,
      "/workflows/0/data_pipeline/source": {
        "!jq": `{email: .email, _tags: [{"deal.made": "made", "deal.won": "${tags}"}[.event]]}`,
      },
    });
  test.each([
    ["deal.opened", 1],
    ["made", 1],
    ["deal.made", 0],
    ["deal.imported", 0],
    ["contact.created", 0],
  ])("%s", (event, count) => {
    expect(told(event)).toHaveLength(count);
  });
});
