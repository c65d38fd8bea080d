import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import {
  credentialsInMemory,
  embeddedPlatform,
  type FinishedRun,
  isSavedRun,
  nodeEffects,
  replayRun,
  type SavedRun,
  saveRun,
} from "@configc/host";
import {
  type Effects,
  HttpFailure,
  type HttpResponse,
  type Json,
  parseExact,
  printExact,
} from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { VERSION } from "../src/saved-run/version.ts";
import { acmeAuth, base } from "./support/acme.ts";

/** A run saved as a file and replayed to the same trace, byte by byte (issue 5, point 7; D29). */
const TOKEN = "canary-token-4711";
const SECOND = "canary-second-4712";

function appWith(pipeline: object, intake?: object, api: object = {}) {
  return compile(
    JSON.stringify({
      $version: "2",
      auth: acmeAuth({ client_id: "<ID>", client_secret: "<SECRET>", include_client_id: true }),
      api: { base_url: base, ...api },
      ...(intake === undefined ? {} : { data_intake: [{ name: "i", type: "polling", ...intake }] }),
      workflows: [
        {
          name: "w",
          label: "W",
          type: "generic",
          auth: "acme",
          setup: {},
          data_intake: "i",
          data_pipeline: pipeline,
        },
      ],
    }),
  ).app;
}

const source = "/workflows/0/data_pipeline/source";

type Answer = Partial<Omit<HttpResponse, "body">> & { readonly body?: unknown };

/**
 * A service that answers one after the other; it echoes the secrets that it was sent.
 *
 * @param onSilence is called when a request waits that isn't answered
 */
function effectsWith(answers: readonly (Answer | Error)[], onSilence = (): void => undefined): Effects {
  const left = [...answers];
  return {
    ...nodeEffects(),
    clock: { now: () => Date.now(), sleep: async (_, signal) => signal?.throwIfAborted() },
    credentials: credentialsInMemory({
      acme: {
        access_token: TOKEN,
        refresh_token: "canary-refresh-1",
        client_id: "my-client",
        client_secret: "canary-client",
      },
    }),
    platform: embeddedPlatform(),
    http: {
      async request({ headers, signal }) {
        const next = left.shift();
        if (next === undefined) return await hanging(signal, onSilence);
        if (next instanceof Error) throw next;
        const { status = 200, body = {} } = next;
        const echoed =
          typeof body === "object" ? { ...body, seen: headers["authorization"], encoded: btoa(TOKEN) } : body;
        return {
          status,
          headers: { "content-type": "application/json", ...next.headers },
          body: new TextEncoder().encode(JSON.stringify(Array.isArray(body) ? body : echoed)),
        };
      },
    },
  };
}

function hanging(signal: AbortSignal, onSilence: () => void): Promise<never> {
  setImmediate(onSilence);
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")), { once: true });
  });
}

/** As a file keeps it. */
function throughFile({ saved }: FinishedRun): { readonly text: string; readonly read: SavedRun } {
  const text = printExact(saved as unknown as Json);
  const read = parseExact(text) as unknown;
  if (!isSavedRun(read)) throw new Error("it isn't readable as a saved run");
  return { text, read };
}

const get = { "!http": { path: "/people", params: { since: "${custom_data.since.value}" } } };
const post = { "!http": { method: "POST", path: "/people", body: { n: 12345 } } };
const now = { "!jq": "{at: now, n: .n?}" };
const page = (request: object) => ({
  request: {
    "!pipe": [request, { "!jq": "{results: .items, iterate: .more, polling_state: {last: .items[-1]}}" }],
  },
  initial_setup: { "!jq": "{polling_state: {last: 0}}" },
});

interface Case {
  readonly name: string;
  readonly app: ReturnType<typeof appWith>;
  readonly node?: string;
  readonly answers: readonly (Answer | Error)[];
  readonly given?: object;
  /** Of the events of the trace. */
  readonly kinds?: readonly string[];
  readonly fails?: string;
}

