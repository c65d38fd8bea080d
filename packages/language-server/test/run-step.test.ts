import type { Effects, HttpRequest } from "@configc/runtime";
import { expect, test } from "vitest";
import { CancellationTokenSource, ProgressType, type ProtocolConnection } from "vscode-languageserver/node";
import type { RunInfo } from "../src/requests/index.ts";
import type {
  RanStep,
  RunStepParams,
  RunStepProgress,
  RunStepResult,
  RunWorldOptions,
  SetupParams,
  SetupResult,
} from "../src/run/protocol.ts";
import { clientOf } from "./support/in-process.ts";

const uri = "untitled:run.app.json";
const connect = "/workflows/0/setup/connect/describe_connection";
const waits = "/workflows/0/setup/select/form_fields/1/options";

const config = {
  $version: "2",
  auth: { acme: { type: "token", configuration: { header_key: "authorization", token_prefix: "Bearer" } } },
  api: { base_url: "https://api.example.com" },
  data_intake: [
    {
      type: "polling",
      name: "people",
      request: {
        "!pipe": [
          { "!http": { path: "/people" } },
          { "!jq": "{results: .items, iterate: false, polling_state: {}}" },
        ],
      },
    },
  ],
  workflows: [
    {
      name: "send",
      type: "automations",
      auth: "acme",
      setup: {
        connect: {
          label: "Connect",
          describe_connection: {
            "!pipe": [
              { "!http": { path: "/me" } },
              { "!jq": "{account_id: .id, description: .name}" },
              { "!jq": ".description | error" },
            ],
          },
        },
        select: {
          label: "Select",
          form_fields: [
            { id: "list", label: "List", type: "text", required: true },
            {
              id: "person",
              label: "Person",
              type: "dropdown",
              options: { "!pipe": [{ "!http": { path: "/me" } }, { "!http": { path: "/people" } }] },
            },
          ],
        },
      },
      data_pipeline: {
        source: { "!jq": "." },
        target: {
          "!http": {
            method: "POST",
            path: "/lists/${custom_data.list.value}",
            body: { a: "${piped_content.0}" },
          },
        },
      },
    },
    {
      name: "find",
      type: "generic",
      auth: "acme",
      data_intake: "people",
      setup: {
        connect: { label: "Connect", describe_connection: { "!jq": "{}" } },
        select: {
          label: "Select",
          form_fields: [
            {
              id: "person",
              label: "Person",
              type: "dropdown",
              search_term: "q",
              options: { "!pipe": [{ "!http": { path: "/people" } }, { "!jq": ".body" }] },
            },
          ],
        },
      },
      data_pipeline: { source: { "!jq": "." }, target: { "!jq": "." } },
    },
  ],
};

const PAGE = "<!doctype html><title>Log in</title><p>Please log in.</p>";

/** A world in which every request is answered alike; an error stands for a web page. */
async function started(answer: (request: HttpRequest) => Promise<unknown> | unknown) {
  const asked: HttpRequest[] = [];
  const given: RunWorldOptions[] = [];
  const client = await clientOf({
    runWorld: async (options) => {
      given.push(options);
      return {
        effects: effects(options, asked, answer),
        exchanges: (redact) => [redact("sent s3cret-token")],
      };
    },
  });
  await opened(client);
  const run = (params: Partial<RunStepParams>): Promise<RunStepResult> =>
    client.sendRequest("configc/runStep", { textDocument: { uri }, node: connect, ...params });
  return { client, run, asked, given };
}

async function opened(
  client: ProtocolConnection,
  text = JSON.stringify(config, undefined, 2),
): Promise<void> {
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text },
  });
}

