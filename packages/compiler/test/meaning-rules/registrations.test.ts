import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Rules about intakes and registrations: the same kind of mistake in other words, and what is right although it looks alike. */

describe("http/repeated-item", () => {
  test.each([
    ["names", ["a.created", "a.deleted", "a.created"], ['"a.created"']],
    ["cells of a row", ["x", "", "", "y"], []],
    ["what customers chose", ["${custom_data.form.value}", "${custom_data.form.value}"], []],
    ["what people read", ["First name", "First name"], []],
    ["different names", ["a.created", "a.deleted"], []],
  ])("%s", (_, events, told) => {
    expect(
      findings("http/repeated-item", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      }),
    ).toEqual(told);
  });
});

describe("intake/deletes-new", () => {
  const post = { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } };
  const save = [{ "!jq": "{hook_id: .id}" }, { "!save": { scope: "workflow" } }];
  const remove = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const keep = { "!jq": "." };
  const cases = { "!switch": { jq: "if .hook_id == null then 0 else 1 end", cases: [keep, remove] } };

  test.each([
    ["right behind the save", [post, ...save, remove], 1],
    ["in a case behind it", [post, ...save, cases], 1],
    ["before it", [post, remove, keep, ...save], 0],
    ["another key", [post, { "!jq": "{secret: .secret}" }, { "!save": { scope: "workflow" } }, remove], 0],
    ["a change of the new one", [post, ...save, { "!http": { ...remove["!http"], method: "PATCH" } }], 0],
  ])("%s", (_, steps, told) => {
    expect(
      findings("intake/deletes-new", "inbound-webhook", { "/data_intake/0/update": { "!pipe": steps } }),
    ).toHaveLength(told);
  });
});

describe("intake/shared-delivery-id", () => {
  test.each([
    [".body.sent_at", ["a.created"], true],
    [".body.booking.id", ["booking.created", "booking.changed"], true],
    // One event of each record: its number does.
    [".body.booking.id", ["booking.created"], false],
    [".body.event.id.text", ["booking.created", "booking.changed"], false],
    [".body.id", ["booking.created", "booking.changed"], false],
    ['.headers["x-delivery-at"]', ["booking.created", "booking.changed"], false],
  ])("%s of %j", (program, events, isTold) => {
    const told = findings("intake/shared-delivery-id", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/delivery_id": { "!jq": program },
    });
    expect(told).toEqual(isTold ? [program] : []);
  });
});

