import { expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { testEffects } from "../support/effects.ts";
import { serve } from "../support/server.ts";

const entries = {
  token: { type: "token", configuration: { header_key: "X-Key", verify_url: "https://api.example.com/me" } },
  oauth2: { type: "oauth2", configuration: { token_url: "https://api.example.com/token" } },
};

const send = async (type: keyof typeof entries, text: string) => {
  const server = await serve(() => ({ json: {} }));
  const effects = testEffects({ me: type === "token" ? { token: text } : { access_token: text } });
  const parts = { api: { base_url: server.origin }, entry: entries[type], effects, connection: "me" };
  return { server, run: runCommand({ "!http": { path: "/" } }, parts) };
};

test.each([
  ["token", " key\n", "x-key", "key"],
  ["oauth2", "key\r\n", "authorization", "Bearer key"],
] as const)("D27 blanks around a copied %s don't count", async (type, text, header, sent) => {
  const { server, run } = await send(type, text);
  await run;
  expect(server.received[0]?.headers[header]).toBe(sent);
});

test.each([
  ["token", "a\r\nx-evil: 1"],
  ["token", "a\0b"],
  ["oauth2", "a\nb"],
  ["oauth2", "€"],
] as const)("a %s that no header can carry has to be connected again, and isn't told", async (type, text) => {
  const { server, run } = await send(type, text);
  const failure = await failureOf(run);
  expect(failure).toMatchObject({ kind: "AuthError", message: expect.stringContaining("connected again") });
  expect(failure.message).not.toContain(text);
  expect(server.received).toEqual([]);
});
