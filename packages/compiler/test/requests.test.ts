import { compile, type RuleExample, type Settings } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument } from "./rule-examples.ts";

/** What the rules on requests, `api`, `auth` and secrets make of settings, and where they stay silent. */

type Template = (RuleExample & { at: string })["in"];

function findings(
  template: Template,
  at: string,
  fragment: string,
  settings: Partial<Settings> = {},
  replaced: Record<string, string> = {},
) {
  const example = { in: template, at, with: replaced, bad: fragment, good: fragment } as RuleExample;
  const { text, uri } = exampleDocument(example, fragment);
  const { diagnostics } = compile(text, { uri, settings });
  return diagnostics.map(({ finding: { rule, args, related }, severity }) => ({
    id: rule.id,
    severity,
    text: `${rule.message(args)} ${rule.help?.(args) ?? ""} ${JSON.stringify(args)}`,
    related: related.length,
  }));
}
const ids = (...args: Parameters<typeof findings>) =>
  findings(...args)
    .filter(({ severity }) => severity !== "hint")
    .map(({ id }) => id);

const target = "/workflows/0/data_pipeline/target/!http";
const connect = "/workflows/0/setup/connect/describe_connection/!pipe/0/!http";

describe("requests: silent where nothing is certain", () => {
  test.each([
    ["the origin of base_url", connect, '{"url": "https://api.example.com/v2/me"}'],
    ["no credentials wanted", connect, '{"url": "https://other.example.com/me", "target": "external"}'],
    ["the platform's credentials", connect, '{"path": "/me", "target": "platform"}'],
    [
      "a key of its own",
      connect,
      '{"url": "https://other.example.com/me", "headers": {"X-Api-Key": "<KEY>"}}',
    ],
    ["a colon in a path", connect, '{"path": "/v1:batch/me"}'],
    ["no leading slash", connect, '{"path": "me"}'],
    ["a body with any method that has one", connect, '{"method": "delete", "path": "/me", "body": {"a": 1}}'],
    [
      "a whole expansion as the body",
      target,
      '{"method": "POST", "path": "/x", "body": "$<piped_content.0>"}',
    ],
    [
      "JSON of a vendor",
      target,
      '{"method": "POST", "path": "/x", "body": {}, "headers": {"content-type": "application/merge-patch+json"}}',
    ],
    [
      "a type that is worked out",
      target,
      '{"method": "POST", "path": "/x", "body": {}, "headers": {"content-type": "${custom_data.list.value}"}}',
    ],
    ["an empty secret", connect, '{"path": "/me", "headers": {"authorization": ""}}'],
    [
      "a scheme before an expansion",
      target,
      '{"path": "/me", "headers": {"authorization": "Bearer ${custom_data.list.value}"}}',
    ],
    ["a cookie that is a setting", connect, '{"path": "/me", "headers": {"cookie": "lang=en; consent=1"}}'],
    ["a page token", connect, '{"path": "/me", "params": {"token": "start"}}'],
    ["dots in a name", connect, '{"path": "/me/..."}'],
    ["pagination off", connect, '{"path": "/me", "pagination": false}'],
  ])("%s", (_, at, fragment) => {
    expect(ids("outbound", at, fragment)).toEqual([]);
  });

  test("one misspelling is one finding", () => {
    expect(ids("outbound", target, '{"metod": "POST", "path": "/x", "body": {}}')).toEqual([
      "structure/unknown-member",
    ]);
    expect(ids("outbound", connect, '{"url": "https://other.example.com", "taget": "external"}')).toEqual([
      "structure/unknown-member",
    ]);
    const pagination =
      '{"style": {"type": "page", "page_number": {"param": "page"}}, "parser": {"total_page": {"!jq": ".n"}}}';
    expect(ids("outbound", "/api/pagination", pagination)).toEqual(["structure/unknown-member"]);
    expect(
      ids(
        "outbound",
        "/api/paginaton",
        pagination.replace('page":', 'pages":'),
        {},
        {
          [connect]: '{"path": "/me", "pagination": true}',
        },
      ),
    ).toEqual(["structure/unknown-member"]);
  });
});