function effects(
  { credentials }: RunWorldOptions,
  asked: HttpRequest[],
  answer: (request: HttpRequest) => Promise<unknown> | unknown,
): Effects {
  let now = 0;
  const unused = async (): Promise<never> => {
    throw new Error("unused");
  };
  return {
    clock: { now: () => (now += 5), sleep: async () => undefined },
    random: { next: () => 0.5, id: () => "id" },
    log: { write: () => undefined },
    http: {
      async request(request) {
        asked.push(request);
        const answered = await answer(request);
        const isPage = answered instanceof Error;
        const text = isPage ? PAGE : JSON.stringify(answered);
        const headers = { "content-type": isPage ? "text/html" : "application/json" };
        return { status: 200, headers, body: new TextEncoder().encode(text) };
      },
    },
    credentials,
    platform: { fields: unused, upsert: unused, sync: unused },
  };
}

test("a step is run alone, with its input and the client's credentials, and nothing secret comes back", async () => {
  const { run, asked } = await started(({ headers }) => ({
    id: 7,
    name: "Ann",
    echo: headers["authorization"],
  }));
  const result = await run({
    node: `${connect}/!pipe/0`,
    credentials: { acme: { token: "s3cret-token" } },
  });
  expect(asked[0]).toMatchObject({ method: "GET", url: "https://api.example.com/me" });
  expect(asked[0]?.headers["authorization"]).toBe("Bearer s3cret-token");
  expect(result.output).toMatchObject({ id: 7, name: "Ann" });
  expect(result.steps).toHaveLength(1);
  const [step] = result.steps;
  expect(step).toMatchObject({ key: "!http", depth: 0, range: { start: { character: 16 } } });
  expect(step?.exchanges[0]).toMatchObject({ method: "GET", response: { status: 200 } });
  expect(JSON.stringify(result)).not.toContain("s3cret-token");
});

test("an answer that is a web page has its status, and says what it is", async () => {
  const { run } = await started(() => new Error("a page"));
  const { steps, failure } = await run({ node: `${connect}/!pipe/0` });
  expect(failure).toMatchObject({ kind: "HttpError", message: expect.stringContaining("with a web page") });
  const said = expect.stringContaining("answered 200 with a web page (text/html) instead of data: “Log in”");
  expect(steps[0]?.exchanges[0]).toMatchObject({ response: { status: 200 }, failure: said });
});

test("a pipe is run from its beginning up to the step, and not further", async () => {
  const { run } = await started(() => ({ id: 7, name: "Ann" }));
  const result = await run({ node: `${connect}/!pipe/1`, extent: "pipe" });
  expect(result).toMatchObject({ node: connect, output: { account_id: 7, description: "Ann" } });
  expect(result.steps.map(({ key, depth }) => [key, depth])).toEqual([
    ["!pipe", 0],
    ["!http", 1],
    ["!jq", 1],
  ]);
});

test("a failure tells its place in the program, and what ran before it", async () => {
  const { run } = await started(() => ({ id: 7, name: "Ann" }));
  const { failure, output, steps } = await run({});
  expect(output).toBeUndefined();
  expect(failure).toMatchObject({
    kind: "JqError",
    pointer: `${connect}/!pipe/2`,
    message: expect.stringContaining("Ann"),
  });
  const line = JSON.stringify(config, undefined, 2).split("\n")[failure?.range?.start.line ?? 0];
  expect(line).toContain(".description | error");
  expect(steps.at(-1)).toMatchObject({ key: "!jq", error: { kind: "JqError" } });
});

test("a workflow runs its pipeline, with the values of its form", async () => {
  const { run, asked } = await started(() => ({ ok: true }));
  const result = await run({
    node: "workflows.send",
    input: { email: "a@example.com" },
    context: { custom_data: { list: { value: "a b" } } },
  });
  expect(result.output).toMatchObject({ source: { email: "a@example.com" }, target: { ok: true } });
  expect(asked[0]?.url).toBe("https://api.example.com/lists/a%20b");
});

