import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { run } from "../../packages/playground/src/tools/run.ts";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const recorded = readdirSync(examples).flatMap((id) => {
  const files = /\.(md|txt)$/.test(id) ? [] : readdirSync(examples + id);
  const [app, test] = [/\.app\.jsonc?$/, /\.apptest\.json$/].map((ending) =>
    files.find((name) => ending.test(name)),
  );
  return app === undefined || test === undefined ? [] : [{ id, app, test }];
});

describe("cases of the examples come out in the playground as in `configc test`", () => {
  test.each(recorded)("$id", async ({ id, app, test }) => {
    const text = readFileSync(`${examples}${id}/${app}`, "utf8");
    const { cases } = JSON.parse(readFileSync(`${examples}${id}/${test}`, "utf8")) as {
      cases: readonly { name: string }[];
    };
    for (const each of cases) {
      const { expected, unused, failure } = await run(
        { name: app, text, exchanges: [] },
        JSON.stringify(each),
      );
      expect({ name: each.name, expected, unused, failure: expected ? undefined : failure }).toEqual({
        name: each.name,
        expected: true,
        unused: 0,
        failure: undefined,
      });
    }
  });
});

describe("a case that can't be run says why", () => {
  const source = {
    name: "a.app.json",
    exchanges: [],
    text: '{"workflows": [{"name": "w", "setup": {"connect": {"describe_connection": {"!jq": "{account_id: 1"}}}}]}',
  };
  test.each([
    ["{", /JSON: Unfinished/],
    ["[]", /an object/],
    ["{}", /lacks `run`/],
    ['{"run": 1}', /`run` of the case is a text/],
    ['{"run": "workflows.v"}', /`v`, which isn't in this config.*`w`/],
    ['{"run": "workflows.w.setup"}', /nothing to run at \/workflows\/0\/setup/],
    ['{"run": "workflows.w", "http": [{}]}', /`http` of the case is a list/],
    ['{"run": "workflows.w", "now": "yesterday"}', /`now` of the case is a time/],
    ['{"run": "a", "__proto__": {"run": "b"}}', /`a`, which isn't in this config/],
  ])("%s", async (test, message) => {
    await expect(run(source, test)).rejects.toThrow(message);
  });

  test.each([
    [{ kind: "JqError" }, true],
    [{ message: "can't run" }, true],
    [{ pointer: "/workflows/0/setup/connect/describe_connection" }, true],
    [{ kind: "HttpError" }, false],
    [{ status: 404 }, false],
    [{ pointer: "/workflows/1" }, false],
    [undefined, false],
  ])("a failure is the expected one as in `configc test`: %j", async (expectError, expected) => {
    const given = { run: "workflows.w.setup.connect.describe_connection", expect: 1 };
    const test = expectError === undefined ? given : { run: given.run, expectError };
    expect((await run(source, JSON.stringify(test))).expected).toBe(expected);
  });

  test("a program that can't be read fails at its place", async () => {
    const { failure } = await run(source, '{"run": "workflows.w.setup.connect.describe_connection"}');
    expect(failure?.span).toEqual({
      start: source.text.indexOf('"!jq"'),
      end: source.text.indexOf('"!jq"') + 5,
    });
  });
});