describe("intake/unsigned-time", () => {
  const fields = '(.headers["x-sign"] | split(",") | map(split("=") | {(.[0]): .[1]}) | add)';
  const verification = (hashed: string, test: string): object => ({
    "!pipe": [
      { "!jq": `${fields} as $s | {value_to_encrypt: ${hashed}, s: $s}` },
      { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
      {
        "!switch": {
          jq: `if ${test} then 0 else 1 end`,
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  });
  const signed = ".hash == ${piped_content.1.s.v1}";
  const fresh = "(now - (${piped_content.1.s.t} | tonumber)) < 300";
  const dated = "(now - (${piped_content.0.headers.x-timestamp} | tonumber)) < 300";

  test.each([
    ["the body alone", ".raw_body", `${signed} and ${fresh}`, true],
    ["with the time", '"\\($s.t).\\(.raw_body)"', `${signed} and ${fresh}`, false],
    ["no look at the time", ".raw_body", signed, false],
    ["a time in a header of its own", ".raw_body", `${signed} and ${dated}`, true],
    ["that time is signed", '(.headers["x-timestamp"] + .raw_body)', `${signed} and ${dated}`, false],
    [
      "a time in the body",
      ".raw_body",
      `${signed} and ${dated.replace("headers.x-timestamp", "body.sent_at")}`,
      false,
    ],
  ])("%s", (_, hashed, condition, isTold) => {
    const told = findings("intake/unsigned-time", "inbound-webhook", {
      "/data_intake/0/verification": verification(hashed, condition),
    });
    expect(told).toEqual(isTold ? ['"!sha"'] : []);
  });
});

describe("a header that lists signatures", () => {
  test.each([
    ["is followed", 'split(",") | index(${piped_content.2.hash})'],
    ["is followed by any", 'split(",") | any(. == ${piped_content.2.hash})'],
  ])("%s", (_, look) => {
    const verification = {
      "!pipe": [
        { "!jq": "{value_to_encrypt: .raw_body}" },
        { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
        {
          "!switch": {
            jq: `(\${piped_content.0.headers.x-signature} | ${look}) as $at | if $at == null or $at == false then 1 else 0 end`,
            cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
          },
        },
      ],
    };
    for (const rule of ["intake/refuses-genuine", "intake/accepts-forged"])
      expect(findings(rule, "inbound-webhook", { "/data_intake/0/verification": verification })).toEqual([]);
  });
});

describe("a signature's header that is taken apart the wrong way round", () => {
  const told = (parsed: string): string[] =>
    ["intake/refuses-genuine", "intake/accepts-forged"].flatMap((rule) =>
      findings(rule, "inbound-webhook", {
        "/data_intake/0/verification": {
          "!pipe": [
            { "!jq": `(.headers["x-signature"] // "") | split(",") | ${parsed}` },
            { "!jq": '{value_to_encrypt: ((.t // "") + "." + ${piped_content.0.raw_body})}' },
            { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
            {
              "!switch": {
                jq: "if .hash == ${piped_content.1.v1 | default} then 0 else 1 end",
                cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
              },
            },
          ],
        },
      }),
    );

  test.each([
    ['map(split("=") | {key: .[1], value: .[0]}) | from_entries', true],
    ['map(split("=") | {key: last, value: first}) | from_entries', true],
    ['map(split("=") | {name: .[1], value: .[0]}) | from_entries', true],
    ['map(split("=") | {k: .[-1], v: .[0]}) | from_entries', true],
    ['map(split("=") as [$k, $v] | {key: $v, value: $k}) | from_entries', true],
    ['map(split("=") | {(.[1]): .[0]}) | add', true],
    ['map(split("=") | {key: .[0], value: .[1]}) | from_entries', false],
    ['map(split("=") | {name: first, value: last}) | from_entries', false],
    ['map(split("=") | {(.[0]): .[1]}) | add', false],
    ['map(split("=") as [$k, $v] | {key: $k, value: $v}) | from_entries', false],
  ])("%s", (parsed, isTold) => {
    expect(told(parsed)).toEqual(isTold ? ['"!sha"'] : []);
  });
});
describe("what create and update have of a registration", () => {
  const body = { url: "${webhook.url}" };
  const made = (program: string): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body } },
      { "!jq": program },
      { "!save": { scope: "workflow" } },
    ],
  });
  const changed = (method: string, path: string, ...rest: readonly object[]): object => ({
    "!pipe": [{ "!http": { method, path, body } }, ...rest],
  });
  const saves = (program: string): object[] => [{ "!jq": program }, { "!save": { scope: "workflow" } }];
  const own = "/hooks/${data.workflow.hook_id}";
  const told = (rule: string, create: object, update: object): string[] =>
    findings(rule, "inbound-webhook", { "/data_intake/0/create": create, "/data_intake/0/update": update });

  test.each([
    ["without the wrapper", "{hook_id: .hook.id}", "{hook_id: .id}", [".id"]],
    [
      "another wrapper",
      "{hook_id: .hook.id, key: .hook.key}",
      "{hook_id: .data.id, key: .hook.key}",
      [".data.id"],
    ],
    ["the secret", "{hook_id: .hook.id, key: .hook.key}", "{key: .key}", [".key"]],
    ["below by a variable", "{hook_id: .hook.id}", ". as $a | {hook_id: $a.id}", ["$a.id"]],
    ["with a wrapper in one", "{hook_id: .id}", "{hook_id: .hook.id}", [".id"]],
    ["too deep", "{hook_id: .id, key: .key}", "{hook_id: .hook.id, key: .key}", [".hook.id"]],
    [
      "JSON:API",
      "{hook_id: .data.id, key: .data.attributes.key}",
      "{hook_id: .data.id, key: .data.key}",
      [".data.key"],
    ],
    ["the same", "{hook_id: .hook.id}", "{hook_id: .hook.id}", []],
    ["another name", "{hook_id: .hook.id}", "{hook_id: .hook_id}", []],
  ])("a value from another place: %s", (_, create, update, at) => {
    expect(told("intake/moved-answer", made(create), changed("PUT", own, ...saves(update)))).toEqual(at);
  });

  test.each([
    ["nothing is saved", changed("POST", "/hooks"), true],
    ["the id is saved", changed("POST", "/hooks", ...saves("{hook_id: .hook.id}")), true],
    ["the secret too", changed("POST", "/hooks", ...saves("{hook_id: .hook.id, key: .hook.key}")), true],
    [
      "and more is asked",
      changed("POST", "/hooks", ...saves("{hook_id: .hook.id}"), { "!http": { path: "/hooks" } }),
      true,
    ],
    [
      "the first one is removed",
      changed("POST", "/hooks", { "!http": { method: "DELETE", path: own } }),
      false,
    ],
    ["the id goes along", changed("POST", own), false],
    ["it is changed", changed("PATCH", own, ...saves("{hook_id: .hook.id}")), false],
  ])("a second registration: %s", (_, update, isTold) => {
    expect(told("intake/second-registration", made("{hook_id: .hook.id}"), update)).toEqual(
      isTold ? ['"!http"'] : [],
    );
  });
});

describe("events that nothing registers", () => {
  const fields = (values: readonly string[]): object => ({
    label: "Changes",
    id: "changes",
    type: "multiselect",
    options: values.map((value) => ({ display: value, value })),
  });
  const told = (
    rule: string,
    events: unknown,
    source: string,
    values: readonly string[] = ["item.added", "item.removed"],
  ): string[] =>
    findings(rule, "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", events },
      "/data_intake/0/update": undefined,
      "/workflows/0/setup/select/form_fields/1": fields(values),
      "/workflows/0/data_pipeline/source": { "!jq": source },
    });
  const chosen = "${custom_data.changes.value}";
  const all = ["item.added", "item.removed"];
  const gone = (condition: string): string =>
    `{email, status: (if ${condition} then "gone" else "there" end)}`;

  test.each([
    ["a choice", chosen, gone('.event == "item.added" or .event == "left"'), ['"left"']],
    ["a list", all, gone('.event == "item.added" or .event == "left"'), ['"left"']],
    ["one text", "item.added,item.removed", gone('.event == "item.gone"'), ['"item.gone"']],
    ["the other side", all, gone('"item.gone" == .event'), ['"item.gone"']],
    // Payloads may have words of their own.
    ["one other word", all, gone('.event == "left"'), []],
    ["the kind of a record", all, gone('.data.event == "webinar"'), []],
    ["a topic", ["item"], gone('.topic == "Sales"'), []],
    ["events of what is registered", ["items"], gone('.event == "item.added"'), []],
    ["unequal", all, gone('.event != "item.gone"'), ['"item.gone"']],
    ["by a variable", all, `.event as $e | ${gone('$e == "item.gone"')}`, ['"item.gone"']],
    [
      "in a table",
      all,
      '{email, status: {"item.added": "there", "item.gone": "gone"}[.event]}',
      ['"item.gone"'],
    ],
    ["what is registered", all, gone('.event == "item.removed"'), []],
    ["a ping", all, gone('.event == "ping"'), []],
    ["everything", ["*"], gone('.event == "item.gone"'), []],
    ["another member", all, gone('.state == "left"'), []],
    ["payloads with words of their own", all, gone('.event == "in" or .event == "out"'), []],
  ])("%s", (_, events, source, at) => {
    expect(told("intake/unregistered-event", events, source)).toEqual(at);
  });

  test.each([
    [
      "one left out",
      ["item.added", "item.removed"],
      ["item.added", "item.removed", "item.moved"],
      ['"item.moved"'],
    ],
    ["one of two", ["item.added"], ["item.added", "item.removed"], ['"item.removed"']],
    [
      "two left out",
      ["item.added"],
      ["item.added", "item.moved", "item.removed"],
      ['"item.moved"', '"item.removed"'],
    ],
    ["by slashes", ["item/added"], ["item/added", "item/removed"], ['"item/removed"']],
    ["all", ["item.added", "item.removed"], ["item.added", "item.removed"], []],
    ["other words", ["item.added", "item.removed"], ["all", "none"], []],
    ["of something else", ["item.added"], ["item.added", "note.added"], []],
    ["with a star", ["item.*"], ["item.added", "item.removed"], []],
  ])("options: %s", (_, events, values, at) => {
    const source = `.event as $e | if (${chosen} | index($e)) == null then null else {email} end`;
    expect(told("intake/unregistered-option", events, source, values)).toEqual(at);
  });
});

