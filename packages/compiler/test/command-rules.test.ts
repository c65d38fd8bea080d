import { compile, defaultSettings, fixesOf, type Settings } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument, setAt } from "./rule-examples.ts";

/** What the examples of the rules can't show: other settings, and rules that one command shares with another. */

function diagnose(
  template: "inbound-webhook" | "outbound",
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
