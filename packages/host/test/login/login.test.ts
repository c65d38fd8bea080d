import { type App, compile } from "@configc/compiler";
import { beginLogin, finishLogin, LoginError, loopbackLogin, nodeHttp } from "@configc/host";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Api } from "../../../../test/api/api.ts";
import { status as statusFault } from "../../../../test/api/faults.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../../../test/api/oauth.ts";

/** The login against an authorization server of our own on loopback. */
let api: Api;
const http = nodeHttp({ allowPrivateNetwork: true });
beforeAll(async () => {
  api = await Api.start();
});
beforeEach(() => {
  api.requests.length = 0;
});
afterAll(async () => {
  await api.close();
  await http.close();
});

function appWith(more: object = {}, origin = api.origin): App {
  return compile(
    JSON.stringify({
      auth: {
        people: {
          type: "oauth2",
          configuration: {
            authorization_base_url: `${origin}/oauth/authorize?prompt=consent`,
            client_id: CLIENT_ID,
            client_secret: CLIENT_SECRET,
            scopes: ["read people", "write"],
            token_url: `${origin}/oauth/token`,
            ...more,
          },
        },
        key: { type: "token", configuration: {} },
      },
      workflows: [],
    }),
  ).app;
}

/** A browser: goes where it is sent, up to the page that says so. */
async function browse(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

async function failure(work: Promise<unknown>): Promise<LoginError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LoginError);
  return error as LoginError;
}

