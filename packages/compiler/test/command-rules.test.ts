import { compile, defaultSettings, fixesOf, type Settings } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument, setAt } from "./rule-examples.ts";

/** What the examples of the rules can't show: other settings, and rules that one command shares with another. */

function diagnose(
  template: "inbound-webhook" | "inbound-polling" | "outbound",
  changes: Readonly<Record<string, string>>,
  settings: Partial<Settings> = {},
) {
  const document = exampleDocument(
    { in: template, at: "/api/base_url", bad: "", good: "" },
    '"https://a.example.com"',
  );
  const text = Object.entries(changes).reduce((result, [at, json]) => setAt(result, at, json), document.text);
  const { model, diagnostics } = compile(text, {
    uri: "a.app.json",
    settings: { ...defaultSettings, ...settings },
  });
  return diagnostics.map((diagnostic) => ({
    id: diagnostic.finding.rule.id,
    message: diagnostic.finding.rule.message(diagnostic.finding.args),
    help: diagnostic.finding.rule.help?.(diagnostic.finding.args),
    fixes: fixesOf(model, diagnostic),
    at: text.slice(diagnostic.span.start, diagnostic.span.end),
  }));
}

describe("D25: the settings name the resources", () => {
  const target = "/workflows/0/data_pipeline/target";
  const options = "/workflows/0/setup/map/describe_target/options";
  const find = (name: string, settings: Partial<Settings>) =>
    diagnose(
      "inbound-webhook",
      {
        [target]: `{"!resource": "${name}"}`,
        [options]: '[{"title": "Email", "id": "email", "required": true}]',
      },
      settings,
    ).filter(({ id }) => id.startsWith("resource/"));

  test.each(["PlatformContact", "PlatformDeal", "PlatformAccount.sync"])("%s by default", (name) => {
    expect(find(name, {})).toEqual([]);
  });

  const acme = {
    resources: { prefix: "Acme", add: { Ticket: { fields: [{ id: "subject", title: "Subject" }] } } },
  };
  test.each(["AcmeContact", "AcmeTicket", "AcmeTicket.sync"])("%s under another brand", (name) => {
    expect(find(name, acme)).toEqual([]);
  });

  test("the standard name isn't one then, and all are listed", () => {
    const [found] = find("PlatformContact", acme);
    expect(found).toMatchObject({ id: "resource/unknown-resource", at: "PlatformContact" });
    expect(found!.message).toBe(
      "There is no resource `PlatformContact`. Did you mean `AcmeContact`? Known resources: `AcmeContact`, `AcmeAccount`, `AcmeDeal`, `Acme` and `AcmeTicket`.",
    );
  });

  test("a brand that the settings don't say is pointed out, and not changed without asking", () => {
    const [found] = find("AcmeContact", {});
    expect(found!.help).toContain('"resources": {"prefix": "Acme"}');
    expect(found!.fixes.map(({ safe }) => safe)).toEqual([false]);
  });

  test.each(["__proto__", "constructor", "toString"])("%s is no resource", (name) => {
    expect(find(name, {}).map(({ id }) => id)).toEqual(["resource/unknown-resource"]);
  });

  test("D38: `personalize` takes the branded name", () => {
    const at = "/workflows/0/setup/select/form_fields/1/personalize";
    const ids = (value: string) =>
      diagnose("outbound", { [at]: value }, acme)
        .map(({ id }) => id)
        .filter((id) => id.startsWith("resource/personalize"));
    expect(ids('"AcmeContact"')).toEqual([]);
    expect(ids('"PlatformContact"')).toEqual(["resource/personalize-value"]);
  });
});

describe("D24: changing the scope of a `!save` is safe only if nothing reads the old one", () => {
  const scope = "/data_intake/0/create/!pipe/2/!save/scope";
  test.each([
    ["workflow", true],
    ["connection", false],
  ])("read from %s", (read, safe) => {
    const path = `"/hooks/\${data.${read}.hook_id}"`;
    const found = diagnose("inbound-webhook", {
      [scope]: '"connection"',
      "/data_intake/0/update/!http/path": path,
      "/data_intake/0/delete/!http/path": path,
    }).filter(({ id }) => id === "command/save-scope");
    expect(found.map(({ fixes }) => fixes.map((fix) => fix.safe))).toEqual([[safe]]);
  });
});

describe("D18: headers of `!respond` are checked like those of `!http`", () => {
  test.each([
    ['{"Content-Length": "2"}', "http/forbidden-header"],
    ['{"content type": "text/plain"}', "http/header-name"],
    ['{"content-type": "text/plain\\n"}', "http/header-value"],
  ])("%s", (headers, rule) => {
    const verification = `{"!respond": {"code": 200, "headers": ${headers}}}`;
    const ids = diagnose("inbound-webhook", { "/data_intake/0/verification": verification }).map(
      ({ id }) => id,
    );
    expect(ids).toContain(rule);
  });
});

