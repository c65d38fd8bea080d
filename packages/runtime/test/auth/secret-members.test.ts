import { createTracer, type TraceEvent } from "@configc/runtime";
import { isSecretMember, secretTexts } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { failureOf, runCommand } from "../support/app.ts";
import { testEffects } from "../support/effects.ts";
import { serve } from "../support/server.ts";

const auth = (name: string, label?: string, id = "username") => ({
  name,
  definedFields: label === undefined ? [] : [{ id, label }],
});

describe("E32 which members of a credential are secrets", () => {
  test.each([
    ["acme", "User name", "username", false],
    ["acme", "Email", "username", false],
    ["acme", "API key", "username", true],
    ["acme", "Account SID", "username", true],
    ["acme", "Your accessToken", "username", true],
    ["acme", "Secret", "username", true],
    ["acme", "Monkey", "username", false],
    ["acme_api_key", undefined, "username", true],
    ["acmeToken", undefined, "username", true],
    ["monkeys", undefined, "username", false],
    ["acme", undefined, "password", true],
    ["acme", undefined, "pin", true],
    ["acme", undefined, "anything_else", true],
    ["acme-token", "Subdomain", "subdomain", false],
    ["acme", undefined, "region", false],
    ["acme", undefined, "account_name", false],
    ["acme-key", undefined, "client_id", false],
  ])("%s, labelled %s: %s is one: %s", (name, label, member, secret) => {
    expect(isSecretMember(auth(name, label, member), member)).toBe(secret);
  });

  test.each([
    [{ username: "sk_live_1", password: "" }, ["sk_live_1", ""]],
    [{ username: "me", password: "open sesame" }, ["open sesame"]],
    [
      { access_token: "a", refresh_token: "b", expires_at: 5, client_id: "c", client_secret: "d" },
      ["a", "b", "d"],
    ],
    [{ token: "t", pin: "1234", subdomain: "acme", region: "eu" }, ["t", "1234"]],
  ])("of %j: %j", (credential, secrets) => {
    expect(secretTexts(auth("acme"), credential)).toEqual(secrets);
  });
});

const verify_url = "https://api.example.com/me";

/** Everything that a run tells of a service that echoes whom it knows. */
async function told(entry: object, credential: object): Promise<string> {
  const { origin } = await serve(({ headers }) => {
    const said = atob(headers.authorization?.slice("Basic ".length) ?? "");
    return { status: 403, json: { no: said, key: said.split(":")[0] } };
  });
  const effects = testEffects({ me: credential as { username: string; password: string } });
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const { message } = await failureOf(
    runCommand(
      { "!http": { path: "/" } },
      { api: { base_url: origin }, entry: { type: "basic", ...entry }, effects, trace, connection: "me" },
    ),
  );
  return JSON.stringify([message, events]);
}

describe("D29 an API key that is sent as the user name", () => {
  const plain = { configuration: { verify_url } };
  const labelled = {
    ...plain,
    defined_fields: { username: { label: "API key" }, password: { label: "Anything" } },
  };

  test.each([
    ["without a password", plain, { username: "canary-key", password: "" }],
    ["with a word for one, by its label", labelled, { username: "canary-key", password: "x" }],
  ])("%s isn't told where a service echoes it", async (_name, entry, credential) => {
    expect(await told(entry, credential)).not.toContain("canary");
  });

  test("a user name beside a password is", async () => {
    expect(await told(plain, { username: "canary", password: "hidden-1" })).toMatch(
      /^(?!.*hidden-1).*canary/,
    );
  });

  test("nor one in a URL", async () => {
    const { origin } = await serve(() => ({ status: 400, raw: "who is canary-key?" }));
    const url = `${origin.replace("//", "//canary-key:@")}/`;
    expect((await failureOf(runCommand({ "!http": { url } }))).message).not.toContain("canary");
  });
});
