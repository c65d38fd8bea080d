import { readFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { hasFailed, type PartReport, type Report, simulate, withFindings } from "../src/index.ts";

/** What is told as doubtful, and what takes the doubt away (E274). */

const right = JSON.stringify(
  JSON.parse(readFileSync(new URL("polling/right.app.json", import.meta.url), "utf8")),
);

/** The cursor never moves: nothing special is needed for that. */
const standing = right.replace(
  "polling_state: {cursor: .next_cursor,",
  "polling_state: {cursor: ${polling_state.cursor},",
);

async function reported(text: string, world?: object): Promise<Report> {
  const { app } = compile(text);
  return await simulate(app, {
    seeds: 3,
    days: 0.5,
    ...(world === undefined ? {} : { world: world as never }),
  });
}

const failuresOf = ({ parts }: Report): PartReport["failures"] => parts.flatMap(({ failures }) => failures);

describe("a law that breaks where nothing is special", () => {
  test("is doubtful, and no failure", async () => {
    expect(standing).not.toBe(right);
    const report = await reported(standing);
    expect(failuresOf(report).map(({ isDoubtful }) => isDoubtful)).toContain(true);
    expect(hasFailed({ parts: report.parts.map(onlyDoubts) })).toBe(false);
  });

  test("is broken for certain where `check` finds something in the same workflow", async () => {
    const { app, model, diagnostics } = compile(standing);
    const found = diagnostics.map((each) => render(model, each, { fixes: false }));
    expect(found.map(({ severity }) => severity)).toContain("warning");
    const report = withFindings(await reported(standing), app, found);
    expect(failuresOf(report).filter(({ isDoubtful }) => isDoubtful)).toEqual([]);
    expect(hasFailed(report)).toBe(true);
  });

  test("is broken for certain where a world file speaks of the intake", async () => {
    const { app } = compile(standing);
    const [intake] = app.intakes;
    const report = await reported(standing, { intakes: { [intake!.name]: { lag: 0 } } });
    expect(failuresOf(report).length).toBeGreaterThan(0);
    expect(failuresOf(report).filter(({ isDoubtful }) => isDoubtful)).toEqual([]);
  });
});

const onlyDoubts = (part: PartReport): PartReport => ({
  ...part,
  failures: part.failures.filter(({ isDoubtful }) => isDoubtful),
});