describe("what is saved of a registration", () => {
  const create = (program: string, ...rest: readonly object[]): object => ({
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": program },
      ...rest,
    ],
  });
  const save = { "!save": { scope: "workflow" } };
  const told = (rule: string, changes: Readonly<Record<string, unknown>>): string[] =>
    findings(
      rule,
      "inbound-webhook",
      Object.fromEntries(Object.entries(changes).map(([name, value]) => [`/data_intake/0/${name}`, value])),
    );
  const byId = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
  const changed = (method: string): object => ({
    "!pipe": [
      { "!http": { method, path: "/hooks/current", body: { url: "${webhook.url}" } } },
      { "!jq": "{hook_id: .id}" },
      save,
    ],
  });

  test.each([
    ["by update alone", { create: create("{hook_id: .id}"), update: changed("PUT"), delete: byId }, true],
    [
      "and read by it",
      {
        create: create("."),
        update: {
          "!pipe": [
            {
              "!http": {
                method: "PUT",
                path: "/hooks/${data.workflow.hook_id}",
                body: { url: "${webhook.url}" },
              },
            },
            { "!jq": "{hook_id: .id}" },
            save,
          ],
        },
        delete: byId,
      },
      true,
    ],
    ["by both", { create: create("{hook_id: .id}", save), update: changed("PUT"), delete: byId }, false],
    ["by create alone", { create: create("{hook_id: .id}", save), update: undefined, delete: byId }, false],
  ])("saved %s", (_, changes, isTold) => {
    expect(told("intake/saved-late", changes).length > 0).toBe(isTold);
  });

  test.each([
    [".hook.id, .hook.key", true],
    [".hook | .id, .key", true],
    [".hook | (.hook_id, .hook_key)", true],
    ["(.id), (.key)", true],
    [".hook.id", true],
    [".hook", false],
    ["{hook_id: .id}, {key: .key}", false],
    [".hook | {hook_id: .id}", false],
  ])("bare values: %s", (program, isTold) => {
    expect(told("intake/saved-text", { create: create(program, save), delete: byId })).toEqual(
      isTold ? [program] : [],
    );
  });

  test.each([
    // Who has a parameter for it finds registrations by their URLs.
    ["in a query", { "!http": { method: "DELETE", path: "/hooks?url=${webhook.url}" } }, false],
    [
      "in the parameters",
      { "!http": { method: "DELETE", path: "/hooks", params: { url: "${webhook.url}" } } },
      false,
    ],
    [
      "in the body",
      { "!http": { method: "POST", path: "/hooks/remove", body: { url: "${webhook.url}" } } },
      false,
    ],
    ["in the path", { "!http": { method: "DELETE", path: "/hooks/${webhook.url}" } }, true],
    [
      "beside the id",
      {
        "!http": {
          method: "DELETE",
          path: "/hooks/${data.workflow.hook_id}",
          params: { url: "${webhook.url}" },
        },
      },
      false,
    ],
  ])("removed by the URL %s", (_, remove, isTold) => {
    const update = {
      "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
    };
    for (const change of [undefined, update])
      expect(
        told("intake/deleted-by-url", {
          create: create("{hook_id: .id}", save),
          update: change,
          delete: remove,
        }),
      ).toEqual(isTold ? ["${webhook.url}"] : []);
    expect(
      told("intake/deleted-by-url", { create: create("{seen: .at}"), update: undefined, delete: remove }),
    ).toEqual([]);
  });
});