const big = "12345678901234567890";
const cases: readonly Case[] = [
  {
    name: "a command that looks at the clock, with big numbers",
    app: appWith({ source: { "!pipe": [get, post, now] } }),
    answers: [{ body: { n: 1 } }, { status: 201 }],
    given: {
      input: parseExact(`{"id": ${big}}`),
      context: { custom_data: { since: { value: "a b" } }, data: { workflow: { hook: 7 } } },
    },
  },
  {
    name: "retries and waits",
    app: appWith({ source: get }),
    answers: [{ status: 429, headers: { "retry-after": "7" } }, { status: 502 }, { body: { n: 2 } }],
    given: { context: { custom_data: { since: { value: "x" } } } },
    kinds: ["wait"],
  },
  {
    name: "a failure of the network",
    app: appWith({ source: post }),
    answers: [new HttpFailure("network", `no route, said ${TOKEN}`)],
    fails: "NetworkError",
  },
  {
    name: "a client that breaks",
    app: appWith({ source: post }),
    answers: [new TypeError("its mistake")],
    fails: "NetworkError",
  },
  {
    name: "a refusal",
    app: appWith({ source: post }),
    answers: [{ status: 422, body: { no: true } }],
    fails: "HttpError",
  },
  {
    name: "a failing program",
    app: appWith({ source: { "!jq": '"x" + 1' } }),
    answers: [],
    fails: "JqError",
  },
  {
    name: "a token that is renewed",
    app: appWith({ source: { "!pipe": [post, post] } }),
    answers: [
      { status: 401 },
      {
        body: {
          access_token: SECOND,
          refresh_token: "canary-refresh-2",
          id_token: "canary-identity",
          expires_in: 3600,
        },
      },
      { body: { now_seen: SECOND } },
      { body: { done: true } },
    ],
  },
  {
    name: "pages",
    app: appWith({ source: { "!http": { path: "/list", pagination: true } } }, undefined, {
      pagination: { style: { type: "cursor" }, parser: { next_result_token: { "!jq": ".next" } } },
    }),
    answers: [
      { body: { items: [1], next: "b" } },
      { body: { items: [2], next: "c" } },
      { body: { items: [3], next: null } },
    ],
    kinds: ["note"],
  },
  {
    name: "a whole polling cycle",
    app: appWith(
      { source: { "!jq": "." } },
      page({ "!http": { path: "/new", params: { after: "${polling_state.last}" } } }),
    ),
    node: "/data_intake/0",
    answers: [
      { body: { items: [1, 2], more: true } },
      { body: { items: [3], more: true } },
      { body: { items: [] } },
    ],
  },
  {
    name: "a pipeline into the platform",
    app: appWith({ source: { "!jq": "{email}" }, target: { "!resource": "PlatformContact" } }),
    node: "/workflows/0",
    answers: [],
    given: { input: { email: "ada@example.com" } },
  },
  {
    name: "a platform that fails",
    app: appWith({ source: { "!jq": "{email}" }, target: { "!resource": "PlatformNothing" } }),
    node: "/workflows/0",
    answers: [],
    given: { input: { email: "ada@example.com" } },
    fails: "NotSupported",
  },
];

test.each(cases)("$name", async ({ app, node = source, answers, given = {}, kinds = [], fails }) => {
  const finished = await saveRun(
    app,
    node,
    { connection: "acme", ...given },
    { effects: effectsWith(answers) },
  );
  const { text, read } = throughFile(finished);
  expect(text).not.toContain("canary");
  expect(text).not.toContain(btoa(TOKEN).slice(0, 12));
  for (const kind of kinds) expect(read.trace.map((event) => event.kind)).toContain(kind);
  expect("error" in read.outcome ? read.outcome.error.kind : undefined).toBe(fails);
  const again = await replayRun(app, read);
  expect(again.departure).toBeUndefined();
  expect(again.changes).toEqual([]);
  expect(printExact(again.saved as unknown as Json)).toBe(text);
});