describe("mistakes of meaning that only look like some", () => {
  const target = "/workflows/0/data_pipeline/target";
  const source = "/workflows/0/data_pipeline/source";
  const field = "/workflows/0/setup/select/form_fields/1";
  const options = "/workflows/0/setup/select/form_fields/0/options";
  const request = "/data_intake/0/request/!pipe/1/!jq";
  const verification = "/data_intake/0/verification";
  const delay = (...choices: readonly (readonly [string, string])[]): string =>
    JSON.stringify({
      id: "delay",
      label: "After",
      type: "dropdown",
      options: choices.map(([display, value]) => ({ display, value })),
    });
  const sent = (program: string): string =>
    JSON.stringify({
      "!pipe": [
        { "!jq": program },
        { "!http": { method: "POST", path: "/letters", body: "${piped_content.1}" } },
      ],
    });
  const pages = (style: object, parser: object): string =>
    JSON.stringify({
      style,
      parser: Object.fromEntries(Object.entries(parser).map(([k, v]) => [k, { "!jq": v }])),
    });
  const paged = (program: string): string =>
    JSON.stringify({ "!pipe": [{ "!http": { path: "/lists", pagination: true } }, { "!jq": program }] });
  const list = paged("[.items[] | {display: .name, value: .id}]");
  const numbered = { type: "page", page_number: { param: "page" } };
  const at = "(now + (${custom_data.delay.value} | tonumber) * ";

  test.each([
    [
      "value/other-duration",
      "outbound",
      {
        [field]: delay(["A day", "1"], ["A month", "30"]),
        [target]: sent(`{email, at: ${at}86400 | todate)}`),
      },
    ],
    [
      "value/other-duration",
      "outbound",
      {
        [field]: delay(["A month", "1"], ["A year", "12"]),
        [target]: sent(`{email, at: ${at}30 * 86400 | todate)}`),
      },
    ],
    // Nothing says what is counted: a week is 1, and a month 2.
    [
      "value/other-duration",
      "outbound",
      {
        [field]: delay(["Every week", "1"], ["Every month", "2"]),
        [target]: sent(`{email, at: ${at}3600 | todate)}`),
      },
    ],
    [
      "value/other-duration",
      "outbound",
      {
        [field]: delay(["A day", "1"], ["A week", "7"]),
        [target]: sent("{email, sum: (.sum + (${custom_data.delay.value} | tonumber) * 5)}"),
      },
    ],
    [
      "api/one-page",
      "outbound",
      { [options]: list, "/api/pagination": pages(numbered, { total_pages: ".pages // 1" }) },
    ],
    [
      "api/null-as-text",
      "outbound",
      {
        [options]: list,
        "/api/pagination": pages({ type: "cursor" }, { next_result_token: '.next // "" | tostring' }),
      },
    ],
    [
      "response/never-list",
      "outbound",
      {
        [options]: JSON.stringify({
          "!pipe": [
            { "!http": { path: "/lists" } },
            { "!jq": 'if type == "array" then . else .items end | map({display: .name, value: .id})' },
          ],
        }),
      },
    ],
    [
      "response/iterated-answer",
      "outbound",
      {
        [options]: paged("[.[] | arrays | .[] | {display: .name, value: .id}]"),
        "/api/pagination": pages(numbered, { total_pages: ".pages" }),
      },
    ],
    [
      "response/iterated-answer",
      "outbound",
      {
        [options]: paged(".body | map({display: .name, value: .id})"),
        "/api/pagination": pages(numbered, { total_pages: ".body | length" }),
      },
    ],
    [
      "polling/overwritten-key",
      "inbound-polling",
      { [request]: '"{results: .items, iterate: false, polling_state: ({page: 1} + ${polling_state})}"' },
    ],
    [
      "polling/same-request",
      "inbound-polling",
      {
        [request]:
          '"{results: .items, iterate: .has_more, polling_state: (if .has_more then ${polling_state} + {page: (${polling_state.page} + 1)} else ${polling_state} end)}"',
      },
    ],
    [
      "polling/future-start",
      "inbound-polling",
      { "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1, since: (now + 60 | todate)}}"}' },
    ],
    // A payment by check, and nothing else is wanted.
    [
      "intake/ping-processed",
      "inbound-webhook",
      {
        [verification]:
          '{"!switch": {"jq": "if .body.method == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 200}}]}}',
      },
    ],
    [
      "intake/other-length",
      "inbound-webhook",
      {
        [verification]:
          '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body, nonce: (.headers[\\"x-nonce\\"] // \\"\\" | test(\\"^nonce=[0-9a-f]{32}$\\"))}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
      },
    ],
    // The names of the two are different ones.
    [
      "mapping/other-prefix",
      "inbound-webhook",
      {
        "/workflows/0/setup/map/describe_source/options":
          '{"!pipe": [{"!http": {"path": "/fields"}}, {"!jq": "[.fields[] | {id: .full_name, title: .title}]"}]}',
        [source]:
          '{"!jq": "{email: .email} + ([.answers[] | {key: \\"custom_\\\\(.key)\\", value: .value}] | from_entries)"}',
      },
    ],
  ] as const)("%s", (rule, template, changes) => {
    const found = diagnose(template, changes);
    expect(found.map(({ id }) => id)).not.toContain(rule);
    expect(found.filter(({ id }) => id.startsWith("syntax/") || id === "jq/syntax")).toEqual([]);
  });
});
