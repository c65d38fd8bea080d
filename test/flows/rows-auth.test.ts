import { RunError } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../packages/runtime/test/support/app.ts";
import { testEffects } from "../../packages/runtime/test/support/effects.ts";
import { serve } from "../../packages/runtime/test/support/server.ts";
import type { Credential } from "../../packages/runtime/test/support/types.ts";

/** The tables of auth at run time, row by row: see `rows-commands.test.ts`. */
const secret = { client_id: "i", client_secret: "s" };
const auths: readonly {
  readonly rows: string;
  readonly entry: object;
  readonly credential: Credential;
  readonly sends: readonly object[];
  readonly subdomain?: string;
}[] = [
  {
    rows: "auth.type auth.configuration auth.client_id auth.client_secret auth.token_url authentication.3",
    entry: { type: "oauth2", configuration: { ...secret, token_url: "BASE/token" } },
    credential: { access_token: "old", refresh_token: "r", expires_at: 1 },
    sends: [
      {
        path: "/token",
        body: "grant_type=refresh_token&refresh_token=r",
        headers: { authorization: `Basic ${btoa("i:s")}` },
      },
      { path: "/me", headers: { authorization: "Bearer new" } },
    ],
  },
  {
    rows: "auth.refresh_url auth.include_client_id auth.token_request_body",
    entry: {
      type: "oauth2",
      configuration: {
        ...secret,
        token_url: "BASE/token",
        refresh_url: "BASE/refresh",
        include_client_id: true,
        token_request_body: { audience: "api" },
      },
    },
    credential: { access_token: "old", refresh_token: "r", expires_at: 1 },
    sends: [
      {
        path: "/refresh",
        body: "audience=api&grant_type=refresh_token&refresh_token=r&client_id=i&client_secret=s",
      },
      { path: "/me" },
    ],
  },
  {
    rows: "D27 defined_fields.username defined_fields.password auth.defined_fields: basic",
    entry: {
      type: "basic",
      configuration: { verify_url: "BASE/me" },
      defined_fields: { username: { label: "U" }, password: { label: "P" } },
    },
    credential: { username: "me", password: "pass" },
    sends: [{ path: "/me", headers: { authorization: `Basic ${btoa("me:pass")}` } }],
  },
  {
    rows: "auth.header_key auth.token_prefix defined_fields.token: token",
    entry: {
      type: "token",
      configuration: { header_key: "X-Key", token_prefix: "Token", verify_url: "BASE/me" },
      defined_fields: { token: { label: "T" } },
    },
    credential: { token: "t-1" },
    sends: [{ path: "/me", headers: { "x-key": "Token t-1" } }],
  },
  {
    rows: "auth.verify_url auth.request_body: session",
    entry: { type: "session", configuration: { verify_url: "BASE/login", request_body: { kind: "api" } } },
    credential: { username: "me", password: "pass" },
    sends: [
      { path: "/login", body: '{"kind":"api","username":"me","password":"pass"}' },
      { path: "/me", headers: { authorization: "Bearer new" } },
    ],
  },
  {
    rows: "D49: a session whose request_body has a user name of its own; D45: its settings stand beside `type`",
    entry: { type: "session", verify_url: "BASE/login", request_body: { username: "shop" } },
    credential: { username: "me", password: "pass" },
    sends: [
      { path: "/login", body: '{"username":"shop","password":"pass"}' },
      { path: "/me", headers: { authorization: "Bearer new" } },
    ],
  },
];

describe("auth", () => {
  test.each(auths)("$rows", async ({ entry, credential, sends }) => {
    const { origin, received } = await serve(() => ({ json: { access_token: "new", expires_in: 60 } }));
    const effects = testEffects({ me: credential });
    await runCommand(
      { "!http": { path: "/me" } },
      {
        api: { base_url: origin },
        entry: JSON.parse(JSON.stringify(entry).replaceAll("BASE", origin)),
        effects,
        connection: "me",
      },
    );
    expect(received).toMatchObject(sends);
    expect(received).toHaveLength(sends.length);
  });

  test("defined_fields.subdomain: in the base URL it is one label", async () => {
    const api = { base_url: "https://${subdomain}.example.com" };
    const entry = { type: "basic", configuration: {}, defined_fields: { subdomain: { label: "S" } } };
    for (const subdomain of ["evil.com/", "a.b", ""])
      await expect(
        runCommand({ "!http": { path: "/" } }, { api, entry, context: { subdomain } }),
      ).rejects.toThrow(RunError);
  });
});
