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
    expect(other.received[0]?.headers["x-kept"]).toBe("1");
  });

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
