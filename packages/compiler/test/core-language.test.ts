import { compile, language, render, type Settings } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { planOf } from "../src/bind/language-queries.ts";
import { alternatives } from "../src/check/rules/portability/alternatives.ts";
import { setAt } from "./rule-examples.ts";
import { validConfigs } from "./support/configs.ts";

/** What `"language": "core"` makes of a config: extended features are reported, and tolerances are errors (D41). */

const core: Partial<Settings> = { language: "core" };
const FEATURE = "portability/extended-feature";

const templates = new Map(
  validConfigs()
    .filter(({ path }) => path.startsWith("packages/cli/templates/"))
    .map(({ path, text }) => [path.replace(/.*\/|\.app\.json$/g, ""), text]),
);

function changed(template: string, changes: Readonly<Record<string, string | undefined>>): string {
  const text = templates.get(template);
  if (text === undefined) throw new Error(`There is no template ${template}.`);
  return Object.entries(changes).reduce((result, [at, json]) => setAt(result, at, json), text);
}

function check(text: string, settings: Partial<Settings>) {
  const { model, diagnostics } = compile(text, { uri: "test.app.json", settings });
  return diagnostics.map((diagnostic) => {
    const { rule, severity, message, help } = render(model, diagnostic, { fixes: false });
    return { rule, severity, message, help, source: text.slice(diagnostic.span.start, diagnostic.span.end) };
  });
}

describe("D41: tolerances", () => {
  const field = "/workflows/0/setup/select/form_fields/1";
  test.each([
    [
      "a `text` field without options",
      "outbound",
      { [field]: '{"id": "note", "label": "Note", "type": "text", "required": false}' },
      { rule: "setup/text-without-options", severity: "hint" },
    ],
    [
      "a webhook without `delete`",
      "inbound-webhook",
      { "/data_intake/0/delete": undefined },
      { rule: "intake/missing-delete", severity: "warning" },
    ],
    [
      "an absolute URL in `path`",
      "inbound-webhook",
      { "/workflows/0/setup/connect/describe_connection/!pipe/0/!http/path": '"https://api.example.com/me"' },
      { rule: "http/absolute-url-in-path", severity: "warning" },
    ],
    [
      "a rate limit without `read` and `write`",
      "outbound",
      { "/api/rate_limit": '{"user": {"requests": 10, "period": 1}}' },
      { rule: "api/rate-limit-flat", severity: "hint" },
    ],
    [
      "`select.description`",
      "outbound",
      { "/workflows/0/setup/select/description": '"Choose a list."' },
      { rule: FEATURE, severity: undefined },
    ],
  ] as const)("%s", (_, template, changes, { rule, severity }) => {
    const text = changed(template, changes);
    const of = (settings: Partial<Settings>) =>
      check(text, settings).filter((finding) => finding.rule === rule);
    expect(of({}).map((finding) => finding.severity)).toEqual(severity === undefined ? [] : [severity]);
    expect(of(core).map((finding) => finding.severity)).toEqual(["error"]);
    // What the author sets by name goes before.
    expect(of({ ...core, rules: { [rule]: "info" } }).map((finding) => finding.severity)).toEqual(["info"]);
  });
});

