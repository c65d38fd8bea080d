import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, type Model } from "@configc/compiler";
import { findNode, spanOf } from "@configc/compiler/internal";
import { expect, test } from "vitest";
import { runCase } from "../../../packages/cli/src/apptest/run-case.ts";
import { readTests, type TestCase } from "../../../packages/cli/src/apptest/test-file.ts";
import { share } from "../../support/cases.ts";
import { type Offer, offersIn, onlyChoices } from "./sites.ts";

/** A refactoring keeps what a program does: the recorded cases of the examples pass as before, with the same requests. */

const root = fileURLToPath(new URL("../../../examples/", import.meta.url));
const folders = readdirSync(root).filter((name) => name !== "broken" && !name.includes("."));
const quiet = {
  network: undefined,
  signal: new AbortController().signal,
  verifier: undefined,
  coverage: undefined,
};

test.each(folders)(
  "%s",
  async (folder) => {
    const name = readdirSync(root + folder).find((each) => /\.app\.jsonc?$/.test(each))!;
    const text = readFileSync(`${root}${folder}/${name}`, "utf8");
    const path = `${root}${folder}/${folder}.apptest.json`;
    const read = readTests({ absolute: path, path });
    if ("problems" in read) throw new Error(read.problems.join("\n"));
    const cases = read.tests.cases.filter(({ world, run }) => world === undefined && !run.includes("!"));
    const { model } = compile(text, { uri: name });
    const spans = cases.map((each) => {
      const found = findNode(model, each.run);
      return "node" in found ? spanOf(model.document, found.node) : { start: 0, end: 0 };
    });
    const counts = new Map<string, number>();
    const broken: string[] = [];
    for (const offer of share([...offersIn(text, name)])) {
      const about = cases.filter(
        (_, index) => spans[index]!.start <= offer.at && offer.at <= spans[index]!.end,
      );
      for (const problem of await problems(offer, name, about.slice(0, 3))) broken.push(problem);
      counts.set(offer.kind, (counts.get(offer.kind) ?? 0) + 1);
    }
    expect(broken).toEqual([]);
    expect([...counts.keys()].length).toBeGreaterThan(1);
  },
  60_000,
);

async function problems(
  { title, text, at }: Offer,
  file: string,
  cases: readonly TestCase[],
): Promise<string[]> {
  const { model, app, diagnostics } = compile(text, { uri: file });
  const what = `“${title}” at ${at}`;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    return [
      `${what}: ${errors[0]!.finding.rule.id} ${text.slice(errors[0]!.span.start - 200, errors[0]!.span.end)}`,
    ];
  const found: string[] = [];
  for (const test of cases) {
    const result = await runCase(answered(test, model), { file, model, app, settings: {} }, quiet);
    if (!result.passed) found.push(`${what}, ${test.name}: ${result.reasons.join("; ")}`);
  }
  return found;
}

/** With the one choice of a field that may not have been there before, and wherever a failure stands now. */
function answered({ expectError, context = {}, ...test }: TestCase, model: Model): TestCase {
  const { pointer: _, ...error }: NonNullable<TestCase["expectError"]> = expectError ?? {};
  return {
    ...test,
    ...(expectError === undefined ? {} : { expectError: error }),
    context: { ...context, custom_data: { ...onlyChoices(model), ...(context.custom_data as object) } },
  };
}
