import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type App, compile } from "@configc/compiler";
import { createRuntime, RunError } from "@configc/runtime";
import { expect, test } from "vitest";
import { testEffects } from "../../../packages/runtime/test/support/effects.ts";
import { runCommand } from "../harness/index.ts";

const SOURCE = "workflows.w.data_pipeline.source";

/** A config whose texts would become code, or end a text or a comment, if they were pasted into a module. */
const hostile: readonly string[] = [
  '"; globalThis.polluted = 1; "',
  "`; globalThis.polluted = 1; `",
  "*/ globalThis.polluted = 1 /*",
  "\n globalThis.polluted = 1 //",
  "\u2028globalThis.polluted = 1\u2029",
  "</script><script>globalThis.polluted = 1</script>",
  "\\u0022; globalThis.polluted = 1",
  "__proto__",
];

const configWith = (text: string) => ({
  $version: "2",
  auth: {
    a: {
      type: "token",
      header_key: "x-key",
      verify_url: "https://api.example.com/me",
      defined_fields: { token: { label: "T" } },
    },
  },
  api: { base_url: "https://api.example.com" },
  workflows: [
    {
      name: "w",
      label: text,
      type: "automations",
      auth: "a",
      setup: {
        connect: { label: "C", describe_connection: { "!jq": '{account_id: "1", description: "d"}' } },
      },
      data_pipeline: {
        source: {
          "!pipe": [
            { "!jq": `{kept: ${JSON.stringify(text)}}` },
            { "!switch": { jq: "0", cases: [{ "!jq": ". + {more: ${piped_content.0.n}}" }] } },
            {
              "!http": {
                method: "POST",
                path: "/things/${piped_content.0.n}",
                body: { [text]: "${piped_content.2.kept}" },
              },
            },
            { "!jq": "{id: .id}" },
          ],
        },
        target: { "!resource": "PlatformContact" },
      },
    },
  ],
});

test.each(hostile.map((text) => [JSON.stringify(text), text] as const))(
  "a config's texts stay texts in a built module: %s",
  async (_, text) => {
    let built: { readonly app: App } | undefined;
    const ended = await runCommand(
      { "a.app.json": JSON.stringify(configWith(text)) },
      ["build", "a.app.json", "-o", "out.mjs"],
      {
        then: async (folder) => {
          expect(readFileSync(join(folder, "out.mjs"), "utf8").split("\n")[0]).toMatch(/^\/\/ Built by/);
          built = await import(pathToFileURL(join(folder, "out.mjs")).href);
        },
      },
    );
    expect(ended.stderr).not.toContain("POLLUTED");
    expect((globalThis as { polluted?: unknown }).polluted).toBeUndefined();
    expect(built?.app.workflows[0]?.label).toBe(text);
  },
);

/** What stands in the place of a part of an app that somebody has changed. */
const others: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  "",
  "x",
  "__proto__",
  [],
  {},
  true,
  nested(3_000),
];

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let n = 0; n < depth; n++) value = [value];
  return value;
}

function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const parts = Array.isArray(value)
    ? value.map((part, index) => [index, part] as const)
    : Object.entries(value);
  return [path, ...parts.flatMap(([name, part]) => pathsOf(part, [...path, name]))];
}

function changed(app: App, path: readonly (string | number)[], value: unknown): App {
  const copy = structuredClone(app) as unknown as Record<string | number, never>;
  let owner = copy;
  for (const name of path.slice(0, -1)) owner = owner[name] as never;
  const last = path.at(-1) as string;
  if (value === undefined) delete owner[last];
  else owner[last] = value as never;
  return copy as unknown as App;
}

test("an app that was changed by hand does other things or fails; it neither hangs nor leaves its origin", async () => {
  const { app } = compile(JSON.stringify(configWith("x")));
  const origins = new Set<string>();
  const http = {
    request: async ({ url }: { readonly url: string }) => {
      origins.add(new URL(url).origin);
      return { status: 200, headers: {}, body: new TextEncoder().encode('{"id": 7}') };
    },
  };
  const failures = new Map<string, number>();
  let tried = 0;
  for (const path of pathsOf(app).filter(({ length }) => length > 0))
    for (const other of others) {
      tried++;
      // The base is the host's business: who changes it, changes where credentials go.
      if (path[0] === "api") continue;
      const run = Promise.resolve().then(() =>
        createRuntime(changed(app, path, other), { ...testEffects(), http: http as never }).run(SOURCE, {
          input: { n: 1 },
        }),
      );
      const late = Symbol();
      const ended = await Promise.race([
        run.catch((error: unknown) => error),
        new Promise((done) => setTimeout(done, 5_000, late).unref()),
      ]);
      expect(ended, `${path.join("/")} as ${JSON.stringify(other)?.slice(0, 40)}`).not.toBe(late);
      if (ended instanceof Error) {
        const kind = ended instanceof RunError ? ended.kind : `${ended.name}: ${ended.message}`.slice(0, 60);
        failures.set(kind, (failures.get(kind) ?? 0) + 1);
      }
    }
  expect(tried).toBeGreaterThan(1_000);
  expect(failures.get("NotSupported")).toBeGreaterThan(0);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect([...origins]).toEqual(["https://api.example.com"]);
}, 120_000);

test("a command that is made a part of itself fails, and the process goes on", async () => {
  const { app } = compile(JSON.stringify(configWith("x")));
  const ids = Object.keys(app.commands);
  const parts = pathsOf(app.commands).filter((path) => ids.includes(String(valueAt(app.commands, path))));
  expect(parts.length).toBeGreaterThan(3);
  for (const path of parts) {
    const circle = changed(app, ["commands", ...path], path[0]);
    const run = createRuntime(circle, testEffects()).run(SOURCE, { input: { n: 1 } });
    await expect(run).rejects.toThrow();
  }
}, 30_000);

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((at, name) => (at as Record<string | number, unknown>)[name], value);
}
