import { createRuntime, createTracer, parseExact, type TraceEvent } from "@configc/runtime";
import { describe, expect, test } from "vitest";
import { appWith, failureOf, node, type RunParts, runCommand } from "./support/app.ts";
import { testEffects } from "./support/effects.ts";

interface Case extends RunParts {
  readonly name: string;
  readonly command: unknown;
  readonly output: unknown;
}

const cases: readonly Case[] = [
  { name: "D23 the first output", command: { "!jq": ".a[]" }, input: { a: [1, 2] }, output: 1 },
  { name: "D23 no output is null", command: { "!jq": "empty" }, output: null },
  { name: "D23 the runtime's clock", command: { "!jq": "now" }, output: 1_700_000_000 },
  {
    name: "D10 an expansion is a value, not program text",
    command: { "!jq": "{note: ${custom_data.note.value}, path: .${custom_data.field.value}}" },
    input: { 'a"b': 7 },
    context: { custom_data: { note: { value: '" | empty' }, field: { value: 'a"b' } } },
    output: { note: '" | empty', path: 7 },
  },
  {
    name: "D10 inside a jq string a hole is interpolated, in a comment ignored",
    command: { "!jq": '# ${data.workflow.none}\n"<${data.workflow.a}>", @uri "${data.workflow.a}"' },
    context: { data: { workflow: { a: "x y" } } },
    output: "<x y>",
  },
  {
    name: "D7 default of a missing value",
    command: { "!jq": "${custom_data.x.value | default:none}" },
    output: "none",
  },
  {
    name: "D7 a big number has no members",
    command: { "!pipe": [{ "!jq": '"${piped_content.0.text | default:none}"' }] },
    input: parseExact("12345678901234567890"),
    output: "none",
  },
  {
    name: "D14 steps of a pipe by index",
    command: { "!pipe": [{ "!jq": ".a + 1" }, { "!jq": "[${piped_content.0.a}, ${piped_content.1}, .]" }] },
    input: { a: 1 },
    output: [1, 2, 2],
  },
  {
    name: "D14 a nested pipe counts for itself, and !save and !print_c count",
    command: {
      "!pipe": [
        { "!print_c": "x" },
        { "!save": { scope: "workflow" } },
        { "!pipe": [{ "!jq": "{b: 2}" }, { "!jq": "[${piped_content.0.a}, ${piped_content.1.b}]" }] },
        { "!jq": "[${piped_content.2.a}, ${piped_content.3}]" },
      ],
    },
    input: { a: 1 },
    output: [1, [1, 2]],
  },
  { name: "D16 an empty pipe is the identity", command: { "!pipe": [] }, input: { a: 1 }, output: { a: 1 } },
  {
    name: "D11 piped_content.0 without a pipe, in a pipeline",
    command: { "!jq": "${piped_content.0.a}" },
    input: { a: 3 },
    output: 3,
  },
  {
    name: "D26 !switch takes any number that is an index",
    command: { "!switch": { jq: "1.0", cases: [{ "!jq": "1" }, { "!jq": "2" }] } },
    output: 2,
  },
  {
    name: "D26 !switch runs one case with its own input",
    command: {
      "!switch": { jq: "if .ok then 0 else 1 end", cases: [{ "!jq": ".ok" }, { "!error": "no" }] },
    },
    input: { ok: true },
    output: true,
  },
  {
    name: "D26 !extract parses the named members",
    command: { "!extract": { item_keys: ["payload", "none", "plain"], to_json: true } },
    input: { payload: "[1]", other: 2, plain: 3 },
    output: { payload: [1], plain: 3 },
  },
  {
    name: "D26 !extract without to_json",
    command: { "!extract": { item_keys: ["payload", "__proto__"], to_json: false } },
    input: { payload: "[1]" },
    output: { payload: "[1]" },
  },
  {
    name: "D24 !save is readable at once, merged, and its output is its input",
    command: {
      "!pipe": [
        { "!jq": "{a: 1, b: 2}" },
        { "!save": { scope: "workflow" } },
        { "!jq": "{b: 3}" },
        { "!save": { scope: "workflow" } },
        { "!jq": "[., ${data.workflow}]" },
      ],
    },
    context: { data: { workflow: { c: 4 } } },
    output: [{ b: 3 }, { c: 4, a: 1, b: 3 }],
  },
  {
    name: "D11 polling_state is {} before anything was saved",
    command: { "!jq": "${polling_state}" },
    output: {},
  },
  {
    name: "D16 without a pipe the input is the roots",
    command: { "!jq": "[.custom_data.form.value, .data.workflow.a]" },
    place: "setup",
    context: { custom_data: { form: { value: "f" } }, data: { workflow: { a: 1 } } },
    output: ["f", 1],
  },
  {
    name: "D25 the contact being processed",
    command: { "!resource": "PlatformContact" },
    context: { contact: { email: "a@example.com" } },
    output: { email: "a@example.com" },
  },
  {
    name: "D25 the contact is written from the input, with the item's key",
    command: { "!resource": "PlatformContact" },
    place: "target",
    idempotencyKey: "k",
    input: { email: "a@example.com", phone: null },
    output: { contact_id: 1, email: "a@example.com", phone: null, key: "k" },
  },
  {
    name: "D25 fields are map options",
    command: { "!resource": "PlatformContact.fields" },
    output: [{ id: "email", title: "Email of PlatformContact", required: true }],
  },
  {
    name: "D25 a sync with data",
    command: { "!resource": { action: "PlatformDeal.sync", data: { title: "${piped_content.0.t}" } } },
    input: { t: "x" },
    output: { resource: "PlatformDeal", action: "sync", data: { title: "x" } },
  },
  {
    name: "D26 !respond gives the answer for the webhook's caller",
    command: {
      "!respond": {
        code: 401,
        headers: { "X-A": "${piped_content.0.a}" },
        body: { b: "${piped_content.0.a}" },
      },
    },
    input: { a: "v" },
    output: { process_payload: false, code: 401, headers: { "x-a": "v" }, body: { b: "v" } },
  },
];