test("a polling intake runs a cycle with the credentials of the workflow that uses it", async () => {
  const { run, asked } = await started(() => ({ items: [{ id: 7 }] }));
  const result = await run({ node: "data_intake.people", credentials: { acme: { token: "s3cret-token" } } });
  expect(result.output).toMatchObject({ results: [{ id: 7 }], requests: 1, reason: "iterate" });
  expect(asked[0]?.headers["authorization"]).toBe("Bearer s3cret-token");
});

test("a run is cancelled while it waits for an answer", async () => {
  const { client, asked } = await started(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  );
  const cancel = new CancellationTokenSource();
  const params: RunStepParams = { textDocument: { uri }, node: connect };
  const running = client.sendRequest<RunStepResult>("configc/runStep", params, cancel.token);
  await expect.poll(() => asked.length).toBe(1);
  cancel.cancel();
  const { failure } = await running;
  expect(failure?.kind).toBe("Cancelled");
});

test("steps are told while the run goes on, and it is cancelled in the middle", async () => {
  const { client } = await started(({ url, signal }) =>
    url.endsWith("/me")
      ? { id: 7, name: "Ann" }
      : new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
  );
  const steps: RanStep[] = [];
  let notifications = 0;
  client.onProgress(new ProgressType<RunStepProgress>(), "mine", (progress) => {
    notifications++;
    for (const { index, step } of progress.steps) steps[index] = step;
  });
  const cancel = new CancellationTokenSource();
  const params: RunStepParams = { textDocument: { uri }, node: waits, partialResultToken: "mine" };
  const running = client.sendRequest<RunStepResult>("configc/runStep", params, cancel.token);
  await expect.poll(() => steps.map(({ key }) => key)).toEqual(["!pipe", "!http", "!http"]);
  const [pipe, first, second] = steps;
  expect(first).toMatchObject({ output: { id: 7 }, exchanges: [{ response: { status: 200 } }] });
  expect(second).toMatchObject({ exchanges: [{ method: "GET", milliseconds: 0 }] });
  for (const open of [pipe, second]) expect(open).not.toHaveProperty("output");
  cancel.cancel();
  const result = await running;
  expect(result.failure?.kind).toBe("Cancelled");
  expect(result.steps.map(({ key }) => key)).toEqual(steps.map(({ key }) => key));
  expect(notifications).toBeGreaterThan(0);
});

test("a client that gave no token is told of no steps", async () => {
  const { client, run } = await started(() => ({ id: 7, name: "Ann" }));
  let notified = false;
  client.onNotification("$/progress", () => {
    notified = true;
  });
  await run({});
  expect(notified).toBe(false);
});

test("another base URL and private addresses are the client's to allow", async () => {
  const { run, asked, given } = await started(() => ({}));
  await run({ node: `${connect}/!pipe/0`, baseUrl: "http://127.0.0.1:9/api", allowPrivateNetwork: true });
  expect(asked[0]?.url).toBe("http://127.0.0.1:9/api/me");
  expect(given[0]).toMatchObject({ allowPrivateNetwork: true, baseUrl: "http://127.0.0.1:9/api" });
  await run({ node: `${connect}/!pipe/0` });
  expect(given[1]?.allowPrivateNetwork).toBe(false);
});