describe("extended features", () => {
  test.each(["outbound", "inbound-webhook"])("the template %s uses none", (template) => {
    expect(check(templates.get(template)!, core)).toEqual([]);
  });

  test.each([
    ["historical-sync", ["params"]],
    ["inbound-polling", ["_comment", "params"]],
  ])("of the template %s", (template, used) => {
    const findings = check(templates.get(template)!, core);
    expect(findings.map(({ rule }) => rule)).toEqual(used.map(() => FEATURE));
    expect(findings.map(({ source }) => JSON.parse(source))).toEqual(used);
  });

  /** A feature that is built of others is one finding, at the outermost. */
  const source = "/workflows/0/data_pipeline/source";
  test.each([
    [
      "a command with members of its own",
      { [source]: '{"!switch": {"jq": "0", "cases": [{"!jq": "{email: .email}"}]}}' },
      ['"!switch"'],
    ],
    [
      "another one inside",
      { [source]: '{"!switch": {"jq": "0", "cases": [{"!print_c": "x"}]}}' },
      ['"!switch"', '"!print_c"'],
    ],
    ["a comment", { [source]: '{"_comment": "why", "!jq": "{email: .email}"}' }, ['"_comment"']],
    [
      "a type of authorisation",
      {
        "/auth/acme":
          '{"defined_fields": {"token": {"label": "Key"}, "subdomain": {"label": "Company"}}, "configuration": {"verify_url": "https://api.example.com/me", "header_key": "X-Key"}, "type": "token"}',
      },
      ['"token"'],
    ],
    [
      "a field to fill in when connecting, and what reads it",
      {
        "/auth/acme/defined_fields": '{"subdomain": {"label": "Company"}}',
        "/api/base_url": '"https://${subdomain}.example.com"',
      },
      ['"defined_fields"', "subdomain"],
    ],
    [
      "a resource with an action",
      {
        "/workflows/0/data_pipeline/target":
          '{"!resource": {"action": "PlatformDeal.sync", "data": {"title": "x"}}}',
      },
      ['"action"'],
    ],
    [
      "the insides of objects, which the specification leaves open",
      { "/objects": '[{"name": "ticket", "labels": {"singular": "Ticket", "plural": "Tickets"}}]' },
      [],
    ],
    [
      "a static list",
      { "/workflows/0/setup/select/form_fields/0/options": '[{"display": "A", "value": "a"}]' },
      ["["],
    ],
  ] as const)("%s", (_, changes, marked) => {
    const text = changed("inbound-webhook", changes);
    const found = check(text, core).filter(({ rule }) => rule === FEATURE);
    expect(found.map((finding) => finding.source).sort()).toEqual([...marked].sort());
    expect(check(text, {}).filter(({ rule }) => rule === FEATURE)).toEqual([]);
  });

  test("each finding says what to do instead", () => {
    const findings = validConfigs().flatMap(({ text }) => check(text, core));
    const features = findings.filter(({ rule }) => rule === FEATURE);
    expect(features.length).toBeGreaterThan(20);
    for (const { message, help } of features) {
      expect(message).toMatch(/^(The|A|`).* is an extended feature, but the settings allow only/);
      expect(help).toMatch(/\.$/);
    }
  });

  test("what is offered instead belongs to a feature of the language", () => {
    const known = knownFeatures();
    expect([...alternatives.keys()].filter((feature) => !known.has(feature))).toEqual([]);
  });
});

/** The names of all features that the binder can report, from the tables of the language. */
function knownFeatures(): ReadonlySet<string> {
  const found = new Set<string>(["`_comment`"]);
  const seen = new Set<unknown>();
  const visit = (value: language.Value, owner: string): void => {
    if (value.kind === "section") visitSection(value.section());
    if (value.kind === "variant") {
      for (const section of [...Object.values(value.variants), value.otherwise]) visitSection(section());
    }
    if (value.kind === "map" || value.kind === "list") visit(value.of, `an item of ${owner}`);
    if (value.kind === "either") for (const alternative of value.of) visit(alternative, owner);
    if (value.kind === "command" && value.orStatic !== undefined) {
      if (value.staticTier === "ext") found.add(`a static list as ${owner}`);
      visit(value.orStatic, owner);
    }
    if (value.kind === "text") for (const text of value.ext ?? []) found.add(`\`${text}\` as ${owner}`);
  };
  const visitSection = (section: language.Section): void => {
    if (seen.has(section)) return;
    seen.add(section);
    for (const { member, owner } of planOf(section).members.values()) {
      if (member.tier === "ext") found.add(owner);
      visit(member.value, owner);
    }
  };
  visitSection(language.document);
  for (const { key, tier, argument } of language.commandSpecs) {
    if (tier === "ext") found.add(`the command \`${key}\``);
    visit(argument, `\`${key}\``);
  }
  return found;
}
