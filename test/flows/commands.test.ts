import { credentialsInMemory, embeddedPlatform, nodeEffects, nodeHttp } from "@configc/host";
import { createRuntime, createTracer, type Effects, type RunError, type TraceEvent } from "@configc/runtime";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Api, type ApiOptions } from "../api/api.ts";
import { connectNode, formNode, type lists, peopleApp } from "../api/config.ts";
import {
  bomb,
  circle,
  deep,
  echo,
  endless,
  type Fault,
  notJson,
  polluting,
  redirect,
  reset,
  silent,
  slow,
  status,
  truncated,
} from "../api/faults.ts";

/** Commands against a real third party on loopback, through the real transport. */
const http = nodeHttp({ allowPrivateNetwork: true });
afterAll(() => http.close());

let api: Api;
const waits: number[] = [];
beforeEach(() => void waits.splice(0));

async function startApi(options?: ApiOptions): Promise<Api> {
  api = await Api.start(options);
  onTestFinished(() => api.close());
  return api;
}

/** Real effects, but for waiting: the time that a retry would wait is noted, and passes at once. */
function effectsWith(
  credentials = credentialsInMemory({ people: connected() }),
): Effects & { credentials: typeof credentials } {
  let ahead = 0;
  return {
    ...nodeEffects({ allowPrivateNetwork: true }),
    http,
    credentials,
    platform: embeddedPlatform(),
    clock: {
      now: () => Date.now() + ahead,
      async sleep(milliseconds) {
        waits.push(milliseconds);
        ahead += milliseconds;
      },
    },
  };
}

function connected() {
  const { expires_in, ...tokens } = api.oauth.issue();
  return { ...tokens, expires_at: Date.now() + expires_in * 1_000 };
}

function runtimeWith(effects = effectsWith(), options = {}) {
  return createRuntime(peopleApp(api.origin, options), effects, { limits: { requestTime: 10_000 } });
}

const as = { connection: "people" };

async function failure(node: string, limits = {}): Promise<RunError> {
  return await runtimeWith()
    .run(node, { ...as, limits })
    .then(
      (output) => {
        throw new Error(`It gave ${JSON.stringify(output)}.`);
      },
      (error: RunError) => error,
    );
}

describe("authorisation (D30)", () => {
  test("a valid token is sent", async () => {
    await startApi();
    expect(await runtimeWith().run(connectNode, as)).toEqual({
      account_id: "c-1",
      description: "Ada's shop",
    });
    expect(api.oauth.refreshes).toBe(0);
  });

  test("100 runs at once on an expired token that rotates: one refresh, kept before it is used", async () => {
    await startApi();
    const old = { ...connected(), expires_at: Date.now() - 1 };
    const effects = effectsWith(credentialsInMemory({ people: old }));
    const runtime = runtimeWith(effects);
    const outputs = await Promise.all(Array.from({ length: 100 }, () => runtime.run(connectNode, as)));
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(1);
    expect([api.oauth.refreshes, api.oauth.reused]).toEqual([1, false]);
    expect(await effects.credentials.read("people")).not.toMatchObject({ refresh_token: old.refresh_token });
  });

  test("a token that the service forgot: refreshed after a 401, and the request is repeated once", async () => {
    await startApi();
    const runtime = runtimeWith();
    api.oauth.expireAll();
    expect(await runtime.run(connectNode, as)).toMatchObject({ account_id: "c-1" });
    expect([api.count("GET", "/me"), api.oauth.refreshes]).toEqual([2, 1]);
  });

  test("a refresh token that was used before marks the connection as broken", async () => {
    await startApi();
    const stale = connected();
    connected();
    const effects = effectsWith(credentialsInMemory({ people: { ...stale, expires_at: 0 } }));
    await expect(runtimeWith(effects).run(connectNode, as)).rejects.toMatchObject({ kind: "AuthError" });
    expect(api.oauth.reused).toBe(true);
    expect(await effects.credentials.read("people")).toBeUndefined();
  });
});

describe("D48: a token endpoint that doesn't give a token", () => {
  test.each([408, 425, 429, 500, 503])(
    "%s breaks no connection, and waits between its tries",
    async (code) => {
      await startApi();
      const old = connected();
      api.fault("/oauth/token", status(code), status(code), status(code));
      const effects = effectsWith(credentialsInMemory({ people: { ...old, expires_at: 0 } }));
      const runtime = runtimeWith(effects);
      await expect(runtime.run(connectNode, as)).rejects.toMatchObject({ kind: "NetworkError" });
      expect(await effects.credentials.read("people")).toMatchObject({ refresh_token: old.refresh_token });
      expect(waits).toHaveLength(2);
      expect(await runtime.run(connectNode, as)).toMatchObject({ account_id: "c-1" });
    },
  );
});

describe("pagination (D22)", () => {
  test.each<keyof typeof lists>(["page", "limitoffset", "cursor"])(
    "all pages by %s, and no more",
    async (pagination) => {
      await startApi({ people: 35 });
      const options = (await runtimeWith(effectsWith(), { pagination }).run(formNode, as)) as {
        value: number;
      }[];
      expect(options.map(({ value }) => value)).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
      expect(api.requests.filter(({ path }) => path.startsWith("/people"))).toHaveLength(4);
    },
  );
});