test.each([
  ["nothing there", { node: "workflows.sent" }, /nothing at `workflows.sent`/],
  ["no command", { node: "/api" }, /isn't a command/],
  ["no URL", { baseUrl: "here" }, /`here` is no URL/],
  ["no document", { textDocument: { uri: "untitled:other.app.json" } }, /isn't open/],
])("%s is refused with a reason", async (_, params, reason) => {
  const { run } = await started(() => ({}));
  await expect(run(params)).rejects.toThrow(reason);
});

test("a server that was given no world only checks", async () => {
  const client = await clientOf({});
  await opened(client);
  const params: RunStepParams = { textDocument: { uri }, node: connect };
  await expect(client.sendRequest("configc/runStep", params)).rejects.toThrow(/only checks/);
});

test("what has to be asked for before a run", async () => {
  const { client } = await started(() => ({}));
  const info = (node: string): Promise<RunInfo | null> =>
    client.sendRequest("configc/runInfo", { textDocument: { uri }, node });
  expect(await info("workflows.send.data_pipeline.target")).toEqual({
    title: "send › data_pipeline › target",
    auth: { name: "acme", type: "token", shown: ["username", "client_id", "subdomain"], labels: {} },
    fields: [
      { id: "list", label: "List", type: "text", required: true },
      { id: "person", label: "Person", type: "dropdown", required: true },
    ],
    writes: [
      {
        pointer: "/workflows/0/data_pipeline/target",
        method: "POST",
        address: "/lists/${custom_data.list.value}",
      },
    ],
    auths: [{ name: "acme", type: "token", shown: ["username", "client_id", "subdomain"], labels: {} }],
    workflows: [
      { name: "send", label: "send", auth: "acme" },
      { name: "find", label: "find", auth: "acme" },
    ],
  });
  expect((await info(connect))?.fields).toEqual([]);
  const titles = await Promise.all(["", "/data_intake/0", waits, `${waits}/!pipe/1`].map(info));
  expect(titles.map((each) => each?.title)).toEqual([
    "",
    "people",
    "send › person › options",
    "send › options › !pipe[1]",
  ]);
  expect(await info("/nowhere")).toBeNull();
});

test.each<[string, object, boolean]>([
  ["people", {}, true],
  ["api_key", {}, false],
  ["people", { username: { label: "API token" } }, false],
  ["people", { username: { label: "Your e-mail address" } }, true],
])(
  "whether the user name of `%s` with the fields %j may be shown while it is typed",
  async (name, fields, may) => {
    const client = await clientOf({});
    const auth = { [name]: { type: "basic", defined_fields: fields } };
    await opened(client, JSON.stringify({ ...config, auth }));
    const info: RunInfo = await client.sendRequest("configc/runInfo", { textDocument: { uri }, node: "" });
    expect(info.auths.map(({ shown }) => shown.includes("username"))).toEqual([may]);
    const { label } = (fields as { username?: { label?: string } }).username ?? {};
    expect(info.auths.map(({ labels }) => labels["username"])).toEqual([label]);
  },
);

test.each<[string, string, object, boolean]>([
  ["no request at all", "", { "!jq": "{}" }, false],
  ["one to the connection, without a word", "", { "!http": { path: "/me" } }, true],
  ["… and said", "", { "!http": { path: "/me", target: "connection" } }, true],
  ["one to a third party", "", { "!http": { url: "https://a.example.com", target: "external" } }, false],
  [
    "… after one to the connection",
    "/!pipe/1",
    pipe({ path: "/me" }, { path: "/x", target: "external" }),
    true,
  ],
  [
    "all to third parties",
    "/!pipe/1",
    pipe({ path: "/y", target: "platform" }, { path: "/x", target: "external" }),
    false,
  ],
  [
    "… but for one that isn't typed yet",
    "",
    pipe({ path: "/y", target: null }, { path: "/x", target: "external" }),
    true,
  ],
  ["a case of a switch", "", { "!switch": { jq: "0", cases: [{ "!http": { path: "/me" } }] } }, true],
])("a connection is asked for where credentials are sent: %s", async (_, below, command, expected) => {
  const { client } = await started(() => ({}));
  const textDocument = { uri: "untitled:needs.app.json", languageId: "appconfig", version: 1 };
  const text = JSON.stringify(config).replace('{"!jq":"{}"}', () => JSON.stringify(command));
  await client.sendNotification("textDocument/didOpen", { textDocument: { ...textDocument, text } });
  const node = `/workflows/1/setup/connect/describe_connection${below}`;
  const info = await client.sendRequest<RunInfo>("configc/runInfo", { textDocument, node });
  expect(info.auth?.name).toBe(expected ? "acme" : undefined);
  // Its pipeline sends nothing.
  const pipeline = await client.sendRequest<RunInfo>("configc/runInfo", {
    textDocument,
    node: "/workflows/1",
  });
  expect(pipeline.auth).toBeUndefined();
});

function pipe(...requests: readonly object[]): object {
  return { "!pipe": requests.map((request) => ({ "!http": request })) };
}

test("the types of commands", async () => {
  const { client } = await started(() => ({}));
  const types = await client.sendRequest("configc/inferredType", {
    textDocument: { uri },
    node: `${connect}/!pipe/1`,
  });
  expect(types).toMatchObject([{ command: "!jq", output: expect.stringContaining("account_id") }]);
});

test("the app as a picture, and as the data of one", async () => {
  const { client } = await started(() => ({}));
  const graph = (format?: string) =>
    client.sendRequest("configc/graph", {
      textDocument: { uri },
      ...(format === undefined ? {} : { format }),
    });
  expect(await graph()).toMatchObject({ graph: { nodes: expect.any(Array), edges: expect.any(Array) } });
  expect(await graph("svg")).toMatchObject({
    text: expect.stringMatching(/^<svg .*data-pointer="\/workflows\/0"/s),
  });
  expect(await graph("mermaid")).toMatchObject({ text: expect.stringContaining("send") });
  const other = { textDocument: { uri: "untitled:other.app.json" } };
  expect(await client.sendRequest("configc/graph", other)).toBeNull();
});

test("the guided setup goes on from draft to draft", async () => {
  const { client } = await started(() => ({ id: 7, name: "Ann" }));
  const credentials = { acme: { token: "s3cret-token" } };
  const move = (more: Partial<SetupParams>): Promise<SetupResult> =>
    client.sendRequest("configc/setup", { textDocument: { uri }, workflow: "send", ...more });
  const begun = await move({});
  expect(begun.view.current).toMatchObject({ step: "connect", auth: "acme" });
  expect((await move({ action: { kind: "connect" } })).issues).toMatchObject([
    { message: "No account is connected." },
  ]);
  const failed = await move({ action: { kind: "connect" }, credentials });
  expect(failed.failure).toMatchObject({ kind: "JqError" });
  expect(failed.steps[0]).toMatchObject({ key: "!pipe" });
  const draft = { step: "select", settings: { connection: "acme", customData: {} } };
  const chosen = await move({ draft, action: { kind: "answer", field: "list", value: "news" } });
  expect(chosen.view.current).toMatchObject({
    step: "select",
    fields: [
      { id: "list", value: "news", waitsFor: [] },
      { id: "person", waitsFor: [] },
    ],
  });
  expect(chosen.choiceFailures).toMatchObject({
    person: { kind: "AuthError", message: chosen.choices["person"], range: { start: expect.anything() } },
  });
  await expect(move({ workflow: "sent" })).rejects.toThrow("There is no workflow `sent`");
});

test("what is typed into a field with a search_term looks its choices up anew", async () => {
  const { client, asked } = await started(({ url }) =>
    url.includes("q=an")
      ? [{ display: "Ann", value: 1 }]
      : [
          { display: "Ann", value: 1 },
          { display: "Bob", value: 2 },
        ],
  );
  const draft = { step: "select", settings: { connection: "acme", customData: {} } };
  const search = async (term?: string) => {
    const searches = term === undefined ? {} : { searches: { person: term } };
    const params: SetupParams = {
      textDocument: { uri },
      workflow: "find",
      draft,
      credentials: { acme: { token: "s3cret-token" } },
      ...searches,
    };
    return (await client.sendRequest<SetupResult>("configc/setup", params)).choices["person"];
  };
  expect(await search()).toHaveLength(2);
  expect(await search("an")).toEqual([{ display: "Ann", value: 1 }]);
  expect(await search("")).toHaveLength(2);
  expect(asked.map(({ url }) => new URL(url).search)).toEqual(["", "?q=an", ""]);
});
