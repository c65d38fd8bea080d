import type { Effects } from "@configc/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KeptValues } from "../src/run/kept-values.ts";
import type {
  RunFindResult,
  RunRecordingResult,
  RunStepResult,
  RunValueResult,
} from "../src/run/protocol.ts";
import { clientOf } from "./support/in-process.ts";

const uri = "untitled:kept.app.json";
const COUNT = 5_000;
const SECRET = "s3cret-token";
const items = Array.from({ length: COUNT }, (_, id) => ({
  id,
  name: `Person ${id}`,
  tags: ["a", "b"],
  ...(id === 4_321 ? { note: `echo ${SECRET}`, [`key ${SECRET}`]: "x" } : {}),
}));
const page = JSON.stringify({ items, total: COUNT });

const config = JSON.stringify({
  auth: { acme: { type: "token", configuration: { header_key: "authorization", token_prefix: "Bearer" } } },
  api: { base_url: "https://api.example.com" },
  workflows: [
    {
      name: "people",
      type: "automations",
      auth: "acme",
      data_pipeline: {
        source: { "!pipe": [{ "!http": { path: "/people" } }, { "!jq": ".items" }] },
        target: { "!jq": "." },
      },
    },
  ],
});
const node = "/workflows/0/data_pipeline/source";

const unused = async (): Promise<never> => {
  throw new Error("unused");
};
const effects: Omit<Effects, "credentials"> = {
  clock: { now: () => 5, sleep: async () => undefined },
  random: { next: () => 0.5, id: () => "id" },
  log: { write: () => undefined },
  http: {
    request: async () => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode(page),
    }),
  },
  platform: { fields: unused, upsert: unused, sync: unused },
};

let client: Awaited<ReturnType<typeof clientOf>>;
beforeAll(async () => {
  client = await clientOf({
    runWorld: async ({ credentials }) => ({
      effects: { ...effects, credentials },
      exchanges: (redact) => [redact(`sent ${SECRET}`)],
    }),
  });
  await client.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "appconfig", version: 1, text: config },
  });
});
afterAll(() => client.dispose());

const textDocument = { uri };
const ask = <Result>(method: string, params: object): Promise<Result> =>
  client.sendRequest<Result>(method, { textDocument, ...params });
const run = (more: object = {}): Promise<RunStepResult> =>
  ask("configc/runStep", {
    node,
    keep: true,
    credentials: { acme: { token: SECRET } },
    ...more,
  });

test("what is cut in a run that is kept says how much there was, and nothing of that is in the data", async () => {
  const { output, cuts, steps, http } = await run();
  const shown = output as unknown[];
  expect(shown.length).toBeLessThan(COUNT);
  // The last one has what there was room for.
  expect(shown.slice(0, -1)).toEqual(items.slice(0, shown.length - 1));
  expect(cuts).toContainEqual({ pointer: "/output", length: COUNT });
  expect(http).toBeUndefined();
  const [, request, program] = steps;
  expect(request?.cuts).toContainEqual({ pointer: "/output/items", length: COUNT });
  expect(program?.cuts).toContainEqual({ pointer: "/output", length: COUNT });
  expect(program?.cuts).toContainEqual({ pointer: "/input/items", length: COUNT });
  expect(request?.exchanges[0]?.cuts).toEqual([{ pointer: "/response/body", length: page.length }]);
});

test("the rest is fetched part by part, without secrets", async () => {
  const { run: id } = await run();
  const value = (more: object) => ask<RunValueResult>("configc/runValue", { run: id, ...more });
  const output = { step: 2, part: "output" };
  expect(await value({ ...output, from: 4_990, count: 100 })).toEqual({
    value: items.slice(4_990),
    cuts: [],
    length: COUNT,
  });
  expect(await value({ ...output, pointer: "/4321" })).toEqual({
    value: { id: 4_321, name: "Person 4321", tags: ["a", "b"], note: "echo [secret]", "key [secret]": "x" },
    cuts: [],
    length: 5,
  });
  expect(await value({ ...output, pointer: "/4321/key [secret]" })).toEqual({
    value: "x",
    cuts: [],
    length: 1,
  });
  expect(await value({ part: "output", pointer: "/7/name", from: 2, count: 3 })).toEqual({
    value: "rso",
    cuts: [],
    length: 8,
  });
  const body = await value({ step: 1, exchange: 0, part: "response", pointer: "/items", from: 1, count: 1 });
  expect(body).toEqual({ value: [items[1]], cuts: [], length: COUNT });
});

test("a value is given whole, as text", async () => {
  const { run: id } = await run();
  const { text } = await ask<{ text: string }>("configc/runText", { run: id, step: 1, part: "output" });
  expect(text).not.toContain(SECRET);
  expect(JSON.parse(text).items).toHaveLength(COUNT);
  const one = await ask("configc/runText", { run: id, part: "output", pointer: "/0/tags" });
  expect(one).toEqual({ text: '[\n  "a",\n  "b"\n]' });
  await expect(ask("configc/runText", { run: id, part: "output", most: 1_000 })).rejects.toThrow(
    /longer than 1,000 characters/,
  );
});

test("a text is found in names and values, all of them are counted, and secrets aren't found", async () => {
  const { run: id } = await run();
  const find = (text: string) => ask<RunFindResult>("configc/runFind", { run: id, part: "output", text });
  expect(await find("person 4321")).toEqual({
    matches: [{ pointer: "/4321/name", value: "Person 4321" }],
    count: 1,
  });
  const many = await find("person");
  expect([many.matches.length, many.count]).toEqual([1_000, COUNT]);
  expect(await find("s3cret")).toEqual({ matches: [], count: 0 });
  expect((await find("key ")).matches).toEqual([{ pointer: "/4321/key [secret]", value: "x" }]);
});

test("output and traffic come whole where they are needed", async () => {
  const { run: id } = await run();
  const recording = await ask<RunRecordingResult>("configc/runRecording", { run: id });
  expect(recording.http).toEqual(["sent [secret]"]);
  expect(recording.output).toHaveLength(COUNT);
});

test("the next run of the document, and its end, let go of a run", async () => {
  const { run: first } = await run();
  const { run: second } = await run();
  const value = (id: number | undefined) => ask("configc/runValue", { run: id, part: "output" });
  await expect(value(first)).rejects.toThrow(/is no longer kept/);
  await value(second);
  await expect(ask("configc/runValue", { run: second, step: 9, part: "output" })).rejects.toThrow(
    /no such value/,
  );
  await expect(ask("configc/runValue", { run: second, part: "output", pointer: "/no" })).rejects.toThrow(
    /nothing at/,
  );
});

test("a run that isn't kept gives its output whole, and nothing else can be asked for", async () => {
  const { output, run: id, cuts, http } = await run({ keep: false });
  expect([(output as unknown[]).length, id, cuts, http?.length]).toEqual([COUNT, undefined, undefined, 1]);
});

test("a run keeps values up to a size, and says so beyond it", () => {
  const values = new KeptValues((text) => text, 100_000);
  values.keep({ step: 0, part: "input" }, "small");
  values.keep({ step: 0, part: "output" }, items);
  values.keep({ step: 1, part: "input" }, "later");
  expect(values.whole({ step: 0, part: "input" })).toBe("small");
  for (const part of [{ step: 0, part: "output" } as const, { step: 1, part: "input" } as const])
    expect(() => values.whole(part)).toThrow(/weren't kept whole/);
});
