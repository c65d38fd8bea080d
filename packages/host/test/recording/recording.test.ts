import { compile } from "@configc/compiler";
import { credentialsInMemory, nodeEffects, type Recording, record, replay } from "@configc/host";
import { createRuntime, createTracer, type Effects, type RunError, type TraceEvent } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { serve } from "../http/support.ts";

/** A run is written down and run again to the same trace, without network and without secrets (issue 5, D29). */
const node = "/workflows/0/data_pipeline/source";
const TOKEN = "canary-token-4711";

function appWith(command: unknown, base: string) {
  return compile(
    JSON.stringify({
      $version: "2",
      auth: { acme: { type: "token", configuration: { header_key: "X-Key", verify_url: `${base}/me` } } },
      api: { base_url: base },
      workflows: [
        {
          name: "w",
          label: "W",
          type: "generic",
          auth: "acme",
          setup: {},
          data_pipeline: { source: command },
        },
      ],
    }),
  ).app;
}

interface Outcome {
  readonly output: unknown;
  readonly error: RunError | undefined;
  readonly events: readonly TraceEvent[];
  readonly redact: (text: string) => string;
}

async function runWith(command: unknown, base: string, effects: Effects): Promise<Outcome> {
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const outcome = { events, redact: (text: string) => trace.redact(text) };
  try {
    const runtime = createRuntime(appWith(command, base), effects);
    const output = await runtime.run(node, { input: { id: 7 }, connection: "acme", trace });
    return { ...outcome, output, error: undefined };
  } catch (error) {
    return { ...outcome, output: undefined, error: error as RunError };
  }
}

async function recorded(command: unknown, base: string) {
  const recorder = record({
    ...nodeEffects({ allowPrivateNetwork: true }),
    credentials: credentialsInMemory({ acme: { token: TOKEN } }),
    platform: {
      fields: async () => [],
      upsert: async (_resource, item) => ({ contact_id: 1, ...item }),
      sync: async () => null,
    },
  });
  const first = await runWith(command, base, recorder.effects);
  // As a file would keep it.
  const text = JSON.stringify(recorder.recording(first.redact));
  return { first, text, recording: JSON.parse(text) as Recording };
}

async function replayed(command: unknown, base: string, recording: Recording) {
  return await runWith(command, base, { ...nodeEffects(), ...replay(recording).effects });
}

const steps = {
  "!pipe": [
    { "!http": { path: "/people/${piped_content.0.id}", params: { b: "2", a: "1" } } },
    { "!http": { method: "POST", path: "/echo", body: { name: "${piped_content.1.name}" } } },
    { "!jq": "{name: .got.name, at: (now | floor)}" },
  ],
};

function people() {
  let asked = 0;
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const key = request.headers["x-key"];
      if (request.url?.startsWith("/people/")) {
        if (++asked === 1) return response.writeHead(429, { "retry-after": "0" }).end();
        // A server that echoes what it was sent, secrets too.
        return response
          .writeHead(200, { "content-type": "application/json", "x-seen": key })
          .end(JSON.stringify({ name: "Ada", key, encoded: Buffer.from(String(key)).toString("base64") }));
      }
      return response
        .writeHead(201, { "content-type": "application/json" })
        .end(`{ "got": ${Buffer.concat(chunks)} }`);
    });
  });
}

test("the same run gives the same trace, byte by byte, and nothing is asked of the network", async () => {
  const base = await people();
  const { first, recording } = await recorded(steps, base);
  expect(first.output).toMatchObject({ name: "Ada" });
  expect(recording.http.map(({ request, response }) => [request.method, response?.status])).toEqual([
    ["GET", 429],
    ["GET", 200],
    ["POST", 201],
  ]);
  const again = await replayed(steps, base, recording);
  expect(again.output).toEqual(first.output);
  expect(JSON.stringify(again.events)).toBe(JSON.stringify(first.events));
});

test("no secret is in a recording, also where the server echoes it", async () => {
  const { text } = await recorded(steps, await people());
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain(Buffer.from(TOKEN).toString("base64").slice(0, 12));
  expect(text).toContain('"x-key":"[secret]"');
});

test("a run that failed is replayed to the same failure", async () => {
  const base = "http://127.0.0.1:1";
  const { first, recording } = await recorded({ "!http": { method: "POST", path: "/x" } }, base);
  expect(first.error).toMatchObject({ kind: "NetworkError" });
  const again = await replayed({ "!http": { method: "POST", path: "/x" } }, base, recording);
  expect(again.error?.message).toBe(first.error?.message);
  expect(JSON.stringify(again.events)).toBe(JSON.stringify(first.events));
});