describe("a secret that is saved under another name", () => {
  const verification = {
    "!pipe": [
      { "!jq": "{value_to_encrypt: .raw_body}" },
      { "!sha": { algorithm: "sha256", secret: "${data.workflow.key}" } },
      {
        "!switch": {
          jq: "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end",
          cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
        },
      },
    ],
  };

  test.each([
    ["{ref: .hook.key, key: .hook.key}", true],
    [".hook | {ref: .key, key: .key}", true],
    [".hook as $h | {ref: $h.key, key: $h.key}", true],
    ["{ref: .hook.ref, key: .hook.key}", false],
    ["{ref: .hook.id, key: .hook.id}", false],
  ])("%s", (program, isTold) => {
    const told = findings("security/signing-secret-in-url", "inbound-webhook", {
      "/data_intake/0/verification": verification,
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.ref}" } },
    });
    expect(told).toEqual(isTold ? ["${data.workflow.ref}"] : []);
  });
});

describe("intake/saved-other-id", () => {
  const told = (saved: string, path = "/hooks"): string[] =>
    findings("intake/saved-other-id", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path,
              body: { hook: { url: "${webhook.url}", form_id: "${custom_data.form.value}" } },
            },
          },
          { "!jq": saved },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
    });

  test.each([
    ["{hook_id: .hook.form_id}", true],
    ["{hook_id: .form_id}", true],
    [".hook as $h | {hook_id: $h.form_id}", true],
    [".hook | {hook_id: .form_id}", true],
    ["{hook_id: .hook.url}", true],
    ["{hook_id: .hook.id, form_id: .hook.form_id}", false],
    ["{hook_id: .hook.hook_id}", false],
    ["{hook_id: .hook.uuid}", false],
    ["{hook_id: (.hook.id // .hook.form_id)}", false],
  ])("%s", (saved, isTold) => {
    expect(told(saved)).toEqual(isTold ? ["${data.workflow.hook_id}"] : []);
  });

  test("another list may be named by it", () => {
    expect(told("{hook_id: .hook.form_id}", "/forms/${custom_data.form.value}")).toEqual([]);
  });
});
const fieldOptions = "/workflows/0/setup/select/form_fields/0/options";
describe("events that aren't registered", () => {
  const body = "/data_intake/0/create/!pipe/0/!http/body";
  const registers = { [body]: { url: "${webhook.url}", events: ["sub.added", "sub.removed"] } };
  test.each([
    ['if .event == "unsubscribed" then null else {email: .email} end', 0],
    ['if .type == "sub.deleted" then null else {email: .email} end', 1],
    ['if "left" == .event then null else {email: .email} end', 0],
    ['[select(.event != "cancelled")] | first', 0],
    ['.event as $e | if .event == "gone" then null else {email: .email} end', 0],
    ['if .event == "added" then {email: .email} elif .event == "sub.changed" then null else {} end', 2],
    ['if .event == "sub.added" then {email: .email} elif .event == "left" then null else {} end', 1],
    ['if .event == "ping" then null else {email: .email} end', 0],
    ['if .kind == "unsubscribed" then null else {email: .email} end', 0],
    ['if .event == "sub.added" then {email: .email} else null end', 0],
  ])("%s", (program, times) => {
    expect(inSource("intake/unregistered-event", program, registers)).toHaveLength(times);
  });

  const offered = (...values: readonly string[]) => ({
    ...registers,
    [fieldOptions]: values.map((value) => ({ display: value.toUpperCase(), value })),
  });
  test.each([
    [["sub.added", "sub.removed", "sub.changed"], ['"sub.changed"']],
    [["sub.added", "sub.removed"], []],
    [["sub.added"], []],
    // Something else is chosen.
    [["order.paid", "order.sent", "sub.added"], []],
  ])("offered: %j", (values, told) => {
    expect(findings("intake/unregistered-option", "inbound-webhook", offered(...values))).toEqual(told);
  });
});