describe("by loopback", () => {
  test.each<[string, object]>([
    ["the client by HTTP Basic", {}],
    ["the client as parameters", { include_client_id: true, token_request_body: "audience=a%20b" }],
  ])("a code is exchanged for tokens that work: %s", async (_name, more) => {
    let page: Promise<{ status: number; text: string }> | undefined;
    const before = Date.now();
    const credential = await loopbackLogin(appWith(more), "people", {
      http,
      open: (url) => {
        page = browse(url);
      },
    });
    expect(await page).toEqual({ status: 200, text: expect.stringContaining("<h1>Connected</h1>") });
    expect(api.oauth.accepts(`Bearer ${credential.access_token}`)).toBe(true);
    expect(credential.refresh_token).toMatch(/^canary-refresh-/);
    expect(credential.expires_at).toBeGreaterThanOrEqual(before + 3600_000);
    const [asked, token] = api.requests;
    expect(Object.fromEntries(asked!.query)).toMatchObject({
      prompt: "consent",
      response_type: "code",
      scope: "read people write",
      code_challenge_method: "S256",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    const sent = new URLSearchParams(token!.body);
    expect(sent.get("audience")).toBe("include_client_id" in more ? "a b" : null);
    expect(sent.get("client_secret")).toBe("include_client_id" in more ? CLIENT_SECRET : null);
    expect(credential).not.toHaveProperty("client_secret");
  });

  test("a client that the host gives is kept for the renewal of the token", async () => {
    const app = appWith({ client_id: "<CLIENT_ID>", client_secret: "<CLIENT_SECRET>" });
    const credential = await loopbackLogin(app, "people", {
      http,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      open: (url) => void browse(url),
    });
    expect(credential).toMatchObject({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
  });

  test("the customer says no", async () => {
    const app = appWith({ scopes: ["refused"] });
    let page: Promise<{ status: number; text: string }> | undefined;
    const error = await failure(
      loopbackLogin(app, "people", {
        http,
        open: (url) => {
          page = browse(url);
        },
      }),
    );
    expect(error).toMatchObject({
      kind: "refused",
      message: "The service didn't give access: access_denied.",
    });
    expect(await page).toEqual({ status: 400, text: expect.stringContaining("access_denied") });
  });

  test("an answer with another state ends nothing; the right one still does", async () => {
    const statuses: number[] = [];
    let browsed: Promise<void> | undefined;
    const credential = await loopbackLogin(appWith(), "people", {
      http,
      open(url) {
        const redirect = new URL(url).searchParams.get("redirect_uri") ?? "";
        browsed = (async () => {
          for (const address of [`${redirect}?code=stolen&state=guessed`, new URL("/", redirect).href, url])
            statuses.push((await browse(address)).status);
        })();
        return browsed;
      },
    });
    await browsed;
    expect(statuses).toEqual([400, 404, 200]);
    expect(credential.access_token).toMatch(/^canary-access-/);
    expect(api.count("POST", "/oauth/token")).toBe(1);
  });

  test("a browser that can't be opened", async () => {
    const open = () => Promise.reject(new Error("no browser"));
    await expect(loopbackLogin(appWith(), "people", { http, open })).rejects.toThrow("no browser");
  });

  test("nobody comes back", async () => {
    const error = await failure(
      loopbackLogin(appWith(), "people", { http, timeout: 50, open: () => undefined }),
    );
    expect(error).toMatchObject({
      kind: "timeout",
      message: "Nobody came back from the login within 0.05 s.",
    });
  });

  test("cancelled, before and in the middle; the port is free again", async () => {
    const controller = new AbortController();
    let address = "";
    const error = await failure(
      loopbackLogin(appWith(), "people", {
        http,
        signal: controller.signal,
        open: (url) => {
          address = new URL(url).searchParams.get("redirect_uri") ?? "";
          controller.abort();
        },
      }),
    );
    expect(error.kind).toBe("cancelled");
    await expect(fetch(address)).rejects.toThrow();
    const again = loopbackLogin(appWith(), "people", {
      http,
      signal: controller.signal,
      open: () => undefined,
    });
    expect((await failure(again)).kind).toBe("cancelled");
  });

  test("a port that is taken", async () => {
    const port = Number(new URL(api.origin).port);
    const error = await failure(loopbackLogin(appWith(), "people", { http, port, open: () => undefined }));
    expect(error).toMatchObject({ kind: "config", message: expect.stringContaining(`port ${port}`) });
  });
});

describe("by a host's own pages", () => {
  const redirectUri = "https://app.example.com/back?of=us";

  async function comeBack(app: App) {
    const pending = await beginLogin(app, "people", { redirectUri });
    const { headers } = await fetch(pending.url, { redirect: "manual" });
    // It was kept in a session meanwhile.
    return { pending: JSON.parse(JSON.stringify(pending)), back: new URL(headers.get("location") ?? "") };
  }

  test("auth.authorization_base_url auth.scopes: begins, and ends in another process", async () => {
    const { pending, back } = await comeBack(appWith());
    expect(new URL(pending.url).searchParams.get("scope")).toBe("read people write");
    expect(back.origin).toBe("https://app.example.com");
    const credential = await finishLogin(appWith(), pending, back, { http, now: () => 1_000 });
    expect(credential).toMatchObject({ expires_at: 3_601_000 });
  });

  test("a code works once; another login's answer isn't taken", async () => {
    const { pending, back } = await comeBack(appWith());
    const other = await beginLogin(appWith(), "people", { redirectUri });
    expect((await failure(finishLogin(appWith(), other, back, { http }))).kind).toBe("state");
    expect(api.count("POST", "/oauth/token")).toBe(0);
    await finishLogin(appWith(), pending, back, { http });
    const again = await failure(finishLogin(appWith(), pending, back, { http }));
    expect(again).toMatchObject({
      kind: "token",
      message: `${api.origin}/oauth/token answered with the status 400 and without a token: invalid_grant.`,
    });
  });

  test("a stolen code is worth nothing without the verifier", async () => {
    const { pending, back } = await comeBack(appWith());
    const thief = { ...pending, verifier: "x".repeat(43) };
    expect((await failure(finishLogin(appWith(), thief, back, { http }))).kind).toBe("token");
  });

  test("a wrong secret: one is told what to look at, and no secret is in the message", async () => {
    const app = appWith({ client_secret: "canary-wrong-secret" });
    const { pending, back } = await comeBack(app);
    const error = await failure(finishLogin(app, pending, back, { http }));
    expect(error.message).toContain("`include_client_id`");
    expect(`${error.stack}${String(error.cause)}`).not.toContain("canary");
  });

  // What is read of an answer: packages/runtime/test/auth.
  test.each<[string, unknown, number, Record<string, unknown> | string]>([
    [
      "a time as text",
      { access_token: "a", expires_in: "60" },
      200,
      { access_token: "a", expires_at: 60_000 },
    ],
    ["an id token", { access_token: "a", token_type: "Bearer", id_token: "x.y" }, 200, { access_token: "a" }],
    [
      "an error with the status 200",
      { error: "bad_verification_code" },
      200,
      "answered with the status 200 and without a token: bad_verification_code.",
    ],
    ["no token", { hello: 1 }, 200, "answered with the status 200 and without a token."],
    ["a list", [1], 200, "without a token."],
    ["a broken server", { error_description: 12 }, 500, "answered with the status 500 and without a token."],
  ])("services answer in many ways: %s", async (_name, body, status, expected) => {
    const { pending, back } = await comeBack(appWith());
    api.fault(
      "/oauth/token",
      statusFault(status, JSON.stringify(body), { "content-type": "application/json" }),
    );
    const finished = finishLogin(appWith(), pending, back, { http, now: () => 0 });
    if (typeof expected === "string") expect((await failure(finished)).message).toContain(expected);
    else expect(await finished).toEqual(expected);
  });

  test.each([
    ["another state", "code=c&state=guessed", "state"],
    ["two states", "code=c&state=STATE&state=guessed", "state"],
    ["a refusal without a state", "error=access_denied", "state"],
    ["a refusal", "error=access_denied&state=STATE", "refused"],
    ["no code", "state=STATE", "no code"],
    ["an empty code", "code=&state=STATE", "no code"],
    ["two codes", "code=a&code=b&state=STATE", "several codes"],
  ])("nobody is asked for a token with %s", async (_name, query, expected) => {
    const pending = await beginLogin(appWith(), "people", { redirectUri });
    const back = new URLSearchParams(query.replaceAll("STATE", pending.state));
    const { kind, message } = await failure(finishLogin(appWith(), pending, back, { http }));
    expect(`${kind}: ${message}`).toContain(expected);
    expect(api.count("POST", "/oauth/token")).toBe(0);
  });

  test("an address that isn't public is refused, as everywhere", async () => {
    const { pending, back } = await comeBack(appWith());
    const guarded = nodeHttp();
    onTestFinished(() => guarded.close());
    const error = await failure(finishLogin(appWith(), pending, back, { http: guarded }));
    expect(error).toMatchObject({
      kind: "token",
      message: expect.stringContaining("isn't an address of the public internet"),
    });
  });
});

describe("what is missing is said", () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      "no such entry",
      () => beginLogin(appWith(), "x", { redirectUri: "https://a.example/" }),
      "no auth entry “x”",
    ],
    [
      "another type",
      () => beginLogin(appWith(), "key", { redirectUri: "https://a.example/" }),
      "only oauth2 has a login",
    ],
    [
      "a placeholder",
      () =>
        beginLogin(appWith({ client_id: "<CLIENT_ID>" }), "people", { redirectUri: "https://a.example/" }),
      "only a placeholder as `client_id`",
    ],
    [
      "no URL",
      () => beginLogin(appWith({ token_url: "" }), "people", { redirectUri: "https://a.example/" }),
      "no `token_url`",
    ],
    [
      "no subdomain",
      () =>
        beginLogin(appWith({ token_url: "https://${subdomain}.example.com/t" }), "people", {
          redirectUri: "https://a.example/",
        }),
      "needs a subdomain",
    ],
    [
      "a subdomain that is another host",
      () =>
        beginLogin(appWith({ token_url: "https://${subdomain}.example.com/t" }), "people", {
          redirectUri: "https://a.example/",
          subdomain: "evil.org/",
        }),
      "can't be the subdomain",
    ],
  ])("%s", async (_name, begin, says) => {
    expect(await failure(begin())).toMatchObject({ kind: "config", message: expect.stringContaining(says) });
  });
});
