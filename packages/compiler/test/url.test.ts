import { describe, expect, test } from "vitest";
import { parseTemplate } from "../src/parse/template.ts";
import {
  isLoopback,
  maskValues,
  originOf,
  readPath,
  readUrl,
  sameOrigin,
  urlProblem,
} from "../src/parse/url.ts";

/** URLs with expansions, as the rules on requests read them (D17, D18, D28). */

const masked = (text: string) => maskValues(text, parseTemplate(text));
const cut = (text: string, span: { start: number; end: number } | undefined) =>
  span === undefined ? undefined : text.slice(span.start, span.end);

describe("url: the parts of a URL", () => {
  test.each([
    [
      "https://api.example.com/v1?a=b#c",
      ["https", undefined, "api.example.com", undefined, "/v1", "a=b", "c"],
    ],
    ["HTTP://u:p@h:80", ["http", "u:p", "h", "80", "", undefined, undefined]],
    ["https://[::1]:8080/x", ["https", undefined, "[::1]", "8080", "/x", undefined, undefined]],
    ["https://[::1]", ["https", undefined, "[::1]", undefined, "", undefined, undefined]],
    ["https://h?q#", ["https", undefined, "h", undefined, "", "q", ""]],
    // A backslash ends a host as a slash does, so what stands behind it names no server.
    [
      "https://good.example\\@evil.example/",
      ["https", undefined, "good.example", undefined, "\\@evil.example/", undefined, undefined],
    ],
    // What expansions hold separates nothing.
    [
      "https://${subdomain | default:a/b}.example.com/${data.workflow.id | default:x?y#z}",
      [
        "https",
        undefined,
        "${subdomain | default:a/b}.example.com",
        undefined,
        "/${data.workflow.id | default:x?y#z}",
        undefined,
        undefined,
      ],
    ],
    [
      "https://<TENANT>.example.com/x",
      ["https", undefined, "<TENANT>.example.com", undefined, "/x", undefined, undefined],
    ],
  ])("%s", (text, expected) => {
    const url = readUrl(masked(text))!;
    const spans = [url.userinfo, url.host, url.port, url.path, url.query, url.fragment];
    expect([url.scheme, ...spans.map((span) => cut(text, span))]).toEqual(expected);
  });

  test.each(["/me", "api.example.com/v1", "mailto:a@example.com", "https:/x", ""])("%s is none", (text) => {
    expect(readUrl(text)).toBeUndefined();
  });

  test("of a path", () => {
    const text = "/items/${data.workflow.id}?a=b&c=#d?e";
    const { path, query, fragment } = readPath(masked(text));
    expect([path, query, fragment].map((span) => cut(text, span))).toEqual([
      "/items/${data.workflow.id}",
      "a=b&c=",
      "d?e",
    ]);
  });
});

describe("url: what is wrong with a URL", () => {
  test.each([
    ["https://api.example.com/v1", undefined, undefined],
    ["https://api.example.com./v1", undefined, undefined],
    ["https://my_host:65535", undefined, undefined],
    ["https://bücher.example/a b", undefined, undefined],
    ["http://${subdomain}.example.com:${subdomain}/", undefined, undefined],
    ["/me", "relative", "/me"],
    ["api.example.com:8080/me", "relative", "api.example.com:8080/me"],
    ["${subdomain}.example.com", "relative", "${subdomain}.example.com"],
    [" https://a.example", "blank", " "],
    ["https://a.example\n", "blank", "\n"],
    ["ftp://a.example", "scheme", "ftp"],
    ["htp://a.example", "scheme", "htp"],
    ["https//a.example", "scheme", "https//"],
    ["http:a.example", "scheme", "http:"],
    ["https:///me", "host", "/"],
    ["https://a..example", "host", "a..example"],
    ["https://a b.example/", "host", "a b.example"],
    ["https://[::1/", "host", "[::1"],
    ["https://a.example:65536", "port", "65536"],
    ["https://a.example:80a", "port", "80a"],
  ])("%j: %s", (text, kind, part) => {
    const problem = urlProblem(masked(text));
    expect(problem?.kind).toBe(kind);
    expect(cut(text, problem)).toBe(part);
  });
});

describe("url: origins (D18)", () => {
  const origin = (text: string) => originOf(text, parseTemplate(text))!;

  test.each([
    ["https://a.example", "https://A.EXAMPLE:443/x", true],
    ["https://a.example.", "https://a.example", true],
    ["https://a.example", "http://a.example", false],
    ["https://a.example", "https://b.example", false],
    ["https://a.example", "https://a.example:444", false],
    ["https://a.example", "https://a.example.evil.example", false],
    ["https://${subdomain}.example.com", "https://$< subdomain >.example.com/v2", true],
    ["https://${subdomain}.example.com", "https://files.example.com", undefined],
    ["https://${subdomain}.example.com", "https://example.com", false],
    ["https://${subdomain}.example.com", "https://${subdomain}.example.org", false],
    ["https://<TENANT>.example.com", "https://files.example.com", undefined],
  ])("%s and %s: %s", (one, other, same) => {
    expect(sameOrigin(origin(one), origin(other))).toBe(same);
    expect(sameOrigin(origin(other), origin(one))).toBe(same);
  });

  test.each(["${data.workflow.url}", "${data.workflow.url}://a.example", "/me", "https:///me"])(
    "%s fixes none",
    (text) => expect(originOf(text, parseTemplate(text))).toBeUndefined(),
  );
});

test.each([
  ["localhost", true],
  ["api.localhost", true],
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["[::1]", true],
  ["localhost.example.com", false],
  ["127.example.com", false],
  ["10.0.0.1", false],
])("url: %s is loopback: %s (D28)", (host, loopback) => expect(isLoopback(host)).toBe(loopback));

test("url: long texts are read in a moment", () => {
  const length = 1_000_000;
  for (const text of [
    `https://a.example/${" ".repeat(length)}x`,
    `https://${"a.".repeat(length)}`,
    "<a".repeat(length),
    `https://a.example/?${"a=b&".repeat(length)}`,
    "@".repeat(length),
  ]) {
    urlProblem(masked(text));
    originOf(text, undefined);
    readPath(text);
  }
});