describe("a run that is cancelled", () => {
  const app = appWith({ source: { "!pipe": [get, get, now] } });
  const given = { connection: "acme", context: { custom_data: { since: { value: "x" } } } };
  const cancelled = async (effects: Effects, limits = {}, controller = new AbortController()) => {
    const finished = await saveRun(app, source, { ...given, limits }, { effects, signal: controller.signal });
    const { text, read } = throughFile(finished);
    const again = await replayRun(app, read);
    expect(again.departure).toBeUndefined();
    expect(printExact(again.saved as unknown as Json)).toBe(text);
    return read;
  };
  const interrupt = () => {
    const controller = new AbortController();
    return { controller, press: () => controller.abort(new Error("Ctrl-C")) };
  };

  test("before it begins", async () => {
    const { controller, press } = interrupt();
    press();
    const saved = await cancelled(effectsWith([]), {}, controller);
    expect(saved.cancelled).toEqual({ readings: 0, reason: { message: "Ctrl-C" } });
    expect(saved.outcome).toMatchObject({ error: { kind: "Cancelled" } });
  });

  test("while it waits for an answer", async () => {
    const { controller, press } = interrupt();
    const saved = await cancelled(effectsWith([{}], press), {}, controller);
    // Credentials, a request, credentials, a request.
    expect(saved.cancelled).toMatchObject({ call: 4 });
    expect(saved.outcome).toMatchObject({ error: { kind: "Cancelled" } });
  });

  test("while it waits to try again", async () => {
    const { controller, press } = interrupt();
    const effects = effectsWith([{ status: 429, headers: { "retry-after": "60" } }]);
    const clock = {
      now: () => 0,
      sleep: (_: number, signal?: AbortSignal) => hanging(signal as AbortSignal, press),
    };
    const saved = await cancelled({ ...effects, clock }, {}, controller);
    expect(saved.trace.at(-1)).toMatchObject({ kind: "end", data: { error: { kind: "Cancelled" } } });
  });

  test("while somebody else's work goes on: a token", async () => {
    const { controller, press } = interrupt();
    const saved = await cancelled(effectsWith([{ status: 401 }], press), {}, controller);
    expect(saved.outcome).toMatchObject({ error: { kind: "Cancelled" } });
  });

  test("by its own limit", async () => {
    const saved = await cancelled(effectsWith([]), { time: 5 });
    expect(saved.outcome).toMatchObject({ error: { kind: "LimitError" } });
  });
});

describe("a run that departs from the file", () => {
  const given = { context: { custom_data: { since: { value: "x" } } } };
  const departure = async (pipeline: object, change: (saved: SavedRun) => SavedRun = (saved) => saved) => {
    const app = appWith({ source: { "!pipe": [get, { "!jq": "{n}" }] } });
    const finished = await saveRun(app, source, given, { effects: effectsWith([{ body: { n: 1 } }]) });
    return await replayRun(appWith({ source: pipeline }), change(throughFile(finished).read));
  };

  test("asks another request: both are named, with the place", async () => {
    const other = { "!pipe": [{ "!http": { path: "/others" } }, { "!jq": "{n}" }] };
    const { departure: found, changes } = await departure(other);
    expect(found).toMatchObject({
      pointer: `${source}/!pipe/0`,
      message: `the request GET ${base}/others at ${source}/!pipe/0 comes where the saved run has the request GET ${base}/people?since=x at ${source}/!pipe/0.`,
    });
    expect(changes).toEqual(["The config isn't the one that was run then."]);
  });

  test("gives another value", async () => {
    const { departure: found } = await departure({ "!pipe": [get, { "!jq": "{n: (.n + 1)}" }] });
    expect(found?.message).toBe(
      `the end of the step at ${source}/!pipe/1 differs: \`data.output.n\` is 2, saved was 1.`,
    );
  });

  test("ends earlier, or goes on", async () => {
    const shorter = await departure({ "!pipe": [get] });
    expect(shorter.departure?.message).toContain("comes where the saved run has the step !jq");
    const cut = await departure({ "!pipe": [get, { "!jq": "{n}" }] }, (saved) => ({
      ...saved,
      trace: saved.trace.slice(0, 3),
    }));
    expect(cut.departure?.message).toContain("where the saved run ended");
  });

  test("another version, and layout that doesn't count", async () => {
    const same = { "!pipe": [get, { _comment: "the same", "!jq": "{n}" }] };
    const { departure: found, changes } = await departure(same, (saved) => ({ ...saved, configc: "0.0.1" }));
    expect(found).toBeUndefined();
    expect(changes).toEqual([`It was saved by configc 0.0.1; this is ${VERSION}.`]);
  });
});

test("saved values are those before the run, wherever they are kept", async () => {
  const app = appWith({
    source: {
      "!pipe": [
        { "!jq": "{hook: 8}" },
        { "!save": { scope: "workflow" } },
        { "!jq": '"${data.workflow.hook}"' },
      ],
    },
  });
  let kept: Record<string, Json> = { hook: 7 };
  const finished = await saveRun(
    app,
    source,
    {},
    {
      effects: effectsWith([]),
      saved: {
        read: () => ({ workflow: kept }),
        merge: async (_, members) => void (kept = { ...kept, ...members }),
      },
    },
  );
  const { read } = throughFile(finished);
  expect(read.given.context?.data).toEqual({ workflow: { hook: 7 } });
  expect(kept).toEqual({ hook: 8 });
  expect((await replayRun(app, read)).departure).toBeUndefined();
});

test("the version is that of the packages", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(VERSION).toBe(version);
});