describe("intake/history-event", () => {
  const ended = (other: string): object => ({
    "!jq": `{results: [.items[] | {kind: (if .ended then "stay.${other}" else "stay.begun" end), stay: .}], iterate: false, polling_state: \${polling_state}}`,
  });
  const table = {
    "!jq":
      '{in_house: "stay.begun", left: "stay.ended"} as $kinds | {results: [.items[] | {kind: $kinds[.state], stay: .}], iterate: false, polling_state: ${polling_state}}',
  };
  const told = (body: object, program: object): string[] =>
    findings("intake/history-event", "historical-sync", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", ...body },
      "/data_intake/1/request/!pipe/1": program,
    });

  test.each([
    ["a list", { events: ["stay.begun"] }, ended("ended"), ['["stay.begun"]']],
    [
      "a list of another name",
      { kinds: ["stay.begun", "stay.moved"] },
      table,
      ['["stay.begun", "stay.moved"]'],
    ],
    ["a text", { topics: "stay.begun stay.moved" }, table, ['"stay.begun stay.moved"']],
    ["with commas", { topics: "stay.begun,stay.moved" }, table, ['"stay.begun,stay.moved"']],
    ["numbered members", { "events[0]": "stay.begun", "events[1]": "stay.moved" }, table, ['"stay.begun"']],
  ])("%s", (_, body, program, expected) => {
    expect(told(body, program).map((text) => text.replaceAll('","', '", "'))).toEqual(expected);
  });

  test.each([
    ["all are registered", { events: "stay.begun stay.ended" }, table],
    ["numbered members", { "events[0]": "stay.begun", "events[1]": "stay.ended" }, table],
    ["all of them", { events: ["stay.*"] }, table],
    ["a name of the import's own", { events: ["stay.begun"] }, ended("imported")],
    ["none of the names is registered", { events: ["guest.added"] }, table],
    ["another kind of names", { events: ["stay.begun", "guest.added"] }, ended("ended")],
  ])("%s: right", (_, body, program) => {
    expect(told(body, program)).toEqual([]);
  });
});