describe("requests: to other origins (D18)", () => {
  const url = (value: string) => `{"url": "${value}"}`;
  const foreign = "https://other.example.com/me";

  test("are in order where the settings declare them", () => {
    expect(ids("outbound", connect, url(foreign))).toEqual(["http/no-credentials"]);
    expect(ids("outbound", connect, url(foreign), { origins: ["https://other.example.com"] })).toEqual([]);
    expect(ids("outbound", connect, url(foreign), { origins: ["https://else.example.com"] })).toEqual([
      "http/no-credentials",
    ]);
  });

  test("a URL from a value is in order where any are declared", () => {
    const fragment = url("${custom_data.list.value}/me");
    expect(ids("outbound", target, fragment)).toEqual(["http/no-credentials"]);
    expect(ids("outbound", target, fragment, { origins: ["https://else.example.com"] })).toEqual([]);
  });

  test("are one finding for each origin", () => {
    const replaced = { [target]: url(`${foreign}/you`) };
    const found = findings("outbound", connect, url(foreign), {}, replaced);
    expect(found.filter(({ id }) => id === "http/no-credentials")).toMatchObject([{ related: 1 }]);
  });

  test("a base_url with a subdomain may be the same", () => {
    const replaced = { "/api/base_url": '"https://${subdomain}.example.com"' };
    expect(ids("outbound", connect, url(foreign), {}, replaced)).not.toContain("http/no-credentials");
    expect(ids("outbound", connect, url("https://other.example.org"), {}, replaced)).toContain(
      "http/no-credentials",
    );
  });
});

describe('requests: `"language": "core"` raises the tolerances (D41)', () => {
  const severities = (id: string, ...args: Parameters<typeof findings>) =>
    findings(...args).flatMap((finding) => (finding.id === id ? [finding.severity] : []));

  test.each([
    ["http/absolute-url-in-path", connect, '{"path": "https://api.example.com/v1/me"}', "warning"],
    ["api/rate-limit-flat", "/api/rate_limit", '{"app": {"period": 1, "requests": 5}}', "hint"],
  ])("%s", (id, at, fragment, usual) => {
    expect(severities(id, "outbound", at, fragment)).toEqual([usual]);
    expect(severities(id, "outbound", at, fragment, { language: "core" })).toEqual(["error"]);
  });
});

describe("requests: a secret comes into no finding (D29)", () => {
  const secret = "sk-k3yb0ardcat0123456789";

  test.each([
    ["/auth/acme/configuration/client_secret", `"${secret}"`],
    [
      connect,
      `{"path": "/me", "headers": {"Proxy-Authorization": "Basic ${secret}", "COOKIE": "session=${secret}"}}`,
    ],
    [connect, `{"path": "https://me:${secret}@api.example.com/me?token=${secret}"}`],
    [connect, `{"url": "me:${secret}@api.example.com/me?api-key=${secret}"}`],
    [
      connect,
      `{"url": "http://${secret}@other.example.com/?access_token=${secret}", "params": {"api_key": "${secret}"}}`,
    ],
    ["/api/base_url", `"https://${secret}@api.example.com/v1?token=${secret}"`],
  ])("%s: %s", (at, fragment) => {
    const found = findings("outbound", at, fragment);
    expect(found).not.toEqual([]);
    for (const { text } of found) expect(text).not.toContain(secret);
  });
});

describe("requests: names that JavaScript has a meaning for", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s", (name) => {
    expect(ids("outbound", "/auth/acme/type", `"${name}"`)).toEqual(["auth/unknown-type"]);
    const style = `{"style": {"type": "${name}", "${name}": {"param": "a", "value": "x"}}, "parser": {"${name}": 1}}`;
    findings("outbound", "/api/pagination", style);
    findings("outbound", target, `{"path": "/x", "headers": {"${name}": "x"}, "params": {"${name}": "x"}}`);
    const entry = `{"type": "token", "${name}": 1, "configuration": {"${name}": 2}}`;
    findings("outbound", "/auth/acme", entry);
  });
});
