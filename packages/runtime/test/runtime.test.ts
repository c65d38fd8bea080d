import { compile } from "@configc/compiler";
import { createRuntime, type RunError } from "@configc/runtime";
import { describe, expect, test } from "vitest";

const effects = { clock: { now: () => 1_700_000_000_000 }, log: { write: () => {} } };

/** The command as the source of a pipeline, run at its place. */
function runtimeOf(command: unknown) {
  const { app } = compile(JSON.stringify({ workflows: [{ data_pipeline: { source: command } }] }));
  return createRuntime(app, effects);
}
const node = "/workflows/0/data_pipeline/source";

const cases: readonly {
  name: string;
  command: unknown;
  input?: never | object;
  context?: object;
  output: unknown;
}[] = [
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
    name: "D7 default of a missing value",
    command: { "!jq": "${custom_data.x.value | default:none}" },
    output: "none",
  },
  {
    name: "D14 steps of a pipe by index",
    command: { "!pipe": [{ "!jq": ".a + 1" }, { "!jq": "[${piped_content.0.a}, ${piped_content.1}, .]" }] },
    input: { a: 1 },
    output: [1, 2, 2],
  },
  {
    name: "D26 !switch runs one case with its own input",
    command: {
      "!switch": { jq: "if .ok then 0 else 1 end", cases: [{ "!jq": '"yes"' }, { "!error": "no" }] },
    },
    input: { ok: true },
    output: "yes",
  },
  {
    name: "D26 !extract parses the named members",
    command: { "!extract": { item_keys: ["payload", "none"], to_json: true } },
    input: { payload: "[1]", other: 2 },
    output: { payload: [1] },
  },
  {
    name: "polling_state is {} before anything was saved",
    command: { "!jq": "${polling_state}" },
    output: {},
  },
];

describe("commands", () => {
  test.each(cases)("$name", async ({ command, input, context, output }) => {
    const result = await runtimeOf(command).run(node, {
      input: (input ?? null) as never,
      context: (context ?? {}) as never,
    });
    expect(result).toEqual(output);
  });
});

const failures: readonly { name: string; command: unknown; kind: string; message: RegExp }[] = [
  { name: "!error", command: { "!error": "No forms." }, kind: "AppError", message: /^No forms\.$/ },
  { name: "a jq error", command: { "!jq": "{} - 1" }, kind: "JqError", message: /cannot be subtracted/ },
  {
    name: "D9 a missing value",
    command: { "!jq": "${data.workflow.id}" },
    kind: "DataError",
    message: /data\.workflow\.id/,
  },
  {
    name: "an index out of range",
    command: { "!switch": { jq: "2", cases: [{ "!jq": "." }] } },
    kind: "DataError",
    message: /0 to 0/,
  },
  {
    name: "a command that isn't supported yet",
    command: { "!http": { path: "/" } },
    kind: "NotSupported",
    message: /!http/,
  },
];

describe("failures name the kind and the place", () => {
  test.each(failures)("$name", async ({ command, kind, message }) => {
    const run = runtimeOf({ "!pipe": [command] }).run(node);
    await expect(run).rejects.toThrow(message);
    const error = (await run.catch((caught: unknown) => caught)) as RunError;
    expect(error).toMatchObject({ name: "RunError", kind, pointer: `${node}/!pipe/0` });
  });

  test("a run is cancelled between steps", async () => {
    const run = runtimeOf({ "!pipe": [{ "!jq": "." }] }).run(node, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ kind: "Cancelled" });
  });
});
