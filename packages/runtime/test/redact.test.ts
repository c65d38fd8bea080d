import { createTracer, parseExact, printExact, type TraceEvent } from "@configc/runtime";
import { MASK, redactedValue, shownHeaders, shownUrl } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { RunError, redactedError } from "../src/errors.ts";
import { HttpFailure, isHttpFailure } from "../src/http-failure.ts";
import { failureOf, runCommand } from "./support/app.ts";
import { testEffects } from "./support/effects.ts";
import { serve } from "./support/server.ts";

/** As long as tokens of some services are. */
const TOKEN = `long-${"0123456789abcdef".repeat(200)}`;

describe("D29 a secret that a service echoes in another way than it was sent", () => {
  const echoed = async (parts: Parameters<typeof runCommand>[1], headers: object): Promise<string> => {
    const { origin } = await serve(() => ({ json: { yours: "canary-1234" } }));
    const effects = testEffects({ me: { token: " canary-1234\n" } });
    const events: TraceEvent[] = [];
    const trace = createTracer(effects.clock, (event) => events.push(event));
    const command = { "!http": { path: "/", headers } };
    await runCommand(command, { ...parts, api: { base_url: origin }, effects, trace });
    return JSON.stringify(events);
  };

  test("a token that was copied with blanks around it", async () => {
    const configuration = { header_key: "x-mine", verify_url: "https://api.example.com/" };
    const parts = { entry: { type: "token", configuration }, connection: "me" };
    expect(await echoed(parts, {})).not.toContain("canary");
  });

  test("one that a header of the config has behind a scheme", async () => {
    expect(await echoed({}, { Authorization: "Bearer canary-1234" })).not.toContain("canary");
  });
});

describe("D29 a secret at a cut", () => {
  test.each([0, 1_000, 2_000, 2_040, 4_090, 7_000])(
    "of an error that quotes an answer, %i characters in",
    async (before) => {
      const { origin } = await serve(({ headers }) => ({
        status: 400,
        raw: `${"-".repeat(before)}${headers.authorization?.slice(7)} isn't accepted`,
      }));
      const run = runCommand(
        { "!http": { path: "/" } },
        {
          api: { base_url: origin },
          entry: { type: "oauth2", configuration: {} },
          effects: testEffects({ me: { access_token: TOKEN } }),
          connection: "me",
        },
      );
      expect((await failureOf(run)).message).not.toContain("0123");
    },
  );

  test.each([[0], [4_000], [65_500], [65_535]])("of a long text in a trace, %i characters in", (before) => {
    const events: TraceEvent[] = [];
    const tracer = createTracer({ now: () => 0, sleep: async () => undefined }, (event) =>
      events.push(event),
    );
    tracer.secret(TOKEN);
    // Masked, thirty tokens leave room for what stands at the cut.
    for (const text of ["-".repeat(before) + TOKEN.repeat(2), TOKEN.repeat(30) + "-".repeat(before)])
      tracer.event(0, "", "note", { text: text + "-".repeat(70_000) });
    expect(JSON.stringify(events)).not.toContain("0123");
    expect(events).toHaveLength(2);
  });
});

describe("D29 URLs as they are shown", () => {
  test.each([
    ["https://me:pass@example.com/a", "https://[secret]@example.com/a"],
    ["https://me:p@ss@example.com/a@b", "https://[secret]@example.com/a@b"],
    ["https://example.com/?a=1&access_token=x&b=2#f", "https://example.com/?a=1&access_token=[secret]&b=2#f"],
    ["/relative?api_key=x", "/relative?api_key=[secret]"],
  ])("%s", (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
    expect(shownHeaders({ location: url })).toEqual({ location: shown });
  });
});

test.each([
  [
    '["x 4711 y", {"a4711": [4711, 47110, "4711"]}]',
    '["x [secret] y",{"a[secret]":["[secret]",47110,"[secret]"]}]',
  ],
  ["12345678901234567890123", '"[secret]"'],
  ['{"__proto__": {"a": 4711}, "b": null}', '{"__proto__":{"a":"[secret]"},"b":null}'],
  [`${"[".repeat(9_000)}"4711"${"]".repeat(9_000)}`, `${"[".repeat(9_000)}"[secret]"${"]".repeat(9_000)}`],
])("D29 values without secrets, numbers too", (text, safe) => {
  const tracer = createTracer({ now: () => 0, sleep: async () => undefined });
  for (const secret of ["4711", "12345678901234567890123"]) tracer.secret(secret);
  expect(printExact(redactedValue(parseExact(text), (each) => tracer.redact(each)) as never)).toBe(safe);
});

test("D29 headers that authorise, also those that have the name of a service in them", () => {
  const names = [
    "Authorization",
    "X-Api-Key",
    "X-Acme-Access-Token",
    "apikey",
    "Ocp-Apim-Subscription-Key",
    "Cookie",
  ];
  const others = [
    "Accept",
    "Idempotency-Key",
    "X-Sort-Key",
    "X-Author",
    "Sec-WebSocket-Key",
    "X-Continuation-Token",
  ];
  const shown = shownHeaders(Object.fromEntries([...names, ...others].map((name) => [name, "value"])));
  expect(Object.keys(shown).filter((name) => shown[name] === MASK)).toEqual(names);
});

test("D29 an error without its secrets says all the rest that it said", () => {
  const details = {
    status: 400,
    offset: 7,
    source: { file: "a.app.json", line: 3, column: 9 },
    until: 5,
    cause: new TypeError("canary"),
  };
  const place = { pointer: "/a", span: { start: 1, end: 2 } };
  const error = new RunError("JqError", "a canary", place, details);
  const safe = redactedError(error, (text) => text.replaceAll("canary", "***"));
  expect(safe).toMatchObject({
    ...place,
    ...details,
    kind: "JqError",
    message: "a ***",
    stack: expect.not.stringContaining("canary"),
    cause: { name: "TypeError", message: "***" },
  });
});

test("D29 a failure of HTTP without its secrets is of the same kind", () => {
  const cause = new HttpFailure("unavailable", "canary waits", undefined, 5);
  const error = new RunError("NetworkError", "a canary", undefined, { cause });
  const safe = redactedError(error, (text) => text.replaceAll("canary", "***"));
  expect(isHttpFailure((safe as RunError).cause)).toBe(true);
  expect((safe as RunError).cause).toMatchObject({ kind: "unavailable", message: "*** waits", until: 5 });
});
