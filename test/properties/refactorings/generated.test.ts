import { compile } from "@configc/compiler";
import type { Json } from "@configc/jq";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runGiven } from "../../../packages/cli/src/apptest/run-given.ts";
import { cases } from "../../support/cases.ts";
import { offersIn, onlyChoices } from "./sites.ts";

/** A refactoring keeps what a pipe gives, and which requests it sends: pipes at random, on recorded answers. */

/** Programs for a step, by how many values there are to read by number. */
const expression = (depth: number, values: number): fc.Arbitrary<string> => {
  const leaves = fc.oneof(
    fc.constantFrom(
      ".",
      ".a",
      ".b",
      ".b.b",
      ".list",
      "1",
      '"x"',
      "null",
      '{"a": 2}',
      "(.a // 3)",
      "[.list[]?]",
    ),
    fc.nat(values).map((index) => `\${piped_content.${index}}`),
    fc.nat(values).map((index) => `"v: \${piped_content.${index}}"`),
  );
  if (depth === 0) return leaves;
  const inner = expression(depth - 1, values);
  return fc.oneof(
    leaves,
    fc
      .tuple(inner, inner)
      .map(([a, b]) =>
        `{a: (${a}), b: ${b}, list: [${a}]}`.replace(/b: ([^,{}()]*[|,][^,{}()]*),/, "b: ($1),"),
      ),
    fc.tuple(inner, inner).map(([a, b]) => `${a} | ${b}`),
    fc.tuple(inner, inner).map(([a, b]) => `(${a}) as $x | [$x, (${b})]`),
    fc.tuple(inner, inner).map(([a, b]) => `[(${a}), (${b})]`),
    fc.tuple(inner, inner).map(([a, b]) => `def f: ${a}; [f, (${b})] | length`),
    fc.tuple(inner, inner).map(([a, b]) => `if (${a}) then (${b}) else . end`),
    fc.tuple(inner, inner).map(([a, b]) => `((${a}) | tostring) + ((${b}) | tostring)`),
    inner.map((a) => `(${a})?`),
    inner.map((a) => `try error(${a}) catch .`),
    inner.map((a) => `.a = (${a})`),
    inner.map((a) => `"t \\(${a})"`),
  );
};

/** Mostly an object with the members that others read: a pipe that fails shows little. */
const program = (values: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 1, arbitrary: expression(2, values) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          expression(1, values),
          expression(1, values),
          fc.constantFrom("", ". | ", ".a as $y | ", ". as $y | "),
        )
        .map(([a, b, before]) => `${before}{a: (${a}), b: {b: (${b})}, list: [.b]}`),
    },
  );

type Step = Readonly<Record<string, unknown>>;

const step = (values: number): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 5, arbitrary: program(values).map((text) => ({ "!jq": text })) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom("a", "b"), fc.nat(values)).map(([name, index]) => ({
        "!http": {
          method: "GET",
          path: `/${name}`,
          params: { at: `\${piped_content.${index}.none | default:1}` },
        },
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constant({ "!pipe": [{ "!jq": "[., ${piped_content.0}]" }, { "!jq": ".[0]" }] }),
    },
    {
      weight: 1,
      arbitrary: fc.constant({
        "!switch": { jq: "if .a then 0 else 1 end", cases: [{ "!jq": ".a" }, { "!jq": "." }] },
      }),
    },
  );

const pipe = fc
  .integer({ min: 1, max: 5 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, index) => step(index))));

const value: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  { a: { b: 1 }, b: { b: "x" }, list: [1, 2] },
  { a: null, b: { b: null }, list: [] },
  { a: [], b: {} },
);

const pointer = "/workflows/0/data_pipeline/target";

function configOf(target: unknown): string {
  return JSON.stringify(
    {
      $version: "2",
      auth: { it: { type: "basic" } },
      api: { base_url: "https://api.example.com/v1" },
      workflows: [
        {
          name: "w",
          label: "W",
          type: "automations",
          auth: "it",
          setup: { connect: { label: "C", describe_connection: { "!jq": "{account_id: 1}" } } },
          data_pipeline: { source: { "!resource": "PlatformContact" }, target },
        },
      ],
    },
    undefined,
    2,
  );
}

const answers = ["a", "b"].flatMap((name) =>
  Array.from({ length: 12 }, () => ({
    request: { method: "GET", url: `https://api.example.com/v1/${name}` },
    response: { body: { a: { b: name }, b: { b: 1 }, list: [name] } as Json },
  })),
);

/** What a pipe gives or how it fails, and what it asks for. */
async function outcomeOf(text: string, input: Json) {
  const { model, app } = compile(text, { uri: "a.app.json" });
  const ran = await runGiven(
    { run: pointer, input, http: answers, context: { custom_data: onlyChoices(model) } } as Parameters<
      typeof runGiven
    >[0],
    pointer,
    { file: "a.app.json", model, app, settings: {} },
    { network: undefined, signal: new AbortController().signal, verifier: undefined, coverage: undefined },
  );
  const { outcome, beside } = ran;
  // Of two that fail, another one may be the first.
  return "output" in outcome ? { output: outcome.output, beside } : { fails: true };
}

const titles = [
  "Extract into a new step",
  "Split the program at `|` into two steps",
  "Join with the `!jq` after it",
  "Inline into the `!jq` after it",
  "Move the step down",
  "Wrap in a `!pipe`",
  "Join the `!pipe` with the one around it",
  "Write as a whole `url`",
  "Turn",
];

test("a refactored pipe gives what it gave", async () => {
  const seen = new Map<string, number>();
  let runs = 0;
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(pipe, value, async (steps, input) => {
      const text = configOf(steps.length === 1 ? steps[0] : { "!pipe": steps });
      const before = await outcomeOf(text, input);
      runs++;
      if ("fails" in before) failures++;
      for (const { title, text: after } of offersIn(text, "a.app.json")) {
        const kind = titles.find((each) => title.startsWith(each)) ?? title;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        expect([title, after, await outcomeOf(after, input)]).toEqual([title, after, before]);
      }
    }),
    { numRuns: Number(process.env["REFACTORING_RUNS"] ?? cases(200)) },
  );
  expect([...seen.keys()].sort()).toEqual(titles.toSorted());
  // Pipes that fail show little.
  expect(failures).toBeLessThan(runs * 0.7);
}, 300_000);