describe("intake/other-events", () => {
  const told = (made: object, changed: object): string[] =>
    findings("intake/other-events", "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/body": { url: "${webhook.url}", ...made },
      "/data_intake/0/update": {
        "!http": {
          method: "PUT",
          path: "/hooks/${data.workflow.hook_id}",
          body: { url: "${webhook.url}", ...changed },
        },
      },
    });
  test("lists of any name, and texts of a form", () => {
    expect(told({ kinds: ["a.b", "a.c"] }, { kinds: ["a.b"] })).toHaveLength(1);
    expect(told({ events: "a.b a.c a.d" }, { events: "a.b a.c" })).toHaveLength(1);
    expect(told({ kinds: ["a.b", "a.c"] }, { kinds: ["a.c", "a.b"] })).toEqual([]);
    expect(told({ events: "a.b,a.c" }, { events: "a.c,a.b" })).toEqual([]);
    expect(told({ hosts: ["a.example.com", "b.example.com"] }, { hosts: ["a.example.com"] })).toEqual([]);
  });
});

describe("intake/update-without-url", () => {
  const body = { form: "${custom_data.form.value}", kinds: ["a.b", "a.c"], active: true };
  test.each([
    ["all but the URL", body, 1],
    ["and the events of before", { ...body, kinds: ["a.b"] }, 1],
    ["what the customer chose", { form: body.form }, 0],
    ["less than all", { form: body.form, active: true }, 0],
    ["all", { ...body, url: "${webhook.url}" }, 0],
  ])("PATCH with %s", (_, changed, told) => {
    expect(
      findings("intake/update-without-url", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { ...body, url: "${webhook.url}" },
        "/data_intake/0/update": {
          "!http": { method: "PATCH", path: "/hooks/${data.workflow.hook_id}", body: changed },
        },
      }),
    ).toHaveLength(told);
  });

  const nested = {
    data: { type: "webhooks", attributes: { url: "${webhook.url}", events: ["a.b"], on: false } },
  };
  const id = "${data.workflow.webhook_id}";
  const form = "${custom_data.form.value}";
  const query = "mutation($id: ID!, $hook: HookInput!) { webhookUpdate(id: $id, hook: $hook) { id } }";
  const made = { query: "mutation($hook: HookInput!) { webhookCreate(hook: $hook) { id } }" };
  test.each([
    ["JSON:API", "PATCH", nested, { data: { type: "webhooks", id, attributes: { on: true } } }, 1],
    [
      "with the URL",
      "PATCH",
      nested,
      { data: { type: "webhooks", id, attributes: { url: "${webhook.url}" } } },
      0,
    ],
    ["what was chosen", "PATCH", nested, { data: { type: "webhooks", attributes: { form, on: true } } }, 0],
    [
      "all but the URL",
      "PATCH",
      { hook: { url: "${webhook.url}", form, on: true } },
      { hook: { form, on: true } },
      1,
    ],
    ["a PUT", "PUT", nested, { data: { type: "webhooks", id, attributes: { form } } }, 1],
    [
      "another name for it",
      "PATCH",
      nested,
      { data: { type: "webhooks", attributes: { target_url: "x" } } },
      0,
    ],
    ["nothing", "PATCH", { callback: "${webhook.url}" }, {}, 1],
    ["something else", "PATCH", { callback: "${webhook.url}" }, { paused: false }, 0],
    [
      "GraphQL",
      "POST",
      { ...made, variables: { hook: { url: "${webhook.url}", on: true } } },
      { query, variables: { id, hook: { on: true } } },
      1,
    ],
    [
      "GraphQL, chosen",
      "POST",
      { ...made, variables: { hook: { url: "${webhook.url}", on: true } } },
      { query, variables: { id, hook: { form, on: true } } },
      0,
    ],
    ["a form", "PATCH", { "hook[url]": "${webhook.url}", "hook[on]": "1" }, { "hook[on]": "1" }, 1],
  ])("%s (%s)", (_, method, create, body, told) => {
    expect(
      findings("intake/update-without-url", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": create,
        "/data_intake/0/update": {
          "!http": { method, path: "/hooks/${data.workflow.hook_id}", body },
        },
      }),
    ).toHaveLength(told);
  });
});

