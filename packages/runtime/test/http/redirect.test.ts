import { describe, expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { testEffects } from "../support/effects.ts";
import { serve } from "../support/server.ts";
import type { Credential } from "../support/types.ts";

const oauth = {
  type: "oauth2",
  configuration: { token_url: "https://auth.example.com/token", client_id: "i", client_secret: "<S>" },
};
const token = (header_key: string) => ({
  type: "token",
  configuration: { header_key, verify_url: "https://api.example.com/me" },
  defined_fields: { token: { label: "Token" } },
});
const basic = { type: "basic", configuration: { verify_url: "https://api.example.com/me" } };

const kinds: readonly { readonly name: string; readonly entry: object; readonly credential: Credential }[] = [
  { name: "oauth2", entry: oauth, credential: { access_token: "secret-1" } },
  { name: "basic", entry: basic, credential: { username: "me", password: "secret-1" } },
  ...["Authorization", "X-API-Key", "X-Shop-Access-Token", "X-Mine"].map((header) => ({
    name: `token in ${header}`,
    entry: token(header),
    credential: { token: "secret-1" },
  })),
];

const http = { "!http": { path: "/from", headers: { "X-Kept": "1" } } };

describe("D21 credentials and redirects", () => {
  test.each(kinds)("$name: they stay at their origin", async ({ entry, credential }) => {
    const other = await serve(() => ({ json: { there: true } }));
    const api = await serve(({ path }) =>
      path === "/from"
        ? { status: 307, headers: { location: "/at-home" } }
        : { status: 307, headers: { location: `${other.origin}/away` } },
    );
    const effects = testEffects({ me: credential });
    await runCommand(http, { api: { base_url: api.origin }, entry, effects, connection: "me" });

    const sent = (headers: object): boolean =>
      JSON.stringify(headers).includes("secret-1") || "authorization" in headers;
    expect(api.received.map(({ headers }) => sent(headers))).toEqual([true, true]);
    expect(other.received.map(({ headers }) => sent(headers))).toEqual([false]);
    expect(api.received[1]?.headers["x-kept"]).toBe("1");
    expect(other.received[0]?.headers["x-kept"]).toBeUndefined();
  });

  const written = {
    "!http": {
      path: "/from",
      method: "POST",
      headers: { "X-Acme-Pass": "canary-1", Accept: "text/csv", "User-Agent": "mine/1" },
      body: { note: "canary-2" },
    },
  };
  const away = async (status: number, own: boolean) => {
    const other = await serve(() => ({ json: {} }));
    const api = await serve(() => ({ status, headers: { location: `${other.origin}/away` } }));
    const origins = own ? [other.origin] : [];
    const effects = testEffects({ me: { token: "secret-1" } });
    await runCommand(written, {
      api: { base_url: api.origin },
      entry: token("X-Mine"),
      effects,
      connection: "me",
      runtime: { origins },
    });
    return other.received[0]!;
  };

  test.each([301, 302, 303, 307, 308])(
    "E31 %i to a stranger drops what the config wrote, headers and body",
    async (status) => {
      const { method, headers, body } = await away(status, false);
      expect(method).toBe(status < 304 ? "GET" : "POST");
      expect(headers).toMatchObject({ accept: "text/csv", "user-agent": "mine/1" });
      expect(JSON.stringify({ headers, body })).not.toMatch(/canary|secret|x-acme|content-type/i);
    },
  );

  test.each([307, 308])(
    "E31 %i to an origin that is declared keeps it, but for the credentials",
    async (status) => {
      const { method, headers, body } = await away(status, true);
      expect(method).toBe("POST");
      expect(headers).toMatchObject({ "x-acme-pass": "canary-1", "content-type": "application/json" });
      expect(headers).not.toHaveProperty("x-mine");
      expect(JSON.stringify(body)).toContain("canary-2");
    },
  );

  test.each([
    ["a 401 from where they weren't sent", { "!http": { path: "/from" } }],
    [
      "a 401 to a header of the config's own",
      { "!http": { path: "/refuse", headers: { authorization: "Key 1" } } },
    ],
  ])("D30 %s says nothing of them: nothing is renewed or marked as broken", async (_name, command) => {
    const other = await serve(() => ({ status: 401, json: {} }));
    const api = await serve(({ path }) =>
      path === "/from" ? { status: 302, headers: { location: other.origin } } : { status: 401, json: {} },
    );
    const entry = { ...oauth, configuration: { ...oauth.configuration, token_url: `${api.origin}/token` } };
    const effects = testEffects({ me: { access_token: "secret-1", refresh_token: "secret-2" } });
    const run = runCommand(command, { api: { base_url: api.origin }, entry, effects, connection: "me" });

    expect(await failureOf(run)).toMatchObject({ kind: "HttpError", status: 401 });
    expect(api.received.map(({ path }) => path)).not.toContain("/token");
    expect(effects.credentials.broken).toEqual(new Map());
  });
});

test("D17 user and password of a URL that aren't percent-encoded are sent as they stand", async () => {
  const { origin, received } = await serve(() => ({ json: {} }));
  await runCommand({ "!http": { url: origin.replace("//", "//50%:a%b@") } }, { api: { base_url: origin } });
  expect(received[0]?.headers.authorization).toBe(`Basic ${btoa("50%:a%b")}`);
});
