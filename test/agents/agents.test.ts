import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "@configc/compiler";
import { afterAll, expect, test } from "vitest";
import { callsIn, callsOf, logOf } from "./calls.ts";
import { hardTasks } from "./hard-tasks.ts";
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

const answered = ["poll-cursor", "write-create", "hook-hex", ...hardTasks.map(({ id }) => id)];

test.each(answered)("%s: the right answer passes", async (id) => {
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
  // Page after page, from the first one.
  [
    "hard-moving-pages",
    "(if $s.page == null then (if .pages > 1 then .pages else null end) else (if $s.page > 1 then $s.page - 1 else null end) end)",
    "(.pages as $pages | $s.page // 1 | if . < $pages then . + 1 else null end)",
    "never arrived though nobody was removed",
  ],
  // The next window begins where this one ended.
  ["hard-windows", "($to - 300) as $again", "$to as $again", "after changes that were shown late"],
  ["hard-windows", "604800", "6048000", "a window has 7 days at most"],
  ["hard-login", '"include_client_id": true', '"include_client_id": false', "401"],
  ["hard-login", '"refresh_url": "https://login.willowby.example/oauth/renew",', "", "failed"],
  ["hard-login", '"offline"', '"people.read"', "invalid_scope"],
  ["hard-stamped-hook", " and (now - ${piped_content.1.t} | fabs) <= 300", "", "ten minutes old"],
  [
    "hard-stamped-hook",
    'if .method == \\"GET\\" then 0',
    'if .method == \\"GET\\" then 1',
    "The challenge isn't repeated.",
  ],
  ["hard-history", "given_name: .name.first", "first: .name.first", "not {"],
  ["hard-history", "[?&]cursor=", "[?&]page=", "never arrived"],
  ["hard-kept-members", ", notes: $m.notes", "", "Knows the boss"],
  ["hard-kept-members", ".email | ascii_downcase", ".email", "The service refused"],
  ["hard-kept-members", "($c.first_name // $m.first_name)", "$c.first_name", "The service has"],
  [
    "hard-groups",
    '(if (.Company.name // \\"\\") == \\"\\" then {}',
    "(if false then {}",
    "The service refused",
  ],
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
    {
      verdict,
      withTools: true,
      tokens: 12,
      calls: callsIn(
        '{"method":"tools/list","in":40,"out":100}\n{"method":"tools/call","name":"check","in":60,"out":200}\n',
      ),
    },
    { verdict: { ...verdict, passed: false, problems: ["a | b"] }, withTools: false },
  ]);
  expect(table).toContain("| a | yes | passed | 0 / 1 |");
  expect(table).toContain("| 12 |  | 1 | 100 / 300 | 100 |");
  expect(table).toContain("a \\| b |");
  expect(table).toContain("With our tools: 1 of 1 passed.\nWithout our tools: 0 of 1 passed.");
});

test("the proxy hands on what is said, and writes down each call", async () => {
  const own = join(folder, "proxied");
  const server = `process.stdin.setEncoding("utf8").on("data", (text) => {
    for (const line of text.trim().split("\\n")) {
      const { id } = JSON.parse(line);
      if (id !== undefined) console.log(JSON.stringify({ id, result: { isError: id === 2 } }));
    }
  });`;
  const proxy = fileURLToPath(new URL("proxy.mjs", import.meta.url));
  const child = spawn(process.execPath, [proxy, logOf(own), process.execPath, "-e", server]);
  const messages = [
    { id: 1, method: "tools/list" },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "check", arguments: {} } },
  ].map((message) => JSON.stringify(message));
  child.stdin.end(`${messages.join("\n")}\n`);
  let answered = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) answered += chunk;
  expect(answered.trim().split("\n")).toHaveLength(2);
  const characters = (messages[0]?.length ?? 0) + (messages[2]?.length ?? 0);
  expect(callsOf(own)).toMatchObject({ tools: 1, charactersIn: characters });
  expect(readFileSync(logOf(own), "utf8")).toMatch(/"name":"check",.*"failed":true/);
  expect(callsOf(join(folder, "alone"))).toBeUndefined();
});

test("each task has an API that says where it is and who may ask", () => {
  expect(tasks).toHaveLength(27);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(27);
  for (const { document } of tasks)
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.[01]\./),
      servers: [{}],
      security: [{}],
    });
});
