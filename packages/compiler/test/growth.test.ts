import { expect, it } from "vitest";
import { app12k, appWith } from "../../../test/bench/generate.ts";
import type { Model } from "../src/bind/model.ts";
import { check } from "../src/check/checker.ts";
import { compile } from "../src/index.ts";
import { findings } from "./support/rule-findings.ts";

const source = "/workflows/0/data_pipeline/source";

/** The lists of a model that grow with its document, and those of its parts. */
const lists = ["commands", "expansions", "programs", "templates", "intakes", "workflows"] as const;

/** How many elements of these lists all rules together look at. */
function looks(workflows: number): number {
  const { model } = compile(appWith(workflows));
  let count = 0;
  const counting = <T>(list: readonly T[]): readonly T[] =>
    new Proxy(list, {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) count++;
        return Reflect.get(target, key);
      },
    });
  const countingIn = (owner: Pick<Model, (typeof lists)[number]>) =>
    Object.fromEntries(lists.map((name) => [name, counting<unknown>(owner[name])]));
  const parts = counting(model.parts.map((part) => ({ ...part, ...countingIn(part) })));
  const counted = new Map<unknown, unknown>(Object.entries({ ...countingIn(model), parts }));
  check(new Proxy<Model>(model, { get: (target, key) => counted.get(key) ?? Reflect.get(target, key) }));
  return count;
}

it("a rule that is asked about each intake doesn't look through the whole document each time", () => {
  const [small, large] = [looks(5), looks(40)];
  expect(small).toBeGreaterThan(500);
  // Eight times the workflows: eight times the looks, and 64 times those of a rule that grows with the square.
  expect(large / small).toBeLessThan(9);
});

it("what is generated for benchmarks gives no finding: to print them would be measured too", () => {
  for (const seed of [0, 1]) expect(compile(app12k(seed)).diagnostics).toEqual([]);
});

it.each([
  ["hyphens", "a-"],
  ["words that may be null", "a_b ("],
  ["a time that never comes", "at is the time "],
  ["headers", "A: x="],
  ["names", "a, b and "],
  ["units", "a is cents. "],
  ["pages", "page from "],
  ["codes", "1 notice, "],
  ["blanks", " "],
])("a comment of %s isn't gone through again from each of its characters", (_, text) => {
  // With the square of its length this takes minutes.
  const app = JSON.parse(appWith(1)) as { data_intake: Record<string, unknown>[]; workflows: object[] };
  const program =
    'if .state == "opn" then {day: (.sent_at | strftime("%F")), fee: (.fee / 100)} else null end';
  const workflow = {
    ...app.workflows[0],
    _comment: text.repeat(200_000 / text.length),
    data_pipeline: { source: { "!jq": program }, target: { "!resource": "PlatformContact" } },
  };
  const intake = {
    _comment: text.repeat(200_000 / text.length),
    type: "webhook",
    name: "signed",
    scope: "workflow",
    verification: {
      "!pipe": [
        { "!jq": '{value_to_encrypt: ((.headers["x-sent"] // "") + .raw_body)}' },
        { "!sha": { algorithm: "sha256", secret: "<SIGNING_SECRET>" } },
        {
          "!switch": {
            jq: "if .hash == ${piped_content.0.headers.x-mac | default} then 0 else 1 end",
            cases: [{ "!respond": { process_payload: true } }, { "!respond": { code: 401 } }],
          },
        },
      ],
    },
  };
  const changed = {
    ...app,
    data_intake: [...app.data_intake, intake],
    workflows: [...app.workflows, workflow],
  };
  expect(compile(JSON.stringify(changed)).diagnostics.length).toBeGreaterThan(0);
});

it.each([
  [
    "sums of sums",
    `.x as $v0 | ${Array.from({ length: 60 }, (_, at) => `($v${at} + $v${at}) as $v${at + 1}`).join(" | ")} | {email, fee_cents: $v60}`,
  ],
  [
    "definitions that call one another",
    `def f12: .; ${Array.from(
      { length: 12 },
      (_, at) =>
        `def f${11 - at}: ${Array(9)
          .fill(`f${12 - at}`)
          .join(" + ")};`,
    ).join(" ")} {email, fee_cents: (.x | f0)}`,
  ],
])("%s aren't gone through again for each of their parts", (_, program) => {
  // With each of them it takes twice as long, or nine times.
  expect(findings("value/other-unit", "inbound-webhook", { [source]: { "!jq": program } })).toEqual([]);
});
