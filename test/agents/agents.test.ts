import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "@configc/compiler";
import { afterAll, expect, test } from "vitest";
import { verdictOf } from "./judge/verdict.ts";
import { tableOf } from "./table.ts";
import { tasks } from "./tasks.ts";
import { tokensIn } from "./usage.ts";

/** The judges of agents' work are judged: by answers that are right, and by the mistakes that each of them is for. */

const answers = fileURLToPath(new URL("answers/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "configc-agents-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function taskOf(id: string) {
  const task = tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task;
}

const answer = (id: string) => readFileSync(join(answers, `${id}.app.json`), "utf8");

test.each(["poll-cursor", "write-create", "hook-hex"])("%s: the right answer passes", async (id) => {
  const own = join(folder, id);
  mkdirSync(own);
  cpSync(join(answers, `${id}.app.json`), join(own, "app.app.json"));
  const verdict = await verdictOf(taskOf(id), own);
  expect(verdict).toEqual({ task: id, passed: true, errors: 0, warnings: 0, problems: [], laws: [] });
});

/** In an answer, what is changed, and what the judge says. */
const mistakes: readonly (readonly [id: string, from: string, to: string, told: string])[] = [
  ["poll-cursor", "iterate: ($next != null)", "iterate: false", "never arrived at first"],
  ["poll-cursor", "select(.email != null) | {email: .email,", "{email: .name.first,", "shouldn't have"],
  ["poll-cursor", "last: .name.last", "last: .name.first", "not {"],
  ["write-create", '"method": "PATCH"', '"method": "POST"', "The service refused"],
  ["write-create", ".members | length) == 0", ".members | length) >= 0", "failed"],
  ["hook-hex", "then 0 else 1 end", "then 0 else 0 end", "A forged delivery is answered by 200."],
  ["hook-hex", "/hooks/${data.workflow.hook_id}", "/hooks/none", "still registered"],
  ["hook-hex", '"algorithm": "sha256"', '"algorithm": "sha1"', "A genuine delivery is answered by 401."],
];

test.each(mistakes)("%s with %j as %j fails", async (id, from, to, told) => {
  const text = answer(id);
  expect(text).toContain(from);
  const { app } = compile(text.replaceAll(from, to));
  const problems = await taskOf(id)
    .judge(app)
    .catch((error: unknown) => [String(error)]);
  expect(problems.join("\n")).toContain(told);
});

test("an answer with an error of check isn't tried, and one that is missing is told", async () => {
  const own = join(folder, "broken");
  mkdirSync(own);
  expect((await verdictOf(taskOf("poll-cursor"), own)).problems).toEqual(["There is no app.app.json."]);
  writeFileSync(join(own, "app.app.json"), "{}");
  const { passed, errors } = await verdictOf(taskOf("poll-cursor"), own);
  expect(passed).toBe(false);
  expect(errors).toBeGreaterThan(0);
});

test("tokens are read from what agents print, and the table counts", () => {
  expect(
    tokensIn('working …\n{"usage": {"input_tokens": 7, "output_tokens": 5, "service_tier": "x"}}\n'),
  ).toBe(12);
  expect(tokensIn("done")).toBeUndefined();
  const verdict = { task: "a", passed: true, errors: 0, warnings: 1, problems: [], laws: [] };
  const table = tableOf([
    { verdict, withTools: true, tokens: 12 },
    { verdict: { ...verdict, passed: false, problems: ["a | b"] }, withTools: false },
  ]);
  expect(table).toContain("| a | yes | passed | 0 / 1 |");
  expect(table).toContain("a \\| b |");
  expect(table).toContain("With our tools: 1 of 1 passed.\nWithout our tools: 0 of 1 passed.");
});

test("each task has an API that says where it is and who may ask", () => {
  expect(tasks).toHaveLength(20);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(20);
  for (const { document } of tasks)
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.[01]\./),
      servers: [{}],
      security: [{}],
    });
});