test("bodies of any kind come back as they were", async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0, 1, 2]);
  const bodies: [string, string | Buffer][] = [
    ["application/json", '{ "big": 12345678901234567890 }'],
    ["application/json", '{"a":1}'],
    ["text/plain", "just text"],
    ["text/plain; charset=latin1", Buffer.from([0x4d, 0xfc, 0x6c])],
    ["application/octet-stream", bytes],
    ["application/json", ""],
  ];
  for (const [type, body] of bodies) {
    const base = await serve((_, response) => response.writeHead(200, { "content-type": type }).end(body));
    const { first, recording } = await recorded({ "!http": { path: "/" } }, base);
    const again = await replayed({ "!http": { path: "/" } }, base, recording);
    expect(JSON.stringify(again.events)).toBe(JSON.stringify(first.events));
  }
});

test("the platform's answers are recorded too", async () => {
  const command = { "!pipe": [{ "!jq": '{email: "ada@example.com"}' }, { "!resource": "PlatformContact" }] };
  const app = { ...appWith(command, "http://127.0.0.1:1") };
  const target = "/workflows/0/data_pipeline/source";
  const recorder = record({
    ...nodeEffects(),
    platform: {
      fields: async () => [],
      upsert: async (_resource, item) => ({ contact_id: 41, ...item }),
      sync: async () => null,
    },
  });
  const first = await createRuntime(app, recorder.effects).run(target, { place: "target" });
  expect(first).toEqual({ contact_id: 41, email: "ada@example.com" });
  const { effects } = replay(recorder.recording((text) => text));
  expect(await createRuntime(app, { ...nodeEffects(), ...effects }).run(target, { place: "target" })).toEqual(
    first,
  );
});

describe("what isn't recorded is said to be", () => {
  const ask = async (command: unknown, http: Recording["http"]) => {
    const { error } = await replayed(command, "https://api.example.com", { ...empty, http });
    return error?.message ?? "";
  };
  const empty: Recording = {
    version: 1,
    clock: [0],
    random: [],
    ids: [],
    credentials: { acme: { token: "[secret]" } },
    http: [],
    platform: [],
  };
  const get = { "!http": { path: "/a", params: { page: 2 } } };

  test("nothing is recorded", async () => {
    expect(await ask(get, [])).toContain(
      "The run asks GET https://api.example.com/a?page=2, but no request is recorded.",
    );
  });

  test("the nearest is named, with what differs", async () => {
    const message = await ask(get, [
      { request: { url: "https://api.example.com/b?page=2" }, response: {} },
      { request: { url: "https://api.example.com/a?page=1&x=y" }, response: {} },
    ]);
    expect(message).toContain("The nearest is GET https://api.example.com/a?page=1&x=y");
    expect(message).toContain("parameter page: sent 2, recorded 1");
    expect(message).toContain("parameter x: sent (nothing), recorded y");
  });

  test("a body that differs", async () => {
    const message = await ask({ "!http": { method: "POST", path: "/a", body: { n: 1 } } }, [
      { request: { method: "POST", url: "https://api.example.com/a", body: { n: 2 } }, response: {} },
    ]);
    expect(message).toContain('body: sent {"n":1}, recorded {"n":2}');
  });

  test("numbers are compared by their values, however they are written", async () => {
    const body = { n: 1.5, big: [0.1] };
    const sent = '{"n": 1.50, "big": [0.10]}';
    const exchange = (value: unknown) => [
      { request: { method: "POST", url: "https://api.example.com/a", body: value }, response: {} },
    ];
    const steps = {
      "!pipe": [
        { "!jq": `${JSON.stringify(sent)} | fromjson` },
        { "!http": { method: "POST", path: "/a", body: "${piped_content.1}" } },
      ],
    };
    expect(await ask(steps, exchange(body))).toBe("");
    expect(await ask(steps, exchange({ ...body, n: 1.25 }))).toContain("body: sent");
    expect(await ask(steps, exchange({ ...body, big: { 0: 0.1 } }))).toContain("body: sent");
  });

  test("each exchange answers once; parameters and members may stand in any order", async () => {
    const post = { "!http": { method: "POST", path: "/a?x=1&y=2", body: { a: 1, b: 2 } } };
    const http: Recording["http"] = [
      {
        request: { method: "post", url: "https://api.example.com/a?y=2&x=1", body: { b: 2, a: 1 } },
        response: { status: 201, body: { ok: true } },
      },
    ];
    expect(await ask(post, http)).toBe("");
    expect(await ask({ "!pipe": [post, post] }, http)).toContain("all 1 recorded ones are used");
  });
});