describe("intake/deleted-by-choice", () => {
  const told = (key: string, list = "forms"): string[] =>
    findings("intake/deleted-by-choice", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          {
            "!http": {
              method: "POST",
              path: `/${list}/\${custom_data.form.value}/hooks`,
              body: { url: "${webhook.url}" },
            },
          },
          { "!jq": `.hook | {hook: .id, ${key}: \${custom_data.form.value}}` },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": {
        "!http": {
          method: "DELETE",
          path: `/${list}/\${custom_data.form.value}/hooks/\${data.workflow.hook}`,
        },
      },
    });
  test.each(["form", "form_id", "formId", "hook_form", "hook_form_id", "form_key"])(
    "%s is saved for it",
    (key) => {
      expect(told(key)).toEqual(["${custom_data.form.value}"]);
    },
  );
  test.each(["title", "platform", "form_name"])("%s is something else", (key) => {
    expect(told(key)).toEqual([]);
  });
});

describe("value/routed-by-own-record", () => {
  const told = (program: string, events: unknown, type = "forms"): string[] =>
    findings("value/routed-by-own-record", "inbound-webhook", {
      "/data_intake/0/scope": "connection",
      "/data_intake/0/resource_id": { "!jq": program },
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}", events } } },
          { "!jq": "{hook_id: .id}" },
          { "!save": { scope: "connection" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.connection.hook_id}" } },
      "/workflows/0/setup/select/form_fields/0/options": {
        "!pipe": [{ "!http": { path: "/forms" } }, { "!jq": "[.forms[] | {display: .title, value: .id}]" }],
      },
      "/workflows/0/resource_type": type,
    });
  test.each([
    [".answer.id", ["answer.created", "answer.changed"]],
    [".data.answer_id", ["answer.created"]],
    [".answer.id | tostring", "answer.created answer.changed"],
  ])("%s of %j", (program, events) => {
    expect(told(program, events)).toEqual(['"!jq"']);
  });
  test.each([
    [".answer.form_id", ["answer.created"]],
    [".form.id", ["answer.created"]],
    // What another name is for what was chosen, it says as well.
    [".questionnaire.id", ["answer.created"]],
    [".answer.id", ["form.answered"]],
    [".form.id", ["form.answered"]],
  ])("%s of %j may be right", (program, events) => {
    expect(told(program, events)).toEqual([]);
  });
});

describe("what update and delete are sent to", () => {
  const told = (changes: object, rule: string): number =>
    findings(`intake/${rule}`, "inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http": {
        method: "POST",
        path: "/hooks",
        body: { url: "${webhook.url}" },
      },
      "/data_intake/0/update": {
        "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
      },
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } },
      ...changes,
    }).length;
  const update = (http: object): object => ({ "/data_intake/0/update": { "!http": http } });
  const remove = (http: object): object => ({ "/data_intake/0/delete": { "!http": http } });
  const body = { url: "${webhook.url}" };
  const id = "${data.workflow.hook_id}";

  test.each([
    ["update-deletes", update({ method: "DELETE", path: `/hooks/${id}` }), 1],
    [
      "update-deletes",
      {
        "/data_intake/0/update": {
          "!pipe": [
            { "!http": { method: "DELETE", path: `/hooks/${id}` } },
            { "!http": { method: "POST", path: "/hooks", body } },
          ],
        },
      },
      0,
    ],
    ["update-without-id", update({ method: "PATCH", path: "/hooks", body }), 1],
    ["update-without-id", update({ method: "PUT", path: "/hooks", body: { ...body, id } }), 0],
    ["update-without-id", update({ method: "PUT", path: "/hooks", params: { id }, body }), 0],
    ["other-list", remove({ method: "DELETE", path: `/forms/${id}` }), 1],
    ["other-list", update({ method: "PUT", path: `/subscriptions/${id}`, body }), 1],
    ["other-list", remove({ method: "DELETE", path: `/forms/\${custom_data.form.value}/hooks/${id}` }), 0],
    [
      "other-list",
      {
        "/data_intake/0/create/!pipe/0/!http": {
          method: "POST",
          path: "/forms/${custom_data.form.value}/hooks",
          body,
        },
      },
      0,
    ],
    ["delete-all", remove({ method: "DELETE", path: "/hooks" }), 1],
    ["delete-all", remove({ method: "DELETE", path: "/hooks", params: { id } }), 0],
    ["delete-all", remove({ method: "DELETE", path: "/hooks", params: { url: "${webhook.url}" } }), 0],
  ])("%s: %j", (rule, changes, expected) => {
    expect(told(changes, rule)).toBe(expected);
  });
});