describe("a service that refuses for a while (D21)", () => {
  test.each(["seconds", "date", "none"] as const)("429 with Retry-After as %s", async (retryAfter) => {
    await startApi();
    let ahead = 0;
    const effects = effectsWith();
    const clock = {
      ...effects.clock,
      async sleep(milliseconds: number, signal?: AbortSignal) {
        ahead += milliseconds;
        await effects.clock.sleep(milliseconds, signal);
      },
    };
    api.fault("/me", status(429, "", headerOf(retryAfter)));
    expect(await runtimeWith({ ...effects, clock }).run(connectNode, as)).toMatchObject({
      account_id: "c-1",
    });
    expect(api.count("GET", "/me")).toBe(2);
    expect(ahead).toBeGreaterThan(0);
    if (retryAfter === "seconds") expect(waits).toEqual([7_000]);
    if (retryAfter === "date") expect(waits[0]).toBeGreaterThan(10_000);
  });

  test("a 503 and a broken connection are tried again, three times at most", async () => {
    await startApi();
    api.fault("/me", status(503), reset);
    expect(await runtimeWith().run(connectNode, as)).toMatchObject({ account_id: "c-1" });
    api.fault("/me", reset, reset, reset, status(200, "{}"));
    expect(await failure(connectNode)).toMatchObject({ kind: "NetworkError" });
    expect(api.count("GET", "/me")).toBe(6);
  });

  test("a POST isn't tried again after a broken connection: it may have been done", async () => {
    await startApi();
    api.fault("/hooks", reset);
    const run = runtimeWith().run("/data_intake/1/create", {
      ...as,
      context: { webhook: { url: "https://example.com/h" } },
    });
    await expect(run).rejects.toMatchObject({ kind: "NetworkError" });
    expect(api.count("POST", "/hooks")).toBe(1);
  });
});

function headerOf(kind: "seconds" | "date" | "none"): Record<string, string> {
  if (kind === "none") return {};
  return { "retry-after": kind === "seconds" ? "7" : new Date(Date.now() + 20_000).toUTCString() };
}

describe("broken and hostile answers", () => {
  test.each<[string, Fault, string, object?]>([
    ["no answer", silent, "NetworkError", { requestTime: 100 }],
    ["a late answer", slow(1_000), "NetworkError", { requestTime: 100 }],
    ["cut off", truncated, "NetworkError"],
    ["a bomb", bomb, "LimitError"],
    ["without an end", endless, "LimitError"],
    ["a circle of redirects", circle, "LimitError"],
    ["nothing there", status(404, "gone"), "HttpError"],
    ["a redirect to no HTTP", redirect("file:///etc/passwd"), "HttpError"],
  ])("%s", async (_name, fault, kind, limits) => {
    await startApi();
    api.fault("/me", ...Array.from({ length: 10 }, () => fault));
    expect((await failure(connectNode, limits)).kind).toBe(kind);
  });

  test.each<[string, Fault]>([
    ["not JSON", notJson],
    ["nested beyond any stack", deep],
    ["names of prototypes", polluting],
  ])("%s ends in an output or an error with its place", async (_name, fault) => {
    await startApi();
    api.fault("/me", fault);
    const outcome = await runtimeWith()
      .run(connectNode, as)
      .then(
        () => undefined,
        (error: RunError) => error,
      );
    if (outcome !== undefined)
      expect(outcome).toMatchObject({ name: "RunError", pointer: expect.stringContaining(connectNode) });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a redirect to a private address is refused where private addresses are", async () => {
    await startApi();
    const guarded = nodeHttp({ allowPrivateNetwork: false });
    onTestFinished(() => guarded.close());
    // The first hop is allowed, as if it were public; what it leads to isn't.
    const effects = effectsWith();
    const mixed = {
      request: (wanted: Parameters<typeof http.request>[0]) =>
        (wanted.url.endsWith("/me") ? http : guarded).request(wanted),
    };
    api.fault("/me", redirect(`${api.origin}/hooks`));
    const error = await runtimeWith({ ...effects, http: mixed })
      .run(connectNode, as)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: "NetworkError" });
    expect((error as Error).message).toContain("isn't an address of the public internet");
    expect(api.count("GET", "/hooks")).toBe(0);
  });
});

test("no secret in output, trace, log or error, also where the service echoes it (D29)", async () => {
  await startApi();
  api.fault("/me", echo);
  const events: TraceEvent[] = [];
  const effects = effectsWith();
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const error = (await runtimeWith(effects)
    .run(connectNode, { ...as, trace })
    .catch((reason: unknown) => reason)) as RunError;
  const said = JSON.stringify([events, error.message, error.stack, `${error.cause}`]);
  expect(error.status).toBe(400);
  expect(said).not.toContain("canary");
  expect(said).not.toContain(Buffer.from("canary-access").toString("base64").slice(0, 12));
});

test("a webhook is registered, changed and removed (spec: webhook intake)", async () => {
  await startApi();
  const runtime = runtimeWith();
  const context = { webhook: { url: "https://example.com/in/1" } };
  expect(await runtime.run("/data_intake/1/create", { ...as, context })).toMatchObject({ hook_id: 1 });
  const data = { workflow: { hook_id: 1 } };
  const moved = { webhook: { url: "https://example.com/in/2" }, data };
  await runtime.run("/data_intake/1/update", { ...as, context: moved });
  expect([...api.hooks.registered.values()]).toMatchObject([{ id: 1, url: "https://example.com/in/2" }]);
  await runtime.run("/data_intake/1/delete", { ...as, context: { data } });
  expect(api.hooks.registered.size).toBe(0);
});
