import { compile } from "@configc/compiler";
import { missingMembers, neededMembers } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
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
  expect(failure).toMatchObject({ kind: "AuthError", message: expect.stringContaining("Connect it again") });
  expect(failure.message).not.toContain(text);
  expect(server.received).toEqual([]);
});

describe("a credential that lacks something", () => {
  const verify_url = "https://api.example.com/me";
  const url = "https://api.example.com/token";
  const types = {
    oauth2: { entry: { token_url: url }, whole: { access_token: "a" } },
    token: { entry: { header_key: "X-Key", verify_url }, whole: { token: "a" } },
    basic: { entry: { verify_url }, whole: { username: "a", password: "b" } },
    session: { entry: { verify_url: url }, whole: { username: "a", password: "b" } },
  };
  const cases = Object.entries(types).flatMap(([type, { entry, whole }]) =>
    Object.keys(whole).map((member) => ({ type, entry, whole, member })),
  );

  test.each(cases)("D27 sends nothing: $type without $member", async ({ type, entry, whole, member }) => {
    const server = await serve(() => ({ json: {} }));
    const credential = { ...whole, [member]: undefined };
    expect(missingMembers(type, credential)).toEqual([member]);
    const run = runCommand(
      { "!http": { path: "/" } },
      {
        api: { base_url: server.origin },
        entry: { type, configuration: entry },
        effects: testEffects({ me: credential as never }),
        connection: "me",
      },
    );
    expect(await failureOf(run)).toMatchObject({
      kind: "AuthError",
      message: expect.stringContaining(`have no \`${member}\``),
    });
    expect(server.received).toEqual([]);
  });

  test.each(["token", "basic", "session"])(
    "is asked for what the language asks customers for: %s",
    (type) => {
      const text = JSON.stringify({ auth: { a: { type, defined_fields: {} } } });
      const at = text.indexOf('"defined_fields"');
      const missing = compile(text).diagnostics.filter(({ span }) => span.start === at);
      expect(missing.map(({ finding }) => (finding.args as { name: string }).name)).toEqual(
        neededMembers(type),
      );
    },
  );
});