describe("intake/other-member", () => {
  const form = "${custom_data.form.value}";
  const url = "${webhook.url}";
  test.each([
    [{ target: url, form, active: true }, ['"target"']],
    [{ form: url, url: form, active: true }, ['"form"']],
    [{ url, list: form, active: true }, ['"list"']],
    [{ url, form, active: true }, []],
    [{ url, active: true }, []],
    [{ url, form, active: true, forms: [form] }, []],
    // An API may change its registrations in a way of its own.
    [{ target: url, source: form }, []],
    [{ target: url }, []],
  ])("%j", (body, told) => {
    expect(
      findings("intake/other-member", "inbound-webhook", {
        "/data_intake/0/create/!pipe/0/!http/body": { url, form, active: true },
        "/data_intake/0/update": {
          "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body },
        },
      }),
    ).toEqual(told);
  });
});

describe("intake/unsaved-update", () => {
  const put = {
    "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
  };
  const save = { "!save": { scope: "workflow" } };
  const create = {
    "!pipe": [
      { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
      { "!jq": ".hook | {hook_id: .id, token: .token}" },
      save,
    ],
  };
  const branch = (...cases: object[]): object => ({ "!switch": { jq: "if .hook then 0 else 1 end", cases } });
  test.each([
    ["without a save", [put, { "!jq": "{token: .hook.token}" }], 1],
    ["by a pipeline", [put, { "!jq": ".hook | {token}" }], 1],
    ["by a variable", [put, { "!jq": ".hook as $h | {hook_id: $h.id, token: $h.token}" }], 1],
    ["in a case", [put, branch({ "!jq": "{token: .hook.token}" }, { "!error": "Nothing" })], 1],
    ["from an earlier step", [put, { "!jq": "${piped_content.1.hook} | {token: .token}" }], 1],
    ["with a save", [put, { "!jq": "{token: .hook.token}" }, save], 0],
    ["another key", [put, { "!jq": "{state: .hook.state}" }], 0],
    ["what was saved", [put, { "!jq": "{token: ${data.workflow.token}}" }], 0],
    ["a save before it", [put, { "!jq": "{token: .hook.token}" }, save, { "!jq": "{token}" }], 0],
    ["nothing but the request", [put], 0],
  ])("%s", (_, steps, told) => {
    expect(
      findings("intake/unsaved-update", "inbound-webhook", {
        "/data_intake/0/create": create,
        "/data_intake/0/update": { "!pipe": steps },
      }),
    ).toHaveLength(told);
  });
});

describe("intake/saved-record", () => {
  const person = ".person | {email, number: .id}";
  const told = (
    program: string,
    key: string,
    source = "{email: .person.email, number: .person.id}",
  ): string[] =>
    findings("intake/saved-record", "inbound-webhook", {
      "/data_intake/0/create": {
        "!pipe": [
          { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
          { "!jq": program },
          { "!save": { scope: "workflow" } },
        ],
      },
      "/data_intake/0/update": undefined,
      "/data_intake/0/delete": { "!http": { method: "DELETE", path: `/hooks/\${data.workflow.${key}}` } },
      "/workflows/0/data_pipeline/source": {
        "!pipe": [{ "!http": { path: "/people/${piped_content.0.person_id}" } }, { "!jq": source }],
      },
    });
  test.each([
    ["{hook: .hook}", "hook", [".hook"]],
    ["{hook_id: .hook}", "hook_id", [".hook"]],
    [".hook as $h | {hook: $h, token: .token}", "hook", ["$h"]],
    ["{hook: .data}", "hook", [".data"]],
    [".hook", "hook_id", [".hook"]],
    [".data", "hook_id", [".data"]],
    ["{hook: .hook.id}", "hook", []],
    ["{hook: .id}", "hook", []],
    [".hook", "id", []],
    [".hook | {hook_id: .id}", "hook_id", []],
    ["{hook: .key}", "hook", []],
  ])("%s as %s", (program, key, marked) => {
    expect(told(program, key)).toEqual(marked);
  });
  test("how the API writes its records", () => {
    // Nothing says that its answers have records with an id.
    expect(told("{hook: .hook}", "hook", "{email: .email, number: .id}")).toEqual([]);
    expect(told("{hook: .hook}", "hook", "{email: .person_email}")).toEqual([]);
    expect(told("{hook: .hook}", "hook", person)).toEqual([]);
  });
});
