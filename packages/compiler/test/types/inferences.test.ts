import { readFileSync } from "node:fs";
import type { Compilation, Sample } from "@configc/compiler";
import { expect, test } from "vitest";
import { baseFile } from "../support/bases.ts";
import { countingCompiler } from "../support/counting-compiler.ts";

/**
 * After an edit inside one jq string, only what depends on it is inferred anew: counted, not timed.
 */

const { compile, recompile, inferred } = await countingCompiler();

const template = (name: string) => JSON.parse(readFileSync(baseFile(name), "utf8")) as App;

interface App {
  data_intake: Intake[];
  workflows: Workflow[];
}
interface Intake {
  name: string;
  request: { "!pipe": object[] };
}
interface Workflow {
  name: string;
  data_intake: string;
  data_pipeline: { source: object };
}

const count = 20;

/** An app with so many intakes, each with a workflow; no two programs are equal but those that all workflows share. */
function app(): string {
  const { data_intake: intakes, workflows, ...rest } = template("inbound-polling");
  const numbers = Array.from({ length: count }, (_, index) => index);
  const request = (index: number) => ({
    "!pipe": [
      { "!http": { path: `/lists/${index}`, params: { page: "${polling_state.page}" } } },
      {
        "!jq": `{results: [.items[] | {email, n${index}: .id}], iterate: .has_more, polling_state: {page: (\${polling_state.page} + 1), since: ""}}`,
      },
    ],
  });
  const source = (index: number) => ({
    "!pipe": [{ "!jq": `{email, n: .n${index}}` }, { "!jq": `{email, name: .n, city: "${index}"}` }],
  });
  return JSON.stringify({
    ...rest,
    data_intake: numbers.map((index) => ({ ...intakes[0], name: `list-${index}`, request: request(index) })),
    workflows: numbers.map((index) => ({
      ...workflows[0],
      name: `acme-import-${index}`,
      data_intake: `list-${index}`,
      data_pipeline: { source: source(index), target: { "!resource": "PlatformContact" } },
    })),
  });
}

const samples = {
  responses: Array.from(
    { length: count },
    (_, index): Sample => ({
      name: `${index}.json`,
      method: "GET",
      url: `/lists/${index}`,
      status: 200,
      body: { items: [{ email: "x", id: 1 }], has_more: true },
    }),
  ),
};

/** The programs that are inferred for a version, each once, and the version. */
function inferredFor(version: () => Compilation): { compilation: Compilation; programs: string[] } {
  inferred.length = 0;
  const compilation = version();
  void compilation.diagnostics;
  const programs = compilation.model.programs.filter(({ tree }) => inferred.includes(tree));
  return { compilation, programs: [...new Set(programs.map(({ node }) => node.value))] };
}

const first = app();
test("the first time, all of them are", () => {
  const { programs } = inferredFor(() => compile(first, { samples }));
  expect(programs.length).toBeGreaterThan(3 * count);
});

test.each<[string, string, string, readonly RegExp[]]>([
  ["a comment", "{email, n: .n7}", "{email, n: .n7} # of the list", [/^\{email, n: \.n7\} #/]],
  [
    "another type",
    "{email, n: .n7}",
    "{email, n: (.n7 | tostring)}",
    [/^\{email, n: \(\.n7/, /^\{email, name: \.n, city: "7/],
  ],
  [
    "at the end of a pipe",
    '{email, name: .n, city: \\"7\\"}',
    '{email, name: .n, city: \\"Rome\\"}',
    [/^\{email, name: \.n, city: "Rome/],
  ],
  [
    "where the items come from: what takes them, and nothing of the other lists",
    "n7: .id",
    "n7: [.id]",
    [/n7: \[\.id\]/, /^\{email, n: \.n7\}/, /^\{email, name: \.n, city: "7/],
  ],
])("%s", (_, before, after, expected) => {
  const old = compile(first, { samples });
  void old.diagnostics;
  expect(first.split(before)).toHaveLength(2);
  const text = first.replace(before, after);
  const { programs, compilation } = inferredFor(() => recompile(old, text, { samples }));
  for (const program of expected) expect(programs.some((each) => program.test(each))).toBe(true);
  expect(programs).toHaveLength(expected.length);
  // And a new compilation finds the same.
  const rules = ({ diagnostics }: Compilation) => diagnostics.map(({ finding }) => finding.rule.id);
  expect(rules(compilation)).toEqual(rules(compile(text, { samples })));
});