describe("commands", () => {
  test.each(cases)("$name", async ({ command, output, name: _, ...parts }) => {
    expect(
      await runCommand(command, { input: null, ...(parts.place === "setup" ? {} : {}), ...parts }),
    ).toEqual(output);
  });

  test("D26 !print_c writes to the log, without secrets (D29)", async () => {
    const effects = testEffects();
    const trace = createTracer(effects.clock);
    trace.secret("hunter2-hunter2");
    const command = { "!print_c": "got ${piped_content.0.a} and ${piped_content.0.s}" };
    const input = { a: [1], s: "hunter2-hunter2" };
    expect(await runCommand(command, { effects, trace, input })).toEqual(input);
    expect(effects.logged).toEqual([{ pointer: node, message: "got [1] and [secret]" }]);
  });
});

interface Failure extends RunParts {
  readonly name: string;
  readonly command: unknown;
  readonly kind: string;
  readonly message: RegExp;
}

const failures: readonly Failure[] = [
  { name: "!error", command: { "!error": "No forms." }, kind: "AppError", message: /^No forms\.$/ },
  {
    name: "a jq error, with its column",
    command: { "!jq": "1 | {} - 1" },
    kind: "JqError",
    message: /cannot be subtracted.*character \d+/,
  },
  { name: "a broken program", command: { "!jq": ".[" }, kind: "JqError", message: /can't run/ },
  {
    name: "a program that takes too many steps",
    command: { "!jq": "def f: f; f" },
    kind: "LimitError",
    message: /too many steps/,
    limits: { jqSteps: 100_000 },
  },
  {
    name: "a program that takes too long",
    command: { "!jq": "[range(1e9)] | length" },
    kind: "LimitError",
    message: /too (?:long|large)/,
    limits: { jqTime: 50 },
  },
  {
    name: "a program that takes too much memory",
    command: { "!jq": 'last(limit(1000; repeat("\\([range(1000)])")))' },
    kind: "LimitError",
    message: /too much memory/,
    limits: { jqMemory: 100_000 },
  },
  {
    name: "D9 a missing value names the expansion",
    command: { "!jq": "${data.workflow.id}" },
    kind: "DataError",
    message: /`\$\{data\.workflow\.id\}` has no value here: nothing has been saved/,
  },
  {
    name: "D9 a root that there isn't",
    command: { "!print_c": "${zzz.id | default} ${zzz.id}" },
    kind: "DataError",
    message: /`\$\{zzz\.id\}` has no value here/,
  },
  {
    name: "D26 an index out of range",
    command: { "!switch": { jq: "2", cases: [{ "!jq": "." }] } },
    kind: "DataError",
    message: /gave 2; it must give 0/,
  },
  {
    name: "D26 !extract of JSON that is none",
    command: { "!extract": { item_keys: ["a"], to_json: true } },
    input: { a: "{" },
    kind: "DataError",
    message: /`a` isn't JSON/,
  },
  {
    name: "D24 !save of something else than an object",
    command: { "!save": { scope: "workflow" } },
    input: [1],
    kind: "DataError",
    message: /takes an object/,
  },
  {
    name: "D24 an unknown scope",
    command: { "!save": { scope: "user" } },
    kind: "NotSupported",
    message: /`scope`/,
  },
  {
    name: "D25 a contact without email isn't written",
    command: { "!resource": "PlatformContact" },
    place: "target",
    input: { email: "" },
    kind: "DataError",
    message: /no `email`/,
  },
  {
    name: "D25 a resource where there is no pipeline",
    command: { "!resource": "PlatformContact" },
    place: "setup",
    kind: "DataError",
    message: /PlatformContact\.fields/,
  },
  {
    name: "a command that can't be read",
    command: { "!http": {} },
    kind: "NotSupported",
    message: /neither `path` nor `url`/,
  },
  {
    name: "a header of !respond with a line break (D18)",
    command: { "!respond": { headers: { a: "${piped_content.0}" } } },
    input: "x\r\ny: z",
    kind: "DataError",
    message: /line break/,
  },
  {
    name: "a header of !respond with a blank in its name",
    command: { "!respond": { headers: { "x y": "1" } } },
    kind: "DataError",
    message: /`x y` isn't a valid header name/,
  },
  ...[42, 100, 199, 600, 200.5, "200"].map((code) => ({
    name: `a status that ends no exchange: ${code}`,
    command: { "!respond": { code } },
    kind: "NotSupported",
    message: /from 200 to 599/,
  })),
];

describe("failures name the kind and the place", () => {
  test.each(failures)("$name", async ({ command, kind, message, name: _, ...parts }) => {
    const error = await failureOf(runCommand({ "!pipe": [command] }, { input: null, ...parts }));
    expect(error).toMatchObject({ name: "RunError", kind, pointer: `${node}/!pipe/0` });
    expect(error.message).toMatch(message);
  });

  test("D9 the place of a missing value is the expansion's own", async () => {
    const text = `{"workflows": [{"data_pipeline": {"source": {"!print_c": "\\n a \${data.workflow.x}"}}}]}`;
    const { compile } = await import("@configc/compiler");
    const { span } = await failureOf(createRuntime(compile(text).app, testEffects()).run(node));
    expect(text.slice(span?.start, span?.end)).toBe("${data.workflow.x}");
  });

  test("an unknown pointer", async () => {
    const run = createRuntime(appWith({ "!jq": "." }), testEffects()).run("/nowhere");
    await expect(run).rejects.toMatchObject({ kind: "NotFound" });
  });

  test("a run is cancelled between steps", async () => {
    const run = runCommand({ "!pipe": [{ "!jq": "." }] }, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ kind: "Cancelled" });
  });

  test("a failure of the store or the platform is named as one", async () => {
    const saved = { read: () => ({}), merge: () => Promise.reject(new Error("disk full")) };
    await expect(runCommand({ "!save": { scope: "workflow" } }, { saved, input: {} })).rejects.toMatchObject({
      kind: "StoreError",
      message: expect.stringContaining("disk full"),
    });
    const effects = testEffects();
    effects.platform.fields = () => Promise.reject(new Error("away"));
    await expect(runCommand({ "!resource": "PlatformContact.fields" }, { effects })).rejects.toMatchObject({
      kind: "PlatformError",
      pointer: node,
    });
  });
});

test("the trace is a tree of steps with inputs, outputs and failures", async () => {
  const effects = testEffects();
  const events: TraceEvent[] = [];
  const trace = createTracer(effects.clock, (event) => events.push(event));
  const command = { "!pipe": [{ "!jq": ".a" }, { "!error": "stop" }] };
  await failureOf(runCommand(command, { effects, trace, input: { a: 1 } }));
  expect(events).toMatchObject([
    { id: 1, parent: 0, node, kind: "step", data: { key: "!pipe", input: { a: 1 } } },
    { id: 2, parent: 1, node: `${node}/!pipe/0`, kind: "step", data: { key: "!jq", input: { a: 1 } } },
    { id: 3, parent: 2, kind: "end", data: { output: 1 } },
    { id: 4, parent: 1, node: `${node}/!pipe/1`, kind: "step", data: { input: 1 } },
    { id: 5, parent: 4, kind: "end", data: { error: { kind: "AppError", message: "stop" } } },
    { id: 6, parent: 1, kind: "end", data: { error: { kind: "AppError", pointer: `${node}/!pipe/1` } } },
  ]);
});
